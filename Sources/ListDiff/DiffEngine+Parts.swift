/// Which rows the items of a list show as, where some show as several or none.
package struct ItemRows: Sendable {
  /// The index of each item's first row, and at the end the number of rows.
  package var starts: [Int32]

  /// By row what tells it from the other rows of its item.
  package var keys: [UInt32]

  /// The key of the row that is an item itself.
  package static let whole = UInt32.max

  package init(starts: [Int32] = [0], keys: [UInt32] = []) {
    self.starts = starts
    self.keys = keys
  }
}

extension DiffEngine {
  /// Turns the matching of items into one of rows: those with the same key of items that are a pair.
  ///
  /// `nil` stands for a list in which each item is one row. Returns the matching of items.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows on both sides.
  package mutating func matchRows(of old: ItemRows?, _ new: ItemRows?) -> Matching {
    let items = matching
    guard old != nil || new != nil else { return items }
    movesAreFound = false
    let oldCount = old?.keys.count ?? items.rowsToNew.count
    let newCount = new?.keys.count ?? items.rowsToOld.count
    matching.rowsToNew.fill(oldCount, with: -1)
    matching.rowsToOld.fill(newCount, with: -1)
    for (item, partner) in items.rowsToOld.enumerated() where partner >= 0 {
      let before = old.rows(ofItem: Int(partner))
      let after = new.rows(ofItem: item)
      // Few parts are found sooner one by one.
      var places: [UInt32: Int]?
      for row in after {
        let key = new.key(ofRow: row)
        let place = before.lowerBound + row - after.lowerBound
        if before.contains(place), old.key(ofRow: place) == key {
          matching.pair(place, row)
        } else if before.count <= 16 {
          if let place = before.first(where: { old.key(ofRow: $0) == key }) {
            matching.pair(place, row)
          }
        } else {
          let known =
            places
            ?? Dictionary(before.map { (old.key(ofRow: $0), $0) }, uniquingKeysWith: { a, _ in a })
          places = known
          if let place = known[key] { matching.pair(place, row) }
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

  /// Where the rows of sections begin, from where their items do.
  func starts(of items: [Int32]) -> [Int32] {
    guard let self else { return items }
    return items.map { self.starts[Int($0)] }
  }

  /// What tells a row from the other rows of its item.
  package func key(ofRow row: Int) -> UInt32 { self?.keys[row] ?? ItemRows.whole }
}
