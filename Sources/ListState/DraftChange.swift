import ListDiff

/// What edits have done to a list that is kept in pieces, without whole snapshots.
package struct DraftChange: Sendable {
  package var name: [UInt8]
  package var baseRevision: Int
  package var revision: Int
  package var stages: [Stage]
  package var rows: Counts
  package var sections: Counts

  /// The list as it was and as it is now.
  package var old: DraftRows
  package var new: DraftRows

  /// The kept items that have another value, by their index, and the kept sections whose own members
  /// have, by their indices before and now.
  package var changedItems: [Int]
  package var changedSections: [(old: Int, new: Int)]

  /// The selected rows, and the row with the cursor.
  package var selection: [(at: Path, count: Int)]
  package var cursor: Path?

  /// What left the selection: its key, and its place before.
  package var deselected: [(key: UInt32, at: Path, gone: Bool)]

  /// Whether the selection or the cursor is another than before.
  package var isMarked: Bool
}

extension SnapshotChange {
  /// What is told of a change of a list that is kept in pieces.
  package init(_ change: DraftChange) {
    stages = change.stages
    movement = Movement(rowCounts: change.rows, sectionCounts: change.sections)
  }
}

/// The places of the items of a draft, counted through all of its sections.
struct DraftPlaces {
  /// By section the number of items before it, and at the end that of all.
  let starts: [Int]

  init(_ draft: Draft) {
    var starts = [0]
    for section in draft.sections {
      starts.append(starts[starts.count - 1] + section.pieces.reduce(0) { $0 + $1.range.count })
    }
    self.starts = starts
  }

  /// The number of items.
  var count: Int { starts[starts.count - 1] }

  /// The section and the row in it of an item.
  func path(of item: Int) -> Path {
    var low = 0
    var high = starts.count - 1
    // Empty sections begin where the next does; the item is in the last of them.
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= item { low = middle } else { high = middle }
    }
    return Path(section: low, row: item - starts[low])
  }
}

/// Where the items of a draft are after edits.
struct DraftMap {
  private let oldOffsets: [Int]
  private let newOffsets: [Int]
  private let toNew: [Int32]

  init(_ comparison: DraftComparison, _ matching: Matching) {
    oldOffsets = comparison.old.offsets
    newOffsets = comparison.new.offsets
    toNew = matching.rowsToNew
  }

  /// The new place of an item, `nil` where it is gone.
  func place(of item: Int) -> Int? {
    let row = row(of: item)
    return toNew[row] < 0 ? nil : newOffsets[Int(toNew[row])] + item - oldOffsets[row]
  }

  /// The place of the next item after one that stayed, or else of the one before.
  func neighbour(of item: Int) -> Int? {
    let row = row(of: item)
    if let next = toNew[(row + 1)...].first(where: { $0 >= 0 }) { return newOffsets[Int(next)] }
    return toNew[..<row].last { $0 >= 0 }.map { newOffsets[Int($0) + 1] - 1 }
  }

  private func row(of item: Int) -> Int {
    var low = 0
    var high = oldOffsets.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if oldOffsets[middle] <= item { low = middle } else { high = middle }
    }
    return low
  }
}
