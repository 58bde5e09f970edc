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
  /// Makes sure that there is room for what the lists that are made of a list take from it.
  ///
  /// - Throws: `overflow`, rather too early than too late.
  func checkRoom(for snapshots: [Snapshot], in composites: [[UInt8]]) throws(ListFailure) {
    guard !composites.isEmpty else { return }
    var items = 0
    var sections = 0
    var length = 0
    for snapshot in snapshots {
      items += snapshot.itemCount
      sections += snapshot.sections.count
      for key in snapshot.arrangement.sections { length += ids.bytes(of: key).count }
    }
    let names = names.reduce(0) { max($0, $1.count) } + 8
    // An item is told by two keys, a section by the names on its way, in which any byte may be escaped.
    let bytes = items * 8 + (length + sections * names * composites.count) * 6
    guard
      let overflow = ids.overflow(
        of: (items + sections) * composites.count, bytes * composites.count)
    else { return }
    throw .overflow(overflow)
  }
}

extension IDTable {
  /// What there is no room for of so many more identifiers and bytes.
  func overflow(of count: Int, _ size: Int) -> IDOverflow? {
    if count > limits.keys - self.count { return .keys(limit: limits.keys) }
    return size > limits.bytes - self.size ? .bytes(limit: limits.bytes) : nil
  }
}
