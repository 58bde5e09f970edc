import JSONBytes
import ListDiff
import ListState

extension ListService {
  /// `locate`: where items and sections are, and what is at paths.
  mutating func locate(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: ["list", "items", "paths", "sections"])
    let list = try list(params)
    let snapshot = list.snapshot
    out.append(openingFor: list.name)
    out.append(member: "revision", list.revision)
    if let items = params["items"] {
      let references = try References(items, store.ids)
      let found: [Int?]
      do { found = try store.locate(references.items, of: list) } catch {
        throw failure(error, Named(list: list.name))
      }
      append("items", found, to: &out) { item, out in
        out.append("{\"at\":")
        out.append(snapshot.path(ofItem: item))
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
      append("paths", rows, to: &out) { [ids = store.ids] row, out in
        let item = snapshot.item(ofRow: row)
        out.append("{")
        out.append(idOf: snapshot.arrangement.rows[item], ids)
        out.append("\"occurrence\":")
        out.append(decimal: snapshot.occurrence(ofItem: item))
        out.append(",\"content\":")
        writer.appendRow(row, to: &out)
        out.append("}")
      }
    }
    if let sections = params["sections"] {
      var places: [Int?] = []
      for section in try sections.requireElements() {
        let key = try SectionReference(section, store.ids).key
        places.append(key.flatMap(snapshot.arrangement.sections.firstIndex))
      }
      append("sections", places, to: &out) { section, out in out.append(decimal: section) }
    }
    out.append("}")
  }

  private func append(
    _ name: StaticString, _ found: [Int?], to out: inout ByteBuffer,
    _ write: (Int, inout ByteBuffer) -> Void
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
