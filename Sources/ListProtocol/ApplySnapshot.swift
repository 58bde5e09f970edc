import JSONBytes
import ListDiff
import ListState

extension ListService {
  /// `applySnapshot`: makes a snapshot the current one of a list and tells the change.
  mutating func applySnapshot(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(
      message, range,
      known: [
        "list", "sections", "items", "snapshot", "baseRevision", "format", "content", "maxOps",
        "selected", "cursor", "cursorPolicy",
      ])
    let name = try params.require("list").requireString()
    let given = ["sections", "items", "snapshot"].filter { params[$0] != nil }
    guard given.count == 1 else {
      throw .invalidParams(
        "/params" + (given.isEmpty ? "" : "/" + given[1]),
        expected: "exactly one of sections, items and snapshot")
    }
    let telling = try Telling(params)
    var request = ChangeRequest()
    request.baseRevision = try params["baseRevision"]?.requireCount()
    if let policy = params["cursorPolicy"] {
      request.cursorPolicy = try policy.requireChoice(of: CursorPolicy.self)
    }
    let snapshot =
      if let reference = params["snapshot"] {
        try self.snapshot(reference, in: message).snapshot
      } else {
        try SnapshotReader(message)
          .read(sections: params["sections"], items: params["items"], &store)
      }
    if telling.format == .textEdits { openText(of: name) }
    let change = try replace(name, with: snapshot, &request, params)
    append(change, of: name, telling, to: &out)
  }

  /// Reads the references of a request, which may be to items of the new snapshot, and changes the
  /// list.
  private mutating func replace(
    _ name: [UInt8], with snapshot: Snapshot, _ request: inout ChangeRequest, _ params: Params
  ) throws(Failure) -> ListChange {
    var named = Named(list: name)
    if let selected = params["selected"] {
      let references = try References(selected, store.ids)
      request.selected = references.items
      named.items = references.values
    }
    if let cursor = params["cursor"] {
      let reference = try References(one: cursor, store.ids)
      request.cursor = reference.items[0]
      named.cursor = cursor
    }
    try checkCancellation()
    do { return try store.replace(name, with: snapshot, request) } catch {
      throw failure(error, named)
    }
  }
}
