/// The pairs of old and new sections and rows; `-1` stands for no partner.
@frozen @usableFromInline package struct Matching: Sendable {
  @usableFromInline package internal(set) var sectionsToNew: [Int32] = []
  @usableFromInline package internal(set) var sectionsToOld: [Int32] = []
  @usableFromInline package internal(set) var rowsToNew: [Int32] = []
  @usableFromInline package internal(set) var rowsToOld: [Int32] = []

  /// The pairs of rows as maximal runs of consecutive rows, in the order of the new rows.
  ///
  /// A run may extend across sections.
  @usableFromInline package internal(set) var runs: [MatchedRun] = []

  @usableFromInline

  package init() {}

  /// Whether both lists consist of the same single section.
  var hasSingleSection: Bool {
    sectionsToOld.count == 1 && sectionsToNew.count == 1 && sectionsToOld[0] == 0
  }

  /// Pairs two rows. Call ``gatherRuns()`` afterwards.
  @_alwaysEmitIntoClient mutating func pair(_ old: Int, _ new: Int) {
    rowsToNew[old] = Int32(truncatingIfNeeded: new)
    rowsToOld[new] = Int32(truncatingIfNeeded: old)
  }

  /// Pairs consecutive old rows with consecutive new rows. Call ``gatherRuns()`` afterwards.
  mutating func pairInARow(old: Int, new: Int, count: Int) {
    rowsToNew.countUp(from: Int32(truncatingIfNeeded: new), at: old, count: count)
    rowsToOld.countUp(from: Int32(truncatingIfNeeded: old), at: new, count: count)
  }

  /// Computes ``runs`` from ``rowsToOld``.
  ///
  /// - Complexity: O(*n*), where *n* is the number of new rows.
  @usableFromInline mutating func gatherRuns() { gatherRuns(head: 0, tail: 0) }

  /// Computes ``runs``. The first `head` and the last `tail` rows are known to form one run each.
  mutating func gatherRuns(head: Int, tail: Int) {
    let rowsToOld = rowsToOld
    let oldCount = rowsToNew.count
    let newCount = rowsToOld.count
    runs.removeAll(keepingCapacity: true)
    if oldCount == 0 || newCount == 0 { return }
    // One run more, which receives the writes for rows without a partner.
    runs.append(atMost: min(oldCount, newCount) + 1) { runs in
      var count = 0
      if head > 0 {
        runs[0] = MatchedRun(old: 0, new: 0, count: head)
        count = 1
      }
      count = Self.gather(rowsToOld.view, from: head, to: newCount - tail, into: &runs, at: count)
      if tail > 0 {
        runs[count] = MatchedRun(old: oldCount - tail, new: newCount - tail, count: tail)
        count += 1
      }
      return count
    }
  }

  /// Writes the runs of a range of rows from an index on, and returns the index after them.
  private static func gather(
    _ toOld: ArrayView<Int32>, from start: Int, to end: Int,
    into runs: inout MutableArrayView<MatchedRun>,
    at index: Int
  ) -> Int {
    var next = index
    toOld.forEachRun(from: start, to: end) { start, end in
      let old = toOld[start]
      // Whether it is a run is unpredictable: writing over it is faster than a branch.
      runs[next] = MatchedRun(old: Int(old), new: start, count: end &- start)
      next &+= 1 &- Int(UInt32(bitPattern: old) &>> 31)
    }
    return next
  }
}

/// Rows that are consecutive in both lists.
@usableFromInline package struct MatchedRun: Equatable, BitwiseCopyable, Sendable {
  /// The first of the rows, as an old index.
  @usableFromInline package var old: Int32
  /// The first of the rows, as a new index.
  @usableFromInline package var new: Int32
  @usableFromInline package var count: Int32

  @_transparent package init(old: Int = 0, new: Int = 0, count: Int = 0) {
    self.old = Int32(truncatingIfNeeded: old)
    self.new = Int32(truncatingIfNeeded: new)
    self.count = Int32(truncatingIfNeeded: count)
  }
}

/// The position of each key in a list. It is neither cleared nor allocated again for the next
/// change.
///
/// A key that the current change has not stored may have any value in `positions`, so the caller
/// must compare the key at that position.
struct KeyTable {
  var positions: [Int32] = []

  mutating func reserve(universe: Int) {
    guard positions.count < universe else { return }
    // Each change adds a few keys; growing the array by appending would double its memory.
    let count = universe + universe / 16
    positions.reserveCapacity(count)
    positions.append(contentsOf: repeatElement(0, count: count - positions.count))
  }
}

/// The rows of few distinct keys, in a hash table. A ``KeyTable`` takes memory for all keys that exist.
struct FewKeys: ~Copyable {
  /// The maximum number of rows, also because keys can be chosen to have the same hash.
  static let most = 256

  /// Twice as many slots as rows at least, each with a row or -1.
  private var slots: [Int32] = []
  private var shift: UInt32 = 0

  /// Replaces the rows by those of some keys, at most `most`.
  mutating func index(_ keys: ArrayView<UInt32>) {
    let bits = UInt32(Int.bitWidth - (2 * keys.count - 1).leadingZeroBitCount)
    shift = UInt32(UInt32.bitWidth) - bits
    slots.fill(1 << Int(bits), with: -1)
    for row in keys.indices {
      var slot = first(keys[row])
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: row)
    }
  }

  /// Returns the row of a key among the `keys` that were indexed.
  func row(of key: UInt32, in keys: ArrayView<UInt32>) -> Int? {
    var slot = first(key)
    while slots[slot] >= 0 {
      if keys[Int(slots[slot])] == key { return Int(slots[slot]) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Returns the first slot of a key (Knuth's multiplicative hash).
  private func first(_ key: UInt32) -> Int { Int((key &* 0x9E37_79B1) &>> shift) }
}

extension DiffEngine {
  /// Pairs the sections, whose keys are all different.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections on both sides.
  mutating func matchSections(_ old: Arrangement, _ new: Arrangement, universe: Int) {
    matching.sectionsToNew.fill(old.sections.count, with: -1)
    matching.sectionsToOld.fill(new.sections.count, with: -1)
    if old.sections.isEmpty || new.sections.isEmpty { return }
    if old.sections == new.sections {
      matching.sectionsToNew.countUp(from: 0, at: 0, count: old.sections.count)
      matching.sectionsToOld.countUp(from: 0, at: 0, count: old.sections.count)
      return
    }
    keyTable.reserve(universe: universe)
    for (index, key) in old.sections.enumerated() {
      keyTable.positions[Int(key)] = Int32(truncatingIfNeeded: index)
    }
    for (index, key) in new.sections.enumerated() {
      let candidate = Int(keyTable.positions[Int(key)])
      if candidate >= 0, candidate < old.sections.count, old.sections[candidate] == key {
        matching.sectionsToNew[candidate] = Int32(truncatingIfNeeded: index)
        matching.sectionsToOld[index] = Int32(truncatingIfNeeded: candidate)
      }
    }
  }

  /// Pairs rows whose keys occur at most once on each side.
  ///
  /// Common rows at both ends are paired by comparison. Between them, a row that does not continue
  /// the run before it is looked up.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows on both sides.
  mutating func matchDistinctRows(_ old: Arrangement, _ new: Arrangement, universe: Int) {
    let oldRows = old.rows.view
    let newRows = new.rows.view
    let head = oldRows.commonPrefix(with: newRows)
    let tail = oldRows.commonSuffix(with: newRows, atMost: min(oldRows.count, newRows.count) - head)
    let oldEnd = oldRows.count - tail
    let newEnd = newRows.count - tail
    // One element more, which receives the writes for rows without a partner.
    matching.rowsToNew.fill(oldRows.count + 1, with: -1)
    // Every element is overwritten below.
    if matching.rowsToOld.count != newRows.count {
      matching.rowsToOld.fill(newRows.count, with: -1)
    }
    if oldEnd > head, newEnd > head, max(oldEnd, newEnd) - head <= FewKeys.most {
      let (old, new) = (oldRows.extracting(head..<oldEnd), newRows.extracting(head..<newEnd))
      cost.rowsIndexed += old.count
      cost.rowsLookedUp += new.count
      fewKeys.index(old)
      for row in new.indices {
        matching.rowsToOld[head + row] = -1
        if let other = fewKeys.row(of: new[row], in: old) {
          matching.pair(head + other, head + row)
        }
      }
    } else if oldEnd > head, newEnd > head {
      keyTable.reserve(universe: universe)
      cost.rowsIndexed += oldEnd - head
      cost.rowsLookedUp += Self.pairMiddle(
        oldRows.extracting(head..<oldEnd), newRows.extracting(head..<newEnd), from: head,
        toNew: &matching.rowsToNew, toOld: &matching.rowsToOld,
        positions: &keyTable.positions, isStopped: isStopped)
    } else {
      for row in head..<newEnd { matching.rowsToOld[row] = -1 }
    }
    matching.rowsToNew.removeLast()
    matching.pairInARow(old: 0, new: 0, count: head)
    matching.pairInARow(old: oldEnd, new: newEnd, count: tail)
    matching.gatherRuns(head: head, tail: tail)
  }

  /// Pairs the given rows, which begin at `start` on both sides, and returns the number of rows
  /// looked up. Also writes one element of `rowsToNew` beyond the last row.
  ///
  /// A block of rows that continues the previous block is paired at once. All rows of any other
  /// block are looked up, even those that continue a run: a mispredicted branch costs more than a
  /// look-up, and look-ups do not depend on each other.
  private static func pairMiddle(
    _ old: ArrayView<UInt32>, _ new: ArrayView<UInt32>, from start: Int,
    toNew rowsToNew: inout [Int32],
    toOld rowsToOld: inout [Int32], positions: inout [Int32], isStopped: () -> Bool
  ) -> Int {
    var positions = positions.mutableView
    var toNew = rowsToNew.mutableView
    var toOld = rowsToOld.mutableView
    precondition(
      old.count > 0 && start >= 0 && start + old.count < toNew.count
        && start + new.count <= toOld.count)
    for row in 0..<old.count { positions[Int(old[row])] = Int32(truncatingIfNeeded: row) }
    var lookedUp = 0
    var next = 0
    var row = 0
    while row < new.count {
      let count = min(block, new.count &- row)
      if count == block, next + block <= old.count,
        old.isSame(next, as: new, row, count: block)
      {
        for offset in 0..<block {
          toNew[start &+ next &+ offset] = Int32(truncatingIfNeeded: start &+ row &+ offset)
          toOld[start &+ row &+ offset] = Int32(truncatingIfNeeded: start &+ next &+ offset)
        }
        next &+= block
      } else {
        // A constant count lets the compiler unroll the loop.
        if count == block {
          lookUp(
            row, count: block, of: new, in: old, from: start, positions: positions, toNew: &toNew,
            toOld: &toOld)
        } else {
          lookUp(
            row, count: count, of: new, in: old, from: start, positions: positions, toNew: &toNew,
            toOld: &toOld)
        }
        // The last row of a block may be a new one; then the row before it predicts the next
        // partner.
        let end = start &+ row &+ count
        if toOld[end &- 1] >= 0 {
          next = Int(toOld[end &- 1]) &+ 1 &- start
        } else if count > 1, toOld[end &- 2] >= 0 {
          next = Int(toOld[end &- 2]) &+ 1 &- start
        }
        lookedUp &+= count
        if lookedUp & 0xFFFF < block, isStopped() {
          for rest in row &+ count..<new.count { toOld[start &+ rest] = -1 }
          break
        }
      }
      row &+= count
    }
    return lookedUp
  }

  private static var block: Int { 16 }

  /// Looks up the keys of at most a block of rows, without a branch that depends on the result.
  ///
  /// The caller checks that the rows of `new` from `start` on are in `toOld`, and those of `old`,
  /// with one row more, in `toNew`.
  @inline(__always)
  private static func lookUp(
    _ row: Int, count: Int, of new: ArrayView<UInt32>, in old: ArrayView<UInt32>, from start: Int,
    positions: borrowing MutableArrayView<Int32>, toNew: inout MutableArrayView<Int32>,
    toOld: inout MutableArrayView<Int32>
  ) {
    let keys = new.extracting(row..<row + count)
    let last = UInt32(truncatingIfNeeded: old.count - 1)
    for offset in 0..<count {
      // The stored position may be stale; clamping it makes it valid to read.
      let candidate = min(UInt32(bitPattern: positions[Int(keys[offset])]), last)
      let difference = Int64(old[unchecked: Int(candidate)] ^ keys[offset])
      // All ones if the keys differ. A comparison would be compiled to a branch.
      let miss = UInt32(truncatingIfNeeded: (0 &- difference) &>> 32)
      let number = start &+ row &+ offset
      toOld[unchecked: number] = Int32(
        bitPattern: (candidate &+ UInt32(truncatingIfNeeded: start)) | miss)
      // At most `last + 1`: the row beyond the old ones.
      let partner = start &+ Int(min(candidate | miss, last &+ 1))
      toNew[unchecked: partner] = Int32(truncatingIfNeeded: number)
    }
  }
}

extension Array {
  /// Sets the array to `count` copies of `value`, reusing its memory.
  ///
  /// For few elements `Array(repeating:count:)`, which is not specialized, spends most of its time in
  /// finding the metadata of the type.
  mutating func fill(_ count: Int, with value: Element) {
    if self.count == count {
      for index in indices { self[index] = value }
      return
    }
    if !isEmpty { removeAll(keepingCapacity: true) }
    append(addingCapacity: count) { $0.append(repeating: value, count: count) }
  }
}

extension [Int32] {
  /// Writes consecutive numbers.
  fileprivate mutating func countUp(from first: Int32, at start: Int, count: Int) {
    precondition(start >= 0 && count >= 0 && start + count <= self.count)
    var number = first
    for index in start..<start + count {
      self[index] = number
      number &+= 1
    }
  }
}

extension ArrayView<UInt32> {
  private static var stride: Int { 32 }

  /// Returns whether `count` elements from `start` on equal those of `other` from `otherStart` on.
  @inline(__always)
  func isSame(_ start: Int, as other: ArrayView<UInt32>, _ otherStart: Int, count: Int) -> Bool {
    let a = extracting(start..<start + count)
    let b = other.extracting(otherStart..<otherStart + count)
    var difference: UInt32 = 0
    for offset in 0..<count { difference |= a[offset] ^ b[offset] }
    return difference == 0
  }

  /// Returns the number of equal elements at the start.
  func commonPrefix(with other: ArrayView<UInt32>) -> Int {
    let limit = Swift.min(count, other.count)
    var index = 0
    // Strides of elements are compared without a branch for each.
    while index + Self.stride <= limit {
      if !isSame(index, as: other, index, count: Self.stride) { break }
      index += Self.stride
    }
    while index < limit, self[index] == other[index] { index += 1 }
    return index
  }

  /// Returns the number of equal elements at the end, at most `limit`.
  func commonSuffix(with other: ArrayView<UInt32>, atMost limit: Int) -> Int {
    var length = 0
    while length + Self.stride <= limit {
      let start = count - length - Self.stride
      let otherStart = other.count - length - Self.stride
      if !isSame(start, as: other, otherStart, count: Self.stride) { break }
      length += Self.stride
    }
    while length < limit, self[count - 1 - length] == other[other.count - 1 - length] {
      length += 1
    }
    return length
  }
}
