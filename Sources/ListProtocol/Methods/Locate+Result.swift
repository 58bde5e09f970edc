import ByteBuffers
import FuzzyMatch
import ListDiff
import ListState
import ListText

extension Locate {
  func append(_ result: Result, of service: inout ListService, to out: inout ByteBuffer) {
    out.append(openingFor: list, revision: result.list.revision)
    var locator = match.map { MatchLocator($0, service.context.offsetUnit) }
    let rows = result.rows
    if let matches = result.matches { append(matches, service.store.ids, to: &out) }
    if let items = result.items {
      out.append("items", found: items) { item, out in
        let path = rows.path(ofItem: item)
        out.append("{")
        out.append(member: "at", path)
        append(
          rows.rows(ofItem: item), of: item, in: path.section, result, &locator, &service,
          to: &out)
      }
    }
    if let paths = result.paths {
      let shown = paths.compactMap { $0.map(rows.item(ofRow:)) }
      var occurrences = service.store.occurrences(ofItems: shown, of: result.list)[...]
      out.append("paths", found: paths) { row, out in
        let item = rows.item(ofRow: row)
        out.append("{")
        out.append(idOf: rows.key(ofItem: item), service.store.ids)
        out.append(member: "occurrence", occurrences.removeFirst())
        out.append(member: "content")
        result.contents.appendRow(row, to: &out)
        append(
          row..<row + 1, of: item, in: rows.path(ofRow: row).section, result, &locator, &service,
          to: &out)
      }
    }
    if let sections = result.sections {
      out.append("sections", found: sections) { section, out in out.append(decimal: section) }
    }
    if let lines = result.lines {
      out.append("lines", found: lines) { owner, out in
        append(owner, result, &locator, &service, to: &out)
      }
    }
    out.append("}")
  }

  /// Appends the section, the lines and the match of rows of an item, and the closing brace.
  private func append(
    _ range: Range<Int>, of item: Int, in section: Int, _ result: Result,
    _ locator: inout MatchLocator?, _ service: inout ListService, to out: inout ByteBuffer
  ) {
    out.append(sectionID: result.rows.key(ofSection: section), service.store.ids)
    if includesLines, let text = result.text {
      let lines = text.lines(ofRows: range, inSection: section)
      out.append(member: "line", lines.lowerBound)
      out.append(member: "lineCount", lines.count)
    }
    append(matchOf: range, of: item, in: section, result, &locator, &service, to: &out)
    out.append("}")
  }

  /// Appends how the item of some rows matches, if the request has a query.
  private func append(
    matchOf range: Range<Int>, of item: Int, in section: Int, _ result: Result,
    _ locator: inout MatchLocator?, _ service: inout ListService, to out: inout ByteBuffer
  ) {
    guard let match else { return }
    var lines: (RenderedText, Int)?
    if includesLines, let text = result.text {
      let own = service.book.render(
        rows: range, of: result.list, result.rows, service.store.ids,
        matching: ListMatch(match))
      lines = (own, text.lines(ofRows: range, inSection: section).lowerBound)
    }
    locator?.append(result.rows.bytes(ofItem: item), lines, to: &out)
  }

  private func append(
    _ owner: LineOwner, _ result: Result, _ locator: inout MatchLocator?,
    _ service: inout ListService, to out: inout ByteBuffer
  ) {
    switch owner {
    case .row(let row):
      let path = result.rows.path(ofRow: row)
      out.append("{")
      out.append(member: "at", path)
      out.append(sectionID: result.rows.key(ofSection: path.section), service.store.ids)
      append(
        matchOf: row..<row + 1, of: result.rows.item(ofRow: row), in: path.section, result,
        &locator, &service, to: &out)
    case .header(let section), .footer(let section):
      out.append("{")
      out.append(member: "section", section)
      out.append(member: owner.isHeader ? "header" : "footer", true)
      out.append(sectionID: result.rows.key(ofSection: section), service.store.ids)
      if match != nil {
        out.append(member: "match")
        out.append("null")
      }
    }
    out.append("}")
  }

  private func append(
    _ matches: Matches, _ ids: borrowing IDTable, to out: inout ByteBuffer
  ) {
    let (found, rows) = (matches.first, matches.rows)
    out.append(list: "matches", found.count) { index, out in
      let (item, score) = found[index]
      out.append("{")
      out.append(member: "at", rows.path(ofItem: item))
      out.append(idOf: rows.key(ofItem: item), ids)
      out.append(member: "score", score)
      out.append(sectionID: rows.key(ofSection: rows.section(ofItem: item)), ids)
      out.append("}")
    }
    out.append(member: "total", matches.total)
  }
}

extension LineOwner {
  fileprivate var isHeader: Bool {
    if case .header = self { true } else { false }
  }
}

extension ByteBuffer {
  /// Appends an array as a member; elements that were not found are `null`.
  fileprivate mutating func append<Found>(
    _ name: StaticString, found: [Found?], _ write: (Found, inout ByteBuffer) -> Void
  ) {
    append(list: name, found.count) { index, out in
      if let found = found[index] { write(found, &out) } else { out.append("null") }
    }
  }

  /// Appends the identifier of a section.
  mutating func append(sectionID key: UInt32, _ ids: borrowing IDTable) {
    append(member: "sectionId")
    append(id: key, ids)
  }
}
