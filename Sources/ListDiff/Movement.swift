/// Which of the kept sections and rows move.
package struct Movement: Sendable {
  /// By old index; false for what is deleted.
  package internal(set) var movedSections: [Bool] = []
  package internal(set) var movedRows: [Bool] = []

  package internal(set) var sectionCounts = Counts()
  package internal(set) var rowCounts = Counts()

  /// Deletes, inserts and moves of rows that are told as such: not those that go or come with
  /// their section.
  package internal(set) var rowOpsTold = 0

  /// The rows that move, in the order of the new rows.
  var movedRuns: [MovedRun] = []

  /// Whether any row leaves its section for another.
  var rowsCross = false

  /// By old section: how many rows leave it for another section.
  var leaving: [Int32] = []

  /// By new section: whether rows come, go or move in it.
  var rowsChange: [Bool] = []

  package init() {}

  /// Only counts.
  package init(rowCounts: Counts, sectionCounts: Counts) {
    self.rowCounts = rowCounts
    self.sectionCounts = sectionCounts
  }
}

/// Consecutive rows of one section that move to consecutive places in one section.
struct MovedRun {
  var rows: MatchedRun
  /// The old section that they are taken from.
  var from: Int32
  /// The new section that they are put into.
  var to: Int32

  init(rows: MatchedRun, from: Int, to: Int) {
    self.rows = rows
    self.from = Int32(truncatingIfNeeded: from)
    self.to = Int32(truncatingIfNeeded: to)
  }
}

extension Movement {
  /// Tells the runs at home that were not chosen as moves, with the arrivals in the order of places.
  mutating func tellMoves(
    of runs: [MatchedRun], but chosen: [Int32], to target: MovedRun, _ arrivals: [MovedRun]
  ) {
    movedRuns.append(addingCapacity: runs.count - chosen.count + arrivals.count) { told in
      rowCounts.moves += Self.tell(
        runs.view, but: chosen.view, arrivals.view, as: target, in: &told, &movedRows)
    }
  }

  private static func tell(
    _ runs: Span<MatchedRun>, but chosen: Span<Int32>, _ arrivals: Span<MovedRun>,
    as target: MovedRun, in told: inout OutputSpan<MovedRun>, _ movedRows: inout [Bool]
  ) -> Int {
    var marks = movedRows.mutableView
    var arrival = 0
    var moves = 0
    var next = 0
    // Those chosen are counted down; what moves is between one and the next.
    for place in stride(from: chosen.count, through: 0, by: -1) {
      let staying = place == 0 ? runs.count : Int(chosen[place &- 1])
      while next < staying {
        var move = target
        move.rows = runs[next]
        while arrival < arrivals.count, arrivals[arrival].rows.new < move.rows.new {
          told.append(arrivals[arrival])
          arrival += 1
        }
        told.append(move)
        moves += Int(move.rows.count)
        for row in Int(move.rows.old)..<Int(move.rows.old + move.rows.count) { marks[row] = true }
        next += 1
      }
      next = staying + 1
    }
    for index in arrival..<arrivals.count { told.append(arrivals[index]) }
    return moves
  }
}

/// The kept rows of one section in their new order, as runs of consecutive old indices.
struct KeptRuns {
  /// The runs that were in the section before, and how many rows they are.
  var home: [MatchedRun] = []
  var rows = 0
  var isInOrder = true

  /// The runs that come from other sections.
  var arrivals: [MovedRun] = []

  mutating func removeAll() {
    home.removeAll(keepingCapacity: true)
    arrivals.removeAll(keepingCapacity: true)
    rows = 0
    isInOrder = true
  }

  /// Adds a run that was in the section before.
  mutating func append(_ run: MatchedRun) {
    if let last = home.last, run.old < last.old { isInOrder = false }
    home.append(run)
    rows += Int(run.count)
  }
}

/// The kept sections in their new order, as old indices, and what it is worth that each stays.
struct KeptSections {
  var sections: [Int32] = []
  var weights: [KeepingWeight] = []
  /// By new section: its index in `sections`.
  var indices: [Int32] = []
}

extension DiffEngine {
  /// Finds the fewest moves that put the kept rows and sections in their new places.
  ///
  /// In each section the rows of a longest increasing subsequence of old places stay; every other
  /// kept row moves once, as does every row that changes its section. So with the sections, where of
  /// equal choices one is taken that keeps in place what would need another stage.
  ///
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of rows and sections and *r* the
  ///   number of runs of rows that are out of order.
  package mutating func findMoves(oldStarts: [Int32], newStarts: [Int32]) {
    if movesAreFound {
      movesAreFound = false
      return
    }
    let oldCount = matching.rowsToNew.count
    let newCount = matching.rowsToOld.count
    movement.movedRows.fill(oldCount, with: false)
    movement.movedSections.fill(matching.sectionsToNew.count, with: false)
    movement.leaving.fill(matching.sectionsToNew.count, with: 0)
    movement.rowsChange.fill(matching.sectionsToOld.count, with: false)
    movement.movedRuns.removeAll(keepingCapacity: true)
    movement.rowsCross = false
    movement.sectionCounts = Counts()
    movement.rowCounts = Counts()
    movement.rowOpsTold = 0
    keptInSection.fill(matching.sectionsToOld.count, with: 0)

    var keptCount = 0
    if matching.hasOnlySection {
      keptCount = findMovesOfOnlySection(oldCount, newCount)
    } else {
      var cursor = RunCursor()
      for section in matching.sectionsToOld.indices {
        keptCount += findMoves(ofSection: section, &cursor, oldStarts, newStarts)
      }
    }
    for (section, new) in matching.sectionsToNew.enumerated() where new >= 0 {
      let gone =
        oldStarts[section + 1] - oldStarts[section] - movement.leaving[section]
        - keptInSection[Int(new)]
      movement.rowOpsTold += Int(gone)
      if gone > 0 { movement.rowsChange[Int(new)] = true }
    }
    movement.rowCounts.deletes = oldCount - keptCount
    movement.rowCounts.inserts = newCount - keptCount
    movement.rowOpsTold += movement.rowCounts.moves
    findSectionMoves()
    cost.searchSteps = increasing.searchSteps
  }

  /// Marks the rows that move in or into a section and returns how many of its rows were there before.
  private mutating func findMoves(
    ofSection section: Int, _ cursor: inout RunCursor, _ oldStarts: [Int32], _ newStarts: [Int32]
  ) -> Int {
    let oldSection = Int(matching.sectionsToOld[section])
    let home = oldSection < 0 ? 0..<0 : oldStarts[oldSection]..<oldStarts[oldSection + 1]
    kept.removeAll()
    var arrivals = 0
    let end = newStarts[section + 1]
    while let piece = cursor.next(in: matching.runs, before: end, home: home, oldStarts) {
      if home.contains(piece.old) {
        kept.append(piece)
        continue
      }
      arrivals += Int(piece.count)
      let from = oldStarts.section(ofRow: Int(piece.old))
      kept.arrivals.append(MovedRun(rows: piece, from: from, to: section))
    }
    keptInSection[section] = Int32(truncatingIfNeeded: kept.rows)
    let comers = Int(end - newStarts[section]) - kept.rows - arrivals
    if oldSection >= 0 { movement.rowOpsTold += comers }
    if comers > 0 || arrivals > 0 || !kept.isInOrder { movement.rowsChange[section] = true }
    for run in kept.arrivals { tellArrival(run) }
    if kept.isInOrder {
      movement.movedRuns.append(contentsOf: kept.arrivals)
    } else {
      let home = Int(home.lowerBound)..<Int(home.upperBound)
      chooseStaying(of: kept.home, rows: kept.rows, home)
      let target = MovedRun(rows: MatchedRun(), from: oldSection, to: section)
      movement.tellMoves(of: kept.home, but: increasing.chosen, to: target, kept.arrivals)
    }
    return kept.rows + arrivals
  }

  /// As for each section, where both lists have one and the same.
  private mutating func findMovesOfOnlySection(_ oldCount: Int, _ newCount: Int) -> Int {
    let (rows, isInOrder) = Self.measure(matching.runs)
    keptInSection[0] = Int32(truncatingIfNeeded: rows)
    movement.rowOpsTold += newCount - rows
    movement.rowsChange[0] = newCount > rows || !isInOrder
    if !isInOrder {
      chooseStaying(of: matching.runs, rows: rows, 0..<oldCount)
      let target = MovedRun(rows: MatchedRun(), from: 0, to: 0)
      movement.tellMoves(of: matching.runs, but: increasing.chosen, to: target, [])
    }
    return rows
  }

  private static func measure(_ runs: [MatchedRun]) -> (rows: Int, isInOrder: Bool) {
    let runs = runs.view
    var rows = 0
    var isInOrder = true
    var last: Int32 = -1
    for index in 0..<runs.count {
      rows &+= Int(runs[index].count)
      if runs[index].old < last { isInOrder = false }
      last = runs[index].old
    }
    return (rows, isInOrder)
  }

  private mutating func tellArrival(_ run: MovedRun) {
    movement.rowsCross = true
    movement.leaving[Int(run.from)] += run.rows.count
    let left = matching.sectionsToNew[Int(run.from)]
    if left >= 0 { movement.rowsChange[Int(left)] = true }
    movement.rowCounts.moves += Int(run.rows.count)
    for row in Int(run.rows.old)..<Int(run.rows.old + run.rows.count) {
      movement.movedRows[row] = true
    }
  }

  /// Leaves in `increasing.chosen` the runs at home that stay.
  private mutating func chooseStaying(of runs: [MatchedRun], rows: Int, _ home: Range<Int>) {
    if !rowWeights.isEmpty {
      let weights = runs.map { run in
        let rows = rowWeights[Int(run.old)..<Int(run.old + run.count)]
        return KeepingWeight(count: rows.reduce(0) { $0 + Int($1) })
      }
      increasing.chooseHeaviest(
        of: runs.map(\.old), weights: weights, universe: matching.rowsToNew.count)
    } else if runs.count * 64 < rows {
      increasing.chooseHeaviest(
        of: runs.map(\.old), weights: runs.map { KeepingWeight(count: Int($0.count)) },
        universe: matching.rowsToNew.count)
    } else {
      increasing.chooseLongest(of: runs, home: home, unless: isStopped)
    }
  }

  private mutating func findSectionMoves() {
    keptSections.sections.removeAll(keepingCapacity: true)
    var isInOrder = true
    for old in matching.sectionsToOld where old >= 0 {
      if let last = keptSections.sections.last, old < last { isInOrder = false }
      keptSections.sections.append(old)
    }
    let count = keptSections.sections.count
    movement.sectionCounts.deletes = matching.sectionsToNew.count - count
    movement.sectionCounts.inserts = matching.sectionsToOld.count - count
    guard !isInOrder else { return }
    weighStages()
    for section in keptSections.sections { movement.movedSections[Int(section)] = true }
    increasing.chooseHeaviest(
      of: keptSections.sections, weights: keptSections.weights,
      universe: matching.sectionsToNew.count)
    for index in increasing.chosen {
      movement.movedSections[Int(keptSections.sections[Int(index)])] = false
    }
    movement.sectionCounts.moves = count - increasing.chosen.count
  }

  /// Weighs what it is worth that a kept section stays: first of all one move less, then no third
  /// stage for rows that come out of a vanishing section, then no second stage for rows that
  /// change in it.
  private mutating func weighStages() {
    keptSections.weights.removeAll(keepingCapacity: true)
    keptSections.indices.fill(matching.sectionsToOld.count, with: -1)
    for (index, old) in keptSections.sections.enumerated() {
      let new = Int(matching.sectionsToNew[Int(old)])
      keptSections.weights.append(KeepingWeight(count: 1, second: movement.rowsChange[new]))
      keptSections.indices[new] = Int32(truncatingIfNeeded: index)
    }
    guard movement.rowsCross else { return }
    for run in movement.movedRuns where matching.sectionsToNew[Int(run.from)] < 0 {
      let index = Int(keptSections.indices[Int(run.to)])
      if index >= 0 { keptSections.weights[index].addFirst() }
    }
  }
}

/// Goes through the runs of a matching, cut where sections end.
private struct RunCursor {
  private var run = 0
  private var done: Int32 = 0

  /// The next run, or part of one, of rows that are new rows before `end` and together in an old
  /// section; `home` is the old section that most of them are in.
  @inline(__always)
  mutating func next(
    in runs: [MatchedRun], before end: Int32, home: Range<Int32>, _ oldStarts: [Int32]
  ) -> MatchedRun? {
    guard run < runs.count else { return nil }
    var piece = runs[run]
    let whole = piece.count
    piece.old += done
    piece.new += done
    piece.count -= done
    guard piece.new < end else { return nil }
    let limit =
      home.contains(piece.old)
      ? home.upperBound : oldStarts[oldStarts.section(ofRow: Int(piece.old)) + 1]
    piece.count = min(piece.count, end - piece.new, limit - piece.old)
    done += piece.count
    if done == whole {
      run += 1
      done = 0
    }
    return piece
  }
}
