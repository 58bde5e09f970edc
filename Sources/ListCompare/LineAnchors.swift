import ByteBuffers

/// Two texts split into rows: each long run of lines that both texts have is one row, and each line
/// between the runs is one row.
///
/// After a difference, the nearest position is searched from which several lines are equal. Then
/// whole runs are compared as bytes, without splitting them into lines.
struct LineAnchors {
  /// The rows of one text, in order. A row ends where the next one begins.
  struct Side {
    /// The offsets of rows, followed by the number of bytes.
    var starts: [UInt32] = []

    /// The upper half of each row's hash.
    var tags: [UInt32] = []

    /// The number of lines before each row; empty if each row is one line.
    private var lines: [Int32] = []

    private(set) var count = 0
    private(set) var lineCount = 0

    /// The number of lines before a row, or before the end.
    func line(_ row: Int) -> Int {
      if row == count { return lineCount }
      return lines.isEmpty ? row : Int(lines[row])
    }

    fileprivate mutating func append(start: Int, hash: UInt64, lines added: Int) {
      starts.append(UInt32(truncatingIfNeeded: start))
      tags.append(UInt32(truncatingIfNeeded: hash &>> 32))
      if added > 1, lines.isEmpty { lines = (0..<count).map { Int32(truncatingIfNeeded: $0) } }
      if added > 1 || !lines.isEmpty { lines.append(Int32(truncatingIfNeeded: lineCount)) }
      count &+= 1
      lineCount &+= added
    }

    fileprivate mutating func removeLast() {
      lineCount = line(count - 1)
      count -= 1
      starts.removeLast()
      tags.removeLast()
      if !lines.isEmpty { lines.removeLast() }
    }

    fileprivate mutating func end(at offset: Int) {
      starts.append(UInt32(truncatingIfNeeded: offset))
    }
  }

  private(set) var old = Side()
  private(set) var new = Side()

  /// The rows that are runs of lines, by their indices on both sides.
  private(set) var runs: [(old: Int, new: Int)] = []

  private static let feed: UInt8 = 0x0A
  /// The number of equal lines or bytes that make an anchor.
  private static let wantedLines = 8
  private static let wantedBytes = 2048
  /// If there is no anchor within this number of lines, the rest is split into lines.
  private static let farthest = 1 << 15

  private let seed: UInt64
  private var oldWindow = Window()
  private var newWindow = Window()
  private var table: [Int32] = []

  /// Splits two texts. At least 16 bytes after each text must be readable.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  init(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, seed: UInt64) {
    self.seed = seed
    let head = Self.wholeLines(a, 0, b, 0)
    let tail = Self.commonTail(a, b, from: head)
    if head > 0 { appendRun(a, 0, 0, count: head) }
    let (i, j) = scan(
      UnsafeRawBufferPointer(rebasing: a[..<(a.count - tail)]),
      UnsafeRawBufferPointer(rebasing: b[..<(b.count - tail)]), from: head)
    append(a, i..<(a.count - tail), b, j..<(b.count - tail), runAfter: tail) { anchors in
      Self.cut(a, i..<(a.count - tail), seed, into: &anchors.old)
      Self.cut(b, j..<(b.count - tail), seed, into: &anchors.new)
    }
    old.end(at: a.count)
    new.end(at: b.count)
    oldWindow = Window()
    newWindow = Window()
    table = []
  }

  /// Removes the hashes of rows, which are needed only once.
  mutating func removeHashes() {
    old.tags = []
    new.tags = []
  }

  /// Appends rows up to the last anchor. Returns the offsets after it.
  private mutating func scan(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, from head: Int
  ) -> (Int, Int) {
    var i = head
    var j = head
    while i < a.count, j < b.count {
      guard let (oldCount, newCount) = resync(a, i, b, j) else { break }
      let oldGap = i..<oldWindow.starts[oldCount]
      let newGap = j..<newWindow.starts[newCount]
      let count = Self.wholeLines(a, oldGap.upperBound, b, newGap.upperBound)
      append(a, oldGap, b, newGap, runAfter: count) { anchors in
        for row in 0..<oldCount {
          anchors.old.append(
            start: anchors.oldWindow.starts[row], hash: anchors.oldWindow.hashes[row], lines: 1)
        }
        for row in 0..<newCount {
          anchors.new.append(
            start: anchors.newWindow.starts[row], hash: anchors.newWindow.hashes[row], lines: 1)
        }
      }
      i = oldGap.upperBound + count
      j = newGap.upperBound + count
    }
    return (i, j)
  }

  /// Appends the lines of a gap between two runs, then the run of `count` bytes after it.
  ///
  /// If the gap begins with the first lines of the run after it, or ends with the last lines of the
  /// run before it, these lines of the run become rows of their own: the matching then decides
  /// which of them were deleted, inserted or moved.
  private mutating func append(
    _ a: UnsafeRawBufferPointer, _ oldGap: Range<Int>, _ b: UnsafeRawBufferPointer,
    _ newGap: Range<Int>, runAfter count: Int, lines appendLines: (inout LineAnchors) -> Void
  ) {
    splitLastRun(a, oldGap, b, newGap)
    appendLines(&self)
    guard count > 0 else { return }
    let (i, j) = (oldGap.upperBound, newGap.upperBound)
    let run = UnsafeRawBufferPointer(rebasing: a[i..<i + count])
    let shared = max(
      Self.wholeLines(UnsafeRawBufferPointer(rebasing: a[oldGap]), 0, run, 0),
      Self.wholeLines(UnsafeRawBufferPointer(rebasing: b[newGap]), 0, run, 0))
    Self.cut(a, i..<i + shared, seed, into: &old)
    Self.cut(b, j..<j + shared, seed, into: &new)
    if shared < count { appendRun(a, i + shared, j + shared, count: count - shared) }
  }

  /// Turns the lines that are at the end of both the last run and the gap after it into rows.
  private mutating func splitLastRun(
    _ a: UnsafeRawBufferPointer, _ oldGap: Range<Int>, _ b: UnsafeRawBufferPointer,
    _ newGap: Range<Int>
  ) {
    guard let last = runs.last, let oldStart = old.starts.last.map({ Int($0) }),
      let newStart = new.starts.last.map({ Int($0) }), oldGap.lowerBound > oldStart,
      last == (old.count - 1, new.count - 1)
    else { return }
    let run = UnsafeRawBufferPointer(rebasing: a[oldStart..<oldGap.lowerBound])
    let shared = max(
      Self.commonTail(run, UnsafeRawBufferPointer(rebasing: a[oldGap]), from: 0),
      Self.commonTail(run, UnsafeRawBufferPointer(rebasing: b[newGap]), from: 0))
    guard shared > 0 else { return }
    runs.removeLast()
    old.removeLast()
    new.removeLast()
    if shared < run.count { appendRun(a, oldStart, newStart, count: run.count - shared) }
    Self.cut(a, (oldGap.lowerBound - shared)..<oldGap.lowerBound, seed, into: &old)
    Self.cut(b, (newGap.lowerBound - shared)..<newGap.lowerBound, seed, into: &new)
  }

  private static func cut(
    _ text: UnsafeRawBufferPointer, _ range: Range<Int>, _ seed: UInt64, into side: inout Side
  ) {
    let text = UnsafeRawBufferPointer(rebasing: text[..<range.upperBound])
    var offset = range.lowerBound
    while offset < text.count {
      let (end, hash) = Bytes.line(from: offset, in: text, seed: seed)
      side.append(start: offset, hash: hash, lines: 1)
      offset = end
    }
  }

  private mutating func appendRun(
    _ a: UnsafeRawBufferPointer, _ i: Int, _ j: Int, count: Int
  ) {
    let bytes = UnsafeRawBufferPointer(rebasing: a[i..<i + count])
    var lines = Bytes.count(of: Self.feed, in: bytes, before: count)
    if bytes.last != Self.feed { lines += 1 }
    runs.append((old.count, new.count))
    old.append(start: i, hash: 0, lines: lines)
    new.append(start: j, hash: 0, lines: lines)
  }

  /// The number of bytes of complete lines that both texts have in common from two offsets.
  private static func wholeLines(
    _ a: UnsafeRawBufferPointer, _ i: Int, _ b: UnsafeRawBufferPointer, _ j: Int
  ) -> Int {
    let left = UnsafeRawBufferPointer(rebasing: a[i...])
    let right = UnsafeRawBufferPointer(rebasing: b[j...])
    let count = Bytes.commonPrefix(left, right)
    if count == left.count, count == right.count { return count }
    return Bytes.lastIndex(of: feed, in: left, before: count).map { $0 + 1 } ?? 0
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
}

extension LineAnchors {
  /// The lines after the position of a difference.
  private struct Window {
    /// The offsets of the lines, followed by the offset after the last one.
    var starts: [Int] = []
    var hashes: [UInt64] = []

    mutating func begin(at offset: Int) {
      starts.removeAll(keepingCapacity: true)
      hashes.removeAll(keepingCapacity: true)
      starts.append(offset)
    }

    mutating func extend(to count: Int, in text: UnsafeRawBufferPointer, _ seed: UInt64) {
      while hashes.count < count, let start = starts.last, start < text.count {
        let (end, hash) = Bytes.line(from: start, in: text, seed: seed)
        hashes.append(hash)
        starts.append(end)
      }
    }
  }

  /// Finds the nearest position from which the texts are equal. Returns the numbers of lines before
  /// it; nil if there is none.
  private mutating func resync(
    _ a: UnsafeRawBufferPointer, _ i: Int, _ b: UnsafeRawBufferPointer, _ j: Int
  ) -> (Int, Int)? {
    oldWindow.begin(at: i)
    newWindow.begin(at: j)
    var size = 8
    while size <= Self.farthest {
      oldWindow.extend(to: size, in: a, seed)
      newWindow.extend(to: size, in: b, seed)
      if let found = nearestAnchor(a, b) { return found }
      if oldWindow.hashes.count < size, newWindow.hashes.count < size { return nil }
      size *= 4
    }
    return nil
  }

  private mutating func nearestAnchor(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> (Int, Int)? {
    fillTable()
    let mask = table.count - 1
    var best: (Int, Int)?
    var distance = Int.max
    for row in newWindow.hashes.indices where row < distance {
      let hash = newWindow.hashes[row]
      var slot = Int(truncatingIfNeeded: hash) & mask
      while table[slot] >= 0, oldWindow.hashes[Int(table[slot])] != hash {
        slot = (slot + 1) & mask
      }
      let other = Int(table[slot])
      guard other >= 0, other + row < distance,
        isAnchor(a, oldWindow.starts[other], b, newWindow.starts[row])
      else { continue }
      distance = other + row
      best = (other, row)
    }
    guard var (old, new) = best else { return nil }
    while old > 0, new > 0, oldWindow.hashes[old - 1] == newWindow.hashes[new - 1],
      Bytes.equal(line(old - 1, oldWindow, a), line(new - 1, newWindow, b))
    {
      old -= 1
      new -= 1
    }
    return (old, new)
  }

  private func line(
    _ row: Int, _ window: Window, _ text: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: text[window.starts[row]..<window.starts[row + 1]])
  }

  /// Inserts the first of each group of equal old lines.
  private mutating func fillTable() {
    var size = 16
    while size < oldWindow.hashes.count * 2 { size *= 2 }
    table.removeAll(keepingCapacity: true)
    table.append(contentsOf: repeatElement(-1, count: size))
    for (row, hash) in oldWindow.hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & (size - 1)
      while table[slot] >= 0, oldWindow.hashes[Int(table[slot])] != hash {
        slot = (slot + 1) & (size - 1)
      }
      if table[slot] < 0 { table[slot] = Int32(truncatingIfNeeded: row) }
    }
  }

  private func isAnchor(
    _ a: UnsafeRawBufferPointer, _ i: Int, _ b: UnsafeRawBufferPointer, _ j: Int
  ) -> Bool {
    let left = UnsafeRawBufferPointer(rebasing: a[i..<min(a.count, i + Self.wantedBytes)])
    let right = UnsafeRawBufferPointer(rebasing: b[j..<min(b.count, j + Self.wantedBytes)])
    let count = Bytes.commonPrefix(left, right)
    if count == Self.wantedBytes {
      return Bytes.firstIndex(of: Self.feed, in: left, from: 0) != nil
    }
    return Bytes.count(of: Self.feed, in: left, before: count) >= Self.wantedLines
  }
}
