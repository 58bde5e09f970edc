import JSONBytes
import ListDiff
import ListState

/// Whole lines of a text, from where one begins to where one ends.
struct LineRange {
  private static let feed: UInt8 = 0x0A

  private let text: UnsafeRawBufferPointer
  private(set) var range: Range<Int>

  /// Where the lines are, once they are split.
  private(set) var lines: [Range<Int>] = []

  /// Whether there is a line at all; the empty text has none, but one with a line feed has.
  private let hasLines: Bool

  /// All lines of a text.
  init(_ text: UnsafeRawBufferPointer) {
    hasLines = !text.isEmpty
    // The end of the last line may be left out.
    let isEnded = text.last == Self.feed
    self.text = isEnded ? UnsafeRawBufferPointer(rebasing: text.dropLast()) : text
    range = 0..<self.text.count
  }

  subscript(line: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: text[lines[line]])
  }

  /// The lines of two texts but for those that both begin with and those that both end with; of
  /// either at least one is left.
  static func differing(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer
  ) -> (LineRange, LineRange) {
    var a = LineRange(old)
    var b = LineRange(new)
    guard a.hasLines, b.hasLines else { return (a, b) }
    let shared = a.text.commonPrefix(with: b.text)
    let start = a.text.lineStart(of: shared)
    let limit = min(a.text.count, b.text.count) - start
    let tail = a.text.commonSuffix(with: b.text, limit: limit)
    var ends = (a.text.count, b.text.count)
    if let feed = Bytes.firstIndex(of: feed, in: a.text, from: a.text.count - tail) {
      ends = (feed, feed - a.text.count + b.text.count)
    }
    a.range = start..<ends.0
    b.range = start..<ends.1
    return (a, b)
  }

  private var isAtEnd: Bool { range.upperBound == text.count }

  /// Takes the line before the first one along.
  mutating func growBackward() {
    guard range.lowerBound > 0 else { return }
    range = text.lineStart(of: range.lowerBound - 1)..<range.upperBound
  }

  /// Takes the line after the last one along, here and in another text that goes on alike.
  mutating func growForward(beside other: inout LineRange) {
    guard !isAtEnd, !other.isAtEnd else { return }
    growForward()
    other.growForward()
  }

  private mutating func growForward() {
    let end = Bytes.firstIndex(of: Self.feed, in: text, from: range.upperBound + 1)
    range = range.lowerBound..<(end ?? text.count)
  }

  /// The number of lines before the range.
  var linesBefore: Int { text.count(of: Self.feed, before: range.lowerBound) }

  /// The bytes of the range, without the end of its last line; `nil` where there is no line.
  var bytes: UnsafeRawBufferPointer? {
    hasLines ? UnsafeRawBufferPointer(rebasing: text[range]) : nil
  }

  /// Splits the range and gives equal lines equal keys.
  mutating func arrangement(_ ids: inout IDTable) -> Arrangement {
    var result = Arrangement(sections: [0], starts: [0])
    var seen = BitSet(bound: 1 << 16)
    var start = range.lowerBound
    while hasLines {
      let feed = Bytes.firstIndex(
        of: Self.feed, in: UnsafeRawBufferPointer(rebasing: text[..<range.upperBound]),
        from: start)
      let line = start..<(feed ?? range.upperBound)
      let key = ids.intern(.string, UnsafeRawBufferPointer(rebasing: text[line]))
      if Int(key) >= seen.bound { seen = seen.grown(to: max(Int(key) + 1, seen.bound * 2)) }
      if !seen.insert(Int(key)) { result.hasRepeats = true }
      result.rows.append(key)
      lines.append(line)
      guard let feed else { break }
      start = feed + 1
    }
    result.starts.append(Int32(truncatingIfNeeded: lines.count))
    return result
  }
}

extension BitSet {
  /// The same members below a greater bound.
  fileprivate func grown(to bound: Int) -> BitSet {
    var result = BitSet(bound: bound)
    for member in members { result.insert(member) }
    return result
  }
}

extension UnsafeRawBufferPointer {
  /// The number of bytes with which both begin.
  fileprivate func commonPrefix(with other: UnsafeRawBufferPointer) -> Int {
    let limit = Swift.min(count, other.count)
    var place = 0
    // In bounds: each load ends at or before `limit`.
    while place &+ 8 <= limit {
      let difference =
        loadUnaligned(fromByteOffset: place, as: UInt64.self)
        ^ other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if difference != 0 {
        return place &+ difference.littleEndian.trailingZeroBitCount &>> 3
      }
      place &+= 8
    }
    while place < limit, self[place] == other[place] { place &+= 1 }
    return place
  }

  /// The number of bytes with which both end, up to a limit that is below both counts.
  fileprivate func commonSuffix(with other: UnsafeRawBufferPointer, limit: Int) -> Int {
    var length = 0
    // In bounds: each load begins at or after the start of the last `limit` bytes.
    while length &+ 8 <= limit {
      let difference =
        loadUnaligned(fromByteOffset: count &- length &- 8, as: UInt64.self)
        ^ other.loadUnaligned(fromByteOffset: other.count &- length &- 8, as: UInt64.self)
      if difference != 0 { break }
      length &+= 8
    }
    while length < limit, self[count &- length &- 1] == other[other.count &- length &- 1] {
      length &+= 1
    }
    return length
  }

  /// Where the line begins in which an offset is.
  fileprivate func lineStart(of offset: Int) -> Int {
    var start = offset
    while start > 0, self[start - 1] != 0x0A { start -= 1 }
    return start
  }

  /// How many times a byte occurs before an offset.
  fileprivate func count(of byte: UInt8, before end: Int) -> Int {
    var result = 0
    var place = 0
    let pattern = SIMD32<UInt8>(repeating: byte)
    // In bounds: each load ends at or before `end`.
    while place &+ 32 <= end {
      var sums = SIMD32<UInt8>()
      // A lane counts to 255 at most.
      let stop = Swift.min(end &- 31, place &+ 32 &* 255)
      while place < stop {
        let chunk = loadUnaligned(fromByteOffset: place, as: SIMD32<UInt8>.self)
        sums &-= unsafeBitCast(chunk .== pattern, to: SIMD32<UInt8>.self)
        place &+= 32
      }
      for lane in 0..<32 { result += Int(sums[lane]) }
    }
    while place < end {
      if self[place] == byte { result += 1 }
      place += 1
    }
    return result
  }
}
