/// Consecutive blocks of a text, as columns.
struct TextPiece: Sendable {
  /// What a block belongs to.
  enum Kind: UInt8, Sendable {
    case header
    case row
    case footer
  }

  /// The number of blocks and of bytes from which on a piece is full.
  static let fullCount = 64
  static let fullSize = 8 << 10

  var bytes: [UInt8] = []

  /// The end of each line in ``bytes``.
  var lineEnds: [Int32] = []

  /// The end of each block in ``lineEnds``.
  private(set) var blockEnds: [Int32] = []

  private(set) var kinds: [Kind] = []

  /// The numbers of rows and headers.
  private var rowCount = 0
  private var headerCount = 0

  /// The spans in ascending order. Lines are counted from the start of the piece.
  var spans: [TextSpan] = []

  var isEmpty: Bool { kinds.isEmpty }
  var isFull: Bool { kinds.count >= Self.fullCount || bytes.count >= Self.fullSize }

  /// Whether the piece is so small that it is merged with its neighbor.
  var isSmall: Bool { kinds.count < Self.fullCount / 2 && bytes.count < Self.fullSize / 2 }

  var sums: TextSums {
    TextSums(
      blocks: kinds.count, rows: rowCount, sections: headerCount, lines: lineEnds.count,
      bytes: bytes.count, spans: spans.count)
  }

  /// Returns the offset of a line, which may be the end of the piece.
  func offset(ofLine line: Int) -> Int { line == 0 ? 0 : Int(lineEnds[line - 1]) }

  /// Returns the first line of a block, which may be the end of the piece.
  func line(ofBlock block: Int) -> Int { block == 0 ? 0 : Int(blockEnds[block - 1]) }

  /// Returns the block of a line, the last one that begins at or before it.
  func block(ofLine line: Int) -> Int {
    var low = 0
    var high = blockEnds.count
    while low < high {
      let middle = (low + high) / 2
      if Int(blockEnds[middle]) <= line { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the block that is one of a kind, by its index among the blocks of that kind.
  func block(_ index: Int, of kind: Kind) -> Int {
    var left = index
    for (block, other) in kinds.enumerated() where other == kind {
      if left == 0 { return block }
      left -= 1
    }
    preconditionFailure("the index of a block is in bounds")
  }

  /// Returns the number of blocks of a kind before a block.
  func count(of kind: Kind, before block: Int) -> Int { kinds[..<block].count { $0 == kind } }

  /// Returns the spans of a range of lines.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of spans.
  func spans(ofLines lines: Range<Int>) -> ArraySlice<TextSpan> {
    spans[firstSpan(atLine: lines.lowerBound)..<firstSpan(atLine: lines.upperBound)]
  }

  private func firstSpan(atLine line: Int) -> Int {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].line < line { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Changing

  /// Ends the last line.
  mutating func endLine() {
    bytes.append(0x0A)
    lineEnds.append(Int32(truncatingIfNeeded: bytes.count))
  }

  /// Ends the last block.
  mutating func endBlock(_ kind: Kind) {
    blockEnds.append(Int32(truncatingIfNeeded: lineEnds.count))
    kinds.append(kind)
    if kind == .row { rowCount += 1 }
    if kind == .header { headerCount += 1 }
  }

  /// Appends blocks of another piece.
  mutating func append(_ blocks: Range<Int>, of other: TextPiece) {
    let lines = other.line(ofBlock: blocks.lowerBound)..<other.line(ofBlock: blocks.upperBound)
    let start = other.offset(ofLine: lines.lowerBound)
    let shift = Int32(truncatingIfNeeded: bytes.count - start)
    let lineShift = lineEnds.count - lines.lowerBound
    for var span in other.spans(ofLines: lines) {
      span.line += lineShift
      spans.append(span)
    }
    bytes.append(contentsOf: other.bytes[start..<other.offset(ofLine: lines.upperBound)])
    lineEnds.append(other.lineEnds[lines], raisedBy: shift)
    blockEnds.append(other.blockEnds[blocks], raisedBy: Int32(truncatingIfNeeded: lineShift))
    kinds.append(contentsOf: other.kinds[blocks])
    for block in blocks {
      if other.kinds[block] == .row { rowCount &+= 1 }
      if other.kinds[block] == .header { headerCount &+= 1 }
    }
  }

  /// Returns some of the blocks, in no more memory than necessary.
  func part(_ blocks: Range<Int>) -> TextPiece {
    var part = TextPiece()
    part.append(blocks, of: self)
    return part
  }

  /// The memory of the columns that holds nothing yet, in bytes.
  private var spareSize: Int {
    func spare<Element>(_ column: [Element]) -> Int {
      (column.capacity - column.count) * MemoryLayout<Element>.stride
    }
    return spare(bytes) + spare(lineEnds) + spare(blockEnds) + spare(kinds) + spare(spans)
  }

  /// Whether a copy would need about the same memory.
  var isCompact: Bool { spareSize <= Self.leastSpare + bytes.count / 8 }

  private static let leastSpare = 256

  /// Reserves the memory of an empty piece for about the blocks of another one.
  mutating func reserve(like other: TextPiece) {
    bytes.reserveCapacity(other.bytes.count + 64)
    lineEnds.reserveCapacity(other.lineEnds.count + 4)
    blockEnds.reserveCapacity(other.blockEnds.count + 4)
    kinds.reserveCapacity(other.kinds.count + 4)
    if !other.spans.isEmpty { spans.reserveCapacity(other.spans.count + 4) }
  }

  /// Removes all blocks and keeps the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    lineEnds.removeAll(keepingCapacity: true)
    blockEnds.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
    spans.removeAll(keepingCapacity: true)
    (rowCount, headerCount) = (0, 0)
  }

  /// Stops the program if an invariant is violated: each line ends with a line feed, blocks divide
  /// the lines, and spans are ascending and within their lines.
  func checkInvariants() {
    precondition(!kinds.isEmpty && kinds.count == blockEnds.count, "a piece has blocks")
    precondition(rowCount == count(of: .row, before: kinds.count), "rows are counted")
    precondition(headerCount == count(of: .header, before: kinds.count), "headers are counted")
    precondition(Int(lineEnds.last ?? 0) == bytes.count, "lines are all bytes")
    precondition(Int(blockEnds.last!) == lineEnds.count, "blocks are all lines")
    precondition(
      zip(blockEnds, blockEnds.dropFirst()).allSatisfy { $0 <= $1 }, "blocks are in order")
    for line in lineEnds.indices {
      let (start, end) = (offset(ofLine: line), offset(ofLine: line + 1))
      precondition(
        bytes[start..<end].firstIndex(of: 0x0A) == end - 1, "a line ends with a line feed")
    }
    precondition(!zip(spans, spans.dropFirst()).contains { $1 < $0 }, "spans are ascending")
    for span in spans {
      let length = offset(ofLine: span.line + 1) - offset(ofLine: span.line)
      precondition(
        0 <= span.start && span.start <= span.end && span.end < length, "a span is in its line")
    }
  }
}

extension [Int32] {
  /// Appends numbers that are greater by some number.
  fileprivate mutating func append(_ numbers: ArraySlice<Int32>, raisedBy more: Int32) {
    let start = count
    append(contentsOf: numbers)
    if more == 0 { return }
    for index in start..<count { self[index] &+= more }
  }
}
