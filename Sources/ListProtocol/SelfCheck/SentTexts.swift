import JSONBytes
import ListDiff
import ListState
import ListText

/// A text that was rendered anew, and what it was made of.
struct ObviousPage {
  var text = RenderedText()
  var snapshot = Snapshot()
  var selected = BitSet(bound: 0)
  var cursor: Int?

  /// What has a line, as its identity.
  func owner(ofLine line: Int, _ ids: borrowing IDTable) -> [UInt32] {
    switch text.owner(ofLine: line) {
    case .row(let row):
      return [0, ids.original(snapshot.arrangement.rows[snapshot.item(ofRow: row)])]
    case .header(let section): return [1, snapshot.arrangement.sections[section]]
    case .footer(let section): return [2, snapshot.arrangement.sections[section]]
    case nil: return []
    }
  }

  /// The line of the cursor.
  var cursorLine: Int? { cursor.map { text.lines(ofRow: $0).lowerBound } }

  /// The lines of the selected rows.
  var selectedLines: Set<Int> {
    var lines: Set<Int> = []
    for row in 0..<snapshot.rowCount where selected.contains(snapshot.item(ofRow: row)) {
      lines.formUnion(text.lines(ofRow: row))
    }
    return lines
  }
}

extension ListService {
  /// The text of a list, rendered anew.
  func page(of list: NamedList?, in book: TextBook, _ options: TextOptions) -> ObviousPage {
    guard let list else { return ObviousPage() }
    var book = book
    book.close(list.name)
    let change = book.update(
      list, store.ids, .same, needsSpans: options.spans, isForced: true)
    return ObviousPage(
      text: change?.new ?? RenderedText(), snapshot: list.snapshot,
      selected: list.selection.items, cursor: list.cursor)
  }

  /// Checks edits of a text against what is rendered anew.
  func check(
    text change: SentObject, _ options: TextOptions, from before: NamedList?, to now: NamedList
  ) throws(BrokenLaw) {
    let known = bookBefore ?? book
    let old = page(of: before, in: known, options)
    let new = page(of: now, in: book, options)
    try change.check("textRevision", is: book.text(of: now.name).revision)
    if known.hasText(now.name) {
      try change.check("baseTextRevision", is: known.text(of: now.name).revision)
    } else {
      // The text was opened by the request itself; that of no list has the number 0.
      let isNumbered = before != nil || options.spans
      try change.check("baseTextRevision", is: isNumbered ? known.numbers.last + 1 : 0)
    }
    let isNew = try change.number("baseTextRevision") < change.number("textRevision")
    guard isNew || old.text.bytes == new.text.bytes else {
      throw BrokenLaw(words: "another text under the same number")
    }
    try check(edits: change, options, from: old, to: new)
    try change.check("cursorLine", ofCursor: new)
    try change.check(selectedLinesOf: options.selectedLines ? new : nil)
  }

  /// Checks edits of a text, the moves of lines and the spans beside them.
  func check(
    edits change: SentObject, _ options: TextOptions, from old: ObviousPage, to new: ObviousPage
  ) throws(BrokenLaw) {
    guard let value = change["textEdits"] else { throw BrokenLaw(words: "no textEdits") }
    let edits = try SelfCheck.check(value, from: old.text.bytes, to: new.text.bytes)
    var moved: Set<Int> = []
    for value in try change.elements("moves") {
      guard let move = SentObject(value) else { throw BrokenLaw(words: "not a move") }
      let (from, to) = (try move.number("from"), try move.number("to"))
      let count = try move.number("count")
      guard count > 0 else { throw BrokenLaw(words: "a move of nothing") }
      for (from, to) in zip(from..<from + count, to..<to + count) {
        guard edits.contains(where: { $0.old.contains(from) }),
          edits.contains(where: { $0.new.contains(to) }), moved.insert(from).inserted,
          old.owner(ofLine: from, store.ids) == new.owner(ofLine: to, store.ids)
        else { throw BrokenLaw(words: "line \(from) does not move to \(to)") }
      }
    }
    guard options.spans else { return try change.check(spansOf: nil, of: new.text, options) }
    try change.check(spansOf: edits.map(\.new), of: new.text, options)
    var (next, nextNew) = (0, 0)
    for edit in edits + [
      LineEdit(old: old.text.lineCount..<0x7FFF_FFFF, new: new.text.lineCount..<0x7FFF_FFFF)
    ] {
      for (line, other) in zip(next..<edit.old.lowerBound, nextNew..<edit.new.lowerBound) {
        guard old.text.looks(ofLine: line) == new.text.looks(ofLine: other) else {
          throw BrokenLaw(words: "line \(other) has other spans, and no edit brings it")
        }
      }
      (next, nextNew) = (edit.old.upperBound, edit.new.upperBound)
    }
  }

  /// Checks the first answer to a subscriber of a text, and what `getText` returns.
  func check(
    wholeText result: SentObject, _ asked: SentObject, _ options: TextOptions
  ) throws(BrokenLaw) {
    guard let name = result.list, name == asked.list else { throw BrokenLaw(words: "no list") }
    let list = store.peek(name)?.whole
    let page = page(of: list, in: book, options)
    try result.check("revision", is: list?.revision ?? 0)
    let isKept = list != nil || asked["format"] != nil
    try result.check("textRevision", is: isKept ? book.text(of: name).revision : 0)
    try result.check("cursorLine", ofCursor: page)
    try result.check(selectedLinesOf: options.selectedLines ? page : nil)
    if let list { try result.checkNumbers(of: list) }
    if result["textEdits"] != nil {
      return try check(editsSinceText: result, asked, options, page.text)
    }
    var lines = 0..<page.text.lineCount
    if let window = SentObject(asked["lines"]) {
      let start = min(try window.number("start"), lines.count)
      lines = start..<start + min(try window.number("count"), lines.count - start)
      try result.check("start", is: start)
      try result.check("lineCount", is: page.text.lineCount)
    }
    guard result["text"]?.string == Array(ObviousText(page.text.bytes).lines[lines].joined())
    else { throw BrokenLaw(words: "another text") }
    try result.check(spansOf: options.spans ? [lines] : nil, of: page.text, options)
  }

  /// Checks edits from a text of which only the number is known: what they bring is in the new text.
  private func check(
    editsSinceText result: SentObject, _ asked: SentObject, _ options: TextOptions,
    _ text: RenderedText
  ) throws(BrokenLaw) {
    try result.check("baseTextRevision", is: asked["sinceText"]?.integer)
    let lines = ObviousText(text.bytes).lines
    var brought: [Range<Int>] = []
    var (next, shift) = (0, 0)
    for edit in try result.elements("textEdits") {
      let range = SentObject(SentObject(edit)?["range"])
      guard let start = SentObject(range?["start"]), let end = SentObject(range?["end"]),
        let text = SentObject(edit)?["newText"]?.string
      else { throw BrokenLaw(words: "not an edit") }
      try start.check("character", is: 0)
      try end.check("character", is: 0)
      let old = (try start.number("line"), try end.number("line"))
      let count = text.count { $0 == 0x0A }
      let new = old.0 + shift..<old.0 + shift + count
      guard next <= old.0, old.0 <= old.1, new.upperBound <= lines.count,
        lines[new].joined().elementsEqual(text)
      else { throw BrokenLaw(words: "an edit that does not lead to the text") }
      brought.append(new)
      next = old.1
      shift += count - (old.1 - old.0)
    }
    try result.check(spansOf: options.spans ? brought : nil, of: text, options)
  }
}

extension SentObject {
  /// Makes sure that a member is the line of the cursor.
  func check(_ name: String, ofCursor page: ObviousPage) throws(BrokenLaw) {
    guard let found = self[name], found.integer == page.cursorLine else {
      throw BrokenLaw(words: "the cursor is on another line")
    }
  }

  /// Makes sure that the selected lines are those of a text; not there if that is `nil`.
  func check(selectedLinesOf page: ObviousPage?) throws(BrokenLaw) {
    var lines: Set<Int> = []
    var isRight = (self["selectedLines"] == nil) == (page == nil)
    for range in self["selectedLines"]?.elements ?? [] {
      let ends = range.elements?.compactMap(\.integer) ?? []
      guard ends.count == 2, ends[0] < ends[1], lines.isDisjoint(with: ends[0]..<ends[1]) else {
        isRight = false
        break
      }
      lines.formUnion(ends[0]..<ends[1])
    }
    guard isRight, lines == page?.selectedLines ?? [] else {
      throw BrokenLaw(words: "other lines are selected")
    }
  }

  /// Makes sure that the spans are those of some lines of a text; not there if that is `nil`.
  fileprivate func check(
    spansOf lines: [Range<Int>]?, of text: RenderedText, _ options: TextOptions
  ) throws(BrokenLaw) {
    guard let lines else {
      guard self["spans"] == nil else { throw BrokenLaw(words: "spans that nobody wants") }
      return
    }
    let texts = ObviousText(text.bytes).lines
    var wanted = text.spans.filter { span in lines.contains { $0.contains(span.line) } }[...]
    for value in try elements("spans") {
      guard let span = wanted.popFirst(), let found = SentObject(value) else {
        throw BrokenLaw(words: "a span too many")
      }
      let line = texts[span.line]
      try found.check("line", is: span.line)
      try found.check("start", is: options.unit.length(of: line.prefix(span.start)))
      try found.check("end", is: options.unit.length(of: line.prefix(span.end)))
      guard found["group"]?.string == span.group else {
        throw BrokenLaw(words: "a span of another group")
      }
    }
    guard wanted.isEmpty else { throw BrokenLaw(words: "not all spans") }
  }
}

extension RenderedText {
  /// The spans of a line, wherever that is.
  fileprivate func looks(ofLine line: Int) -> [TextSpan] {
    spans(ofLines: line..<line + 1).map { span in
      var span = span
      span.line = 0
      return span
    }
  }
}
