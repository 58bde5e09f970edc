extension Pairing {
  /// Pairs sections by id, of those that repeat the first with the first and so on.
  @inlinable
  mutating func pairSections<ID: Hashable>(_ old: [ID], _ new: [ID]) {
    sectionsToNew = Array(repeating: -1, count: old.count)
    sectionsToOld = Array(repeating: -1, count: new.count)
    var places: [ID: [Int]] = [:]
    places.reserveCapacity(old.count)
    for (index, id) in old.enumerated().reversed() { places[id, default: []].append(index) }
    for (index, id) in new.enumerated() {
      guard let place = places[id]?.popLast() else { continue }
      sectionsToNew[place] = Int32(truncatingIfNeeded: index)
      sectionsToOld[index] = Int32(truncatingIfNeeded: place)
    }
  }

  /// Pairs items by id: neighbours by comparison, the rest by hashing.
  @inlinable
  mutating func pairItems<Rule: ItemRule>(
    _ old: [[Rule.Item]], _ new: [[Rule.Item]], _ rule: Rule
  ) {
    reserve(old: old.map(\.count), new: new.map(\.count))
    for section in new.indices where sectionsToOld[section] >= 0 {
      let partner = Int(sectionsToOld[section])
      let before = old[partner]
      let after = new[section]
      Self.align(
        before.span, from: Int(oldStarts[partner]), after.span, from: Int(newStarts[section]), rule,
        &rowsToNew, &rowsToOld)
    }
    addRest()
    guard mayMove || mayLinger else { return }
    var hash = IDHash()
    var isDistinct = false
    while true {
      let rest = Self.hashes(of: oldRest, in: old, oldStarts, rule, &hash)
      isDistinct = pairRest(rest, Self.hashes(of: newRest, in: new, newStarts, rule, &hash))
      if isDistinct, isHashed || mayLinger {
        isDistinct = areDistinct(
          Self.hashes(of: oldOthers, in: old, oldStarts, rule, &hash), rest)
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

  /// Pairs the items of a section that are the same at both ends, then those that a few steps to
  /// either side explain, as long as that succeeds now and then.
  @inlinable
  static func align<Rule: ItemRule>(
    _ old: Span<Rule.Item>, from oldStart: Int, _ new: Span<Rule.Item>, from newStart: Int,
    _ rule: Rule, _ rowsToNew: inout [Int32], _ rowsToOld: inout [Int32]
  ) {
    var toNew = rowsToNew.mutableSpan
    var toOld = rowsToOld.mutableSpan
    var oldEnd = old.count
    var newEnd = new.count
    var i = 0
    var j = 0
    while i < oldEnd, j < newEnd, rule.id(old[i]) == rule.id(new[j]) {
      toNew[oldStart + i] = Int32(truncatingIfNeeded: newStart + j)
      toOld[newStart + j] = Int32(truncatingIfNeeded: oldStart + i)
      i += 1
      j += 1
    }
    while i < oldEnd, j < newEnd, rule.id(old[oldEnd - 1]) == rule.id(new[newEnd - 1]) {
      oldEnd -= 1
      newEnd -= 1
      toNew[oldStart + oldEnd] = Int32(truncatingIfNeeded: newStart + newEnd)
      toOld[newStart + newEnd] = Int32(truncatingIfNeeded: oldStart + oldEnd)
    }
    var patience = 64
    while i < oldEnd, j < newEnd, patience > 0 {
      var skip = (old: 0, new: 0)
      if rule.id(old[i]) != rule.id(new[j]) {
        skip = (1, 1)
        for reach in 1...3 {
          if i + reach < oldEnd, rule.id(old[i + reach]) == rule.id(new[j]) {
            skip = (reach, 0)
            break
          }
          if j + reach < newEnd, rule.id(old[i]) == rule.id(new[j + reach]) {
            skip = (0, reach)
            break
          }
        }
        patience -= skip == (1, 1) ? 8 : 2
        i += skip.old
        j += skip.new
        if skip == (1, 1) { continue }
      }
      // A skip ends at a pair.
      toNew[oldStart + i] = Int32(truncatingIfNeeded: newStart + j)
      toOld[newStart + j] = Int32(truncatingIfNeeded: oldStart + i)
      i += 1
      j += 1
      patience = min(patience + 1, 64)
    }
  }

  /// The hashes of the ids of some rows.
  @inlinable
  static func hashes<Rule: ItemRule>(
    of rows: [Int32], in lists: [[Rule.Item]], _ starts: [Int32], _ rule: Rule,
    _ hash: inout IDHash
  ) -> [UInt64] {
    var result: [UInt64] = []
    result.reserveCapacity(rows.count)
    var first = 0
    while first < rows.count {
      let section = starts.section(ofRow: Int(rows[first]))
      var end = first + 1
      while end < rows.count, starts[section] <= rows[end], rows[end] < starts[section + 1] {
        end += 1
      }
      let items = lists[section]
      append(
        hashesOf: rows.span.extracting(first..<end), in: items.span, starts[section], rule, &hash,
        to: &result)
      first = end
    }
    return result
  }

  @inlinable
  static func append<Rule: ItemRule>(
    hashesOf rows: Span<Int32>, in items: Span<Rule.Item>, _ start: Int32, _ rule: Rule,
    _ hash: inout IDHash, to result: inout [UInt64]
  ) {
    var own = hash
    for index in rows.indices {
      result.append(own.hash(rule.id(items[Int(rows[index] &- start)])))
    }
    hash = own
  }

  /// Finds the sections that are kept and differ.
  @inlinable
  mutating func compareSections(_ isSame: (Int, Int) -> Bool) {
    for (new, old) in sectionsToOld.enumerated() where old >= 0 {
      if !isSame(Int(old), new) { changedSections.append(Int32(truncatingIfNeeded: new)) }
    }
  }

  /// Finds the items that are kept and differ, and sees to it that pairs have the same ids.
  @inlinable
  mutating func compare<Rule: ItemRule>(
    _ old: [[Rule.Item]], _ new: [[Rule.Item]], _ rule: Rule
  ) {
    var areSame = true
    repeat {
      if !areSame { pairExactly(old, new, rule) }
      areSame = true
      changedRows.removeAll(keepingCapacity: true)
      for section in new.indices {
        var row = Int(newStarts[section])
        let end = Int(newStarts[section + 1])
        while row < end, areSame {
          let stretch = self.stretch(from: row, to: end)
          if stretch.section < 0 { break }
          let before = old[stretch.section]
          let after = new[section]
          areSame = Self.compare(
            stretch.rows, rowsToOld, before.span, from: Int(oldStarts[stretch.section]),
            after.span, from: Int(newStarts[section]), checksIDs: isHashed, rule, &changedRows)
          row = stretch.rows.upperBound
        }
      }
      // Two ids may have one hash.
    } while !areSame
  }

  /// Compares rows whose partners are in one section; false where ids differ.
  @inlinable
  static func compare<Rule: ItemRule>(
    _ rows: Range<Int>, _ rowsToOld: [Int32], _ old: Span<Rule.Item>, from oldStart: Int,
    _ new: Span<Rule.Item>, from newStart: Int, checksIDs: Bool, _ rule: Rule,
    _ changedRows: inout [Int32]
  ) -> Bool {
    let toOld = rowsToOld.span
    for row in rows {
      let partner = Int(toOld[row])
      if partner < 0 { continue }
      if checksIDs, rule.id(old[partner - oldStart]) != rule.id(new[row - newStart]) {
        return false
      }
      if !rule.isSame(old[partner - oldStart], new[row - newStart]) {
        changedRows.append(Int32(truncatingIfNeeded: row))
      }
    }
    return true
  }

  /// Gives each id a key, whatever its hash is, and pairs all items anew.
  @inlinable @inline(never)
  mutating func pairExactly<Rule: ItemRule>(
    _ old: [[Rule.Item]], _ new: [[Rule.Item]], _ rule: Rule
  ) {
    var keys: [Rule.ID: UInt32] = [:]
    var rows: [[UInt32]] = [[], []]
    for (side, lists) in [old, new].enumerated() {
      for list in lists {
        for item in list {
          let key = rule.id(item)
          let next = UInt32(truncatingIfNeeded: keys.count)
          let known = keys[key] ?? next
          if known == next { keys[key] = next }
          rows[side].append(known)
        }
      }
    }
    pairRepeats(rows[0], rows[1], keys: keys.count)
    isHashed = false
  }
}
