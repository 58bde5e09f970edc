import JSONBytes
import ListDiff
import ListState
import ListText
import ListViews

extension ListService {
  /// Checks where items, sections and lines are, and what is at paths.
  mutating func check(
    locations result: SentObject, in list: NamedList, _ asked: SentObject
  ) throws(BrokenLaw) {
    let snapshot = list.snapshot
    let text = page(of: list, in: book, TextOptions()).text
    let hasLines = asked["text"]?.boolean ?? false
    let match: ViewMatch?
    do {
      match = try self.match(asked["match"], of: list)
    } catch { throw BrokenLaw(words: "a match that cannot be read") }
    let isSearch = match != nil && ["items", "paths", "lines"].allSatisfy { asked[$0] == nil }
    if isSearch, let match { try check(found: result, by: match, in: list, asked) }
    if let items = asked["items"] {
      guard let references = try? References(items, store.ids, lines(of: list.name)).items,
        let located = try? store.locate(references, of: list)
      else { throw BrokenLaw(words: "items that cannot be located") }
      for (found, item) in try result.pairs("items", located) {
        guard try found.path("at") == snapshot.path(ofItem: item).numbers else {
          throw BrokenLaw(words: "an item is at another path")
        }
        try check(
          found, rows: snapshot.rows(ofItem: item), item, hasLines ? text : nil, match, list)
      }
    }
    if let paths = asked["paths"]?.elements {
      let rows = paths.map { path in
        (try? path.requirePath()).flatMap { snapshot.row(section: $0.section, $0.row) }
      }
      for (found, row) in try result.pairs("paths", rows) {
        let item = snapshot.item(ofRow: row)
        try found.check("occurrence", is: store.occurrences(ofItems: [item], of: list)[0])
        guard found.hasID(of: snapshot.arrangement.rows[item], store.ids),
          ObviousList.row(found["content"]) == ObviousList.row(row, of: snapshot)
        else { throw BrokenLaw(words: "another row at a path") }
        try check(found, rows: row..<row + 1, item, hasLines ? text : nil, match, list)
      }
    }
    if let sections = asked["sections"]?.elements {
      let keys = sections.map { (try? SectionReference($0, store.ids).key) ?? nil }
      let found = result["sections"]?.elements?.map(\.integer)
      guard found == keys.map({ key in snapshot.arrangement.sections.firstIndex { $0 == key } })
      else { throw BrokenLaw(words: "a section is at another index") }
    }
    if let lines = asked["lines"]?.elements {
      let owners = lines.map { $0.integer.flatMap(text.owner(ofLine:)) }
      for (found, owner) in try result.pairs("lines", owners) {
        switch owner {
        case .row(let row):
          guard try found.path("at") == snapshot.path(ofRow: row).numbers else {
            throw BrokenLaw(words: "a line is another row's")
          }
          // Which lines the row has is not asked for.
          try check(
            found, rows: row..<row + 1, snapshot.item(ofRow: row), nil, match, list,
            spansIn: hasLines ? text : nil)
        case .header(let section), .footer(let section):
          try found.check("section", is: section)
          let isHeader = if case .header = owner { true } else { false }
          guard found[isHeader ? "header" : "footer"]?.boolean == true,
            found[isHeader ? "footer" : "header"] == nil,
            found["match"]?.kind == (match == nil ? nil : .null)
          else { throw BrokenLaw(words: "a line is another one's") }
          try found.check(sectionID: snapshot.arrangement.sections[section], store.ids)
        }
      }
    }
  }

  /// Checks what is said of rows beside where they are.
  private mutating func check(
    _ found: SentObject, rows: Range<Int>, _ item: Int, _ text: RenderedText?,
    _ match: ViewMatch?, _ list: NamedList, spansIn spanned: RenderedText? = nil
  ) throws(BrokenLaw) {
    let snapshot = list.snapshot
    let section = snapshot.section(ofItem: item)
    try found.check(sectionID: snapshot.arrangement.sections[section], store.ids)
    let lines = text?.lines(ofRows: rows, inSection: section)
    try found.check("line", is: lines?.lowerBound)
    try found.check("lineCount", is: lines?.count)
    guard let match else {
      guard found["match"] == nil else { throw BrokenLaw(words: "a match that nobody wants") }
      return
    }
    var own: (RenderedText, Int)?
    if let text = text ?? spanned {
      own = (
        book.render(rows: rows, of: list, store.ids, matching: ListMatch(match)),
        text.lines(ofRows: rows, inSection: section).lowerBound
      )
    }
    var expected = ByteBuffer()
    var locator = MatchLocator(match, offsetUnit)
    locator.append(snapshot.bytes(of: snapshot.payloads[item]), own, to: &expected)
    var value: [UInt8] = []
    if let match = found["match"] { value = Array(",\"match\":".utf8) + match.bytes }
    guard expected.withUnsafeBytes({ $0.elementsEqual(value) }) else {
      throw BrokenLaw(words: "an item matches otherwise")
    }
  }

  /// Checks the items that a search has found.
  private mutating func check(
    found result: SentObject, by match: ViewMatch, in list: NamedList, _ asked: SentObject
  ) throws(BrokenLaw) {
    let snapshot = list.snapshot
    var locator = MatchLocator(match, offsetUnit)
    var items = Array(0..<snapshot.itemCount)
    if asked.text("direction") == "backward" { items.reverse() }
    if let from = asked["from"] {
      guard let reference = try? ItemReference.read(from, store.ids, lines(of: list.name)),
        let item = (try? store.locate([reference], of: list))?[0],
        let place = items.firstIndex(of: item)
      else { throw BrokenLaw(words: "an item that cannot be located") }
      items = Array(items[(place + 1)...] + items[...place])
    }
    let scores = items.map { locator.score(of: snapshot.bytes(of: snapshot.payloads[$0])) }
    let matches = zip(items, scores).filter { $0.1 != nil }
    try result.check("total", is: matches.count)
    let first = matches.prefix(asked["count"]?.integer ?? 1)
    for (found, match) in try result.pairs("matches", first.map(Optional.some)) {
      try found.check("score", is: match.1)
      guard try found.path("at") == snapshot.path(ofItem: match.0).numbers,
        found.hasID(of: snapshot.arrangement.rows[match.0], store.ids)
      else { throw BrokenLaw(words: "another item is the next that matches") }
    }
  }
}

extension SentObject {
  /// The elements of a member beside what they are to describe; each is null if that is `nil`.
  fileprivate func pairs<Wanted>(
    _ name: String, _ wanted: [Wanted?]
  ) throws(BrokenLaw) -> [(SentObject, Wanted)] {
    let found = try elements(name)
    guard found.count == wanted.count,
      zip(found, wanted).allSatisfy({ ($0.kind == .null) == ($1 == nil) })
    else { throw BrokenLaw(words: "not what was asked for in \(name)") }
    return zip(found, wanted).compactMap { found, wanted in
      guard let result = SentObject(found), let wanted else { return nil }
      return (result, wanted)
    }
  }

  /// Makes sure that the identifier of a section is that of a key.
  fileprivate func check(
    sectionID key: UInt32, _ ids: borrowing IDTable
  ) throws(BrokenLaw) {
    var expected = ByteBuffer()
    expected.append(id: key, ids)
    guard let found = self["sectionId"],
      expected.withUnsafeBytes({ $0.elementsEqual(found.bytes) })
    else { throw BrokenLaw(words: "another section") }
  }
}
