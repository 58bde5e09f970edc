import ListDiff
import ListStages

/// The effects of a change of the sources on a view, by key.
struct ViewChange {
  /// The items that were removed from the view. Some of them may have been inserted again.
  var removed: [UInt32] = []
  var inserted: [UInt32] = []

  /// The items that were selected or deselected in the sources, if the view shows their selection.
  var marked: [UInt32] = []

  /// The sections whose traits have changed.
  var traits: Set<UInt32> = []

  /// The rows of an outline that may have changed although their items have not moved.
  var refreshed: [UInt32] = []

  /// The items of an outline that have become their own ancestors.
  var cyclic: [UInt32] = []

  /// The sections of the view whose items were inserted, removed, collapsed or shown.
  var touched: Set<Int> = []

  /// Whether sections were added at the end and have to be sorted.
  var needsOrder = false

  /// Whether the order of sections has changed.
  var isReordered = false

  /// The items that are reported as updated even if they are equal.
  var forcedItems: [UInt32: ContentChange] = [:]
  var forcedSections: [UInt32: ContentChange] = [:]
}

extension LiveView {
  /// Follows changes of sources, each given with the number of sections before it. `all` are the
  /// items of the view.
  ///
  /// - Complexity: O(*k* *b* log *n*), where *k* is the number of items that the changes name, *b*
  ///   the size of an item and *n* the number of items; in addition O(*s* log *s*) if sections of
  ///   the sources were inserted, deleted or moved and are kept, where *s* is the number of sections.
  mutating func follow(
    _ deltas: [SourceDelta], _ all: inout ListTree, _ ids: inout IDTable
  ) -> ViewChange {
    let deltas = deltas.span
    var change = ViewChange()
    if groups.count > 2 * all.sectionCount + 64 {
      groups = groups.filter { all.section(withKey: $0.key) != nil }
    }
    outline?.link()
    if rules.isDistinct, distinct == nil { distinct = distinctItems(ids) }
    let affected = affected(by: deltas)
    let anchors = anchorCandidates(affected, all)
    if deltas.indices.contains(where: { deltas[$0].delta.needsAllItems }) {
      fill(&all, completely: true)
    }
    if outline == nil {
      if behind != nil { setBehind(count: behind!.count - countBehind(affected, all, ids)) }
      for key in affected { all.remove(key, &change) }
      removeDistinct(affected)
    }
    if !sources.keepsIndices(deltas) {
      keepTextNumbers()
      outline?.noteOrder()
    }
    for index in deltas.indices {
      sources.make(deltas[index].delta, behindSections: deltas[index].head)
      all.addRepeats(of: deltas[index].delta)
      if !deltas[index].delta.forcedItems.isEmpty {
        change.forcedItems.merge(deltas[index].delta.forcedItems, uniquingKeysWith: max)
      }
      if !deltas[index].delta.forcedSections.isEmpty {
        change.forcedSections.merge(deltas[index].delta.forcedSections, uniquingKeysWith: max)
      }
      if deltas[index].delta.order != nil { change.needsOrder = true }
    }
    let marked = selectSources(as: deltas)
    noteTexts(affected)
    refreshTexts(affected)
    let inserted: [UInt32]
    if outline != nil {
      inserted = updateOutline(affected, &all, &change, &ids)
    } else {
      insert(affected, &all, &change, &ids)
      fill(&all)
      inserted = change.inserted
    }
    showSelection(ofSources: inserted + marked, in: &all)
    change.marked = marked
    finishSections(deltas, &all, &change, ids)
    carryAnchor(anchors, all)
    return change
  }

  /// Inserts those items of the sources that the rules accept.
  private mutating func insert(
    _ affected: [UInt32], _ all: inout ListTree, _ change: inout ViewChange, _ ids: inout IDTable
  ) {
    let ranksItems = rules.ranksItems
    let accepted = affected.filter { key in
      guard let location = sources.location(of: key) else { return false }
      let item = viewed(at: location, ids)
      if ranksItems { rules.noteRank(of: item) }
      return rules.accepts(item)
    }
    let (kept, hidden) = insertDistinct(accepted)
    for key in hidden { all.remove(key, &change) }
    var arriving: [SortedItem] = []
    for key in kept where !all.contains(key) {
      let location = sources.location(of: key)!
      let item = viewed(at: location, ids)
      let section = self.section(for: item, at: location, in: &all, &change.needsOrder, &ids)
      arriving.append(
        SortedItem(section: section, sortKey: rules.sortKey(of: item), location: location))
    }
    let countBehind = place(arriving, in: &all, &change, ids)
    if behind != nil { setBehind(count: countBehind) }
  }

  /// Returns how many of some items the view has behind those of `all`.
  private func countBehind(
    _ keys: [UInt32], _ all: ListTree, _ ids: borrowing IDTable
  ) -> Int {
    var count = 0
    for key in keys where !all.contains(key) && has(key, all, ids) { count += 1 }
    return count
  }

  /// Applies changes of the selection to the sources, if the view shows their selection. Returns
  /// the items that were selected or deselected.
  mutating func selectSources(
    as deltas: Span<SourceDelta>
  ) -> [UInt32] {
    guard definition.selectsInSources else { return [] }
    var marked: [UInt32] = []
    for index in deltas.indices {
      let (selected, deselected) = (deltas[index].delta.selected, deltas[index].delta.deselected)
      for (keys, isSelected) in [(selected, true), (deselected, false)] {
        for key in keys {
          guard let location = sources.location(of: key) else { continue }
          sources.setSelected(isSelected, at: location)
          marked.append(key)
        }
      }
    }
    return marked
  }

  /// Copies the selection of items from the sources, if the view shows their selection.
  func showSelection(ofSources keys: [UInt32], in all: inout ListTree) {
    guard definition.selectsInSources else { return }
    for key in keys {
      guard let location = all.location(of: key), let source = sources.location(of: key) else {
        continue
      }
      all.setSelected(sources.record(at: source).traits.contains(.selected), at: location)
    }
  }

  /// Returns the items that changes of sources will insert, delete, move or replace.
  private func affected(by deltas: Span<SourceDelta>) -> [UInt32] {
    var keys: [UInt32] = []
    func addItems(ofSection key: UInt32) {
      guard let section = sources.section(withKey: key) else { return }
      for leaf in sources.leaves(ofSection: section) { keys += sources.leaves[leaf].keys }
    }
    for index in deltas.indices {
      keys += deltas[index].delta.removed
      for section in deltas[index].delta.deletedSections { addItems(ofSection: section) }
      for placement in deltas[index].delta.placed { keys.append(placement.record.key) }
      for record in deltas[index].delta.replaced { keys.append(record.key) }
      // Children may be in other sections of the sources than their parents.
      if case .keep = rules.division, !rules.isDistinct, outline == nil { continue }
      if let order = deltas[index].delta.order {
        for section in moved(among: order) { addItems(ofSection: section) }
      }
    }
    if keys.count < 2 { return keys }
    var seen = Set<UInt32>()
    return keys.filter { seen.insert($0).inserted }
  }

  /// Returns the keys of the sections to be moved to sort the sections of the sources: as few as
  /// possible.
  private func moved(among order: [TreeDelta.SectionRun]) -> [UInt32] {
    let old = order.compactMap { run in
      sources.section(withKey: run.first).map { (run, index: sources.index(ofSection: $0)) }
    }
    let kept = heaviestIncreasing(
      old.map { Int32(truncatingIfNeeded: $0.index) }, weights: old.map { $0.0.count },
      universe: sources.sectionCount)
    let isKept = Set(kept)
    return old.indices.filter { !isKept.contains($0) }.flatMap { index in
      let (run, first) = old[index]
      return (first..<first + run.count).map { sources.sections[sources.section(at: $0)!].key }
    }
  }

  // MARK: The anchor

  /// Returns the items that may replace the anchor if it is deleted, of which the first one in the
  /// view does; empty if the anchor is kept.
  private func anchorCandidates(
    _ affected: [UInt32], _ all: ListTree
  ) -> [UInt32] {
    guard let anchor, let location = sources.location(of: anchor), affected.contains(anchor) else {
      return []
    }
    let affected = Set(affected)
    var candidates: [UInt32] = []
    let start = sources.index(of: location)
    func add(_ index: Int) -> Bool {
      guard let key = sources.key(at: index) else { return true }
      // After the change the view may have another item with the same value.
      var isSure = !rules.isDistinct && !affected.contains(key) && all.contains(key)
      // After the change items of an outline may have other ancestors.
      if isSure, let outline { isSure = outline.has(.accepted, outline.node(of: key)!) }
      if isSure || rules.isDistinct || outline != nil || affected.contains(key) {
        candidates.append(key)
      }
      return isSure
    }
    for index in start..<sources.itemCount where add(index) { return candidates }
    for index in stride(from: start - 1, through: 0, by: -1) where add(index) { break }
    return candidates
  }

  /// Anchors the window, for the first time, to an item of the sources or what takes its place. `keys` are those of
  /// the items of the sources, to whose indices `toNew` maps that item and those before a change.
  mutating func setFirstAnchor(_ item: Int?, _ toNew: [Int32]?, _ keys: [UInt32]) {
    guard window?.isAnchored == true, let all, !keys.isEmpty else { return }
    func key(_ old: Int) -> UInt32? {
      old.mapped(by: toNew).map { keys[min($0, keys.count - 1)] }
    }
    let kept = item.flatMap { item in
      key(item)
        ?? [Array(item..<toNew!.count), (0..<item).reversed()].joined().lazy.compactMap(key)
        .first(where: all.contains)
    }
    setAnchor(kept, all)
    before.anchor = anchor
  }

  /// Anchors the window to an item of the sources.
  mutating func setAnchor(_ item: UInt32?, _ all: ListTree) {
    anchor = item
    carryAnchor([], all)
  }

  /// Keeps the window at its anchor or, if the view does not have that item any more, anchors it to
  /// a neighbour.
  private mutating func carryAnchor(_ candidates: [UInt32], _ all: ListTree) {
    guard window?.isAnchored == true else { return }
    defer { raiseAnchor(all) }
    if let anchor, all.contains(anchor) { return }
    guard all.itemCount > 0 else {
      anchor = nil
      return
    }
    let first = all.key(at: 0)
    guard let old = anchor else {
      anchor = first
      return
    }
    if let start = sources.index(ofKey: old) {
      anchor =
        kept(start..<sources.itemCount, all) ?? kept((0..<start).reversed(), all) ?? first
    } else {
      anchor = candidates.first(where: all.contains) ?? first
    }
  }

  /// Returns the first item in the view among those at some indices of the sources.
  private func kept(_ indices: some Sequence<Int>, _ all: ListTree) -> UInt32? {
    for index in indices {
      if let key = sources.key(at: index), all.contains(key) { return key }
    }
    return nil
  }
}

extension ListTree {
  /// Removes an item of a view if it is present.
  mutating func remove(_ key: UInt32, _ change: inout ViewChange) {
    guard let location = location(of: key) else { return }
    // An only section need not be found in the set again.
    if sections.count > 1 || change.touched.isEmpty {
      change.touched.insert(section(ofLeaf: location.leaf))
    }
    remove(at: location)
    change.removed.append(key)
  }
}
