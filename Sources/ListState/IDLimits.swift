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
    _ snapshots: [Snapshot], in composites: [[UInt8]],
    _ change: (inout ListStore) throws(ListFailure) -> [ListChange]
  ) throws(ListFailure) -> [ListChange] {
    guard !composites.isEmpty, isTight(for: snapshots, in: composites) else {
      return try change(&self)
    }
    let before = (lists, names)
    let changes = try change(&self)
    guard let overflow = ids.overflow else { return changes }
    (lists, names) = before
    throw .overflow(overflow)
  }

  /// Whether there may be no room for what composites take from a list.
  private func isTight(for snapshots: [Snapshot], in composites: [[UInt8]]) -> Bool {
    var items = 0
    var sections = 0
    var length = 0
    for snapshot in snapshots {
      items += snapshot.itemCount
      sections += snapshot.sections.count
      for key in snapshot.arrangement.sections { length += ids.bytes(of: key).count }
    }
    // An item is told by two keys, a section by the names on its way.
    let names = names.reduce(0) { max($0, $1.count) } + 8
    let bytes = items * 8 + (length + sections * names * composites.count) * 6
    return ids.isTight(for: (items + sections) * composites.count, bytes * composites.count)
  }
}

extension IDTable {
  /// Whether there is no room for so many more identifiers of so many bytes.
  func isTight(for count: Int, _ size: Int) -> Bool {
    count > limits.keys - self.count || size > limits.bytes - self.size
  }
}
