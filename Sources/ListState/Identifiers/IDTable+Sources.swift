extension IDTable {
  /// Returns the key that an item of another list has in a composite, adding it if necessary.
  mutating func internSourced(_ key: UInt32, from list: UInt32) -> UInt32 {
    [list, key].withUnsafeBytes { intern(.sourced, $0) }
  }

  /// Returns the key that an item of another list has in a composite, or `nil` if it has none.
  func findSourced(_ key: UInt32, from list: UInt32) -> UInt32? {
    [list, key].withUnsafeBytes { find(.sourced, $0) }
  }

  /// Returns the list that an item comes from, as the key of its name, and the item's key there.
  /// Returns `nil` if the item does not come from another list.
  func source(of key: UInt32) -> (list: UInt32, key: UInt32)? {
    guard kind(of: key) == .sourced else { return nil }
    // In bounds: the bytes are two keys, as `internSourced` wrote them.
    return bytes(of: key).withUnsafeBytes {
      ($0.loadUnaligned(as: UInt32.self), $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    }
  }

  /// Returns the key that an item has in the ordinary list that it comes from.
  package func original(_ key: UInt32) -> UInt32 {
    var key = key
    while let source = source(of: key) { key = source.key }
    return key
  }
}
