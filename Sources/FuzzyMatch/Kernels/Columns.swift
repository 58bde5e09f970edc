/// Where the vectors of the blocks of a slab are. Places are numbers of pairs of columns.
struct BlockPlaces: Sendable {
  private(set) var count = 0

  /// The number of pairs that a block shares, where these are, and where those after them are.
  private(set) var shared = SIMD16<UInt16>()
  private(set) var first = SIMD16<UInt16>()
  private(set) var own = SIMD16<UInt16>()

  /// The most pairs of blocks that share: no slab has more than two places for each of its blocks.
  static let mostPairs = Int(UInt16.max) / (2 * Slab.blocks)

  /// Adds a block that shares nothing.
  mutating func append(_ place: Int) {
    (shared[count], own[count]) = (0, UInt16(place))
    count += 1
  }

  /// Lets a block share its first pairs.
  mutating func share(_ block: Int, _ pairs: Int, with place: Int) {
    (shared[block], first[block]) = (UInt16(pairs), UInt16(place))
  }

  /// Gives a block another place for all its pairs.
  mutating func stopSharing(_ block: Int, _ place: Int) {
    (shared[block], own[block]) = (0, UInt16(place))
  }

  /// The place of all pairs of a block, or of those of the one with which it shares the first ones.
  func whole(_ block: Int) -> Int { Int(shared[block] > 0 ? first[block] : own[block]) }

  /// The place of a pair of a block.
  @inline(__always)
  func index(_ pair: Int, of block: Int) -> Int {
    let shared = Int(shared[block])
    return pair < shared ? Int(first[block]) + pair : Int(own[block]) + pair - shared
  }

  /// The number of first pairs of a block that other blocks may have, too.
  func sharedPairs(_ block: Int) -> Int {
    var most = shared[block]
    if most > 0 { return Int(most) }
    for other in block + 1..<max(count, block + 1) where first[other] == own[block] {
      most = max(most, shared[other])
    }
    return Int(most)
  }
}

/// The columns of the blocks of a slab, valid while its memory is not moved.
struct SlabColumns {
  let bytes: UnsafeBufferPointer<Vector>
  let details: UnsafeBufferPointer<Vector>
  let places: BlockPlaces
  let pairs: Int
  let distinguishesCase: Bool

  /// Returns the columns of a block.
  @inline(__always)
  subscript(block: Int) -> Columns {
    let shared = Int(places.shared[block])
    let (first, own) = (Int(places.first[block]), Int(places.own[block]) - shared)
    return Columns(
      pairs: pairs, shared: shared,
      bytes: (bytes.baseAddress! + 2 * first, bytes.baseAddress! + 2 * own),
      details: (details.baseAddress! + first, details.baseAddress! + own),
      distinguishesCase: distinguishesCase)
  }
}

/// The columns of a block, valid while its memory is not moved.
struct Columns {
  /// The number of pairs of columns, and how many of these it shares.
  let pairs: Int
  let shared: Int

  /// Where the vectors of the shared pairs are, and where those of the first pair were if none were shared.
  let bytes: (shared: UnsafePointer<Vector>, own: UnsafePointer<Vector>)
  let details: (shared: UnsafePointer<Vector>, own: UnsafePointer<Vector>)

  /// Whether characters that folding changes are distinguished from their folded forms.
  let distinguishesCase: Bool

  /// The number of columns.
  @_transparent
  var count: Int { 2 * pairs }

  /// Returns the bytes of a column, which is less than `count`.
  @_transparent
  func bytes(_ column: Int) -> Vector {
    let bytes = (column >> 1 < shared ? bytes.shared : bytes.own)[column]
    return distinguishesCase ? bytes ^ flips(details(column)) : bytes
  }

  /// Returns the bytes of both columns of a pair, which is less than `pairs`.
  @_transparent
  func bytes(ofPair pair: Int) -> (first: Vector, second: Vector) {
    let bytes = pair < shared ? bytes.shared : bytes.own
    let (first, second) = (bytes[2 &* pair], bytes[2 &* pair &+ 1])
    guard distinguishesCase else { return (first, second) }
    let details = details(ofPair: pair)
    return (first ^ flips(details), second ^ flips(details &>> Vector(repeating: 4)))
  }

  /// Returns the bits to flip in the bytes of characters that folding changes.
  @_transparent
  private func flips(_ details: Vector) -> Vector {
    (details & Vector(repeating: Slab.changed)) &<< Vector(repeating: 2)
  }

  /// Returns the details of a column in the lower four bits of each byte.
  @_transparent
  func details(_ column: Int) -> Vector {
    let both = details(ofPair: column >> 1)
    return column & 1 == 0 ? both : both &>> Vector(repeating: 4)
  }

  /// Returns the details of both columns of a pair, which is less than `pairs`; those of the first in
  /// the lower four bits.
  @_transparent
  func details(ofPair pair: Int) -> Vector {
    (pair < shared ? details.shared : details.own)[pair]
  }
}
