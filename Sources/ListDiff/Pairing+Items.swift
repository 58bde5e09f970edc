extension Pairing {
  /// Pairs what is not aligned by the hashes of ids, and where some repeat all items anew.
  @inlinable
  mutating func pairRest<Lists: RandomAccessCollection, Rule: ItemRule>(
    _ old: Lists, _ new: Lists, by rule: Rule
  ) where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    guard mayMove || mayLinger else { return }
    var hash = IDHash()
    var isDistinct = false
    while true {
      let table = pairRest(
        Self.hashes(of: oldRest, in: old, oldStarts, rule, &hash),
        Self.hashes(of: newRest, in: new, newStarts, rule, &hash))
      isDistinct = table != nil
      // An id that only aligned rows have has the same rows on both sides, in the same order. So it
      // may repeat; where it is one of the rest, other pairs might move less.
      if let table, isHashed || mayLinger {
        isDistinct = !table.contains(
          anyOf: Self.hashes(of: oldOthers, in: old, oldStarts, rule, &hash))
      }
      if hash.isPlain { break }
      hash = IDHash(usingOwnHashes: true)
      unpairRest()
    }
    while !isDistinct {
      let oldHashes = Self.hashes(
        of: (0..<oldStarts[old.count]).map { $0 }, in: old, oldStarts, rule, &hash)
      let newHashes = Self.hashes(
        of: (0..<newStarts[new.count]).map { $0 }, in: new, newStarts, rule, &hash)
      isDistinct = hash.isPlain
      if isDistinct { pairRepeats(oldHashes, newHashes) }
      hash = IDHash(usingOwnHashes: true)
    }
  }

  /// The hashes of the ids of some rows.
  @inlinable
  static func hashes<Lists: RandomAccessCollection, Rule: ItemRule>(
    of rows: [Int32], in lists: Lists, _ starts: [Int32], _ rule: Rule, _ hash: inout IDHash
  ) -> [UInt64] where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    var result: [UInt64] = []
    result.reserveCapacity(rows.count)
    var own = hash
    var next = 0
    while next < rows.count {
      let section = starts.section(ofRow: Int(rows[next]))
      let items = lists[section]
      let span = items.span
      let start = starts[section]
      let end = starts[section + 1]
      while next < rows.count, rows[next] < end {
        result.append(own.hash(rule.id(span[Int(rows[next] &- start)])))
        next &+= 1
      }
    }
    hash = own
    return result
  }

  /// Finds the items that are kept and differ, and sees to it that pairs have the same ids.
  @inlinable
  mutating func compareRest<Lists: RandomAccessCollection, Rule: ItemRule>(
    _ old: Lists, _ new: Lists, by rule: Rule
  ) where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    while true {
      if let changed = changedRest(old, new, by: rule) {
        addChanges(changed)
        return
      }
      // Two ids have one hash.
      pairExactly(old, new, by: rule)
    }
  }

  /// The new rows, of those still to be compared, that differ from their partners; `nil` where the
  /// ids of a pair differ.
  @inlinable
  func changedRest<Lists: RandomAccessCollection, Rule: ItemRule>(
    _ old: Lists, _ new: Lists, by rule: Rule
  ) -> [Int32]? where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    var changed: [Int32] = []
    let rows = uncompared
    let toOld = rowsToOld
    let checksIDs = isHashed
    var next = 0
    while let stretch = stretch(of: rows, from: next) {
      let before = old[stretch.old]
      let after = new[stretch.new]
      let oldItems = before.span
      let newItems = after.span
      let oldStart = Int(oldStarts[stretch.old])
      let newStart = Int(newStarts[stretch.new])
      for index in stretch.indices {
        let row = Int(rows[index])
        let partner = Int(toOld[row])
        if partner < 0 { continue }
        if checksIDs, rule.id(oldItems[partner &- oldStart]) != rule.id(newItems[row &- newStart]) {
          return nil
        }
        if !rule.isSame(oldItems[partner &- oldStart], newItems[row &- newStart]) {
          changed.append(rows[index])
        }
      }
      next = stretch.indices.upperBound
    }
    return changed
  }

  /// Gives each id a key, whatever its hash is, and pairs all items anew.
  @inlinable @inline(never)
  mutating func pairExactly<Lists: RandomAccessCollection, Rule: ItemRule>(
    _ old: Lists, _ new: Lists, by rule: Rule
  ) where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    var keys: [Rule.ID: UInt32] = [:]
    func rows(_ lists: Lists) -> [UInt32] {
      var rows: [UInt32] = []
      for list in lists {
        for item in list {
          let key = rule.id(item)
          let next = UInt32(truncatingIfNeeded: keys.count)
          let known = keys[key] ?? next
          if known == next { keys[key] = next }
          rows.append(known)
        }
      }
      return rows
    }
    let oldRows = rows(old)
    pairRepeats(oldRows, rows(new), keys: keys.count)
    isHashed = false
  }
}
