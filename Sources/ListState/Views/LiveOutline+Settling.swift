extension LiveOutline {
  /// Returns the tree as snapshots have it. `rows` are the keys of the items of the sources, which
  /// `keyIndices` recorded last, and `arrangement` has the items of the view in the order of the tree.
  /// If it `isStopped`, returns any tree.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources.
  func settled(
    _ arrangement: ViewArrangement, _ rows: [UInt32], _ keyIndices: borrowing LastKeyIndices,
    isStopped: () -> Bool
  ) -> (outline: Outline, links: ParentLinks, expansion: Expansion) {
    var expansion = Expansion()
    for (node, state) in states {
      guard let item = keyIndices.index(of: nodes[node].key, in: rows) else { continue }
      expansion.set(state, of: item, among: rows.count)
    }
    var links = ParentLinks(member: member)
    var outline = Outline()
    outline.openLevels = openLevels
    outline.matched = matched
    for (item, key) in rows.enumerated() {
      if item & 0xFFF == 0, isStopped() { return (outline, links, expansion) }
      let number = self.node(of: key)!
      let node = nodes[number]
      let named = namedParent(of: number)
      let parent = named < 0 ? nil : keyIndices.index(of: nodes[named].key, in: rows)
      links.parents.append(Int32(truncatingIfNeeded: parent ?? -1))
      links.areLazy.append(node.traits.contains(.lazy))
      if node.named >= 0, parent == nil {
        links.withMissingParents.append(Int32(truncatingIfNeeded: item))
      }
      if node.traits.contains(.cyclic) { outline.cyclic.append(Int32(truncatingIfNeeded: item)) }
    }
    outline.reserve(arrangement.order.count)
    for (position, item) in arrangement.order.enumerated() {
      if position & 0xFFF == 0, isStopped() { return (outline, links, expansion) }
      let node = self.node(of: rows[Int(item)])!
      var traits: Outline.Traits = has(.lazy, node) ? .lazy : []
      if has(.accepted, node) { traits.insert(.matched) }
      if expandsAncestors, childCount(of: node) > 0 { traits.insert(.forced) }
      outline.append(level: Int(nodes[node].level), traits, isRanked ? ranks[node] : nil)
    }
    outline.finish()
    outline.firstItems = zip(arrangement.starts, arrangement.starts.dropFirst()).map { start, end in
      start < end ? arrangement.order[Int(start)] : -1
    }
    outline.show(expansion, arrangement.order)
    return (outline, links, expansion)
  }
}

extension LiveView {
  /// The keys that items of an outline name as their parent although no item of the sources has
  /// them.
  var missingParents: [UInt32] { outline.map { Array($0.missingKeys) } ?? [] }
}

extension NamedList {
  /// Whether the list is an outline.
  var isOutline: Bool { isView && viewRules!.outline != nil }

  /// Returns the items of an outline with a state, as runs of their indices in the sources.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items with a state; O(*n*) if the view is kept
  ///   as snapshots.
  package func items(inState state: ExpansionState) -> [Range<Int>] {
    guard let live, live.outline != nil else { return view?.expansion.runs(of: state) ?? [] }
    return keys(inState: state).compactMap { live.sources.index(ofKey: $0) }.sorted().runs
  }

  /// Returns the keys of the items of an outline with a state, in no order.
  ///
  /// - Complexity: O(*k*), where *k* is their number; O(*n*) if the view is kept as snapshots.
  package func keys(inState state: ExpansionState) -> [UInt32] {
    if let live, let outline = live.outline {
      return outline.states.compactMap { node, other in
        other == state ? outline.nodes[node].key : nil
      }
    }
    guard let view else { return [] }
    let keys = view.items.snapshot.arrangement.rows
    return view.expansion.runs(of: state).joined().map { keys[$0] }
  }
}
