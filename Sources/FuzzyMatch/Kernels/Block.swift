/// Sixteen rows, transposed: a vector with a byte of each row for each column.
///
/// Two columns take three vectors: the bytes of the first, the bytes of the second, and the details of
/// both, those of the first in the lower four bits. Details are the `BonusCode` and, if folding changes
/// the character, `Block.changed`.
struct Block: Sendable {
  private(set) var vectors: [Vector]

  static let rows = 16
  static let changed: UInt8 = 8

  /// Creates a block without rows.
  init(pairs: Int) {
    let padding = Vector(repeating: Alphabet.padding)
    let none = Vector(repeating: BonusCode.none | BonusCode.none << 4)
    vectors = []
    vectors.reserveCapacity(3 * pairs)
    for _ in 0..<pairs { vectors += [padding, padding, none] }
  }

  /// The number of pairs of columns.
  var pairs: Int { vectors.count / 3 }

  /// Calls `body` with the columns.
  @inline(__always)
  func withColumns<Result>(tellingCase: Bool, _ body: (Columns) -> Result) -> Result {
    vectors.withUnsafeBufferPointer { body(Columns(vectors: $0, distinguishesCase: tellingCase)) }
  }

  /// Writes a row, and padding after it.
  mutating func write(_ row: EncodedRow, lane: Int) {
    precondition(lane < Self.rows && row.bytes.count <= 2 * pairs)
    let pairs = pairs
    vectors.withUnsafeMutableBytes { memory in
      row.bytes.withUnsafeBufferPointer { bytes in
        row.details.withUnsafeBufferPointer { details in
          // Memory has 48 bytes a pair, and 32 + lane is at most 47.
          for pair in 0..<pairs {
            let (first, second) = (2 * pair, 2 * pair + 1)
            let offset = 48 * pair + lane
            memory[offset] = first < bytes.count ? bytes[first] : Alphabet.padding
            memory[offset + 16] = second < bytes.count ? bytes[second] : Alphabet.padding
            let low = first < bytes.count ? details[first] : BonusCode.none
            let high = second < bytes.count ? details[second] : BonusCode.none
            memory[offset + 32] = low | high << 4
          }
        }
      }
    }
  }

  /// Copies a row of another block, which has at most as many columns, and writes padding after it.
  mutating func copy(_ other: Block, lane from: Int, to lane: Int) {
    precondition(from < Self.rows && lane < Self.rows && other.pairs <= pairs)
    let (copied, pairs) = (other.pairs, pairs)
    vectors.withUnsafeMutableBytes { memory in
      other.vectors.withUnsafeBytes { source in
        // As above, for both.
        for pair in 0..<copied {
          memory[48 * pair + lane] = source[48 * pair + from]
          memory[48 * pair + 16 + lane] = source[48 * pair + 16 + from]
          memory[48 * pair + 32 + lane] = source[48 * pair + 32 + from]
        }
      }
      for pair in copied..<pairs {
        memory[48 * pair + lane] = Alphabet.padding
        memory[48 * pair + 16 + lane] = Alphabet.padding
        memory[48 * pair + 32 + lane] = BonusCode.none | BonusCode.none << 4
      }
    }
  }

  /// Fills a row with padding.
  mutating func clear(lane: Int) { write(EncodedRow(), lane: lane) }

  /// Returns the byte and the details of a row in a column.
  func cell(_ column: Int, lane: Int) -> (byte: UInt8, details: UInt8) {
    let index = 3 * (column >> 1)
    let details = vectors[index + 2][lane]
    return (vectors[index + column & 1][lane], column & 1 == 0 ? details & 15 : details >> 4)
  }
}

/// The encoding of a row in a block: a byte and details for each character.
struct EncodedRow {
  var bytes: [UInt8] = []
  var details: [UInt8] = []
  /// The flags of all characters.
  var flags: UInt32 = 0
}

/// The columns of a block, valid while its memory is not moved.
struct Columns {
  let vectors: UnsafeBufferPointer<Vector>
  /// Whether characters that folding changes are distinguished from their folded forms.
  let distinguishesCase: Bool

  /// The number of pairs of columns.
  @_transparent
  var pairs: Int { vectors.count / 3 }

  /// The number of columns.
  @_transparent
  var count: Int { 2 * pairs }

  /// Returns the bytes of a column, which is less than `count`.
  @_transparent
  func bytes(_ column: Int) -> Vector {
    let bytes = vectors[3 * (column >> 1) + column & 1]
    return distinguishesCase ? bytes ^ flips(details(column)) : bytes
  }

  /// Returns the bits to flip in the bytes of characters that folding changes.
  @_transparent
  private func flips(_ details: Vector) -> Vector {
    (details & Vector(repeating: Block.changed)) &<< Vector(repeating: 2)
  }

  /// Returns the details of a column in the lower four bits of each byte.
  @_transparent
  func details(_ column: Int) -> Vector {
    let both = vectors[3 * (column >> 1) + 2]
    return column & 1 == 0 ? both : both &>> Vector(repeating: 4)
  }

  /// Returns the details of both columns of a pair, which is less than `pairs`; those of the first in
  /// the lower four bits.
  @_transparent
  func details(ofPair pair: Int) -> Vector { vectors[3 * pair + 2] }
}
