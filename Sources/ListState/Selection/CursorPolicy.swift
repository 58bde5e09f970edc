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
