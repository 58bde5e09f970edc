import ListDiff

extension ListStore {
  /// Makes edits of a list as one change, and visits the whole list.
  ///
  /// - Complexity: That of ``replace(_:with:_:same:)``, and O(*k* log *n*), where *k* is the number of
  ///   items that the edits name and insert and *n* the number of items.
  /// - Throws: the errors of ``replace(_:with:_:same:)``, `listNotFound`, and `edit` with the failure
  ///   of the first edit that cannot be made.
  package mutating func edit(
    _ name: [UInt8], _ edits: Edits, _ request: ChangeRequest
  ) throws(ListFailure) -> [ListChange] {
    let list = try list(name)
    try checkWritable(list)
    try checkBase(of: list, request)
    var (snapshot, forcedUpdates) = try edited(list.snapshot, of: list, edits)
    snapshot.forcedUpdates = forcedUpdates
    return try replace(name, with: snapshot, request)
  }

  /// Returns a snapshot of a list, which may be an older one, with edits made, and the items and
  /// sections that the edits touch.
  ///
  /// - Complexity: O(*n* + *k* log *n*), where *n* is the number of items and *k* the number of items
  ///   that the edits name and insert.
  /// - Throws: `cancelled`, `overflow`, and `edit` with the failure of the first edit that cannot be
  ///   made.
  package mutating func edited(
    _ snapshot: Snapshot, of list: NamedList, _ edits: Edits
  ) throws(ListFailure) -> (snapshot: Snapshot, forcedUpdates: ForcedUpdates) {
    var before = NamedList(name: list.name)
    before.snapshot = snapshot
    guard hasRoom(forRepeats: repeatedCount(before)) else {
      throw .overflow(.keys(limit: ids.limits.keys))
    }
    var tree = tree(of: before)
    let pasts = try pastSnapshots(of: list, edits.edits)
    let route = Route(steps: [], edits: edits, pasts: pasts, forcesUpdates: true)
    _ = try follow(route, in: &tree, of: list)
    let result = tree.snapshot(isStopped: isCancelled)
    guard !isCancelled() else { throw .cancelled }
    return (result, tree.forcedUpdates)
  }
}

/// Items and sections to report as updated even if their content is unchanged, by new index.
@usableFromInline
package struct ForcedUpdates: Sendable {
  package var items: [Int: ContentChange] = [:]
  package var sections: [Int: ContentChange] = [:]

  package init() {}

  package var isEmpty: Bool { items.isEmpty && sections.isEmpty }
}

extension Snapshot {
  /// The same snapshot without forced updates.
  var withoutForcedUpdates: Snapshot {
    var snapshot = self
    if !forcedUpdates.isEmpty { snapshot.forcedUpdates = ForcedUpdates() }
    return snapshot
  }
}

extension ListTree {
  /// The items and sections to report as updated by the current change.
  fileprivate var forcedUpdates: ForcedUpdates {
    var forced = ForcedUpdates()
    for (key, update) in change.forcedItems {
      if let item = index(ofKey: key) { forced.items[item] = update }
    }
    for (key, update) in change.forcedSections {
      if let section = section(withKey: key) { forced.sections[index(ofSection: section)] = update }
    }
    return forced
  }
}
