import ListDiff

/// The rows of few distinct keys, in a hash table. An array by key takes memory for all keys that exist.
enum FewKeys {
  /// The maximum number of rows, also because keys can be chosen to have the same hash.
  static let most = 256

  /// Replaces the slots, twice as many as rows at least, by those of some keys, at most `most`. Each has a row
  /// or -1.
  static func index(_ keys: ArrayView<UInt32>, in slots: inout [Int32]) {
    let bits = Int.bitWidth - (2 * keys.count - 1).leadingZeroBitCount
    slots.fill(1 << bits, with: -1)
    for row in keys.indices {
      var slot = first(keys[row], of: slots.count)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: row)
    }
  }

  /// Returns the row of a key among the `keys` that were indexed.
  static func row(of key: UInt32, in keys: ArrayView<UInt32>, _ slots: [Int32]) -> Int? {
    var slot = first(key, of: slots.count)
    while slots[slot] >= 0 {
      if keys[Int(slots[slot])] == key { return Int(slots[slot]) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Returns the first slot of a key (Knuth's multiplicative hash).
  private static func first(_ key: UInt32, of count: Int) -> Int {
    Int((key &* 0x9E37_79B1) &>> UInt32(truncatingIfNeeded: count.leadingZeroBitCount - 31))
  }
}

extension DiffEngine {
  /// Pairs the sections and the rows of two arrangements whose keys are below `universe`.
  ///
  /// If items show as several rows or none, `shown` lists these rows. Repeated items are then
  /// paired so that the fewest shown rows move.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections on both sides; O(*n* log
  ///   *n*) if keys repeat.
  package mutating func match(
    _ old: Arrangement, _ new: Arrangement, universe: Int,
    shown: (old: ItemRows?, new: ItemRows?) = (nil, nil)
  ) {
    matchSections(old, new, universe: universe)
    guard old.hasRepeats || new.hasRepeats else {
      return matchDistinctRows(old, new, universe: universe)
    }
    var rows: ShownRows?
    if shown.old != nil || shown.new != nil {
      rows = (
        shown.old.starts(of: old.starts), shown.new.starts(of: new.starts),
        { $0.matchRows(of: shown.old, shown.new) }
      )
    }
    matchRepeatedRows((old.starts, old.rows), (new.starts, new.rows), universe: universe, rows)
  }

  /// Pairs the sections, whose keys are all different.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections on both sides.
  private mutating func matchSections(_ old: Arrangement, _ new: Arrangement, universe: Int) {
    movesAreFound = false
    matching.sectionsToNew.fill(old.sections.count, with: -1)
    matching.sectionsToOld.fill(new.sections.count, with: -1)
    if old.sections.isEmpty || new.sections.isEmpty { return }
    if old.sections == new.sections {
      matching.sectionsToNew.countUp(from: 0, at: 0, count: old.sections.count)
      matching.sectionsToOld.countUp(from: 0, at: 0, count: old.sections.count)
      return
    }
    positions.all.reserve(universe: universe)
    for (index, key) in old.sections.enumerated() {
      positions.all[Int(key)] = Int32(truncatingIfNeeded: index)
    }
    for (index, key) in new.sections.enumerated() {
      let candidate = Int(positions.all[Int(key)])
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
  private mutating func matchDistinctRows(_ old: Arrangement, _ new: Arrangement, universe: Int) {
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
      cost.indexed += old.count
      cost.lookedUp += new.count
      FewKeys.index(old, in: &positions.few)
      for row in new.indices {
        matching.rowsToOld[head + row] = -1
        if let other = FewKeys.row(of: new[row], in: old, positions.few) {
          matching.pair(head + other, head + row)
        }
      }
    } else if oldEnd > head, newEnd > head {
      positions.all.reserve(universe: universe)
      cost.indexed += oldEnd - head
      // Of another module, only one property can be passed to be changed.
      var tables: (positions: [Int32], toNew: [Int32], toOld: [Int32]) = ([], [], [])
      swap(&tables.positions, &positions.all)
      swap(&tables.toNew, &matching.rowsToNew)
      swap(&tables.toOld, &matching.rowsToOld)
      let lookedUp = Self.pairMiddle(
        oldRows.extracting(head..<oldEnd), newRows.extracting(head..<newEnd), from: head,
        toNew: &tables.toNew, toOld: &tables.toOld, positions: &tables.positions,
        isStopped: isStopped)
      swap(&tables.positions, &positions.all)
      swap(&tables.toNew, &matching.rowsToNew)
      swap(&tables.toOld, &matching.rowsToOld)
      cost.lookedUp += lookedUp
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

extension ArrayView<UInt32> {
  /// Returns the number of equal elements at the end, at most `limit`.
  func commonSuffix(with other: ArrayView<UInt32>, atMost limit: Int) -> Int {
    var length = 0
    while length + 32 <= limit {
      let start = count - length - 32
      let otherStart = other.count - length - 32
      if !isSame(start, as: other, otherStart, count: 32) { break }
      length += 32
    }
    while length < limit, self[count - 1 - length] == other[other.count - 1 - length] {
      length += 1
    }
    return length
  }
}
