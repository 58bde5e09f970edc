import ListDiff
import ListStages

/// The present key of an item, and the one that it gets.
typealias KeyChange = (old: UInt32, new: UInt32)

extension TreeComparison {
  /// Reports whether any modified item has one of several keys of its identity.
  func hasRepeats(of tree: ListTree) -> Bool {
    [old, new].contains { side in
      side.entries.contains { $0.record != nil && tree.repeats.contains($0.key) }
    }
  }

  /// Returns the keys to exchange so that the items of each pair have the same one: a permutation of
  /// keys of the same identities, in an order that does not depend on hashes.
  func keysToExchange(_ matching: Matching, _ tree: ListTree) -> [KeyChange] {
    var keys: [KeyChange] = []
    for (row, partner) in matching.rowsToOld.enumerated() where partner >= 0 {
      let (present, key) = (new.entries[row].key, old.entries[Int(partner)].key)
      if present != key, tree.repeats.contains(key) { keys.append((present, key)) }
    }
    let paired = keys
    let taken = Set(paired.lazy.map(\.new))
    var free: [UInt32: [UInt32]] = [:]
    for (key, _) in paired where !taken.contains(key) {
      free[tree.repeats.base(of: key), default: []].append(key)
    }
    var given = Set(paired.lazy.map(\.old))
    func give(_ key: UInt32) {
      guard given.insert(key).inserted else { return }
      keys.append((key, free[tree.repeats.base(of: key)]!.removeLast()))
    }
    // The other items take the keys that pairs do not have any more, also those outside of the tree.
    for (row, partner) in matching.rowsToOld.enumerated()
    where partner < 0 && taken.contains(new.entries[row].key) { give(new.entries[row].key) }
    for (_, key) in paired { give(key) }
    return keys
  }

  /// Reports whether both sides have the same sections with equal items in the same order, whatever
  /// the keys of items with the same identity are.
  ///
  /// - Complexity: O(*k* + *m* log *n*), where *k* is the number of rows and *m* the number of items
  ///   that are at another index than before, up to the first one that differs.
  func isSameList(_ tree: ListTree, _ rules: any ContentRules) -> Bool {
    let isSameOrder =
      old.sections.count == new.sections.count
      && zip(old.sections, new.sections).allSatisfy {
        $0.section == $1.section
          && tree.contentChange(ofSection: $0.section, $1.section, rules) == .none
      }
    guard isSameOrder else { return false }
    for section in old.sections.indices {
      let before = old.entries[old.entries(ofSection: section)]
      let after = new.entries[new.entries(ofSection: section)]
      guard before.reduce(0, { $0 + $1.count }) == after.reduce(0, { $0 + $1.count }) else {
        return false
      }
    }
    var blocks: [UInt32: Int] = [:]
    for (index, entry) in new.entries.enumerated() where entry.record == nil {
      blocks[entry.key] = new.items(ofEntry: index).lowerBound
    }
    var (oldRow, newRow) = (Position(), Position())
    while oldRow.row < old.entries.count {
      let (before, after) = (old.entries[oldRow.row], new.entries[newRow.row])
      if before.record == nil, before.key == after.key, oldRow.item == newRow.item {
        oldRow = Position(row: oldRow.row + 1)
        newRow = Position(row: newRow.row + 1)
        continue
      }
      func item(_ entry: Entry, _ position: Position) -> ItemRecord {
        entry.record ?? tree.record(at: tree.location(at: blocks[entry.key]! + position.item)!)
      }
      guard tree.isSame(item(before, oldRow), item(after, newRow), rules) else { return false }
      oldRow.advance(in: old.entries)
      newRow.advance(in: new.entries)
    }
    return true
  }

  /// A row, and an item of it.
  private struct Position {
    var row = 0
    var item = 0

    mutating func advance(in entries: [Entry]) {
      item += 1
      if item == entries[row].count { self = Position(row: row + 1) }
    }
  }
}

extension TreeComparison.Side {
  /// Returns the entries with the keys of their identities.
  func identities(of tree: ListTree) -> Arrangement {
    var arrangement = self.arrangement
    arrangement.rows = arrangement.rows.map { tree.repeats.base(of: $0) }
    arrangement.hasRepeats = true
    return arrangement
  }
}
