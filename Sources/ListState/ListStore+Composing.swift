import ListDiff

extension ListStore {
  /// Makes a list of the sections of others, in order; a source that is missing is empty.
  ///
  /// - Throws: `ordinaryList`, `cycle`, and as ``replace(_:with:_:)``.
  /// - Returns: The change, and then those of the lists that are made of this one.
  package mutating func compose(
    _ name: [UInt8], of sources: [[UInt8]], _ request: ChangeRequest
  ) throws(ListFailure) -> [ListChange] {
    var list = listOrNew(name)
    if list.revision > 0, list.sources == nil { throw .ordinaryList(name) }
    if let cycle = cycle(from: name, through: sources) { throw .cycle(cycle) }
    try checkBase(of: list, request)
    list.sources = sources
    hasComposites = true
    let composed = sources.compactMap { lists[$0]?.whole.snapshot }
    return try changing(composed, in: [name] + dependents(of: name)) { store throws(ListFailure) in
      let snapshot = store.composed(of: sources, isStopped: store.isCancelled)
      if store.isCancelled() { throw .cancelled }
      let comparison = try store.compareUnlessCancelled(list.snapshot, snapshot)
      let change = try store.commit(list, comparison, to: snapshot, request)
      return [change] + (change.isRevision ? store.propagate(change) : [])
    }
  }

  /// Follows a change of a list in the lists that are made of it, sources before what they make.
  mutating func propagate(_ change: ListChange) -> [ListChange] {
    guard hasComposites else { return [] }
    var changes = [change.name: change]
    var result: [ListChange] = []
    for name in dependents(of: change.name) {
      guard let list = try? list(name), let sources = list.sources else { continue }
      let changed = sources.filter { changes[$0] != nil }
      guard !changed.isEmpty else { continue }
      var snapshot = composed(of: sources)
      snapshot.touched = touched(by: changes, in: sources)
      let own =
        changed.count == 1
        ? shifted(changes[changed[0]]!, into: list, sources, snapshot)
        : compare(list.snapshot, snapshot)
      guard let made = try? commit(list, own, to: snapshot, ChangeRequest()) else { continue }
      if made.isRevision || !own.stages.isEmpty {
        changes[name] = made
        result.append(made)
      }
    }
    return result
  }

  /// The composites that a list is part of, each after all of its sources that are.
  func dependents(of name: [UInt8]) -> [[UInt8]] {
    guard hasComposites else { return [] }
    var order: [[UInt8]] = []
    var seen: Set<[UInt8]> = []
    func visit(_ name: [UInt8]) {
      for other in names.reversed() where !seen.contains(other) {
        guard peek(other)?.sources?.contains(name) == true else { continue }
        seen.insert(other)
        visit(other)
        order.append(other)
      }
    }
    visit(name)
    return order.reversed()
  }

  /// The way from a list back to itself through its sources.
  private func cycle(from name: [UInt8], through sources: [[UInt8]]) -> [[UInt8]]? {
    for source in sources {
      if source == name { return [name, name] }
      var path = [source]
      var seen: Set<[UInt8]> = []
      if leads(source, to: name, &path, &seen) { return [name] + path }
    }
    return nil
  }

  private func leads(
    _ source: [UInt8], to name: [UInt8], _ path: inout [[UInt8]], _ seen: inout Set<[UInt8]>
  ) -> Bool {
    guard seen.insert(source).inserted, let next = (try? list(source))?.sources else {
      return false
    }
    for source in next {
      path.append(source)
      if source == name || leads(source, to: name, &path, &seen) { return true }
      path.removeLast()
    }
    return false
  }

  /// What changes of sources tell even where it is the same, in the list that is made of them.
  private func touched(by changes: [[UInt8]: ListChange], in sources: [[UInt8]]) -> TouchedContents
  {
    var result = TouchedContents()
    var before = SnapshotSize()
    for source in sources {
      if let touched = changes[source]?.touched {
        for (item, change) in touched.items { result.items[item + before.items] = change }
        for (section, change) in touched.sections {
          result.sections[section + before.sections] = change
        }
      }
      if let other = try? list(source) { before.add(other.snapshot) }
    }
    return result
  }

  /// The change of one source as the change of the list that is made of it.
  private func shifted(
    _ change: ListChange, into list: NamedList, _ sources: [[UInt8]], _ new: Snapshot
  ) -> SnapshotChange {
    var before = SnapshotSize()
    var after = SnapshotSize()
    var seen = false
    for source in sources {
      if source == change.name {
        seen = true
        continue
      }
      guard let other = try? self.list(source) else { continue }
      if seen { after.add(other.snapshot) } else { before.add(other.snapshot) }
    }
    return change.changes.placed(after: before, before: after)
  }
}

/// How many sections, items and rows a snapshot has.
struct SnapshotSize {
  var sections = 0
  var items = 0
  var rows = 0

  mutating func add(_ snapshot: Snapshot) {
    sections += snapshot.sections.count
    items += snapshot.itemCount
    rows += snapshot.rowCount
  }
}

extension SnapshotChange {
  /// The same change of a part of a larger list that has other sections on both sides.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections of the larger list.
  func placed(after head: SnapshotSize, before tail: SnapshotSize) -> SnapshotChange {
    var result = self
    result.stages = stages.map { $0.shifted(by: head.sections) }
    result.matching = matching.placed(
      sections: (head.sections, tail.sections), rows: (head.rows, tail.rows))
    result.items = items.placed(
      sections: (head.sections, tail.sections), rows: (head.items, tail.items))
    result.same =
      [MatchedRun(old: 0, new: 0, count: head.items)]
      + same.map {
        MatchedRun(
          old: Int($0.old) + head.items, new: Int($0.new) + head.items, count: Int($0.count))
      }
      + [
        MatchedRun(
          old: head.items + items.rowsToNew.count, new: head.items + items.rowsToOld.count,
          count: tail.items)
      ]
    return result
  }
}
