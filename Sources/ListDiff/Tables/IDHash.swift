/// Hashes identities: integers, UUIDs and most strings in a few steps, other types by their own hash.
///
/// Words are multiplied to full width and folded (Wang Yi and others, "Modern non-cryptographic
/// hash function and pseudorandom permutation", 2019). Both factors of a product depend on a seed
/// that differs between processes, so nobody can choose an identity that makes a product zero.
///
/// The hash of a string is a hash of its UTF-8 bytes. This is correct as long as all strings are in
/// normalization form C, because equal strings in that form have the same bytes; otherwise
/// ``isPlain`` becomes false.
@frozen @usableFromInline
struct IDHash {
  @usableFromInline let seed: UInt64

  /// The second word of the seed, which is odd.
  @usableFromInline let secret: UInt64

  /// Whether all identities are hashed by their own hash.
  @usableFromInline let usesOwnHashes: Bool

  /// Whether all strings so far are in normalization form C, so that their bytes identify them.
  @usableFromInline var isPlain = true

  @_alwaysEmitIntoClient
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

  @_alwaysEmitIntoClient @inline(__always)
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
    if MemoryLayout<ID>.size == 16, ObjectIdentifier(ID.self) == Self.uuid {
      let words = twoWords(of: id)
      return Self.fold(words.0 ^ secret, Self.fold(words.1 ^ seed, secret))
    }
    return UInt64(truncatingIfNeeded: id.hashValue)
  }

  /// Foundation's type of universally unique identifiers, whose 16 bytes identify them; `nil` in a program
  /// without Foundation.
  @usableFromInline
  static let uuid: ObjectIdentifier? =
    (_typeByName("20FoundationEssentials4UUIDV") ?? _typeByName("10Foundation4UUIDV"))
    .map { ObjectIdentifier($0) }

  @_transparent @usableFromInline
  func hash(word: UInt64) -> UInt64 { Self.fold(word ^ seed, secret) }

  @_transparent @usableFromInline
  static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
