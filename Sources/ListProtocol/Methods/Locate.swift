import ByteBuffers
import ListDiff
import ListState
import ListText

extension ListService {
  /// `locate`: the paths of items and sections, and the items at paths and lines.
  mutating func locate(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(
      message, range,
      known: [
        .list, .items, .paths, .sections, .lines, .text, .match, .from, .direction,
        .count,
      ])
    let name = try listName(params)
    let list = store.peek(name)!
    out.append(openingFor: name)
    out.append(member: "revision", list.revision)
    if let rows = list.rows {
      try append(
        located: params, in: rows, of: list, rows,
        ListRowsWriter(rows: rows, singleLine: singleLine), to: &out)
    } else {
      try append(
        located: params, in: list.snapshot, of: list, SnapshotSource(list),
        SnapshotWriter(snapshot: list.snapshot, singleLine: singleLine), to: &out)
    }
    out.append("}")
  }

  /// Appends what `locate` finds in a list, each member after a comma.
  private mutating func append(
    located params: Params, in rows: any LocatableRows, of list: NamedList,
    _ source: any TextSource, _ writer: any ContentWriter, to out: inout ByteBuffer
  ) throws(Failure) {
    let match = try match(params[.match], of: list)
    var locator = match.map { MatchLocator($0, offsetUnit) }
    let isSearch = match != nil && params.first(of: .items, .paths, .lines) == nil
    if !isSearch, let other = params.first(of: .from, .direction, .count) {
      throw other.failure(expected: "a \"match\" and no items, paths and lines")
    }
    let includesLines = try params[.text]?.requireBoolean() ?? false
    let text = includesLines || params[.lines] != nil ? try openText(of: list.name).new : nil
    func appendMatch(of range: Range<Int>, _ item: Int, in section: Int, to out: inout ByteBuffer) {
      guard let match else { return }
      var lines: (RenderedText, Int)?
      if includesLines, let text {
        let own = book.render(
          rows: range, of: list, source, store.ids, matching: ListMatch(match))
        lines = (own, text.lines(ofRows: range, inSection: section).lowerBound)
      }
      locator?.append(rows.bytes(ofItem: item), lines, to: &out)
    }
    func appendLines(of range: Range<Int>, _ item: Int, in section: Int, to out: inout ByteBuffer) {
      out.append(sectionID: rows.key(ofSection: section), store.ids)
      if includesLines, let text {
        let lines = text.lines(ofRows: range, inSection: section)
        out.append(member: "line", lines.lowerBound)
        out.append(member: "lineCount", lines.count)
      }
      appendMatch(of: range, item, in: section, to: &out)
    }
    if isSearch, let match { try search(params, list, match, to: &out) }
    if let items = params[.items] {
      let references = try References(items, store.ids, lines(of: list.name))
      let found: [Int?]
      do { found = try store.locate(references.items, of: list) } catch {
        throw failure(error, NamedValues(list: list.name))
      }
      out.append("items", found: found) { item, out in
        out.append("{\"at\":")
        let path = rows.path(ofItem: item)
        out.append(path)
        appendLines(of: rows.rows(ofItem: item), item, in: path.section, to: &out)
        out.append("}")
      }
    }
    if let paths = params[.paths] {
      var found: [Int?] = []
      for path in try paths.requireElements() {
        let position = try path.requirePath()
        found.append(rows.row(section: position.section, position.row))
      }
      let shown = found.compactMap { $0.map(rows.item(ofRow:)) }
      var occurrences = store.occurrences(ofItems: shown, of: list)[...]
      out.append("paths", found: found) { row, out in
        let item = rows.item(ofRow: row)
        out.append("{")
        out.append(idOf: rows.key(ofItem: item), store.ids)
        out.append("\"occurrence\":")
        out.append(decimal: occurrences.removeFirst())
        out.append(",\"content\":")
        writer.appendRow(row, to: &out)
        appendLines(of: row..<row + 1, item, in: rows.path(ofRow: row).section, to: &out)
        out.append("}")
      }
    }
    if let sections = params[.sections] {
      var keys: [UInt32?] = []
      for section in try sections.requireElements() {
        keys.append(try SectionReference(section, store.ids).key)
      }
      let indices = store.locate(sections: keys, of: list)
      out.append("sections", found: indices) { section, out in out.append(decimal: section) }
    }
    if let lines = params[.lines] {
      var owners: [LineOwner?] = []
      for line in try lines.requireElements() {
        owners.append(text?.owner(ofLine: try line.requireCount()))
      }
      out.append("lines", found: owners) { owner, out in
        let section: Int
        switch owner {
        case .row(let row):
          let path = rows.path(ofRow: row)
          section = path.section
          out.append("{\"at\":")
          out.append(path)
        case .header(section: let index), .footer(section: let index):
          section = index
          out.append("{\"section\":")
          out.append(decimal: section)
          out.append(owner.isHeader ? ",\"header\":true" : ",\"footer\":true")
        }
        out.append(sectionID: rows.key(ofSection: section), store.ids)
        if case .row(let row) = owner {
          appendMatch(of: row..<row + 1, rows.item(ofRow: row), in: section, to: &out)
        } else if match != nil {
          out.append(",\"match\":null")
        }
        out.append("}")
      }
    }
  }
}

extension LineOwner {
  fileprivate var isHeader: Bool {
    if case .header = self { true } else { false }
  }
}

extension ByteBuffer {
  /// Appends an array after a comma; elements that were not found are `null`.
  fileprivate mutating func append<Found>(
    _ name: StaticString, found: [Found?], _ write: (Found, inout ByteBuffer) -> Void
  ) {
    append(list: name, found.count) { index, out in
      if let found = found[index] { write(found, &out) } else { out.append("null") }
    }
  }

  /// Appends the identifier of a section, after a comma.
  mutating func append(sectionID key: UInt32, _ ids: borrowing IDTable) {
    append(",\"sectionId\":")
    append(id: key, ids)
  }
}
