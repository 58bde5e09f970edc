/// Up to 16 blocks of the same number of columns, next to each other in memory.
///
/// A block is sixteen rows, transposed: a vector with a byte of each row for each column. For each
/// pair of columns there is a vector of details, those of the first column in the lower four bits.
/// Details are the `BonusCode` and, if folding changes the character, `Slab.changed`. They are apart
/// from the bytes because rows are found without them.
///
/// A full block has no vectors of its own for the first pairs if these are the same as those of a block before it,
/// as in a folder in which all its rows are.
struct Slab: Sendable {
  /// The number of pairs of columns of each block.
  private let pairs: Int
  private var bytes: [Vector] = []
  private var details: [Vector] = []

  /// Where the vectors of each block are.
  private var places = BlockPlaces()

  /// The maximum number of blocks.
  static let blocks = 16
  static let changed: UInt8 = 8
  private static let noDetails = BonusCode.none | BonusCode.none << 4

  init(pairs: Int) { self.pairs = pairs }

  /// Appends a block without rows. If memory has to grow, it is doubled, but for at most four more
  /// blocks.
  mutating func appendBlock() {
    let padding = Vector(repeating: Alphabet.padding)
    if details.count + pairs > details.capacity {
      let more = max(pairs, min(details.count, 4 * pairs))
      bytes.reserveCapacity(bytes.count + 2 * more)
      details.reserveCapacity(details.count + more)
    }
    places.append(details.count)
    bytes.append(contentsOf: repeatElement(padding, count: 2 * pairs))
    details.append(contentsOf: repeatElement(Vector(repeating: Self.noDetails), count: pairs))
  }

  /// Frees the vectors of the last block, which is full, that are the same as those before it. If there can be no
  /// other block, frees the memory for more.
  mutating func shareLastBlock() {
    let block = places.count - 1
    if block > 0, pairs <= BlockPlaces.mostPairs {
      let (own, earlier) = (Int(places.own[block]), places.whole(block - 1))
      let same = pairsInCommon(own, earlier)
      // With less in common, it is the one that the next blocks are compared with.
      if 4 * same >= pairs, own + pairs == details.count {
        places.share(block, same, with: earlier)
        bytes.removeSubrange(2 * own..<2 * (own + same))
        details.removeSubrange(own..<own + same)
      }
    }
    if places.count == Self.blocks, details.count + pairs <= details.capacity {
      bytes = bytes.map { $0 }
      details = details.map { $0 }
    }
  }

  /// Returns the number of first pairs that are the same in two places.
  private func pairsInCommon(_ place: Int, _ other: Int) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      details.withUnsafeBufferPointer { details in
        func differ(_ vectors: UnsafeBufferPointer<Vector>, _ index: Int, _ other: Int) -> Bool {
          isAny(vectors[index] ^ vectors[other])
        }
        for pair in 0..<pairs {
          let (index, other) = (place + pair, other + pair)
          if differ(details, index, other) || differ(bytes, 2 * index, 2 * other)
            || differ(bytes, 2 * index + 1, 2 * other + 1)
          {
            return pair
          }
        }
        return pairs
      }
    }
  }

  /// Removes the last block, and frees its memory. The others are full.
  mutating func removeLastBlock() { rebuild(places.count - 1, sharing: true) }

  /// Keeps the first blocks, and the vectors that they need: each all of its own, unless they share again.
  private mutating func rebuild(_ count: Int, sharing: Bool) {
    let old = self
    self = Slab(pairs: pairs)
    let most = sharing ? min(old.details.count, count * pairs) : count * pairs
    bytes.reserveCapacity(2 * most)
    details.reserveCapacity(most)
    for block in 0..<count {
      places.append(details.count)
      for pair in 0..<pairs {
        let index = old.places.index(pair, of: block)
        bytes.append(contentsOf: old.bytes[2 * index..<2 * index + 2])
        details.append(old.details[index])
      }
      if sharing { shareLastBlock() }
    }
  }

  /// Calls `body` with the columns of all blocks.
  @inline(__always)
  func withColumns<Result>(
    distinguishingCase: Bool, _ body: (SlabColumns) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      details.withUnsafeBufferPointer { details in
        body(
          SlabColumns(
            bytes: bytes, details: details, places: places, pairs: pairs,
            distinguishesCase: distinguishingCase))
      }
    }
  }

  /// Writes a row, and padding after it.
  mutating func write(_ row: EncodedRow, block: Int, lane: Int) {
    let count = row.bytes.count
    precondition(count <= 2 * pairs)
    write(block, lane) { pair in
      let (first, second) = (2 * pair, 2 * pair + 1)
      return PairCell(
        first: first < count ? row.bytes[first] : Alphabet.padding,
        second: second < count ? row.bytes[second] : Alphabet.padding,
        details: (first < count ? row.details[first] : BonusCode.none)
          | (second < count ? row.details[second] : BonusCode.none) << 4)
    }
  }

  /// Fills a row with padding.
  mutating func clear(block: Int, lane: Int) { write(EncodedRow(), block: block, lane: lane) }

  /// Copies a row of another slab, whose blocks have as many columns.
  mutating func copy(
    _ other: Slab, block from: Int, lane fromLane: Int, to block: Int, lane: Int
  ) {
    precondition(other.pairs == pairs)
    write(block, lane) { other.pairCell($0, block: from, lane: fromLane) }
  }

  /// Writes the cells of a row.
  @inline(__always)
  private mutating func write(_ block: Int, _ lane: Int, _ cell: (_ pair: Int) -> PairCell) {
    let pairs = pairs
    precondition(lane < 16 && block < places.count)
    let shared = places.sharedPairs(block)
    if (0..<shared).contains(where: { pairCell($0, block: block, lane: lane) != cell($0) }) {
      stopSharing(block)
    }
    // Those before it are written already, in another block, too.
    let start = Int(places.shared[block])
    let place = Int(places.own[block])
    precondition(place + pairs - start <= details.count)
    bytes.withUnsafeMutableBytes { bytes in
      details.withUnsafeMutableBytes { details in
        // In bounds: a block has sixteen bytes for each column that is its own, of which `lane` is one.
        var offset = 16 * place + lane
        for pair in start..<pairs {
          let new = cell(pair)
          bytes[2 * offset - lane] = new.first
          bytes[2 * offset - lane + 16] = new.second
          details[offset] = new.details
          offset += 16
        }
      }
    }
  }

  /// Gives a block vectors that no other one has.
  ///
  /// - Complexity: O(*n*) amortized, where *n* is the number of columns.
  private mutating func stopSharing(_ block: Int) {
    // At most half of the vectors are unused.
    guard details.count + pairs <= 2 * pairs * places.count else {
      return rebuild(places.count, sharing: false)
    }
    let place = details.count
    for pair in 0..<pairs {
      let index = places.index(pair, of: block)
      bytes.append(bytes[2 * index])
      bytes.append(bytes[2 * index + 1])
      details.append(details[index])
    }
    places.stopSharing(block, place)
  }

  /// Returns the encoding of a row of some characters.
  func row(block: Int, lane: Int, count: Int) -> EncodedRow {
    var row = EncodedRow()
    for column in 0..<count {
      let (byte, details) = cell(column, block: block, lane: lane)
      row.bytes.append(byte)
      row.details.append(details)
    }
    return row
  }

  /// Returns the byte and the details of a row in a column.
  func cell(_ column: Int, block: Int, lane: Int) -> (byte: UInt8, details: UInt8) {
    let cell = pairCell(column >> 1, block: block, lane: lane)
    return column & 1 == 0 ? (cell.first, cell.details & 15) : (cell.second, cell.details >> 4)
  }

  private func pairCell(_ pair: Int, block: Int, lane: Int) -> PairCell {
    let index = places.index(pair, of: block)
    return PairCell(
      first: bytes[2 * index][lane], second: bytes[2 * index + 1][lane],
      details: details[index][lane])
  }

  /// The memory of the slab, in bytes, without that of the value.
  var byteCount: Int { 64 + (bytes.capacity + details.capacity) * 16 }
}

/// The bytes of a row in a pair of columns, and the details of both.
private struct PairCell: Equatable {
  var first, second, details: UInt8
}

/// The encoding of a row in a block: a byte and details for each character.
struct EncodedRow {
  var bytes: [UInt8] = []
  var details: [UInt8] = []
  /// The columns between two members.
  var separators: [UInt16] = []
  /// The flags of all characters.
  var flags: UInt32 = 0
}
