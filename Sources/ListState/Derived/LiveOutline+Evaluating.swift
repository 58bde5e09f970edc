extension LiveOutline {
  /// Returns the parents that items name, as an evaluation of the view needs them. `keys` are those of the
  /// items, which `keyIndices` recorded last unless the nodes are in order.
  ///
  /// - Complexity: O(*n*) after these have changed, where *n* is the number of items of the sources; else O(1).
  func links(of keys: [UInt32], _ keyIndices: borrowing LastKeyIndices) -> ParentLinks {
    if let links { return links }
    var links = ParentLinks(member: member)
    links.parents.reserveCapacity(keys.count)
    links.areLazy.reserveCapacity(keys.count)
    for (item, key) in keys.enumerated() {
      let node = isInOrder ? item : node(of: key)!
      let named = namedParent(of: node)
      let parent =
        named < 0 ? nil : isInOrder ? named : keyIndices.index(of: nodes[named].key, in: keys)
      links.parents.append(Int32(truncatingIfNeeded: parent ?? -1))
      links.areLazy.append(has(.lazy, node))
      if nodes[node].named >= 0, parent == nil {
        links.withMissingParents.append(Int32(truncatingIfNeeded: item))
      }
    }
    return links
  }

  /// The keys of the items that are their own ancestors.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources.
  var cyclicKeys: [UInt32] {
    nodes.lazy.filter { $0.traits.isSuperset(of: [.present, .cyclic]) }.map(\.key)
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
  /// - Complexity: O(*k* log *n*), where *k* is the number of items with a state.
  package func items(inState state: ExpansionState) -> [Range<Int>] {
    keys(inState: state).compactMap { live!.sources.index(ofKey: $0) }.sorted().runs
  }

  /// Returns the keys of the items of an outline with a state, in no order.
  ///
  /// - Complexity: O(*k*), where *k* is their number.
  package func keys(inState state: ExpansionState) -> [UInt32] {
    guard let outline = live?.outline else { return [] }
    return outline.states.compactMap { node, other in
      other == state ? outline.nodes[node].key : nil
    }
  }
}
