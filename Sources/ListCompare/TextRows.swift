import ByteBuffers

/// The lines of two texts that are compared: those that differ, and some around them. The lines
/// before and after them are equal and are only counted.
struct TextRows {
  /// The lines of one text.
  struct Side {
    /// The bytes of compared lines.
    let range: Range<Int>

    /// The offsets of compared lines, followed by the end of the last one.
    private(set) var starts: [UInt32] = []

    /// The numbers of lines before and after those that are compared.
    let linesBefore: Int
    let linesAfter: Int

    init(range: Range<Int>, linesBefore: Int, linesAfter: Int) {
      self.range = range
      self.linesBefore = linesBefore
      self.linesAfter = linesAfter
    }

    /// The number of compared lines.
    var count: Int { starts.count - 1 }

    var lineCount: Int { linesBefore + count + linesAfter }

    /// The bytes of a compared line in its text.
    @inline(__always)
    func bytes(_ row: Int, of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: text[Int(starts[row])..<Int(starts[row + 1])])
    }

    /// Makes room for a number of lines.
    mutating func reserveCapacity(_ count: Int) { starts.reserveCapacity(count + 1) }

    /// Appends the start of the next line, or the end of the last one.
    mutating func append(_ start: Int) { starts.append(UInt32(truncatingIfNeeded: start)) }
  }

  var old: Side
  var new: Side

  private static let feed: UInt8 = 0x0A

  /// Finds the lines of two texts that are compared, which are not split yet.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  init(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) {
    let equalHead = Self.commonHead(a, b)
    let equalTail = Self.commonTail(a, b, from: equalHead)
    let head = Self.start(ofLines: ComparedFile.mostShiftedLines, before: equalHead, in: a)
    let tail = Self.count(ofLines: ComparedFile.mostShiftedLines, ofLast: equalTail, in: a)
    let linesBefore = Bytes.count(of: Self.feed, in: a, before: head)
    var linesAfter = 0
    if tail > 0 {
      let end = UnsafeRawBufferPointer(rebasing: a[(a.count - tail)...])
      linesAfter = Bytes.count(of: Self.feed, in: end, before: tail)
      if end.last != Self.feed { linesAfter += 1 }
    }
    old = Side(
      range: head..<a.count - tail, linesBefore: linesBefore, linesAfter: linesAfter)
    new = Side(
      range: head..<b.count - tail, linesBefore: linesBefore, linesAfter: linesAfter)
  }

  /// The number of bytes of complete lines that both texts begin with.
  private static func commonHead(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let count = Bytes.commonPrefix(a, b)
    if count == a.count, count == b.count { return count }
    return Bytes.lastIndex(of: feed, in: a, before: count).map { $0 + 1 } ?? 0
  }

  /// The number of bytes of complete lines that both texts end with, after `head`.
  private static func commonTail(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, from head: Int
  ) -> Int {
    let limit = min(a.count, b.count) - head
    let tail = Bytes.commonSuffix(a, b, limit: limit)
    func isStart(_ text: UnsafeRawBufferPointer) -> Bool {
      text.count == tail || text[text.count - tail - 1] == feed
    }
    if tail == 0 || isStart(a) && isStart(b) { return tail }
    return Bytes.firstIndex(of: feed, in: a, from: a.count - tail).map { a.count - $0 - 1 } ?? 0
  }

  /// The offset of the line that is a number of lines before another one.
  private static func start(
    ofLines lines: Int, before start: Int, in text: UnsafeRawBufferPointer
  ) -> Int {
    var start = start
    for _ in 0..<lines where start > 0 {
      start = Bytes.lastIndex(of: feed, in: text, before: start - 1).map { $0 + 1 } ?? 0
    }
    return start
  }

  /// The number of the last `tail` bytes without a number of lines at their start.
  private static func count(
    ofLines lines: Int, ofLast tail: Int, in text: UnsafeRawBufferPointer
  ) -> Int {
    var start = text.count - tail
    for _ in 0..<lines where start < text.count {
      start = Bytes.firstIndex(of: feed, in: text, from: start).map { $0 + 1 } ?? text.count
    }
    return text.count - start
  }
}
