import ListDiff

/// The rows that the items of a list show as, if some items show as several rows or none.
package struct ItemRows: Sendable {
  /// The index of each item's first row, followed by the number of rows.
  package var starts: [Int32]

  /// By row, the key that distinguishes it from the other rows of its item.
  package var keys: [UInt32]

  /// The key of a row that shows the whole item.
  package static var whole: UInt32 { .max }

  package init(starts: [Int32] = [0], keys: [UInt32] = []) {
    self.starts = starts
    self.keys = keys
  }
}

extension DiffEngine {
  /// Turns the matching of items into a matching of rows: rows with the same key in paired items
  /// are a pair. Returns the matching of items.
  ///
  /// Pass `nil` for a list in which each item is one row.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows on both sides.
  package mutating func matchRows(of old: ItemRows?, _ new: ItemRows?) -> Matching {
    let items = matching
    guard old != nil || new != nil else { return items }
    movesAreFound = false
    matching.rowsToNew.fill(old?.keys.count ?? items.rowsToNew.count, with: -1)
    matching.rowsToOld.fill(new?.keys.count ?? items.rowsToOld.count, with: -1)
    for (item, partner) in items.rowsToOld.enumerated() where partner >= 0 {
      let before = old.rows(ofItem: Int(partner))
      let after = new.rows(ofItem: item)
      // A linear search is faster for few parts.
      var rowsByKey: [UInt32: Int]?
      for row in after {
        let key = new.key(ofRow: row)
        let expected = before.lowerBound + row - after.lowerBound
        if before.contains(expected), old.key(ofRow: expected) == key {
          matching.pair(expected, row)
        } else if before.count <= 16 {
          if let partner = before.first(where: { old.key(ofRow: $0) == key }) {
            matching.pair(partner, row)
          }
        } else {
          let table =
            rowsByKey
            ?? Dictionary(before.map { (old.key(ofRow: $0), $0) }, uniquingKeysWith: { a, _ in a })
          rowsByKey = table
          if let partner = table[key] { matching.pair(partner, row) }
        }
      }
    }
    matching.gatherRuns()
    return items
  }
}

extension ItemRows? {
  /// The rows of an item.
  package func rows(ofItem item: Int) -> Range<Int> {
    guard let self else { return item..<item + 1 }
    return Int(self.starts[item])..<Int(self.starts[item + 1])
  }

  /// Converts the starts of sections from items to rows.
  func starts(of items: [Int32]) -> [Int32] {
    guard let self else { return items }
    return items.map { self.starts[Int($0)] }
  }

  /// Returns the key that distinguishes a row from the other rows of its item.
  package func key(ofRow row: Int) -> UInt32 {
    self?.keys[row] ?? ItemRows.whole
  }
}
