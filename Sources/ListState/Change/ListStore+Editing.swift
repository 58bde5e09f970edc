import ListDiff

extension ListStore {
  /// Returns a snapshot of a list, which may be an older one, with edits made.
  ///
  /// - Complexity: O(*n* + *k* log *n*), where *n* is the number of items and *k* the number of items
  ///   that the edits name and insert.
  /// - Throws: `cancelled`, `overflow`, and `edit` with the failure of the first edit that cannot be
  ///   made.
  package mutating func edited(
    _ snapshot: Snapshot, of list: NamedList, _ edits: Edits
  ) throws(ListFailure) -> Snapshot {
    guard hasRoom(forRepeats: snapshot.arrangement.hasRepeats ? snapshot.itemCount : 0) else {
      throw .overflow(.keys(limit: ids.limits.keys))
    }
    var tree = tree(
      of: NamedList(name: list.name), snapshot, SourceMarks(), isDistinct: true)
    tree.indexKeys()
    let pasts = try pastSnapshots(of: list, edits.edits)
    _ = try follow(Route(steps: [], edits: edits, pasts: pasts), in: &tree, of: list)
    let result = tree.snapshot(isStopped: isCancelled)
    guard !isCancelled() else { throw .cancelled }
    return result
  }
}
