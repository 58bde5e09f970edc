/// Hashes identities, numbers and most texts in a few steps and all else as it hashes itself.
///
/// Words are multiplied in full and folded (Wang Yi and others, "Modern non-cryptographic hash
/// function and pseudorandom permutation", 2019), with a seed that differs from process to process and
/// that both factors of a product depend on, so that nobody can choose an identity that makes it zero.
/// The hash of a text is one of its bytes. That is right as long as all texts in play are in
/// normalisation form C, for then those that are equal have the same bytes; else ``isPlain`` becomes
/// false.
@frozen @usableFromInline
struct IDHash {
  @usableFromInline let seed: UInt64

  /// Another word of the seed, which is odd.
  @usableFromInline let secret: UInt64

  /// Whether all identities are to be hashed as they hash themselves.
  @usableFromInline let usesOwnHashes: Bool

  /// Whether all texts so far could be hashed by their bytes.
  @usableFromInline var isPlain = true

  @inlinable
  init(usingOwnHashes: Bool = false) {
    (seed, secret) = Self.seeds
    usesOwnHashes = usingOwnHashes
  }

  @usableFromInline
  static let seeds: (UInt64, UInt64) = {
    let seed = UInt64(truncatingIfNeeded: Hasher().finalize())
    var hasher = Hasher()
    hasher.combine(seed)
    return (seed, UInt64(truncatingIfNeeded: hasher.finalize()) | 1)
  }()

  @inlinable @inline(__always)
  mutating func hash<ID: Hashable>(_ id: ID) -> UInt64 {
    if ID.self == String.self, let text = id as? String, !usesOwnHashes { return hash(text: text) }
    if ID.self == Int.self, let number = id as? Int {
      return hash(word: UInt64(bitPattern: Int64(number)))
    }
    if ID.self == Int64.self, let number = id as? Int64 {
      return hash(word: UInt64(bitPattern: number))
    }
    if ID.self == UInt64.self, let number = id as? UInt64 { return hash(word: number) }
    if ID.self == UInt.self, let number = id as? UInt { return hash(word: UInt64(number)) }
    if ID.self == Int32.self, let number = id as? Int32 {
      return hash(word: UInt64(truncatingIfNeeded: number))
    }
    if ID.self == UInt32.self, let number = id as? UInt32 { return hash(word: UInt64(number)) }
    return UInt64(truncatingIfNeeded: id.hashValue)
  }

  @inlinable @inline(__always)
  func hash(word: UInt64) -> UInt64 { Self.fold(word ^ seed, secret) }

  @inlinable @inline(__always)
  static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
