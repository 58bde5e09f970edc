import ListDiff

/// The rows and sections that a stage inserts, as positions in the final list.
package struct StageInsertions: Hashable, Sendable {
  /// Rows that are consecutive in the final list.
  package struct Rows: Hashable, Sendable {
    package var at: Path
    package var count: Int
  }

  /// The final indices of the inserted sections, in the order of the operations.
  package var sections: [Int] = []

  /// The final positions of the inserted rows, in the order of the operations: first those of
  /// inserted sections, then those of row operations.
  package var rows: [Rows] = []

  /// Returns the insertions of each stage of a change.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations. If another structural
  ///   stage follows, also O(*r* log *k*), where *r* is the number of inserted rows.
  package static func ofStages(_ stages: [Stage]) -> [StageInsertions] {
    var result: [StageInsertions] = []
    var later: [StageForm] = []
    for (index, stage) in stages.enumerated().reversed() {
      result.append(StageInsertions(stage, before: later.reversed()))
      // Content updates shift nothing.
      if index > 0, stage.changesStructure { later.append(StageForm(stage)) }
    }
    return result.reversed()
  }

  private init(_ stage: Stage, before later: [StageForm]) {
    var counts = stage.insertedRowCounts[...]
    for op in stage.ops {
      guard case .insertSections(let at, let count) = op else { continue }
      for section in at..<at + count {
        sections.append(later.reduce(section) { $1.section($0) ?? $0 })
        append(Path(section: section, row: 0), count: counts.removeFirst(), later)
      }
    }
    for op in stage.ops {
      guard case .insertItems(let at, let count) = op else { continue }
      append(at, count: count, later)
    }
  }

  private mutating func append(_ start: Path, count: Int, _ later: [StageForm]) {
    guard count > 0 else { return }
    guard !later.isEmpty else {
      rows.append(Rows(at: start, count: count))
      return
    }
    for offset in 0..<count {
      let at = later.reduce(start.advanced(by: offset)) { $1.path($0) ?? $0 }
      if offset > 0, let last = rows.last, last.at.advanced(by: last.count) == at {
        rows[rows.count - 1].count += 1
      } else {
        rows.append(Rows(at: at, count: 1))
      }
    }
  }
}
