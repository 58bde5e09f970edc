/// Up to 16 blocks of the same number of columns, next to each other in memory.
///
/// A block is sixteen rows, transposed: a vector with a byte of each row for each column. For each
/// pair of columns there is a vector of details, those of the first column in the lower four bits.
/// Details are the `BonusCode` and, if folding changes the character, `Slab.changed`. They are apart
/// from the bytes because rows are found without them.
struct Slab: Sendable {
  /// The number of pairs of columns of each block.
  private let pairs: Int
  private var bytes: [Vector] = []
  private var details: [Vector] = []

  /// The maximum number of blocks.
  static let blocks = 16
  static let changed: UInt8 = 8
  private static let noDetails = BonusCode.none | BonusCode.none << 4

  init(pairs: Int) { self.pairs = pairs }

  /// Appends a block without rows. If memory has to grow, it is doubled, but for at most four more
  /// blocks.
  mutating func appendBlock() {
    let padding = Vector(repeating: Alphabet.padding)
    if bytes.count + 2 * pairs > bytes.capacity {
      let more = max(pairs, min(details.count, 4 * pairs))
      bytes.reserveCapacity(bytes.count + 2 * more)
      details.reserveCapacity(details.count + more)
    }
    bytes.append(contentsOf: repeatElement(padding, count: 2 * pairs))
    details.append(contentsOf: repeatElement(Vector(repeating: Self.noDetails), count: pairs))
  }

  /// Removes the last block, and frees its memory.
  mutating func removeLastBlock() {
    bytes = Array(bytes.dropLast(2 * pairs))
    details = Array(details.dropLast(pairs))
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
            bytes: bytes, details: details, pairs: pairs, distinguishesCase: distinguishingCase))
      }
    }
  }

  /// Writes a row, and padding after it.
  mutating func write(_ row: EncodedRow, block: Int, lane: Int) {
    precondition(lane < 16 && row.bytes.count <= 2 * pairs)
    let (pairs, start) = (pairs, block * pairs)
    precondition(start + pairs <= details.count)
    bytes.withUnsafeMutableBytes { memory in
      // A block has 16 bytes for each column, of which `lane` is one.
      var offset = 32 * start + lane
      for column in 0..<2 * pairs {
        memory[offset] = column < row.bytes.count ? row.bytes[column] : Alphabet.padding
        offset += 16
      }
    }
    details.withUnsafeMutableBytes { memory in
      var offset = 16 * start + lane
      for pair in 0..<pairs {
        let (first, second) = (2 * pair, 2 * pair + 1)
        let low = first < row.details.count ? row.details[first] : BonusCode.none
        let high = second < row.details.count ? row.details[second] : BonusCode.none
        memory[offset] = low | high << 4
        offset += 16
      }
    }
  }

  /// Fills a row with padding.
  mutating func clear(block: Int, lane: Int) { write(EncodedRow(), block: block, lane: lane) }

  /// Copies a row of another slab, whose blocks have as many columns.
  mutating func copy(
    _ other: Slab, block from: Int, lane fromLane: Int, to block: Int, lane: Int
  ) {
    precondition(fromLane < 16 && lane < 16 && other.pairs == pairs)
    precondition((block + 1) * pairs <= details.count)
    precondition((from + 1) * pairs <= other.details.count)
    let pairs = pairs
    bytes.withUnsafeMutableBytes { memory in
      other.bytes.withUnsafeBytes { source in
        // As in `write`, for both.
        var (read, written) = (32 * from * pairs + fromLane, 32 * block * pairs + lane)
        for _ in 0..<2 * pairs {
          memory[written] = source[read]
          read += 16
          written += 16
        }
      }
    }
    details.withUnsafeMutableBytes { memory in
      other.details.withUnsafeBytes { source in
        var (read, written) = (16 * from * pairs + fromLane, 16 * block * pairs + lane)
        for _ in 0..<pairs {
          memory[written] = source[read]
          read += 16
          written += 16
        }
      }
    }
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
    let both = details[block * pairs + column >> 1][lane]
    let byte = bytes[2 * block * pairs + column][lane]
    return (byte, column & 1 == 0 ? both & 15 : both >> 4)
  }

  /// The memory of the slab, in bytes.
  var byteCount: Int { 64 + (bytes.capacity + details.capacity) * 16 }
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

/// The columns of the blocks of a slab, valid while its memory is not moved.
struct SlabColumns {
  let bytes: UnsafeBufferPointer<Vector>
  let details: UnsafeBufferPointer<Vector>
  let pairs: Int
  let distinguishesCase: Bool

  /// Returns the columns of a block.
  @inline(__always)
  subscript(block: Int) -> Columns {
    let start = block * pairs
    return Columns(
      allBytes: UnsafeBufferPointer(rebasing: bytes[2 * start..<2 * (start + pairs)]),
      allDetails: UnsafeBufferPointer(rebasing: details[start..<start + pairs]),
      distinguishesCase: distinguishesCase)
  }
}

/// The columns of a block, valid while its memory is not moved.
struct Columns {
  let allBytes: UnsafeBufferPointer<Vector>
  let allDetails: UnsafeBufferPointer<Vector>
  /// Whether characters that folding changes are distinguished from their folded forms.
  let distinguishesCase: Bool

  /// The number of pairs of columns.
  @_transparent
  var pairs: Int { allDetails.count }

  /// The number of columns.
  @_transparent
  var count: Int { allBytes.count }

  /// Returns the bytes of a column, which is less than `count`.
  @_transparent
  func bytes(_ column: Int) -> Vector {
    let bytes = allBytes[column]
    return distinguishesCase ? bytes ^ flips(details(column)) : bytes
  }

  /// Returns the bits to flip in the bytes of characters that folding changes.
  @_transparent
  private func flips(_ details: Vector) -> Vector {
    (details & Vector(repeating: Slab.changed)) &<< Vector(repeating: 2)
  }

  /// Returns the details of a column in the lower four bits of each byte.
  @_transparent
  func details(_ column: Int) -> Vector {
    let both = allDetails[column >> 1]
    return column & 1 == 0 ? both : both &>> Vector(repeating: 4)
  }

  /// Returns the details of both columns of a pair, which is less than `pairs`; those of the first in
  /// the lower four bits.
  @_transparent
  func details(ofPair pair: Int) -> Vector { allDetails[pair] }
}
