/// The number of rows that each row of a shortened list stands for.
///
/// If rows of a list stand for several rows, a change is computed on the short list and expanded to
/// the long one. An inserted row stands for itself.
package struct RowLengths {
  /// The index of each section's first row in the short list, followed by the number of its rows.
  private var starts: [Int32]

  /// By row of the short list, the number of rows of the long list before it, followed by the
  /// number of all.
  private var sums: [Int32]

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
      case .deleteSections, .insertSections, .moveSections, .reloadSections, .reconfigureSections:
        break
      }
    }
  }

  /// Returns the position of rows in the long list, and their number there.
  private func expanded(_ path: Path, _ count: Int) -> (Path, Int) {
    let start = Int(starts[path.section])
    let row = start + path.row
    return (
      Path(section: path.section, row: Int(sums[row] - sums[start])),
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
    arrange(origins(after: stage), placed, isRemoved)
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
