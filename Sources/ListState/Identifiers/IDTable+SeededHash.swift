/// A hash of identifiers with a seed that is not known outside of the process.
///
/// Sixteen bytes at a time are multiplied in full and folded (Wang Yi and others, "Modern
/// non-cryptographic hash function and pseudorandom permutation", 2019). Both factors of each
/// product depend on the seed, so that nobody can choose bytes for which a product is zero. If a
/// product is zero nevertheless, the previous state is kept.
package struct SeededHash: Sendable {
  /// The initial state, before the length and the kind are mixed in.
  let start: UInt64
  private let secret: UInt64

  /// Creates a hash whose values depend on `seed`.
  package init(seed: UInt64) {
    start = Self.mixed(seed &+ 0x9E37_79B9_7F4A_7C15)
    secret = Self.mixed(seed &+ 0x3C6E_F372_FE94_F82A)
  }

  /// Creates a hash with a seed of this process. Different numbers have different seeds.
  ///
  /// The seed is derived from the standard library's, which is random in each process, or fixed if
  /// `SWIFT_DETERMINISTIC_HASHING` is set in the environment.
  package init(ofProcess number: Int = 0) {
    var hasher = Hasher()
    hasher.combine(number)
    self.init(seed: UInt64(bitPattern: Int64(hasher.finalize())))
  }

  /// Returns the hash of an identifier.
  ///
  /// - Complexity: O(*b*), where *b* is the size of the identifier in bytes.
  @inline(__always)
  package func callAsFunction(_ kind: IDKind, _ id: UnsafeRawBufferPointer) -> UInt64 {
    let count = id.count
    var state = start ^ (UInt64(truncatingIfNeeded: count) << 3 | UInt64(kind.rawValue))
    var first: UInt64 = 0
    var last: UInt64 = 0
    // In bounds: each load ends at or before `count`.
    if count >= 8 {
      var offset = 0
      while offset &+ 16 < count {
        state = fold(
          id.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
          id.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self), state)
        offset &+= 16
      }
      // The last sixteen bytes may overlap the bytes before them, and each other.
      first = id.loadUnaligned(fromByteOffset: max(0, count &- 16), as: UInt64.self)
      last = id.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    } else if count >= 4 {
      first = UInt64(id.loadUnaligned(as: UInt32.self))
      last = UInt64(id.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
    } else if count > 0 {
      first = UInt64(id[0]) << 16 | UInt64(id[count / 2]) << 8 | UInt64(id[count &- 1])
    }
    state = fold(first, last, state)
    return fold(state, 0, start)
  }

  /// Returns the hash of an identifier that is a pair.
  @inline(__always)
  package func callAsFunction(_ kind: IDKind, _ first: UInt32, _ second: UInt32) -> UInt64 {
    let pair = UInt64(first) | UInt64(second) << 32
    return fold(fold(pair, pair, start ^ (8 << 3 | UInt64(kind.rawValue))), 0, start)
  }

  /// Returns a state that depends on two words and the previous state.
  @inline(__always)
  private func fold(_ first: UInt64, _ last: UInt64, _ state: UInt64) -> UInt64 {
    let product = (first ^ secret).multipliedFullWidth(by: last ^ state)
    return product.high ^ product.low ^ state
  }

  /// The finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
  /// generators", 2014).
  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
