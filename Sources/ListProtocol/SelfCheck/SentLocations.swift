import ByteBuffers
import ListDiff
import ListState
import ListText
import ListViews

extension ListService {
  /// Checks the locations of items, sections and lines, and the rows at paths.
  mutating func check(
    locations result: SentObject, in list: NamedList, _ requestParams: SentObject
  ) throws(InvariantViolation) {
    let snapshot = list.shownItems
    let text = page(of: list, in: book, TextOptions()).text
    let hasLines = requestParams["text"]?.boolean ?? false
    let match: ViewMatch?
    do {
      match = try self.match(requestParams["match"], of: list)
    } catch { throw InvariantViolation("a match that cannot be read") }
    let isSearch =
      match != nil && ["items", "paths", "lines"].allSatisfy { requestParams[$0] == nil }
    if isSearch, let match { try check(found: result, by: match, in: list, requestParams) }
    if let items = requestParams["items"] {
      guard let references = try? ItemReference.readAll(items, store.ids, lines(of: list.name)),
        let located = try? store.locate(references, of: list)
      else { throw InvariantViolation("items that cannot be located") }
      for (found, item) in try result.pairs("items", located) {
        try expect(
          found.path("at") == snapshot.path(ofItem: item).numbers, "an item is at another path")
        try check(
          found, rows: snapshot.rows(ofItem: item), of: item, linesIn: hasLines ? text : nil, match,
          list)
      }
    }
    if let paths = requestParams["paths"]?.elements {
      let contents = ContentWriter(list.rows, ContentForm(singleLine: false))
      let rows = paths.map { path in
        (try? path.requirePath()).flatMap { snapshot.row(section: $0.section, $0.row) }
      }
      for (found, row) in try result.pairs("paths", rows) {
        let item = snapshot.item(ofRow: row)
        try found.check("occurrence", is: store.occurrences(ofItems: [item], of: list)[0])
        try expect(
          found.hasID(of: snapshot.arrangement.rows[item], store.ids)
            && ReferenceList.row(found["content"]) == ReferenceList.row(row, contents),
          "another row at a path")
        try check(
          found, rows: row..<row + 1, of: item, linesIn: hasLines ? text : nil, match, list)
      }
    }
    if let sections = requestParams["sections"]?.elements {
      let keys = sections.map { (try? SectionReference($0, store.ids).key) ?? nil }
      let found = result["sections"]?.elements?.map(\.integer)
      try expect(
        found == keys.map({ key in snapshot.arrangement.sections.firstIndex { $0 == key } }),
        "a section is at another index")
    }
    if let lines = requestParams["lines"]?.elements {
      let owners = lines.map { $0.integer.flatMap(text.owner(ofLine:)) }
      for (found, owner) in try result.pairs("lines", owners) {
        switch owner {
        case .row(let row):
          try expect(
            found.path("at") == snapshot.path(ofRow: row).numbers, "a line belongs to another row")
          // The lines of the row were not requested.
          try check(
            found, rows: row..<row + 1, of: snapshot.item(ofRow: row), linesIn: nil, match, list,
            spansIn: hasLines ? text : nil)
        case .header(let section), .footer(let section):
          try found.check("section", is: section)
          let isHeader = if case .header = owner { true } else { false }
          try expect(
            found[isHeader ? "header" : "footer"]?.boolean == true
              && found[isHeader ? "footer" : "header"] == nil
              && found["match"]?.kind == (match == nil ? nil : .null),
            "a line belongs to another header or footer")
          try found.check(sectionID: snapshot.arrangement.sections[section], store.ids)
        }
      }
    }
  }

  /// Checks the members about rows other than their paths.
  private mutating func check(
    _ found: SentObject, rows: Range<Int>, of item: Int, linesIn text: RenderedText?,
    _ match: ViewMatch?, _ list: NamedList, spansIn spanned: RenderedText? = nil
  ) throws(InvariantViolation) {
    let shown = list.rows
    let section = shown.section(ofItem: item)
    try found.check(sectionID: shown.key(ofSection: section), store.ids)
    let lines = text?.lines(ofRows: rows, inSection: section)
    try found.check("line", is: lines?.lowerBound)
    try found.check("lineCount", is: lines?.count)
    guard let match else {
      try expect(found["match"] == nil, "a match that was not requested")
      return
    }
    var own: (RenderedText, Int)?
    if let text = text ?? spanned {
      own = (
        book.render(
          rows: rows, of: list, shown, store.ids, matching: ListMatch(match)),
        text.lines(ofRows: rows, inSection: section).lowerBound
      )
    }
    var expected = ByteBuffer()
    var locator = MatchLocator(match, context.offsetUnit)
    locator.append(shown.bytes(ofItem: item), own, to: &expected)
    var value: [UInt8] = []
    if let match = found["match"] { value = Array("\"match\":".utf8) + match.bytes }
    try expect(expected.withUnsafeBytes({ $0.elementsEqual(value) }), "an item matches otherwise")
  }

  /// Checks the items that a search has found.
  private mutating func check(
    found result: SentObject, by match: ViewMatch, in list: NamedList, _ requestParams: SentObject
  ) throws(InvariantViolation) {
    let snapshot = list.shownItems
    var locator = MatchLocator(match, context.offsetUnit)
    var items = Array(0..<snapshot.itemCount)
    if requestParams.text("direction") == "backward" { items.reverse() }
    if let from = requestParams["from"] {
      guard let reference = try? ItemReference.read(from, store.ids, lines(of: list.name)),
        let item = (try? store.locate([reference], of: list))?[0],
        let position = items.firstIndex(of: item)
      else { throw InvariantViolation("an item that cannot be located") }
      items = Array(items[(position + 1)...] + items[...position])
    }
    let scores = items.map { locator.score(of: snapshot.bytes(of: snapshot.payloads[$0])) }
    let matches = zip(items, scores).filter { $0.1 != nil }
    try result.check("total", is: matches.count)
    let first = matches.prefix(requestParams["count"]?.integer ?? 1)
    for (found, match) in try result.pairs("matches", first.map(Optional.some)) {
      try found.check("score", is: match.1)
      try expect(
        found.path("at") == snapshot.path(ofItem: match.0).numbers
          && found.hasID(of: snapshot.arrangement.rows[match.0], store.ids),
        "another item is the next that matches")
      let rows = list.rows
      try found.check(
        sectionID: rows.key(ofSection: rows.section(ofItem: match.0)), store.ids)
    }
  }
}

extension SentObject {
  /// Returns the elements of an array with the values that they describe; an element must be null
  /// if its value is `nil`.
  fileprivate func pairs<Wanted>(
    _ name: String, _ wanted: [Wanted?]
  ) throws(InvariantViolation) -> [(SentObject, Wanted)] {
    let found = try elements(name)
    try expect(
      found.count == wanted.count
        && zip(found, wanted).allSatisfy({ ($0.kind == .null) == ($1 == nil) }),
      "not what was requested in \(name)")
    return zip(found, wanted).compactMap { found, wanted in
      guard let result = SentObject(found), let wanted else { return nil }
      return (result, wanted)
    }
  }

  /// Checks that `sectionId` is the identifier with a key.
  fileprivate func check(
    sectionID key: UInt32, _ ids: borrowing IDTable
  ) throws(InvariantViolation) {
    var expected = ByteBuffer()
    expected.append(id: key, ids)
    guard let found = self["sectionId"],
      expected.withUnsafeBytes({ $0.elementsEqual(found.bytes) })
    else { throw InvariantViolation("another section") }
  }
}
