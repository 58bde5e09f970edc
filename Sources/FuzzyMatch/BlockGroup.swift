/// The number and the length of a row in a block.
struct Lane: Sendable {
  let row: Int32
  /// The number of characters in the lower 30 bits, the flags of the `Alphabet` above them.
  private let tag: UInt32

  init(row: Int32, count: Int, flags: UInt32) {
    self.row = row
    tag = UInt32(count) | flags
  }

  var count: Int { Int(tag & ~Lane.allFlags) }
  var flags: UInt32 { tag & Lane.allFlags }

  static let allFlags = Alphabet.foldShares | Alphabet.formShares
}

/// Rows in blocks of 16, of which the last may have fewer.
struct BlockGroup: Sendable {
  private(set) var blocks: [Block] = []
  private(set) var lanes: [Lane] = []
  /// The number of rows with flags.
  private(set) var flagged = 0

  /// Returns the indices in `lanes` of the rows of a block.
  func lanes(ofBlock block: Int) -> Range<Int> {
    block * Block.rows..<min(lanes.count, (block + 1) * Block.rows)
  }

  /// Returns a bit for each lane of a block that has a row.
  func allRows(ofBlock block: Int) -> UInt16 {
    let count = lanes.count - block * Block.rows
    return count >= Block.rows ? .max : UInt16(1) << UInt16(count) - 1
  }

  /// Returns a bit for each row of a block that has at least one of some flags.
  func rows(ofBlock block: Int, withFlags flags: UInt32) -> UInt16 {
    guard flagged > 0, flags != 0 else { return 0 }
    let first = block * Block.rows
    return lanes(ofBlock: block).reduce(0) { result, lane in
      lanes[lane].flags & flags == 0 ? result : result | 1 << UInt16(lane - first)
    }
  }

  /// Appends a row.
  ///
  /// - Parameter pairs: The number of pairs of columns of each block of the group.
  mutating func append(_ row: EncodedRow, _ number: Int32, pairs: Int) {
    if lanes.count % Block.rows == 0 { blocks.append(Block(pairs: pairs)) }
    blocks[blocks.count - 1].write(row, lane: lanes.count % Block.rows)
    append(Lane(row: number, count: row.bytes.count, flags: row.flags))
  }

  /// Appends a row of another group, whose block is at least as wide as those before it.
  mutating func append(_ other: BlockGroup, lane: Int) {
    let block = other.blocks[lane / Block.rows]
    let target = lanes.count % Block.rows
    if target == 0 {
      blocks.append(Block(pairs: block.pairs))
    } else if let last = blocks.last, last.pairs < block.pairs {
      var wider = Block(pairs: block.pairs)
      for lane in 0..<target { wider.copy(last, lane: lane, to: lane) }
      blocks[blocks.count - 1] = wider
    }
    blocks[blocks.count - 1].copy(block, lane: lane % Block.rows, to: target)
    append(other.lanes[lane])
  }

  private mutating func append(_ lane: Lane) {
    lanes.appendSparingly(lane)
    if lane.flags != 0 { flagged += 1 }
  }

  /// Removes a row, and moves the last row to its lane.
  ///
  /// - Returns: The number of the row that was moved, or `nil` if none was.
  mutating func remove(at lane: Int) -> Int32? {
    let last = lanes.count - 1
    let lastBlock = blocks.count - 1
    if lanes[lane].flags != 0 { flagged -= 1 }
    if lane != last {
      blocks[lane / Block.rows].copy(
        blocks[lastBlock], lane: last % Block.rows, to: lane % Block.rows)
      lanes[lane] = lanes[last]
    }
    lanes.removeLast()
    if last % Block.rows == 0 {
      blocks.removeLast()
    } else {
      blocks[lastBlock].clear(lane: last % Block.rows)
    }
    return lane == last ? nil : lanes[lane].row
  }

  /// The memory of the group, in bytes.
  var byteCount: Int {
    let header = 48
    let memory = blocks.reduce(0) { $0 + $1.vectors.capacity * 16 + header }
    return memory + blocks.capacity * MemoryLayout<Block>.stride
      + lanes.capacity * MemoryLayout<Lane>.stride
  }
}

extension Array {
  /// Appends an element. If memory has to grow, it grows by an eighth.
  mutating func appendSparingly(_ element: Element) {
    if count == capacity { reserveCapacity(count + count / 8 + 16) }
    append(element)
  }
}

/// Classes of lengths: the rows of a class are in blocks of the same number of columns.
enum LengthClass {
  /// The length of the longest row that is kept in a block.
  static let longest = 4096
  /// The class of rows that are too long for blocks.
  static let long = 129

  /// Returns the class of a length: one for every two characters up to 64, above that sixteen for each
  /// octave.
  static func index(_ count: Int) -> Int {
    if count <= 64 { return (count + 1) / 2 }
    if count > longest { return long }
    let octave = Int.bitWidth - 1 - (count - 1).leadingZeroBitCount
    return 33 + (octave - 6) * 16 + (count - 1 - 1 << octave) >> (octave - 4)
  }

  /// Returns the length of the shortest rows of a class.
  static func shortest(_ index: Int) -> Int {
    if index <= 32 { return max(0, 2 * index - 1) }
    return 2 * pairs(index - 1) + 1
  }

  /// Returns the number of pairs of columns that the rows of a class need.
  static func pairs(_ index: Int) -> Int {
    if index <= 32 { return index }
    let octave = 6 + (index - 33) / 16
    return (1 << octave + ((index - 33) % 16 + 1) << (octave - 4)) / 2
  }
}
