import ListDiff

/// The present content of a list, for a reader of the snapshot that replaces it.
package struct EarlierContent: Sendable {
  package let snapshot: Snapshot

  /// The list, if it knows where each key is.
  private let tree: ListTree?

  /// Ranges of items whose texts are known to follow each other in the first buffer, ascending.
  private let inOrder: [Range<Int>]

  init(_ list: NamedList) {
    snapshot = list.tree?.snapshot(isTidy: false) ?? Snapshot()
    tree = list.tree.flatMap { $0.hasLeafTable && $0.repeats.isEmpty ? $0 : nil }
    inOrder =
      snapshot.textsAscend ? [0..<snapshot.itemCount] : list.tree.map { $0.itemsInOrder } ?? []
  }

  /// Returns the first part of a range of items whose texts are known to follow each other in the first
  /// buffer, or of which that is not known.
  package func orderedPart(of items: Range<Int>) -> (items: Range<Int>, isInOrder: Bool) {
    let next = inOrder.indices.partitioned { inOrder[$0].upperBound <= items.lowerBound }
    guard next < inOrder.count, inOrder[next].lowerBound < items.upperBound else {
      return (items, false)
    }
    if inOrder[next].contains(items.lowerBound) { return (items.clamped(to: inOrder[next]), true) }
    return (items.lowerBound..<inOrder[next].lowerBound, false)
  }

  /// Whether items are found by their keys.
  package var findsKeys: Bool { tree != nil }

  /// Returns the index of the item with a key; `nil` also if items are not found by their keys.
  ///
  /// - Complexity: O(log *n*).
  package func index(of key: UInt32) -> Int? { tree?.index(ofKey: key) }

  /// Reports whether no two items of a new snapshot have the same key, as far as that is known without
  /// a visit of all items. `same` are items that have the keys of items of this content.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of runs and of items in none of them.
  package func provesDistinct(_ new: Snapshot, _ same: [MatchedRun]) -> Bool {
    guard let tree else { return false }
    let rest = same.newRest(of: new.itemCount)
    let count = rest.reduce(0) { $0 + $1.count } + same.count
    guard count <= Adoption.limit(for: tree.itemCount, new.itemCount) else { return false }
    if same.haveOverlap { return false }
    let order = same.byOld
    var seen: Set<UInt32> = []
    return rest.joined().allSatisfy { item in
      let key = new.arrangement.rows[item]
      guard seen.insert(key).inserted else { return false }
      guard let old = tree.index(ofKey: key) else { return true }
      let next = order.indices.partitioned { same[order[$0]].oldEnd <= old }
      return next == order.count || same[order[next]].old > old
    }
  }
}

extension ListStore {
  /// Returns the present content of a list, for a reader of items that some members identify if they have
  /// no identifier; `nil` if the list does not exist, or if the same items may have had other identities.
  ///
  /// - Complexity: O(1); O(*n*) after edits, and if the last items that the list got were identified by
  ///   other members.
  package func content(
    of name: [UInt8], identifiedBy members: [[UInt8]] = []
  ) -> EarlierContent? {
    guard let list = lists[name] else { return nil }
    let content = EarlierContent(list)
    if list.itemKey == members { return content }
    let areIdentified = content.snapshot.traits.allSatisfy {
      $0.contains(.hasExplicitID) && !$0.contains(.isKeyed)
    }
    return areIdentified ? content : nil
  }

  /// Records by which members the items of a list are identified; `nil` if by different ones.
  package mutating func setItemKey(_ members: [[UInt8]]?, of name: [UInt8]) {
    if let list = lists[name], list.itemKey != members { lists[name]!.itemKey = members }
  }

  /// Records by which members some items are identified that a list has got.
  package mutating func addItemKey(_ members: [[UInt8]], of name: [UInt8]) {
    if let list = lists[name], list.itemKey != members { lists[name]!.itemKey = nil }
  }
}
