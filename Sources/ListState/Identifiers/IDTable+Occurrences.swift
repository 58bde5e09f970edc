extension IDTable {
  /// Returns the key of an occurrence of an identity beside the first one, adding it if necessary.
  /// Returns `nil` and sets `overflow` if the table is full.
  mutating func internOccurrence(_ number: UInt32, of base: UInt32) -> UInt32? {
    hasOccurrences = true
    let key = intern(.occurrence, base, number)
    return kind(of: key) == .occurrence ? key : nil
  }

  /// Returns the key of an occurrence of an identity, or `nil` if there is none.
  func findOccurrence(_ number: UInt32, of base: UInt32) -> UInt32? {
    find(.occurrence, base, number)
  }

  /// Returns the key of the identity of which a key is an occurrence, and the number of the
  /// occurrence; `nil` if the key is that of an identity.
  func occurrence(of key: UInt32) -> (base: UInt32, number: UInt32)? {
    guard kind(of: key) == .occurrence else { return nil }
    return pair(of: key)
  }

  /// Returns the key of the identity that an item with a key has.
  func base(of key: UInt32) -> UInt32 { occurrence(of: key)?.base ?? key }
}
