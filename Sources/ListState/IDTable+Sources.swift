extension IDTable {
  /// The key of an item of another list.
  mutating func sourced(_ key: UInt32, from list: UInt32) -> UInt32 {
    [list, key].withUnsafeBytes { intern(.sourced, $0) }
  }

  /// The key of an item of another list, `nil` where it has none.
  func findSourced(_ key: UInt32, from list: UInt32) -> UInt32? {
    [list, key].withUnsafeBytes { find(.sourced, $0) }
  }

  /// The list that an item comes from, by the key of its name, and the item's key there; `nil` for
  /// an item that comes from no other list.
  func source(of key: UInt32) -> (list: UInt32, key: UInt32)? {
    guard kind(of: key) == .sourced else { return nil }
    // In bounds: the bytes are two keys, as `sourced` wrote them.
    return bytes(of: key).withUnsafeBytes {
      ($0.loadUnaligned(as: UInt32.self), $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    }
  }

  /// The key that an item has in the ordinary list that it comes from.
  package func original(_ key: UInt32) -> UInt32 {
    var key = key
    while let source = source(of: key) { key = source.key }
    return key
  }
}
