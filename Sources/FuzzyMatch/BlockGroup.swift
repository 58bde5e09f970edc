/// Rows of similar lengths in blocks of 16, of which the last may have fewer.
struct BlockGroup: Sendable {
  /// The number of pairs of columns of each block.
  let pairs: Int
  /// By lane, the number of its row.
  private(set) var numbers: [Int32] = []
  /// For each block the numbers of characters in the lower 14 bits, the flags of the `Alphabet` above them.
  private var tags: [Columns16] = []
  /// The number of rows with flags.
  private(set) var flagged = 0
  private var slabs: [Slab] = []
  /// For each block the columns between the first and the second member, then those after it; `none` after
  /// the last member of a row.
  private var separators: [Columns16] = []
  private var separatorsPerRow = 0

  /// A column, or a number of characters, of each row of a block.
  typealias Columns16 = SIMD16<UInt16>

  /// A number that no column has.
  static let none = UInt16.max

  /// The bits of the number of characters in a tag.
  private static let countBits: UInt16 = 0x3FFF

  /// Whether any row has had several members.
  var hasMembers: Bool { separatorsPerRow > 0 }

  /// The number of rows of a block.
  static let rows = 16

  /// Creates a group without rows.
  init(pairs: Int) { self.pairs = pairs }

  /// The number of blocks.
  var blockCount: Int { tags.count }

  /// The number of slabs.
  var slabCount: Int { slabs.count }

  /// Returns a bit for each lane of a slab that has a row.
  func allRows(ofSlab slab: Int) -> SlabRows {
    var rows = SlabRows.zero
    for block in rows.indices {
      let count = numbers.count - (slab * Slab.blocks + block) * Self.rows
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
    for block in slab * Slab.blocks..<min(tags.count, (slab + 1) * Slab.blocks) {
      rows[block % Slab.blocks] = self.rows(ofBlock: block, withFlags: flags)
    }
    return rows
  }

  /// Returns a bit for each row of a block that has at least one of some flags.
  func rows(ofBlock block: Int, withFlags flags: UInt32) -> UInt16 {
    guard flagged > 0, flags != 0 else { return 0 }
    let found = tags[block] & Columns16(repeating: UInt16(flags >> 16))
    return FuzzyMatch.rows(found .!= Columns16.zero)
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
    separate(row.separators.count)
    let lane = appendLane(number, tag: UInt16(row.bytes.count) | UInt16(row.flags >> 16))
    for (index, column) in row.separators.enumerated() {
      separators[lane / Self.rows * separatorsPerRow + index][lane % Self.rows] = column
    }
    let (slab, block) = slab(ofLane: lane)
    slabs[slab].write(row, block: block, lane: lane % Self.rows)
    if numbers.count % Self.rows == 0 { slabs[slab].shareLastBlock() }
  }

  /// Appends a row of another group, whose blocks have as many columns.
  mutating func append(_ other: BlockGroup, lane: Int) {
    separate(other.separatorsPerRow)
    let tag = other.tags[lane / Self.rows][lane % Self.rows]
    let new = appendLane(other.numbers[lane], tag: tag)
    for index in 0..<separatorsPerRow {
      separators[new / Self.rows * separatorsPerRow + index][new % Self.rows] =
        other.separators[lane / Self.rows * separatorsPerRow + index][lane % Self.rows]
    }
    let (target, source) = (slab(ofLane: new), slab(ofLane: lane))
    slabs[target.slab].copy(
      other.slabs[source.slab], block: source.block, lane: lane % Self.rows, to: target.block,
      lane: new % Self.rows)
    if numbers.count % Self.rows == 0 { slabs[target.slab].shareLastBlock() }
  }

  /// Appends a lane without characters, and returns it.
  private mutating func appendLane(_ number: Int32, tag: UInt16) -> Int {
    let lane = numbers.count
    if lane % Self.rows == 0 {
      if lane % (Self.rows * Slab.blocks) == 0 { slabs.append(Slab(pairs: pairs)) }
      slabs[slabs.count - 1].appendBlock()
      tags.appendSparingly(.zero)
      for _ in 0..<separatorsPerRow { separators.appendSparingly(Columns16(repeating: Self.none)) }
    }
    numbers.appendSparingly(number)
    tags[lane / Self.rows][lane % Self.rows] = tag
    if tag > Self.countBits { flagged += 1 }
    return lane
  }

  /// Makes room for a number of separators in each row.
  private mutating func separate(_ count: Int) {
    guard count > separatorsPerRow else { return }
    let before = separators
    separators = Array(repeating: Columns16(repeating: Self.none), count: tags.count * count)
    for block in tags.indices {
      for index in 0..<separatorsPerRow {
        separators[block * count + index] = before[block * separatorsPerRow + index]
      }
    }
    separatorsPerRow = count
  }

  /// Returns the number of characters of a row.
  func count(ofLane lane: Int) -> Int {
    Int(tags[lane / Self.rows][lane % Self.rows] & Self.countBits)
  }

  /// Returns the numbers of characters of the rows of a block.
  func counts(ofBlock block: Int) -> Columns16 {
    tags[block] & Columns16(repeating: Self.countBits)
  }

  /// Calls `body` for each member of the rows of a block, with its first column and the one after its last in each
  /// row. If a row has no such member, its end is not after its start.
  @inline(__always)
  func forEachMember(ofBlock block: Int, _ body: (_ start: Columns16, _ end: Columns16) -> Void) {
    let counts = counts(ofBlock: block)
    var start = Columns16.zero
    for index in block * separatorsPerRow..<(block + 1) * separatorsPerRow {
      let end = counts.replacing(with: separators[index], where: separators[index] .< counts)
      body(start, end)
      start = end &+ Columns16(repeating: 1)
    }
    body(start, counts)
  }

  /// Returns the numbers of characters of the shortest members of the rows of a block that have any.
  func leastLengths(ofBlock block: Int) -> Columns16 {
    var least = Columns16(repeating: .max)
    forEachMember(ofBlock: block) { start, end in
      let length = end &- start
      least.replace(with: length, where: (start .< end) .& (length .< least))
    }
    return least
  }

  /// Removes a row, and moves the last row to its lane.
  ///
  /// - Returns: The number of the row that was moved, or `nil` if none was.
  mutating func remove(at lane: Int) -> Int32? {
    let last = numbers.count - 1
    let source = slab(ofLane: last)
    let (to, from) = (lane / Self.rows, last / Self.rows)
    if tags[to][lane % Self.rows] > Self.countBits { flagged -= 1 }
    if lane != last {
      let target = slab(ofLane: lane)
      let row = slabs[source.slab].row(
        block: source.block, lane: last % Self.rows, count: count(ofLane: last))
      slabs[target.slab].write(row, block: target.block, lane: lane % Self.rows)
      numbers[lane] = numbers[last]
      tags[to][lane % Self.rows] = tags[from][last % Self.rows]
      for index in 0..<separatorsPerRow {
        separators[to * separatorsPerRow + index][lane % Self.rows] =
          separators[from * separatorsPerRow + index][last % Self.rows]
      }
    }
    numbers.removeLast()
    if last % Self.rows == 0 {
      tags.removeLast()
      separators.removeLast(separatorsPerRow)
      slabs[source.slab].removeLastBlock()
      if source.block == 0 { slabs.removeLast() }
    } else {
      tags[from][last % Self.rows] = 0
      for index in 0..<separatorsPerRow {
        separators[from * separatorsPerRow + index][last % Self.rows] = Self.none
      }
      slabs[source.slab].clear(block: source.block, lane: last % Self.rows)
    }
    return lane == last ? nil : numbers[lane]
  }

  /// The memory of the group, in bytes.
  var byteCount: Int {
    slabs.reduce(0) { $0 + $1.byteCount } + slabs.capacity * MemoryLayout<Slab>.stride
      + numbers.capacity * 4 + (tags.capacity + separators.capacity)
      * MemoryLayout<Columns16>.stride
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
