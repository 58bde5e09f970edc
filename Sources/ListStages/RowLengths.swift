import ListDiff

/// The number of rows that each row of a shortened list stands for, and the number of sections that
/// each section does.
///
/// If rows or sections of a list stand for several ones, a change is computed on the short list and
/// expanded to the long one. Inserted ones stand for themselves. All rows of a section that stands for
/// several are kept.
package struct RowLengths {
  /// The index of each section's first row in the short list, followed by the number of its rows.
  private var starts: [Int32]

  /// By row of the short list, the number of rows of the long list before it, followed by the
  /// number of all.
  private var sums: [Int32]

  /// By section of the short list, the number of sections of the long list before it, followed by the
  /// number of all. Empty if each section stands for itself.
  private var sectionSums: [Int32] = []

  /// Creates the lengths of the rows of a list. Each section begins at one of `starts`, which also have
  /// the number of rows at their end.
  package init(_ lengths: [Int32], starts: [Int32]) {
    self.starts = starts
    var sum: Int32 = 0
    sums = []
    sums.reserveCapacity(lengths.count + 1)
    sums.append(sum)
    for length in lengths {
      sum += length
      sums.append(sum)
    }
  }

  /// Returns the lengths of a list whose sections have the given indices in the long list, which are
  /// followed by the number of its sections.
  package consuming func standing(forSections indices: [Int32]) -> RowLengths {
    sectionSums = indices
    return self
  }

  /// Expands the stages of a change of the short list to the long list. `new` are the lengths after
  /// the change; they are needed if a stage inserts, deletes or moves anything.
  ///
  /// - Complexity: O(*k*), where *k* is the number of operations; for each but the last of the stages
  ///   that insert, delete or move anything O(*n* + *k* log *k*) more, where *n* is the number of
  ///   rows and sections of the short list.
  package func expand(_ stages: inout [Stage], to new: @autoclosure () -> RowLengths) {
    let last = stages.lastIndex { $0.changesStructure }
    guard let last else {
      for index in stages.indices { expand(&stages[index], from: self) }
      return
    }
    var lengths = self
    for index in stages.indices {
      let before = lengths
      if index == last {
        lengths = new()
      } else if index < last {
        lengths.advance(by: stages[index])
      }
      lengths.expand(&stages[index], from: before)
    }
  }

  /// Expands a stage. The lengths are those after the stage.
  private func expand(_ stage: inout Stage, from before: RowLengths) {
    for index in stage.ops.indices {
      var op = stage.ops[index].parts
      let count = op.count
      if op.verb == .insert || op.verb == .move { op.to = expanded(op.to, 0, op.isOfRows).at }
      switch op.verb {
      case .insert: op.at = op.to
      case .delete, .move: (op.at, op.count) = before.expanded(op.at, count, op.isOfRows)
      case .reload, .reconfigure: (op.at, op.count) = expanded(op.at, count, op.isOfRows)
      }
      stage.ops[index] = Op(op)
    }
  }

  /// Returns the position of rows or sections in the long list, and their number there.
  private func expanded(_ at: Path, _ count: Int, _ isOfRows: Bool) -> (at: Path, count: Int) {
    guard isOfRows else {
      let start = index(ofSection: at.row)
      return (Path(section: 0, row: start), index(ofSection: at.row + count) - start)
    }
    let start = Int(starts[at.section])
    let row = start + at.row
    return (
      Path(section: index(ofSection: at.section), row: Int(sums[row] - sums[start])),
      Int(sums[row + count] - sums[row])
    )
  }

  /// Returns the index in the long list of a section.
  private func index(ofSection section: Int) -> Int {
    sectionSums.isEmpty ? section : Int(sectionSums[section])
  }

  /// Changes the lengths to those after a stage.
  private mutating func advance(by stage: Stage) {
    var next = RowLengths([], starts: [])
    if !sectionSums.isEmpty { next.sectionSums = [0] }
    next.sums.reserveCapacity(sums.count)
    let shape = starts.indices.dropLast().map { Int(starts[$0 + 1] - starts[$0]) }
    StageForm(stage).forEachSection(of: shape) { origin, pieces in
      next.starts.append(Int32(truncatingIfNeeded: next.rowCount))
      if let last = next.sectionSums.last {
        next.sectionSums.append(last + (origin.map { sectionSums[$0 + 1] - sectionSums[$0] } ?? 1))
      }
      for piece in pieces {
        let first = piece.from.map { Int(starts[$0.section]) + $0.row }
        for row in 0..<piece.count {
          next.append(first.map { sums[$0 + row + 1] - sums[$0 + row] } ?? 1)
        }
      }
    }
    next.starts.append(Int32(truncatingIfNeeded: next.rowCount))
    self = next
  }

  /// The number of rows of the short list.
  private var rowCount: Int { sums.count - 1 }

  /// Appends a row that stands for `length` rows.
  private mutating func append(_ length: Int32) { sums.append(sums[rowCount] + length) }
}
