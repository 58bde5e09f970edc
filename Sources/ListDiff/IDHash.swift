/// Hashes identities, numbers and most texts in a few steps and all else as it hashes itself.
///
/// Words are multiplied in full and folded (Wang Yi and others, "Modern non-cryptographic hash
/// function and pseudorandom permutation", 2019), with a seed that differs from process to process and
/// that both factors of a product depend on, so that nobody can choose an identity that makes it zero.
/// The hash of a text is one of its bytes. That is right as long as no text in play has a scalar
/// from U+0300 up, for all others that are equal have the same bytes; else ``isPlain`` becomes false.
@usableFromInline
struct IDHash {
  @usableFromInline let seed: UInt64

  /// Another word of the seed, which is odd.
  @usableFromInline let secret: UInt64

  /// Whether all identities are to be hashed as they hash themselves.
  @usableFromInline let usesOwnHashes: Bool

  /// Whether all texts so far could be hashed by their bytes.
  @usableFromInline var isPlain = true

  @inlinable init(usingOwnHashes: Bool = false) {
    seed = UInt64(truncatingIfNeeded: Hasher().finalize())
    var hasher = Hasher()
    hasher.combine(seed)
    secret = UInt64(truncatingIfNeeded: hasher.finalize()) | 1
    usesOwnHashes = usingOwnHashes
  }

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

  @inlinable @inline(__always)
  mutating func hash(text: String) -> UInt64 {
    let bytes = text.utf8.span
    let count = bytes.count
    var first: UInt64 = 0
    var last: UInt64 = 0
    var state = seed
    if count >= 8 {
      var all: UInt64 = 0
      var place = 0
      while place &+ 16 < count {
        first = Self.word(bytes, place)
        last = Self.word(bytes, place &+ 8)
        all |= first | last
        state = Self.fold(first ^ secret, last ^ state)
        place &+= 16
      }
      first = Self.word(bytes, max(0, count &- 16))
      last = Self.word(bytes, count &- 8)
      all |= first | last
      if all & 0x8080_8080_8080_8080 != 0 { check(bytes) }
    } else {
      for place in 0..<count { first = first << 8 | UInt64(bytes[place]) }
      if first & 0x8080_8080_8080_8080 != 0 { check(bytes) }
    }
    state = Self.fold(first ^ secret, last ^ state)
    return Self.fold(state ^ UInt64(truncatingIfNeeded: count), 0x8EBC_6AF0_9C88_C6E3)
  }

  /// Eight bytes as a number.
  @inlinable @inline(__always)
  static func word(_ bytes: Span<UInt8>, _ place: Int) -> UInt64 {
    let bytes = bytes.extracting(place..<place &+ 8)
    var word: UInt64 = 0
    for offset in 0..<8 { word |= UInt64(bytes[offset]) << UInt64(offset * 8) }
    return word
  }

  /// Looks for scalars that stand for others or combine; in UTF-8 0xCC begins U+0300.
  @usableFromInline
  mutating func check(_ bytes: Span<UInt8>) {
    for place in 0..<bytes.count where bytes[place] >= 0xCC { isPlain = false }
  }
}
