import ByteBuffers

/// The lines of two texts as keys: equal lines have equal keys.
struct LineKeys {
  private(set) var old: [UInt32] = []
  private(set) var new: [UInt32] = []

  /// One above the largest key.
  private(set) var universe: Int

  /// For each key that old lines have, the first of them.
  private(set) var firstRows: [UInt32] = []

  /// Splits the compared parts of two texts into lines, and assigns keys to them. All lines that
  /// only the new text has share one key. At least 16 bytes after each text must be readable.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the number of bytes of compared lines.
  init(
    splitting rows: inout TextRows, _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer,
    seed: UInt64
  ) {
    let oldText = UnsafeRawBufferPointer(rebasing: a[..<rows.old.range.upperBound])
    let newText = UnsafeRawBufferPointer(rebasing: b[..<rows.new.range.upperBound])
    let count = Self.lineCount(oldText, rows.old.range)
    let newCount = Self.lineCount(newText, rows.new.range)
    rows.old.reserveCapacity(count)
    rows.new.reserveCapacity(newCount)
    var table = SliceKeys(capacity: count)
    var firstRows: [UInt32] = []
    firstRows.reserveCapacity(count)
    old.reserveCapacity(count)
    var offset = rows.old.range.lowerBound
    while offset < oldText.count {
      let (end, hash) = Bytes.line(from: offset, in: oldText, seed: seed)
      rows.old.append(offset)
      let line = UnsafeRawBufferPointer(rebasing: oldText[offset..<end])
      let key = table.insert(hash) { Bytes.equal(rows.old.bytes(Int(firstRows[$0]), of: a), line) }
      if key == firstRows.count { firstRows.append(UInt32(truncatingIfNeeded: old.count)) }
      old.append(UInt32(truncatingIfNeeded: key))
      offset = end
    }
    rows.old.append(offset)
    new.reserveCapacity(newCount)
    // Most lines follow the same line as in the old text.
    var next = 0
    offset = rows.new.range.lowerBound
    while offset < newText.count {
      rows.new.append(offset)
      if next < old.count {
        let line = rows.old.bytes(next, of: a)
        let end = offset + line.count
        if end <= newText.count, line.last == Self.feed || end == newText.count,
          Bytes.equal(line, UnsafeRawBufferPointer(rebasing: newText[offset..<end]))
        {
          new.append(old[next])
          next += 1
          offset = end
          continue
        }
      }
      let (end, hash) = Bytes.line(from: offset, in: newText, seed: seed)
      let line = UnsafeRawBufferPointer(rebasing: newText[offset..<end])
      let found = table.find(hash) { Bytes.equal(rows.old.bytes(Int(firstRows[$0]), of: a), line) }
      new.append(UInt32(truncatingIfNeeded: found ?? firstRows.count))
      if let found { next = Int(firstRows[found]) + 1 }
      offset = end
    }
    rows.new.append(offset)
    universe = firstRows.count + 1
    self.firstRows = firstRows
  }

  private static let feed: UInt8 = 0x0A

  /// The number of lines in the last part of a text.
  private static func lineCount(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    let part = UnsafeRawBufferPointer(rebasing: text[range])
    return Bytes.count(of: feed, in: part, before: part.count) + 1
  }

  /// The keys of old lines, by their hashes.
  func table(
    of text: UnsafeRawBufferPointer, _ rows: TextRows, seed: UInt64
  ) -> SliceKeys {
    var table = SliceKeys(capacity: firstRows.count)
    for row in firstRows {
      let start = Int(rows.old.starts[Int(row)])
      _ = table.insert(Bytes.line(from: start, in: text, seed: seed).hash) { _ in false }
    }
    return table
  }
}
