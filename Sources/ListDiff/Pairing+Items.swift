extension Pairing {
  /// Pairs the rows that are not aligned by the hashes of their ids. If some ids repeat, pairs all
  /// items again.
  @_alwaysEmitIntoClient
  mutating func pairRest<Lists: RandomAccessCollection, Rule: ItemRule>(
    _ old: Lists, _ new: Lists, by rule: Rule
  ) where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    collectRest()
    guard mayMove || hasUnpairedSections else { return }
    var hash = IDHash()
    while true {
      let oldHashes = Self.hashes(of: oldRest, in: old, oldStarts, rule, &hash)
      let newHashes = Self.hashes(of: newRest, in: new, newStarts, rule, &hash)
      var table = HashTable(capacity: oldHashes.count &+ newHashes.count)
      let areDistinct = pairRest(oldHashes, newHashes, in: &table)
      if areDistinct, !isHashed, !hasUnpairedSections, hash.isPlain { return }
      // An id that only aligned rows have occurs on both sides in the same rows and order, so it
      // may repeat. If one of the unaligned rows has it, other pairs may need fewer moves.
      let others = oldOthers
      let otherHashes = Self.hashes(of: others, in: old, oldStarts, rule, &hash)
      if hash.isPlain {
        if areDistinct, !table.contains(anyOf: otherHashes) { return }
        pairRepeats(oldHashes, newHashes, others, otherHashes, in: &table)
        return
      }
      hash = IDHash(usingOwnHashes: true)
      unpairRest()
    }
  }

  /// Returns the hashes of the ids of some rows.
  @_alwaysEmitIntoClient
  static func hashes<Lists: RandomAccessCollection, Rule: ItemRule>(
    of rows: [Int32], in lists: Lists, _ starts: [Int32], _ rule: Rule, _ hash: inout IDHash
  ) -> [UInt64] where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    var result: [UInt64] = []
    var own = hash
    result.append(addingCapacity: rows.count) { result in
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
    }
    hash = own
    return result
  }

  /// Finds the kept items whose content changed, and makes sure that paired items have equal ids.
  @_alwaysEmitIntoClient
  mutating func compareRest<Lists: RandomAccessCollection, Rule: ItemRule>(
    _ old: Lists, _ new: Lists, by rule: Rule
  ) where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    while true {
      if let changed = changedRest(old, new, by: rule) {
        addChanges(changed)
        return
      }
      // Two different ids have the same hash.
      pairExactly(old, new, by: rule)
    }
  }

  /// Returns the new rows, of those not yet compared, that differ from their partners, or `nil` if
  /// the ids of a pair differ.
  @_alwaysEmitIntoClient
  func changedRest<Lists: RandomAccessCollection, Rule: ItemRule>(
    _ old: Lists, _ new: Lists, by rule: Rule
  ) -> [Int32]? where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    var changed: [Int32] = []
    let rows = uncompared
    let toOld = rowsToOld
    let checksIDs = isHashed
    var next = 0
    while let range = pairedRange(of: rows, from: next) {
      let before = old[range.old]
      let after = new[range.new]
      let oldItems = before.span
      let newItems = after.span
      let oldStart = Int(oldStarts[range.old])
      let newStart = Int(newStarts[range.new])
      for index in range.indices {
        let row = Int(rows[index])
        let partner = Int(toOld[row])
        if partner < 0 { continue }
        guard
          let isSame = isSame(
            oldItems[partner &- oldStart], newItems[row &- newStart], checksIDs, rule)
        else { return nil }
        if !isSame { changed.append(rows[index]) }
      }
      next = range.indices.upperBound
    }
    return changed
  }

  /// Returns whether the contents of two items are the same; `nil` if `checksIDs` is true and their ids
  /// differ.
  @_alwaysEmitIntoClient @inline(__always)
  func isSame<Rule: ItemRule>(
    _ old: Rule.Item, _ new: Rule.Item, _ checksIDs: Bool, _ rule: Rule
  ) -> Bool? {
    checksIDs && rule.id(old) != rule.id(new) ? nil : rule.isSame(old, new)
  }

  /// Assigns a key to each id without relying on hashes, and pairs all items again.
  @_alwaysEmitIntoClient @inline(never)
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
