import ListDiff

extension Selection {
  /// Returns the selection of the next snapshot: the same items, except those that may no longer be
  /// selected.
  ///
  /// If a section allows one selected item and has more, the first one stays selected.
  ///
  /// - Complexity: O(*i* log *s* + *n*), where *i* is the number of selected items, *s* the number
  ///   of sections and *n* the number of items divided by 64.
  package func carried(by itemsToNew: [Int32], to snapshot: Snapshot) -> Selection {
    var result = Selection(count: snapshot.itemCount)
    for item in items.members {
      let new = Int(itemsToNew[item])
      if new >= 0, snapshot.isSelectable(new) { result.items.insert(new) }
    }
    result.keepFirstOfSingle(in: snapshot)
    result.anchor = anchor.map { Int(itemsToNew[$0]) }.flatMap { $0 < 0 ? nil : $0 }
    result.extended = extended.map { Int(itemsToNew[$0]) }.filter { $0 >= 0 }
    return result
  }

  private mutating func keepFirstOfSingle(in snapshot: Snapshot) {
    var next = items.first(from: 0)
    while let item = next {
      let section = snapshot.section(ofItem: item)
      let end = snapshot.arrangement.range(ofSection: section).upperBound
      if snapshot.sections[section].selectionMode == .single { items.remove(in: item + 1..<end) }
      next = items.first(from: end)
    }
  }
}

/// How a cursor follows a change of the rows.
package enum CursorPolicy: String, Sendable, CaseIterable {
  /// The cursor stays on its row. If the row is deleted, it moves to the next kept row in the old
  /// order, or else to the last kept row before it.
  case follow
  /// The cursor keeps its row number.
  case stay
  /// The cursor moves to the first row.
  case first
}

extension CursorPolicy {
  /// Returns the flat row of a cursor after a change, or `nil` if there is no cursor or no row.
  ///
  /// - Complexity: O(*n*) at worst, where *n* is the number of old rows; O(1) if the row is kept.
  package func row(
    of cursor: Int?, rowsToNew: [Int32], newCount: Int, firstRowOfItem: (Int) -> Int?
  ) -> Int? {
    guard newCount > 0 else { return nil }
    if self == .first { return 0 }
    guard let cursor else { return nil }
    if self == .follow {
      if rowsToNew[cursor] >= 0 { return Int(rowsToNew[cursor]) }
      if let row = firstRowOfItem(cursor) { return row }
      if let next = rowsToNew[cursor...].first(where: { $0 >= 0 }) { return Int(next) }
      if let last = rowsToNew[..<cursor].last(where: { $0 >= 0 }) { return Int(last) }
    }
    return min(cursor, newCount - 1)
  }
}
