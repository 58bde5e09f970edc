import ByteBuffers

/// How often lines occur. Distinguishes lines that moved from lines that occur everywhere.
struct LineFrequencies {
  private let rows: TextRows.Side
  private let text: UnsafeRawBufferPointer

  /// For each old row, the number of times that its line occurs in the text that has more of it.
  private let counts: [Int32]

  /// A line that occurs more often than this does not mark a move.
  private static let mostOccurrences = 3
  /// A line that repeats marks a move only if it has at least this many letters and digits.
  private static let fewestLetters = 10

  /// Counts the lines of two texts.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  init(
    _ rows: TextRows, _ keys: LineKeys, _ a: UnsafeRawBufferPointer,
    _ b: UnsafeRawBufferPointer, seed: UInt64
  ) {
    self.rows = rows.old
    text = a
    var old = [Int32](repeating: 0, count: keys.universe)
    var new = old
    for key in keys.old { old[Int(key)] += 1 }
    for key in keys.new { new[Int(key)] += 1 }
    // Both texts have the lines before and after the compared ones.
    let table = keys.table(of: a, rows, seed: seed)
    let compared = Int(rows.old.starts[0])..<Int(rows.old.starts[rows.old.count])
    for range in [0..<compared.lowerBound, compared.upperBound..<a.count] {
      let bytes = UnsafeRawBufferPointer(rebasing: a[..<range.upperBound])
      var offset = range.lowerBound
      while offset < range.upperBound {
        let (end, hash) = Bytes.line(from: offset, in: bytes, seed: seed)
        let line = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
        let key = table.find(hash) {
          Bytes.equal(rows.old.bytes(Int(keys.firstRows[$0]), of: a), line)
        }
        if let key {
          old[key] += 1
          new[key] += 1
        }
        offset = end
      }
    }
    counts = keys.old.map { max(old[Int($0)], new[Int($0)]) }
  }

  /// Whether an old row is worth marking as moved: it is neither punctuation nor repeated often.
  func isWorthMarking(_ row: Int) -> Bool {
    let letters = Self.letters(rows.bytes(row, of: text))
    if letters == 0 || Int(counts[row]) > Self.mostOccurrences { return false }
    return counts[row] == 1 || letters >= Self.fewestLetters
  }

  /// The number of letters and digits. Every byte that is not ASCII counts.
  private static func letters(_ line: UnsafeRawBufferPointer) -> Int {
    line.reduce(0) { count, byte in
      let isLetter = byte >= 0x80 || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
      return isLetter ? count + 1 : count
    }
  }
}
