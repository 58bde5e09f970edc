import ListDiff

extension ListStore {
  /// Gives a list the content of a snapshot that has most of its items, so that the change is known item
  /// by item. `same` are items that are equal byte by byte in the list and the snapshot, in the order of
  /// the latter. Returns `nil` and does nothing if that is not possible.
  ///
  /// It is possible if few items are not in long runs of equal ones, if no item repeats, and if all
  /// composites that the list is part of can follow. It is not worth its cost if the list is short
  /// and part of none.
  ///
  /// - Complexity: That of ``ListTree/adopt(_:_:)`` and O(*k* log *n*), where *k* is the number of runs
  ///   and of items in none of them. Each composite that the list is part of costs O(*k* log *n*).
  /// - Throws: the errors of ``replace(_:with:_:same:)``.
  /// - Returns: The change, followed by the changes of the composites.
  package mutating func adopt(
    _ snapshot: Snapshot, as name: [UInt8], same: [MatchedRun], _ request: ChangeRequest
  ) throws(ListFailure) -> [ListChange]? {
    guard let index = lists.index(of: name), canAdopt(lists[at: index], snapshot, request),
      let runs = runs(lists[at: index], snapshot, same)
    else { return nil }
    try checkBase(of: lists[at: index], request)
    finishEdits()
    let marks = recordsModifications ? lists[at: index].marks : nil
    let composites = dependents(of: name)
    try makeDistinct(composites)
    var tree = takeTree(at: index)
    let before = lists[at: index]
    let (itemCount, rowCount) = (tree.itemCount, tree.rowCount)
    do throws(ListFailure) {
      tree.adopt(snapshot, runs)
      try checkComposites(of: name, composites, growth: tree.growth(from: itemCount, rowCount))
      _ = try tree.resolve(request)
      guard !isCancelled() else { throw .cancelled }
    } catch {
      tree.undoChange()
      lists[name]!.tree = tree
      throw error
    }
    return try commit(consume before, marks, consume tree, request, followedBy: composites)
  }

  /// Reports whether a list is part of no composite and so short that a visit of all of its items costs
  /// less than to know where they are. `count` is the number of items that it gets.
  private func isBrief(_ list: NamedList, _ count: Int) -> Bool {
    list.itemCount + count < 1024 && composition.composites(of: list.name).isEmpty
  }

  private func canAdopt(
    _ list: NamedList, _ snapshot: Snapshot, _ request: ChangeRequest
  ) -> Bool {
    guard list.sources == nil, !list.hasRepeats, !snapshot.arrangement.hasRepeats else {
      return false
    }
    if isBrief(list, snapshot.itemCount) { return false }
    return request.selected?.allSatisfy(\.isCurrent) != false
      && request.cursor?.isCurrent != false
  }

  /// Returns the runs of equal items, cut at sections; `nil` if many items are in none, or if there are
  /// many runs.
  private func runs(
    _ list: NamedList, _ snapshot: Snapshot, _ same: [MatchedRun]
  ) -> [MatchedRun]? {
    let oldStarts = list.tree!.starts(of: list.tree!.sectionsInOrder)
    let (old, new) = (Int(oldStarts.last!), snapshot.itemCount)
    let limit = Adoption.limit(for: old, new)
    guard same.count <= limit else { return nil }
    let count = same.reduce(0) { $0 + Int($1.count) }
    guard old + new - 2 * count + same.count <= limit else { return nil }
    return same.cut(atSections: oldStarts, snapshot.arrangement.starts)
  }
}
