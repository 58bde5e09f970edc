import ListDiff

extension Selection {
  /// The selection in the next snapshot: by identity, without what may no longer be selected.
  ///
  /// Where a section allows one selected item and more come, the first stays.
  ///
  /// - Complexity: O(*i* log *s* + *n*), where *i* is the number of selected items, *s* that of
  ///   sections and *n* that of items divided by 64.
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

/// Where a cursor goes when the rows change.
package enum CursorPolicy: String, Sendable, CaseIterable {
  /// With its row; where that is gone, to the next row in the old order that stayed, else the one
  /// before.
  case follow
  /// Nowhere: it keeps its row number.
  case stay
  /// To the first row.
  case first
}

extension CursorPolicy {
  /// The flat row of a cursor after a change; `nil` where there is none, and where there are no rows.
  ///
  /// - Complexity: O(*n*) at worst, where *n* is the number of old rows; O(1) where the row stays.
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
