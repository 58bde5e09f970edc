import ByteBuffers
import JSONBytes
import ListState

extension ListService {
  /// `getSelection`: the selected items, their paths, and the cursor.
  mutating func getSelection(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: [.list])
    let name = try listName(params)
    if let list = store.peek(name), let rows = list.rows, let all = list.allRows {
      out.append(openingFor: name)
      out.append(member: "revision", list.revision)
      out.append(selection: rows.selection, cursor: list.cursor.map(rows.path(ofRow:)))
      let writer = ListRowsWriter(rows: all, singleLine: singleLine)
      let items = all.selectedItems
      out.append(list: "items", items.count) { index, out in
        if let text = list.outlineText(ofItem: items[index]) {
          text.withUnsafeBytes { out.append(json: $0, singleLine: singleLine) }
        } else {
          writer.appendItem(items[index], to: &out)
        }
      }
      return out.append("}")
    }
    let list = try list(params)
    // Items of an outline are written as their rows show them, or would show them.
    let isOutline = store.isOutline(list.name)
    let all: Snapshot
    do { all = try isOutline ? Snapshot() : store.allItemsUnlessCancelled(of: list) } catch {
      throw failure(error, NamedValues(list: list.name))
    }
    let writer = SnapshotWriter(snapshot: all, singleLine: singleLine)
    out.append(openingFor: list.name)
    out.append(member: "revision", list.revision)
    out.append(selection: list.selection.items, cursor: list.cursor, in: list.snapshot)
    out.append(",\"items\":[")
    var isFirst = true
    for item in list.fullSelection.items.members {
      if !isFirst { out.append(0x2C) }
      isFirst = false
      if isOutline, let view = list.view {
        store.text(ofItem: item, of: view).withUnsafeBytes {
          out.append(json: $0, singleLine: singleLine)
        }
      } else {
        writer.appendItem(item, to: &out)
      }
    }
    out.append("]}")
  }
}
