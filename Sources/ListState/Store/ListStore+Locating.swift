import ListDiff

extension ListStore {
  /// Returns the shown items that references name, `nil` for each item that does not exist.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of references and *n* the number of items; O(*n*) for
  ///   the first references after a snapshot, and with references to older revisions.
  /// - Throws: `revisionNotFound`, `cancelled`, `overflow`.
  package mutating func locate(
    _ references: [ItemReference], of list: NamedList
  ) throws(ListFailure) -> [Int?] {
    let list = try indexed(list)
    guard let tree = list.tree else { return references.map { _ in nil } }
    var found: [Int?] = []
    var known = KnownItems()
    for reference in references { try addPast(of: reference, in: list, to: &known) }
    for reference in references {
      let location = location(ofShown: reference, in: list, &known)
      found.append(location.map { tree.index(of: $0) })
    }
    return found
  }

  /// Returns a list in which each item is found by a key of its own. The present list stays so, too.
  ///
  /// - Complexity: As of ``NamedList/indexKeys()`` and ``makeDistinct(_:)``.
  /// - Throws: `overflow`.
  private mutating func indexed(_ list: NamedList) throws(ListFailure) -> NamedList {
    guard let index = lists.index(of: list.name), lists[at: index].order == list.order,
      lists[at: index].revision == list.revision
    else { return list }
    if list.tree?.hasDistinctKeys == false {
      finishEdits()
      try makeDistinct([list.name])
    }
    lists[at: index].indexKeys()
    return lists[at: index]
  }

  /// Returns the indices of the sections with some keys, `nil` for each section that does not
  /// exist.
  ///
  /// - Complexity: O(*k* log *s*), where *s* is the number of sections and *k* the number of keys.
  package func locate(sections keys: [UInt32?], of list: NamedList) -> [Int?] {
    keys.map { key in
      key.flatMap { list.tree?.section(withKey: $0) }.map { list.tree!.index(ofSection: $0) }
    }
  }

  /// Returns for each of some shown items the number of items before it that have the same
  /// identifier. In a composite, these may come from other sources.
  ///
  /// - Complexity: O(1) for each item if items neither repeat nor come from sources; else as of
  ///   ``locate(_:of:)``, for each item that has the same identifier.
  package mutating func occurrences(ofItems items: [Int], of list: NamedList) -> [Int] {
    guard list.sources != nil || list.hasRepeats, let list = try? indexed(list),
      let tree = list.tree, let all = list.allTree, all.hasDistinctKeys
    else { return items.map { _ in 0 } }
    var known: [UInt32: [Int: Int]] = [:]
    return items.map { item in
      let key = tree.record(at: tree.location(at: item)!).key
      let identity = ids.original(all.identity(of: key))
      if known[identity] == nil {
        let indices = locations(ofIdentity: identity, in: list, all).map { all.index(of: $0) }
        known[identity] = Dictionary(uniqueKeysWithValues: zip(indices, indices.indices))
      }
      return known[identity]![all.index(ofKey: key)!]!
    }
  }
}
