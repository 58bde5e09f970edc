import ByteBuffers
import ListDiff
import ListState

extension ListService {
  /// `getSnapshot`: a whole snapshot of a list, or a window of its rows.
  mutating func getSnapshot(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: [.list, .revision, .window])
    let window = try params[.window].map { value throws(Failure) in try Window(value) }
    let asked = try params[.revision]?.requireCount()
    // At revision 0, every list exists and is empty.
    let name = try asked == 0 ? params.require(.list).requireString() : listName(params)
    if let window, asked == nil,
      let rows = store.window(of: name, start: window.start, count: window.count)
    {
      return append(rows, of: name, start: window.start, to: &out)
    }
    do { try store.flattenUnlessCancelled(name) } catch {
      throw failure(error, NamedValues(list: name))
    }
    let list = store.listOrNew(name)
    let revision = asked ?? list.revision
    let snapshot: Snapshot
    do { snapshot = try list.snapshot(of: revision, isStopped: isCancelled) } catch {
      throw failure(error, NamedValues(list: list.name))
    }
    let marks =
      revision == list.revision
      ? (selection: list.selection.items, cursor: list.cursor)
      : store.marks(of: list, in: snapshot)
    let writer = SnapshotWriter(
      snapshot: snapshot, singleLine: singleLine, isStopped: isCancelled)
    out.append(openingFor: list.name)
    out.append(member: "revision", revision)
    if let window {
      out.append(member: "total", snapshot.rowCount)
      out.append(member: "start", window.start)
      out.append(",\"rows\":[")
      let rows = window.range(in: snapshot.rowCount)
      for row in rows {
        out.append(row == rows.lowerBound ? "{\"at\":" : ",{\"at\":")
        out.append(snapshot.path(ofRow: row))
        out.append(",\"content\":")
        writer.appendRow(row, to: &out)
        out.append(0x7D)
      }
      out.append("]")
    } else {
      out.append(",\"sections\":")
      writer.appendSections(to: &out)
      try checkCancellation()
    }
    out.append(selection: marks.selection, cursor: marks.cursor, in: snapshot)
    if revision == list.revision { out.append(numbersOf: list.view?.numbers) }
    out.append("}")
  }

  /// Appends a window of the rows of a list as a result.
  private func append(
    _ window: ListWindow, of name: [UInt8], start: Int, to out: inout ByteBuffer
  ) {
    out.append(openingFor: name)
    out.append(member: "revision", window.revision)
    out.append(member: "total", window.total)
    out.append(member: "start", start)
    let writer = ListRowsWriter(rows: window.rows, singleLine: singleLine)
    out.append(list: "rows", window.range.count) { index, out in
      let row = window.range.lowerBound + index
      out.append("{\"at\":")
      out.append(window.rows.path(ofRow: row))
      out.append(",\"content\":")
      writer.appendRow(row, to: &out)
      out.append("}")
    }
    out.append(selection: window.selection, cursor: window.cursor)
    out.append(numbersOf: window.numbers)
    out.append("}")
  }
}
