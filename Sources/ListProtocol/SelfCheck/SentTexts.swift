import JSONBytes
import ListDiff
import ListState
import ListText

/// A text that was rendered again, and its source.
struct ReferencePage {
  var text = RenderedText()
  var snapshot = Snapshot()
  var selected: Set<Int> = []
  var cursor: Int?
  var rowLine = 0

  /// Returns the identity of the row, header or footer of a line.
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
  var cursorLine: Int? {
    cursor.map { row in
      let lines = text.lines(ofRow: row)
      return lines.isEmpty ? lines.lowerBound : lines.prefix(rowLine + 1).last!
    }
  }

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
  /// Renders the text of a list again.
  func page(of list: NamedList?, in book: TextBook, _ options: TextOptions) -> ReferencePage {
    guard let list else { return ReferencePage() }
    var book = book
    let rowLine = book.page(of: list.name)?.rowLine ?? 0
    book.close(list.name)
    let change = book.update(list, store.ids, .marks(), needsSpans: options.spans)
    return ReferencePage(
      text: change?.new ?? RenderedText(), snapshot: list.shownItems,
      selected: Set(list.selectedItems), cursor: list.cursor, rowLine: rowLine)
  }

  /// Checks edits of a text against texts that are rendered again.
  func check(
    text change: SentObject, _ options: TextOptions, from before: NamedList?, to now: NamedList
  ) throws(InvariantViolation) {
    var known = book
    known.undo()
    let old = page(of: before, in: known, options)
    let new = page(of: now, in: book, options)
    try change.check("textRevision", is: book.text(of: now.name).revision)
    if known.hasText(now.name) {
      try change.check("baseTextRevision", is: known.text(of: now.name).revision)
    } else {
      // The request itself opened the text; the text of a list that does not exist has revision 0.
      try change.check("baseTextRevision", is: before != nil ? known.revisions.last + 1 : 0)
    }
    let isNew = try change.number("baseTextRevision") < change.number("textRevision")
    try expect(isNew || old.text.bytes == new.text.bytes, "another text under the same number")
    try check(edits: change, options, from: old, to: new)
    try change.check("cursorLine", ofCursor: new)
    try change.check(selectedLinesOf: options.selectedLines ? new : nil)
  }

  /// Checks edits of a text, and the moves and spans beside them.
  func check(
    edits change: SentObject, _ options: TextOptions, from old: ReferencePage, to new: ReferencePage
  ) throws(InvariantViolation) {
    let value = try expect(change["textEdits"], "no textEdits")
    let edits = try SelfCheck.check(value, from: old.text.bytes, to: new.text.bytes)
    var moved: Set<Int> = []
    for (from, to) in try change.moves(beside: edits) {
      try expect(
        moved.insert(from).inserted
          && old.owner(ofLine: from, store.ids) == new.owner(ofLine: to, store.ids),
        "line \(from) is not line \(to)")
    }
    guard options.spans else { return try change.check(spansOf: nil, of: new.text, options) }
    try change.check(spansOf: edits.map(\.new), of: new.text, options)
    var (next, nextNew) = (0, 0)
    for edit in edits + [
      LineEdit(old: old.text.lineCount..<0x7FFF_FFFF, new: new.text.lineCount..<0x7FFF_FFFF)
    ] {
      for (line, other) in zip(next..<edit.old.lowerBound, nextNew..<edit.new.lowerBound) {
        try expect(
          old.text.spanShapes(ofLine: line) == new.text.spanShapes(ofLine: other),
          "line \(other) has other spans, but no edit replaces it")
      }
      (next, nextNew) = (edit.old.upperBound, edit.new.upperBound)
    }
  }

  /// Checks the answer to a subscription to a text, and that of `getText`.
  func check(
    wholeText result: SentObject, _ requestParams: SentObject, _ options: TextOptions
  ) throws(InvariantViolation) {
    guard let name = result.list, name == requestParams.list else {
      throw InvariantViolation("no list")
    }
    let list = store.peek(name)
    let page = page(of: list, in: book, options)
    try result.check("revision", is: list?.revision ?? 0)
    let isKept = list != nil || requestParams["format"] != nil
    try result.check("textRevision", is: isKept ? book.text(of: name).revision : 0)
    try result.check("cursorLine", ofCursor: page)
    try result.check(selectedLinesOf: options.selectedLines ? page : nil)
    if let list { try result.checkNumbers(of: list) }
    if result["textEdits"] != nil {
      return try check(editsSinceText: result, requestParams, options, page.text)
    }
    var lines = 0..<page.text.lineCount
    if let window = SentObject(requestParams["lines"]) {
      let start = min(try window.number("start"), lines.count)
      lines = start..<start + min(try window.number("count"), lines.count - start)
      try result.check("start", is: start)
      try result.check("lineCount", is: page.text.lineCount)
    }
    try expect(
      result["text"]?.string == Array(ReferenceText(page.text.bytes).lines[lines].joined()),
      "another text")
    try result.check(spansOf: options.spans ? [lines] : nil, of: page.text, options)
  }

  /// Checks edits from a text whose content is unknown: the lines that they insert are in the new
  /// text.
  private func check(
    editsSinceText result: SentObject, _ requestParams: SentObject, _ options: TextOptions,
    _ text: RenderedText
  ) throws(InvariantViolation) {
    try result.check("baseTextRevision", is: requestParams["sinceText"]?.integer)
    let lines = ReferenceText(text.bytes).lines
    let edits = try ReferenceText.read(try expect(result["textEdits"], "no textEdits"))
    for (edit, text) in edits {
      try expect(
        edit.new.upperBound <= lines.count && lines[edit.new].joined().elementsEqual(text),
        "an edit that does not lead to the text")
    }
    _ = try result.moves(beside: edits.map { $0.lines })
    try result.check(spansOf: options.spans ? edits.map(\.lines.new) : nil, of: text, options)
  }
}

extension SentObject {
  /// Checks that a member is the line of the cursor.
  func check(_ name: String, ofCursor page: ReferencePage) throws(InvariantViolation) {
    let found = try expect(self[name], "no line of the cursor")
    try expect(found.integer == page.cursorLine, "the cursor is on another line")
  }

  /// Returns the lines that move, each from a line that an edit deletes to one that an edit inserts.
  fileprivate func moves(
    beside edits: [LineEdit]
  ) throws(InvariantViolation) -> [(from: Int, to: Int)] {
    var moves: [(from: Int, to: Int)] = []
    for move in try objects("moves") {
      let (from, to) = (try move.number("from"), try move.number("to"))
      let count = try move.number("count")
      try expect(count > 0, "a move of nothing")
      for (from, to) in zip(from..<from + count, to..<to + count) {
        try expect(
          edits.contains { $0.old.contains(from) } && edits.contains { $0.new.contains(to) },
          "line \(from) does not move to \(to)")
        moves.append((from, to))
      }
    }
    return moves
  }

  /// Checks the selected lines, which are absent if `page` is `nil`.
  func check(selectedLinesOf page: ReferencePage?) throws(InvariantViolation) {
    var lines: Set<Int> = []
    var isCorrect = (self["selectedLines"] == nil) == (page == nil)
    for range in self["selectedLines"]?.elements ?? [] {
      let ends = range.elements?.compactMap(\.integer) ?? []
      guard ends.count == 2, ends[0] < ends[1], lines.isDisjoint(with: ends[0]..<ends[1]) else {
        isCorrect = false
        break
      }
      lines.formUnion(ends[0]..<ends[1])
    }
    try expect(isCorrect && (lines == page?.selectedLines ?? []), "other lines are selected")
  }

  /// Checks the spans of some lines of a text, which are absent if `lines` is `nil`.
  fileprivate func check(
    spansOf lines: [Range<Int>]?, of text: RenderedText, _ options: TextOptions
  ) throws(InvariantViolation) {
    guard let lines else {
      try expect(self["spans"] == nil, "spans that were not requested")
      return
    }
    let texts = ReferenceText(text.bytes).lines
    var wanted = lines.flatMap { text.spans(ofLines: $0) }[...]
    for found in try objects("spans") {
      let span = try expect(wanted.popFirst(), "an extra span")
      let line = texts[span.line]
      try found.check("line", is: span.line)
      try found.check("start", is: options.unit.length(of: line.prefix(span.start)))
      try found.check("end", is: options.unit.length(of: line.prefix(span.end)))
      try expect(found["group"]?.string == span.group, "a span of another group")
    }
    try expect(wanted.isEmpty, "not all spans")
  }
}

extension RenderedText {
  /// Returns the spans of a line, without its number.
  func spanShapes(ofLine line: Int) -> [TextSpan] {
    spans(ofLines: line..<line + 1).map { span in
      var span = span
      span.line = 0
      return span
    }
  }
}
