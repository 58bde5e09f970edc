import ListDiff
import ListStages

extension ListStore {
  /// Makes a list the composite of others, that is, of their sections in order, or a view of them.
  /// A missing source is empty.
  ///
  /// - Throws: `ordinaryList`, `cycle`, `anchorNotFound`, and the errors of
  ///   ``replace(_:with:_:same:)``.
  /// - Returns: The change, followed by the changes of the composites of this list. If the request
  ///   selects items whose selection belongs to other lists, also the selection changes of these
  ///   lists and of the views that show them: those to report before the changes, and those to
  ///   report after them.
  package mutating func compose(
    _ name: [UInt8], of sources: [[UInt8]], as view: ViewRequest? = nil, _ request: ChangeRequest
  ) throws(ListFailure) -> (
    changes: [ListChange], selectedBefore: [SelectionChange], selectedAfter: [SelectionChange]
  ) {
    finishEdits()
    if let source = lists[name]?.keySource { gatherItems(of: source, isStopped: isCancelled) }
    var list = peek(name) ?? NamedList(name: name)
    if list.revision > 0, list.sources == nil { throw .ordinaryList(name) }
    if let cycle = cycle(from: name, through: sources) { throw .cycle(cycle) }
    try checkBase(of: list, request)
    if list.sources == nil { list.keySource = sources.first }
    list.sources = sources
    let composed = sources.compactMap { lists[$0].map { SourceIDs($0) } }
    try checkComposites(of: name, from: list.size, toOneOf: sources, isView: view != nil)
    var shared: [SelectionChange] = []
    let saved = savedLists(beforeChanging: name, madeOf: composed, isComposite: true)
    let changes: [ListChange]
    if view != nil || list.view != nil {
      let made = try makeView(list, view, request)
      shared = made.shared
      let isFollowed =
        made.change.made.isRevision || made.change.changesMarks && sharesSelection(name)
      changes = followed(made.change, if: isFollowed)
    } else {
      let old = list.shownItems(isStopped: isCancelled)
      let snapshot = self.composed(list, isStopped: isCancelled)
      if isCancelled() { throw .cancelled }
      let comparison = try compareUnlessCancelled(old, snapshot)
      let change = try commit(consume list, comparison, from: old, to: snapshot, request)
      changes = followed(change, if: change.made.isRevision)
    }
    try checkOverflow(rollingBackTo: saved)
    guard !shared.isEmpty else { return (changes, [], []) }
    let known = Dictionary(shared.map { ($0.name, $0) }) { first, _ in first }
    return (changes, shared, followSelections(known, of: name).filter { known[$0.name] == nil })
  }

  /// Returns a change, followed by those of the list's composites if they follow it.
  mutating func followed(_ change: ComparedChange, if isFollowed: Bool) -> [ListChange] {
    if composition.isEmpty || composition.composites(of: change.made.name).isEmpty {
      return [change.made]
    }
    if isFollowed { return [change.made] + propagate(change) }
    remakeRepeats(inCompositesOf: change.made.name)
    return [change.made]
  }

  /// Applies a change of a list to its composites, sources before their composites.
  mutating func propagate(_ change: ComparedChange) -> [ListChange] {
    let changed = change.made.name
    var changes = [changed: change]
    var result: [ListChange] = []
    var followed: Set<[UInt8]> = []
    // Those that do not follow may have items of lists with other keys.
    defer { remakeRepeats(inCompositesOf: changed, except: followed) }
    var source = changed
    // The only composite of the last list does not depend on another changed list. If it is
    // unchanged, so are all of its composites, and none of them is visited.
    while let name = composition.onlyComposite(of: source) {
      followed.insert(name)
      guard let made = follow(changes, in: name) else { return result }
      changes[name] = made
      result.append(made.made)
      source = name
    }
    for name in dependents(of: source) {
      guard peek(name)?.sources?.contains(where: { changes[$0] != nil }) == true else { continue }
      followed.insert(name)
      guard let made = follow(changes, in: name) else { continue }
      changes[name] = made
      result.append(made.made)
    }
    return result
  }

  /// Applies changes of sources to their composite. Returns `nil` if the composite is unchanged.
  private mutating func follow(_ changes: [[UInt8]: ComparedChange], in name: [UInt8])
    -> ComparedChange?
  {
    guard let list = peek(name), let sources = list.sources else { return nil }
    if list.isView { return followView(list) }
    return follow(changes, in: list, sources)
  }

  /// Applies changes of sources to their composite, which is not a view.
  private mutating func follow(
    _ changes: [[UInt8]: ComparedChange], in list: NamedList, _ sources: [[UInt8]]
  ) -> ComparedChange? {
    let changed = sources.filter { changes[$0] != nil }
    guard !changed.isEmpty else { return nil }
    let old = list.shownItems
    let snapshot = composed(list)
    let own =
      changed.count == 1
      ? shifted(changes[changed[0]]!, into: list, sources, snapshot)
      : compare(old, snapshot)
    guard let made = try? commit(list, own, from: old, to: snapshot, ChangeRequest()),
      made.made.isReported
    else { return nil }
    return made
  }

  /// Returns the composites that a list is part of, each after all of its sources among them.
  ///
  /// - Complexity: O(*c* log *c*), where *c* is the number of their sources that are among them.
  package func dependents(of name: [UInt8]) -> [[UInt8]] {
    // An only composite precedes all others.
    var order: [[UInt8]] = []
    var composites = composition.composites(of: name)
    while composites.count == 1, let only = composites.first {
      order.append(only)
      composites = composition.composites(of: only)
    }
    if composites.isEmpty { return order }
    return order + dependents(of: [order.last ?? name]).dropFirst()
  }

  /// Returns some lists and the composites that they are part of, each after all of its sources
  /// among them. Those that do not depend on each other are in the order of `names`, and composites
  /// in that of their creation.
  ///
  /// - Complexity: O(*c* log *c*), where *c* is the number of the sources of all these lists.
  func dependents(of names: [[UInt8]]) -> [[UInt8]] {
    var order: [[UInt8]] = []
    var seen: Set<[UInt8]> = []
    // What is visited last comes first.
    var path = [(name: [UInt8](), rest: names)]
    while let last = path.indices.last {
      if let next = path[last].rest.popLast() {
        if seen.insert(next).inserted { path.append((next, composites(of: next))) }
      } else {
        order.append(path.removeLast().name)
      }
    }
    return order.dropLast().reversed()
  }

  /// Returns the composites that a list is a source of, in the order in which they were created.
  private func composites(of name: [UInt8]) -> [[UInt8]] {
    inOrderOfCreation(composition.composites(of: name))
  }

  /// Returns those of some lists that a list with some sources is made of, directly or through others, or is
  /// itself, in the order of the sources.
  ///
  /// - Complexity: O(*s*), where *s* is the number of the sources of all these lists.
  func inOrderOfSources(
    _ names: Set<[UInt8]>, of name: [UInt8], _ sources: [[UInt8]]
  ) -> [[UInt8]] {
    var result: [[UInt8]] = []
    var seen: Set<[UInt8]> = []
    var rest = [name]
    while let next = rest.popLast(), result.count < names.count {
      guard seen.insert(next).inserted else { continue }
      if names.contains(next) { result.append(next) }
      rest += (next == name ? sources : peek(next)?.sources ?? []).reversed()
    }
    return result
  }

  /// Returns the path from a list back to itself through its sources, or `nil` if there is no
  /// cycle.
  private func cycle(from name: [UInt8], through sources: [[UInt8]]) -> [[UInt8]]? {
    guard sources.contains(name) || !composition.composites(of: name).isEmpty else { return nil }
    var seen: Set<[UInt8]> = []
    var path = [(name: name, rest: sources[...])]
    while let last = path.indices.last {
      guard let source = path[last].rest.popFirst() else {
        path.removeLast()
        continue
      }
      if source == name { return path.map(\.name) + [name] }
      guard seen.insert(source).inserted, let next = peek(source)?.sources else { continue }
      path.append((source, next[...]))
    }
    return nil
  }

  /// Returns the change of a composite for the change of one of its sources.
  private func shifted(
    _ change: ComparedChange, into list: NamedList, _ sources: [[UInt8]], _ new: Snapshot
  ) -> SnapshotChange {
    var before = SnapshotSize()
    var after = SnapshotSize()
    var seen = false
    for source in sources {
      if source == change.made.name {
        seen = true
        continue
      }
      guard let size = peek(source)?.size else { continue }
      if seen { after = after + size } else { before = before + size }
    }
    return change.changes.embedded(after: before, before: after)
  }
}

extension SnapshotChange {
  /// Returns the same change for a larger list that has other sections before and after this one's.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections of the larger list.
  func embedded(after head: SnapshotSize, before tail: SnapshotSize) -> SnapshotChange {
    let shifted = same.map {
      MatchedRun(
        old: Int($0.old) + head.items, new: Int($0.new) + head.items, count: Int($0.count))
    }
    let first = MatchedRun(old: 0, new: 0, count: head.items)
    let last = MatchedRun(
      old: head.items + items.rowsToNew.count, new: head.items + items.rowsToOld.count,
      count: tail.items)
    return SnapshotChange(
      stages: stages.map { $0.shifted(by: head.sections) },
      matching: matching.placed(
        sections: (head.sections, tail.sections), rows: (head.rows, tail.rows)),
      // Each level of a chain of composites would add empty ones.
      same: [[first], shifted, [last]].joined().filter { $0.count > 0 },
      items: items.placed(
        sections: (head.sections, tail.sections), rows: (head.items, tail.items)),
      movement: movement)
  }
}
