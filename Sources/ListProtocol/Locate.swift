import JSONBytes
import ListDiff
import ListState
import ListText

extension ListService {
  /// `locate`: where items and sections are, and what is at paths.
  mutating func locate(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(
      message, range,
      known: [
        "list", "items", "paths", "sections", "lines", "text", "match", "from", "direction",
        "count",
      ])
    let name = try listName(params)
    if let items = params["items"],
      ["paths", "sections", "lines", "text", "match"].allSatisfy({ params[$0] == nil }),
      let (revision, places) = store.paths(
        of: try References(items, store.ids).items, in: name)
    {
      out.append(openingFor: name)
      out.append(member: "revision", revision)
      append("items", places, to: &out) { path, out in
        out.append("{\"at\":")
        out.append(path)
        out.append("}")
      }
      out.append("}")
      return
    }
    let list = try list(params)
    let snapshot = list.snapshot
    let match = try match(params, of: list)
    var locator = match.map(MatchLocator.init)
    let isSearch = match != nil && ["items", "paths", "lines"].allSatisfy { params[$0] == nil }
    for name in ["from", "direction", "count"] {
      guard !isSearch, let value = params[name] else { continue }
      throw value.failure(expected: "a \"match\" and no items, paths and lines")
    }
    let tellsLines = try params["text"]?.requireBoolean() ?? false
    let text = tellsLines || params["lines"] != nil ? try openText(of: list.name).new : nil
    func appendLines(of rows: Range<Int>, in section: Int, to out: inout ByteBuffer) {
      guard tellsLines, let text else { return }
      let lines = text.lines(ofRows: rows, inSection: section)
      out.append(member: "line", lines.lowerBound)
      out.append(member: "lineCount", lines.count)
    }
    out.append(openingFor: list.name)
    out.append(member: "revision", list.revision)
    if isSearch, let match { try search(params, list, match, to: &out) }
    if let items = params["items"] {
      let references = try References(items, store.ids)
      let found: [Int?]
      do { found = try store.locate(references.items, of: list) } catch {
        throw failure(error, Named(list: list.name))
      }
      append("items", found, to: &out) { item, out in
        out.append("{\"at\":")
        out.append(snapshot.path(ofItem: item))
        appendLines(
          of: snapshot.rows(ofItem: item), in: snapshot.section(ofItem: item), to: &out)
        locator?.append(snapshot.bytes(of: snapshot.payloads[item]), to: &out)
        out.append("}")
      }
    }
    if let paths = params["paths"] {
      var rows: [Int?] = []
      for path in try paths.requireElements() {
        let place = try path.requirePath()
        rows.append(snapshot.row(section: place.section, place.row))
      }
      let writer = SnapshotWriter(snapshot: snapshot, singleLine: singleLine)
      let shown = rows.compactMap { $0.map(snapshot.item(ofRow:)) }
      var occurrences = store.occurrences(ofItems: shown, of: list)[...]
      append("paths", rows, to: &out) { row, out in
        let item = snapshot.item(ofRow: row)
        out.append("{")
        out.append(idOf: snapshot.arrangement.rows[item], store.ids)
        out.append("\"occurrence\":")
        out.append(decimal: occurrences.removeFirst())
        out.append(",\"content\":")
        writer.appendRow(row, to: &out)
        appendLines(of: row..<row + 1, in: snapshot.path(ofRow: row).section, to: &out)
        locator?.append(snapshot.bytes(of: snapshot.payloads[item]), to: &out)
        out.append("}")
      }
    }
    if let sections = params["sections"] {
      var keys: [UInt32?] = []
      for section in try sections.requireElements() {
        keys.append(try SectionReference(section, store.ids).key)
      }
      let places = store.locate(sections: keys, of: list)
      append("sections", places, to: &out) { section, out in out.append(decimal: section) }
    }
    if let lines = params["lines"] {
      var owners: [LineOwner?] = []
      for line in try lines.requireElements() {
        owners.append(text?.owner(ofLine: try line.requireCount()))
      }
      append("lines", owners, to: &out) { owner, out in
        switch owner {
        case .row(let row):
          out.append("{\"at\":")
          out.append(snapshot.path(ofRow: row))
          let item = snapshot.item(ofRow: row)
          locator?.append(snapshot.bytes(of: snapshot.payloads[item]), to: &out)
        case .header(let section):
          out.append("{\"section\":")
          out.append(decimal: section)
          out.append(",\"header\":true")
          if match != nil { out.append(",\"match\":null") }
        case .footer(let section):
          out.append("{\"section\":")
          out.append(decimal: section)
          out.append(",\"footer\":true")
          if match != nil { out.append(",\"match\":null") }
        }
        out.append("}")
      }
    }
    out.append("}")
  }

  private func append<Found>(
    _ name: StaticString, _ found: [Found?], to out: inout ByteBuffer,
    _ write: (Found, inout ByteBuffer) -> Void
  ) {
    out.append(",\"")
    out.append(name)
    out.append("\":[")
    for (place, found) in found.enumerated() {
      if place > 0 { out.append(0x2C) }
      if let found { write(found, &out) } else { out.append("null") }
    }
    out.append("]")
  }
}
