import ListDiff

extension TreeComparison {
  /// Reports whether any modified item has one of several keys of its identity.
  func hasRepeats(of tree: ListTree) -> Bool {
    [old, new].contains { side in
      side.entries.contains { $0.record != nil && tree.repeats.contains($0.key) }
    }
  }

  /// Returns the new items that get other keys if those of a pair have the same one.
  func pairedKeys(
    _ matching: Matching, _ tree: ListTree
  ) -> [(at: ListTree.Location, key: UInt32)] {
    var keys: [(row: Int, key: UInt32)] = []
    var taken = Set<UInt32>()
    for (row, partner) in matching.rowsToOld.enumerated() where partner >= 0 {
      let key = old.entries[Int(partner)].key
      guard tree.repeats.contains(key) else { continue }
      taken.insert(key)
      if new.entries[row].key != key { keys.append((row, key)) }
    }
    // The other items keep their keys, or take those that pairs do not have any more.
    var free: [UInt32: [UInt32]] = [:]
    for (row, _) in keys where !taken.contains(new.entries[row].key) {
      free[tree.repeats.base(of: new.entries[row].key), default: []].append(new.entries[row].key)
    }
    for (row, partner) in matching.rowsToOld.enumerated()
    where partner < 0 && taken.contains(new.entries[row].key) {
      let identity = tree.repeats.base(of: new.entries[row].key)
      keys.append((row, free[identity]!.removeLast()))
    }
    return keys.map { (tree.location(at: new.items(ofEntry: $0.row).lowerBound)!, $0.key) }
  }

  /// Reports whether both sides have the same sections with equal items in the same order, whatever
  /// the keys of items with the same identity are.
  ///
  /// - Complexity: O(*k* + *m* log *n*), where *k* is the number of rows and *m* the number of items
  ///   that are at another index than before, up to the first one that differs.
  func isSameList(_ tree: ListTree, _ rules: ContentRules) -> Bool {
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
