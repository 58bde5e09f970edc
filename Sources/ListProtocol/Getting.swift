import JSONBytes
import ListDiff
import ListState

extension ListService {
  /// `getSelection`: the selected items, where they are, and the cursor.
  mutating func getSelection(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let list = try list(try Params(message, range, known: ["list"]))
    // Items of an outline are as its rows show them, or would show them.
    let isOutline = store.isOutline(list.name)
    let all = isOutline ? Snapshot() : store.allItems(of: list)
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

  /// `getSnapshot`: a whole snapshot of a list, or a window of its rows.
  mutating func getSnapshot(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: ["list", "revision", "window"])
    let window = try params["window"].map { value throws(Failure) in try Window(value) }
    let asked = try params["revision"]?.requireCount()
    // At revision 0 there is a list of every name.
    let name = try asked == 0 ? params.require("list").requireString() : listName(params)
    if let window, asked == nil,
      let rows = store.window(of: name, start: window.start, count: window.count)
    {
      return append(rows, of: name, start: window.start, to: &out)
    }
    store.settle(name)
    let list = store.listOrNew(name)
    let revision = asked ?? list.revision
    let snapshot: Snapshot
    do { snapshot = try list.snapshot(of: revision, isStopped: isCancelled) } catch {
      throw failure(error, Named(list: list.name))
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

  /// Appends some rows of a list as a result.
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

  /// `getLists`: every list with its sizes, in the order in which they were made.
  func getLists(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    _ = try Params(message, range, known: [])
    out.append("{\"lists\":[")
    for (place, name) in store.names.enumerated() {
      guard let list = store.summary(of: name) else { continue }
      if place > 0 { out.append(0x2C) }
      out.append(openingFor: list.name)
      out.append(member: "revision", list.revision)
      out.append(member: "sections", list.sections)
      out.append(member: "items", list.items)
      out.append(member: "rows", list.rows)
      out.append(member: "selected", list.selected)
      if let sources = list.sources {
        out.append(",\"sources\":")
        out.append(names: sources)
      }
      if let view = store.peek(name)?.view {
        out.append(numbersOf: view.numbers)
        out.append(",\"definition\":")
        view.rules.source.withUnsafeBytes { out.append(json: $0, singleLine: true) }
      }
      out.append("}")
    }
    out.append("]}")
  }

  /// `removeList`: forgets a list, but not which revisions it had.
  mutating func removeList(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let list = try list(try Params(message, range, known: ["list"]))
    let changes: [ListChange]
    do { changes = try store.remove(list.name) } catch {
      throw failure(error, Named(list: list.name))
    }
    freedMemory += list.snapshot.footprint
    book.close(list.name)
    book.own[list.name] = nil
    // A subscription stays, and hears of the text from the empty one on.
    if hasTextSubscriber(list.name) { try openText(of: list.name) }
    out.append("null")
    note(.removed(list.name))
    for change in changes { note(.changed(change, updateText(of: change))) }
  }
}
