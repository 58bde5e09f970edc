import ListDiff

/// How much an identifier table may hold; what is given is as much as it can.
package struct IDLimits: Sendable {
  /// The bytes of all identifiers.
  package var bytes = Int(UInt32.max)

  /// The bytes of one identifier.
  package var length = 1 << 29 - 1

  /// The identifiers. The largest keys are left for what stands for no identifier.
  package var keys = Int(UInt32.max) - 8

  package init() {}
}

/// What an identifier table has no room for.
package enum IDOverflow: Error, Hashable, Sendable {
  case bytes(limit: Int)
  case length(limit: Int)
  case keys(limit: Int)
}

extension ListStore {
  /// Makes a change of lists from which composites take what snapshots have, or none where there is
  /// no room for the identifiers that it needs.
  ///
  /// - Throws: what the change throws, and `overflow`.
  mutating func changing(
    _ snapshots: [Snapshot], of name: [UInt8], isComposite: Bool,
    _ change: (inout ListStore) throws(ListFailure) -> [ListChange]
  ) throws(ListFailure) -> [ListChange] {
    // To count all composites is cheaper than to find those that follow. An ordinary list of which
    // none is made needs nothing that was not read.
    guard isComposite || !composition.composites(of: name).isEmpty,
      isTight(for: snapshots, in: composition.count + 1),
      isTight(for: snapshots, in: dependents(of: name).count + 1)
    else { return try change(&self) }
    let before = (lists, composition)
    let changes = try change(&self)
    guard let overflow = ids.overflow else { return changes }
    rollBack(to: before)
    throw .overflow(overflow)
  }

  /// Whether there may be no room for what so many composites take from lists.
  private func isTight(for snapshots: [Snapshot], in composites: Int) -> Bool {
    var items = 0
    var sections = 0
    var length = 0
    for snapshot in snapshots {
      items += snapshot.itemCount
      sections += snapshot.sections.count
      for key in snapshot.arrangement.sections { length += ids.bytes(of: key).count }
    }
    // An item is told by two keys, a section by the names on its way. As numbers that cannot overflow.
    let count = Double(composites)
    let names = Double(sections * (composition.longestName + 8)) * count
    let bytes = (Double(items * 8) + (Double(length) + names) * 6) * count
    return ids.isTight(for: Double(items + sections) * count, bytes)
  }
}

extension IDTable {
  /// Whether there is no room for so many more identifiers of so many bytes.
  func isTight(for count: Double, _ size: Double) -> Bool {
    count > Double(limits.keys - self.count) || size > Double(limits.bytes - self.size)
  }
}
