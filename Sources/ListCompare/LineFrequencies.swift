import ByteBuffers

/// How often lines occur. Distinguishes lines that moved from lines that occur everywhere.
struct LineFrequencies {
  private let rows: LineAnchors
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
    _ rows: LineAnchors, _ keys: LineKeys, _ a: UnsafeRawBufferPointer,
    _ b: UnsafeRawBufferPointer, seed: UInt64
  ) {
    self.rows = rows
    text = a
    var old = [Int32](repeating: 0, count: keys.firstRows.count)
    var new = old
    var isRun = [Bool](repeating: false, count: rows.old.count)
    let table = rows.runs.isEmpty ? SliceKeys(capacity: 0) : keys.table(of: a, rows, seed: seed)
    for run in rows.runs {
      isRun[run.old] = true
      let bytes = rows.old.bytes(run.old, of: a)
      var offset = 0
      while offset < bytes.count {
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
    for (row, key) in keys.old.rows.enumerated() where !isRun[row] { old[Int(key)] += 1 }
    for key in keys.new.rows where Int(key) < new.count { new[Int(key)] += 1 }
    for key in old.indices { old[key] = max(old[key], new[key]) }
    counts = keys.old.rows.enumerated().map { row, key in isRun[row] ? 1 : old[Int(key)] }
  }

  /// Whether old rows that move together are worth marking as moved: at least one of them is
  /// neither punctuation nor repeated often.
  func isWorthMarking(_ range: Range<Int>) -> Bool {
    range.contains { row in
      if rows.old.line(row + 1) - rows.old.line(row) > 1 { return true }
      let letters = Self.letters(rows.old.bytes(row, of: text))
      if letters == 0 || Int(counts[row]) > Self.mostOccurrences { return false }
      return counts[row] == 1 || letters >= Self.fewestLetters
    }
  }

  /// The number of letters and digits. Every byte that is not ASCII counts.
  private static func letters(_ line: UnsafeRawBufferPointer) -> Int {
    line.reduce(0) { count, byte in
      let isLetter = byte >= 0x80 || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
      return isLetter ? count + 1 : count
    }
  }
}
