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
    sums = []
    sums.append(addingCapacity: lengths.count + 1) { sums in
      var sum: Int32 = 0
      sums.append(sum)
      for length in lengths {
        sum += length
        sums.append(sum)
      }
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
    let last = stages.lastIndex { $0.ops.contains(where: \.changesLayout) }
    var lengths = self
    for index in stages.indices {
      let before = lengths
      if index == last {
        lengths = new()
      } else if last.map({ index < $0 }) == true {
        lengths.advance(by: stages[index])
      }
      lengths.expand(&stages[index], from: before)
    }
  }

  /// Expands a stage. The lengths are those after the stage.
  private func expand(_ stage: inout Stage, from before: RowLengths) {
    for index in stage.ops.indices {
      switch stage.ops[index] {
      case .deleteItems(let at, let count):
        let (at, count) = before.expanded(at, count)
        stage.ops[index] = .deleteItems(at: at, count: count)
      case .insertItems(let at, let count):
        stage.ops[index] = .insertItems(at: expanded(at, 0).0, count: count)
      case .moveItems(let from, let to, let count):
        let (from, length) = before.expanded(from, count)
        stage.ops[index] = .moveItems(from: from, to: expanded(to, 0).0, count: length)
      case .reloadItems(let at, let count):
        let (at, count) = expanded(at, count)
        stage.ops[index] = .reloadItems(at: at, count: count)
      case .reconfigureItems(let at, let count):
        let (at, count) = expanded(at, count)
        stage.ops[index] = .reconfigureItems(at: at, count: count)
      case .deleteSections(let at, let count):
        let (at, count) = before.expanded(sections: at, count)
        stage.ops[index] = .deleteSections(at: at, count: count)
      case .insertSections(let at, let count):
        let (at, count) = expanded(sections: at, count)
        stage.ops[index] = .insertSections(at: at, count: count)
      case .moveSections(let from, let to, let count):
        let (from, length) = before.expanded(sections: from, count)
        let to = expanded(sections: to, 0).at
        stage.ops[index] = .moveSections(from: from, to: to, count: length)
      case .reloadSections(let at, let count):
        let (at, count) = expanded(sections: at, count)
        stage.ops[index] = .reloadSections(at: at, count: count)
      case .reconfigureSections(let at, let count):
        let (at, count) = expanded(sections: at, count)
        stage.ops[index] = .reconfigureSections(at: at, count: count)
      }
    }
  }

  /// Returns the index of sections in the long list, and their number there.
  private func expanded(sections at: Int, _ count: Int) -> (at: Int, count: Int) {
    guard !sectionSums.isEmpty else { return (at, count) }
    return (Int(sectionSums[at]), Int(sectionSums[at + count] - sectionSums[at]))
  }

  /// Returns the position of rows in the long list, and their number there.
  private func expanded(_ path: Path, _ count: Int) -> (Path, Int) {
    let start = Int(starts[path.section])
    let row = start + path.row
    return (
      Path(section: expanded(sections: path.section, 0).at, row: Int(sums[row] - sums[start])),
      Int(sums[row + count] - sums[row])
    )
  }

  /// Rows that a stage inserts or moves: their path after it, and the first of them in the short
  /// list before it, if they move.
  private struct Placed {
    var at: Path
    var count: Int
    var old: Int?
  }

  /// A section after a stage: one of the sections before it, or an inserted one with its number of
  /// rows.
  private enum Origin {
    case section(Int)
    case inserted(rows: Int)
  }

  private mutating func advance(by stage: Stage) {
    var isRemoved = [Bool](repeating: false, count: sums.count - 1)
    var placed: [Placed] = []
    for op in stage.ops {
      switch op {
      case .deleteItems(let at, let count):
        let old = Int(starts[at.section]) + at.row
        for row in old..<old + count { isRemoved[row] = true }
      case .insertItems(let at, let count): placed.append(Placed(at: at, count: count))
      case .moveItems(let from, let to, let count):
        let old = Int(starts[from.section]) + from.row
        for row in old..<old + count { isRemoved[row] = true }
        placed.append(Placed(at: to, count: count, old: old))
      default: break
      }
    }
    placed.sort { $0.at < $1.at }
    let origins = origins(after: stage)
    arrange(origins, placed, isRemoved)
    arrangeSections(origins)
  }

  /// Returns the sections after a stage in order.
  private func origins(after stage: Stage) -> [Origin] {
    var isLeft = [Bool](repeating: false, count: starts.count - 1)
    var placed: [Int: Origin] = [:]
    var counts = stage.insertedRowCounts[...]
    for op in stage.ops {
      switch op {
      case .deleteSections(let at, let count):
        for section in at..<at + count { isLeft[section] = true }
      case .insertSections(let at, let count):
        for section in at..<at + count { placed[section] = .inserted(rows: counts.removeFirst()) }
      case .moveSections(let from, let to, let count):
        for offset in 0..<count {
          isLeft[from + offset] = true
          placed[to + offset] = .section(from + offset)
        }
      default: break
      }
    }
    var origins: [Origin] = []
    origins.reserveCapacity(isLeft.count + placed.count)
    func addPlaced() { while let next = placed[origins.count] { origins.append(next) } }
    for section in isLeft.indices where !isLeft[section] {
      addPlaced()
      origins.append(.section(section))
    }
    addPlaced()
    return origins
  }

  /// Makes the sections after a stage: rows that were not removed, with the placed ones between them.
  private mutating func arrange(_ origins: [Origin], _ placed: [Placed], _ isRemoved: [Bool]) {
    let (starts, sums) = (self.starts, self.sums)
    self.starts.removeAll(keepingCapacity: true)
    self.sums.removeAll(keepingCapacity: true)
    self.sums.append(0)
    self.sums.reserveCapacity(sums.count + placed.count)
    var next = 0
    for (section, origin) in origins.enumerated() {
      let first = rowCount
      self.starts.append(Int32(truncatingIfNeeded: first))
      /// Appends the rows that are placed next in the section.
      func appendPlaced() {
        while next < placed.count, placed[next].at == Path(section: section, row: rowCount - first)
        {
          for offset in 0..<placed[next].count {
            append(placed[next].old.map { sums[$0 + offset + 1] - sums[$0 + offset] } ?? 1)
          }
          next += 1
        }
      }
      switch origin {
      case .section(let old):
        for row in Int(starts[old])..<Int(starts[old + 1]) where !isRemoved[row] {
          appendPlaced()
          append(sums[row + 1] - sums[row])
        }
      case .inserted(let count):
        for _ in 0..<count {
          appendPlaced()
          append(1)
        }
      }
      appendPlaced()
    }
    self.starts.append(Int32(truncatingIfNeeded: rowCount))
  }

  /// Finds the numbers of sections that the sections after a stage stand for.
  private mutating func arrangeSections(_ origins: [Origin]) {
    if sectionSums.isEmpty { return }
    var sum: Int32 = 0
    var sums: [Int32] = [0]
    for origin in origins {
      if case .section(let old) = origin {
        sum += sectionSums[old + 1] - sectionSums[old]
      } else {
        sum += 1
      }
      sums.append(sum)
    }
    sectionSums = sums
  }

  /// The number of rows of the short list.
  private var rowCount: Int { sums.count - 1 }

  /// Appends a row that stands for `length` rows.
  private mutating func append(_ length: Int32) { sums.append(sums[rowCount] + length) }
}

extension Op {
  /// Whether the operation inserts, deletes or moves rows or sections.
  fileprivate var changesLayout: Bool {
    switch self {
    case .deleteSections, .insertSections, .moveSections, .deleteItems, .insertItems, .moveItems:
      true
    case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: false
    }
  }
}
