extension IDTable {
  /// The key of an item of another list.
  mutating func sourced(_ key: UInt32, from list: UInt32) -> UInt32 {
    [list, key].withUnsafeBytes { intern(.sourced, $0) }
  }

  /// The key of an item of another list, `nil` where it has none.
  func findSourced(_ key: UInt32, from list: UInt32) -> UInt32? {
    [list, key].withUnsafeBytes { find(.sourced, $0) }
  }

  /// The key that an item has in the ordinary list that it comes from.
  package func original(_ key: UInt32) -> UInt32 {
    var key = key
    while kind(of: key) == .sourced {
      // In bounds: the bytes are two keys, as `sourced` wrote them.
      key = bytes(of: key).withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self) }
    }
    return key
  }
}
