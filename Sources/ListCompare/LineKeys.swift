import ByteBuffers
import ListDiff

/// The rows of two texts as keys: equal lines have equal keys.
struct LineKeys {
  let old: Arrangement
  let new: Arrangement

  /// One above the largest key.
  let universe: Int

  /// For each old row, the number of its lines; empty if no row between the first and the last is a
  /// run.
  private(set) var weights: [Int32] = []

  /// For each key, its first old row.
  let firstRows: [UInt32]

  /// Assigns keys to the lines of the old text and looks up those of the new one.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the number of rows and of bytes of single lines.
  init(_ rows: LineAnchors, _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) {
    let oldCount = rows.old.count
    let newCount = rows.new.count
    var isRun = [Bool](repeating: false, count: newCount)
    var next = 0
    for run in rows.runs { isRun[run.new] = true }
    var table = SliceKeys(capacity: oldCount)
    var firstRows: [UInt32] = []
    firstRows.reserveCapacity(oldCount)
    var oldRows: [UInt32] = []
    oldRows.reserveCapacity(oldCount)
    var hasRepeats = (old: false, new: false)
    let (oldSide, newSide) = (rows.old, rows.new)
    for row in 0..<oldCount {
      if next < rows.runs.count, rows.runs[next].old == row {
        next += 1
        oldRows.append(.max)
        continue
      }
      let line = oldSide.bytes(row, of: a)
      let key = table.insert(oldSide.hash(row)) {
        Bytes.equal(oldSide.bytes(Int(firstRows[$0]), of: a), line)
      }
      if key == firstRows.count {
        firstRows.append(UInt32(truncatingIfNeeded: row))
      } else {
        hasRepeats.old = true
      }
      oldRows.append(UInt32(truncatingIfNeeded: key))
    }
    var isSeen = [Bool](repeating: false, count: firstRows.count)
    var universe = firstRows.count
    var newRows: [UInt32] = []
    newRows.reserveCapacity(newCount)
    for row in 0..<newCount {
      var key = universe
      if !isRun[row] {
        let line = newSide.bytes(row, of: b)
        let found = table.find(newSide.hash(row)) {
          Bytes.equal(oldSide.bytes(Int(firstRows[$0]), of: a), line)
        }
        if let found {
          key = found
          if isSeen[found] { hasRepeats.new = true }
          isSeen[found] = true
        }
      }
      if key == universe { universe += 1 }
      newRows.append(UInt32(truncatingIfNeeded: key))
    }
    self.firstRows = firstRows
    self.universe = universe
    for run in rows.runs { oldRows[run.old] = newRows[run.new] }
    let last = (old: oldCount - 1, new: newCount - 1)
    if rows.runs.contains(where: { $0 != (0, 0) && $0 != last }) {
      weights = (0..<oldCount).map {
        Int32(truncatingIfNeeded: oldSide.line($0 + 1) - oldSide.line($0))
      }
    }
    old = Self.arrangement(oldRows, hasRepeats.old)
    new = Self.arrangement(newRows, hasRepeats.new)
  }

  /// The keys of old lines, by their hashes.
  func table(
    of text: UnsafeRawBufferPointer, _ rows: LineAnchors, seed: UInt64
  ) -> SliceKeys {
    var table = SliceKeys(capacity: firstRows.count)
    for row in firstRows {
      let start = Int(rows.old.starts[Int(row)])
      _ = table.insert(Bytes.line(from: start, in: text, seed: seed).hash) { _ in false }
    }
    return table
  }

  private static func arrangement(_ rows: [UInt32], _ hasRepeats: Bool) -> Arrangement {
    Arrangement(
      sections: [0], starts: [0, Int32(truncatingIfNeeded: rows.count)], rows: rows,
      hasRepeats: hasRepeats)
  }
}

extension LineAnchors.Side {
  /// The bytes of a row in its text.
  @inline(__always)
  func bytes(_ row: Int, of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: text[Int(starts[row])..<Int(starts[row + 1])])
  }

  /// The hash of a row. Only its upper half is stored.
  @inline(__always)
  func hash(_ row: Int) -> UInt64 { UInt64(tags[row]) &<< 32 }
}
