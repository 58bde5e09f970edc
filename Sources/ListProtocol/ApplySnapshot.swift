import JSONBytes
import ListDiff
import ListState

extension ListService {
  /// `applySnapshot`: makes a snapshot the current one of a list and tells the change.
  mutating func applySnapshot(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(
      message, range, known: ["list", "sections", "items", "snapshot"] + ChangeParams.members)
    let name = try params.require("list").requireString()
    let given = ["sections", "items", "snapshot"].filter { params[$0] != nil }
    guard given.count == 1 else {
      throw .invalidParams(
        "/params" + (given.isEmpty ? "" : "/" + given[1]),
        expected: "exactly one of sections, items and snapshot")
    }
    let snapshot =
      if let reference = params["snapshot"] {
        try ordinarySnapshot(reference, in: message)
      } else {
        try SnapshotReader(message)
          .read(sections: params["sections"], items: params["items"], &store)
      }
    // References may be to items that come with the snapshot.
    let change = try ChangeParams(params, name, store.ids, isTold: !isSubscribed(name))
    try checkCancellation()
    if change.telling.format == .textEdits { openText(of: name) }
    let changes: [ListChange]
    do { changes = try store.replace(name, with: snapshot, change.request) } catch {
      throw failure(error, change.named)
    }
    answer(changes, change.telling, to: &out)
  }
}
