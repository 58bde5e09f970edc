/// The number and the length of a row in a block, in six bytes.
struct Lane: Sendable {
  /// The halves of the number.
  private let low: UInt16
  private let high: UInt16
  /// The number of characters in the lower 14 bits, the flags of the `Alphabet` above them.
  private let tag: UInt16

  init(row: Int32, count: Int, flags: UInt32) {
    low = UInt16(truncatingIfNeeded: row)
    high = UInt16(truncatingIfNeeded: row >> 16)
    tag = UInt16(count) | UInt16(flags >> 16)
  }

  var row: Int32 { Int32(truncatingIfNeeded: UInt32(high) << 16 | UInt32(low)) }
  var count: Int { Int(tag & 0x3FFF) }
  var flags: UInt32 { UInt32(tag) << 16 & Lane.allFlags }

  static let allFlags = Alphabet.foldShares | Alphabet.formShares
}

/// Rows of similar lengths in blocks of 16, of which the last may have fewer.
struct BlockGroup: Sendable {
  /// The number of pairs of columns of each block.
  let pairs: Int
  private(set) var lanes: [Lane] = []
  /// The number of rows with flags.
  private(set) var flagged = 0
  private var slabs: [Slab] = []
  /// For each row the columns between its members, `none` after the last of them.
  private var separators: [UInt16] = []
  private var separatorsPerRow = 0

  /// A number that no column has.
  static let none = UInt16.max

  /// Whether any row has had several members.
  var hasMembers: Bool { separatorsPerRow > 0 }

  /// The number of rows of a block.
  static let rows = 16

  /// Creates a group without rows.
  init(pairs: Int) { self.pairs = pairs }

  /// The number of blocks.
  var blockCount: Int { (lanes.count + Self.rows - 1) / Self.rows }

  /// The number of slabs.
  var slabCount: Int { slabs.count }

  /// Returns a bit for each lane of a slab that has a row.
  func allRows(ofSlab slab: Int) -> SlabRows {
    var rows = SlabRows.zero
    for block in rows.indices {
      let count = lanes.count - (slab * Slab.blocks + block) * Self.rows
      if count >= Self.rows {
        rows[block] = .max
      } else if count > 0 {
        rows[block] = UInt16(1) << UInt16(count) - 1
      }
    }
    return rows
  }

  /// Returns a bit for each row of a slab that has at least one of some flags.
  func rows(ofSlab slab: Int, withFlags flags: UInt32) -> SlabRows {
    var rows = SlabRows.zero
    guard flagged > 0, flags != 0 else { return rows }
    let size = Slab.blocks * Self.rows
    for lane in slab * size..<min(lanes.count, (slab + 1) * size)
    where lanes[lane].flags & flags != 0 {
      rows[lane % size / Self.rows] |= 1 << UInt16(lane % Self.rows)
    }
    return rows
  }

  /// Returns a bit for each row of a block that has at least one of some flags.
  func rows(ofBlock block: Int, withFlags flags: UInt32) -> UInt16 {
    guard flagged > 0, flags != 0 else { return 0 }
    return rows(ofSlab: block / Slab.blocks, withFlags: flags)[block % Slab.blocks]
  }

  /// Calls `body` with the memory of a slab.
  @inline(__always)
  func withSlab<Result>(
    _ slab: Int, distinguishingCase: Bool, _ body: (SlabColumns) -> Result
  ) -> Result {
    slabs[slab].withColumns(distinguishingCase: distinguishingCase, body)
  }

  /// Returns the byte and the details of a row in a column.
  func cell(_ column: Int, lane: Int) -> (byte: UInt8, details: UInt8) {
    let (slab, block) = slab(ofLane: lane)
    return slabs[slab].cell(column, block: block, lane: lane % Self.rows)
  }

  /// Returns the index of a row's slab, and that of its block in the slab.
  private func slab(ofLane lane: Int) -> (slab: Int, block: Int) {
    (lane / Self.rows / Slab.blocks, lane / Self.rows % Slab.blocks)
  }

  /// Appends a row.
  mutating func append(_ row: EncodedRow, _ number: Int32) {
    let lane = lanes.count
    separate(row.separators.count)
    append(Lane(row: number, count: row.bytes.count, flags: row.flags))
    for index in 0..<separatorsPerRow {
      let isSeparator = index < row.separators.count
      separators.appendSparingly(isSeparator ? row.separators[index] : Self.none)
    }
    let (slab, block) = slab(ofLane: lane)
    slabs[slab].write(row, block: block, lane: lane % Self.rows)
    if lanes.count % Self.rows == 0 { slabs[slab].shareLastBlock() }
  }

  /// Appends a row of another group, whose blocks have as many columns.
  mutating func append(_ other: BlockGroup, lane: Int) {
    let new = lanes.count
    separate(other.separatorsPerRow)
    append(other.lanes[lane])
    for index in 0..<separatorsPerRow {
      separators.appendSparingly(other.separators[lane * separatorsPerRow + index])
    }
    let (target, source) = (slab(ofLane: new), slab(ofLane: lane))
    slabs[target.slab].copy(
      other.slabs[source.slab], block: source.block, lane: lane % Self.rows, to: target.block,
      lane: new % Self.rows)
    if lanes.count % Self.rows == 0 { slabs[target.slab].shareLastBlock() }
  }

  private mutating func append(_ lane: Lane) {
    if lanes.count % Self.rows == 0 {
      if lanes.count % (Self.rows * Slab.blocks) == 0 { slabs.append(Slab(pairs: pairs)) }
      slabs[slabs.count - 1].appendBlock()
    }
    lanes.appendSparingly(lane)
    if lane.flags != 0 { flagged += 1 }
  }

  /// Makes room for a number of separators in each row.
  private mutating func separate(_ count: Int) {
    guard count > separatorsPerRow else { return }
    let before = separators
    separators = Array(repeating: Self.none, count: lanes.count * count)
    for lane in lanes.indices {
      for index in 0..<separatorsPerRow {
        separators[lane * count + index] = before[lane * separatorsPerRow + index]
      }
    }
    separatorsPerRow = count
  }

  /// Returns the first column of the member of a row that has a column, and the one after its last.
  @inline(__always)
  func member(ofLane lane: Int, at column: Int) -> (start: Int, end: Int) {
    let count = lanes[lane].count
    var start = 0
    var index = lane * separatorsPerRow
    let last = index + separatorsPerRow
    while index < last {
      let end = Int(separators[index])
      if column < end { return (start, min(end, count)) }
      start = end + 1
      index += 1
    }
    return (start, count)
  }

  /// Removes a row, and moves the last row to its lane.
  ///
  /// - Returns: The number of the row that was moved, or `nil` if none was.
  mutating func remove(at lane: Int) -> Int32? {
    let last = lanes.count - 1
    let source = slab(ofLane: last)
    if lanes[lane].flags != 0 { flagged -= 1 }
    if lane != last {
      let target = slab(ofLane: lane)
      let row = slabs[source.slab].row(
        block: source.block, lane: last % Self.rows, count: lanes[last].count)
      slabs[target.slab].write(row, block: target.block, lane: lane % Self.rows)
      lanes[lane] = lanes[last]
      for index in 0..<separatorsPerRow {
        separators[lane * separatorsPerRow + index] = separators[last * separatorsPerRow + index]
      }
    }
    separators.removeLast(separatorsPerRow)
    lanes.removeLast()
    if last % Self.rows == 0 {
      slabs[source.slab].removeLastBlock()
      if source.block == 0 { slabs.removeLast() }
    } else {
      slabs[source.slab].clear(block: source.block, lane: last % Self.rows)
    }
    return lane == last ? nil : lanes[lane].row
  }

  /// The memory of the group, in bytes.
  var byteCount: Int {
    slabs.reduce(0) { $0 + $1.byteCount } + slabs.capacity * MemoryLayout<Slab>.stride
      + lanes.capacity * MemoryLayout<Lane>.stride + separators.capacity * 2
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
