/// The kept sections and rows that move.
package struct Movement: Sendable {
  /// By old index, whether the row moves; false for deleted ones.
  package internal(set) var movedRows: [Bool]

  /// The old and the new sections.
  package internal(set) var oldSections: [OldSection]
  var newSections: [NewSection]

  package var sectionCounts: Changes.Counts
  package var rowCounts: Changes.Counts

  /// The number of rows that row operations delete, insert or move. Rows deleted or inserted with
  /// their section do not count.
  package internal(set) var explicitRowChanges: Int

  /// The rows that move, in the order of the new rows; empty if both lists consist of the same
  /// single section.
  var movedRuns: [MovedRun]

  /// Whether any row moves to another section.
  var rowsCross: Bool

  /// Creates a movement that has counts only.
  package init(rowCounts: Counts = Counts(), sectionCounts: Counts = Counts()) {
    self.rowCounts = rowCounts
    self.sectionCounts = sectionCounts
    (movedRows, oldSections, newSections, movedRuns) = ([], [], [], [])
    (explicitRowChanges, rowsCross) = (0, false)
  }
}

extension Movement {
  /// An old section.
  package struct OldSection: Sendable {
    /// Whether it moves; false if it is deleted.
    package internal(set) var isMoved = false
    /// The last stage in which rows leave it if it is deleted, or 0 if none do.
    var lastStage: Int8 = 0
    /// The number of rows that move to another section.
    var leaving: Int32 = 0
    /// The index of a deleted section after the first and after the second stage.
    var indices = SIMD2<Int32>()
  }

  /// A new section.
  struct NewSection {
    /// Whether rows are deleted from it, inserted into it or moved in it.
    var rowsChange = false
    /// The number of its rows that were in it before.
    var kept: Int32 = 0
    /// The number of its rows that were not in the old list.
    var inserted: Int32 = 0
    /// Its index among the kept sections, or -1.
    var keptIndex: Int32 = -1
    /// Its index after the first and after the second stage.
    var indices = SIMD2<Int32>()
  }
}

/// Consecutive rows of one section that move to consecutive positions in one section.
struct MovedRun {
  var rows: MatchedRun
  /// The old section of the rows.
  var from: Int32
  /// The new section of the rows.
  var to: Int32

  init(rows: MatchedRun, from: Int, to: Int) {
    self.rows = rows
    self.from = Int32(truncatingIfNeeded: from)
    self.to = Int32(truncatingIfNeeded: to)
  }
}

extension Movement {
  /// Appends the runs that were not chosen to stay as moves, together with the runs that arrive
  /// from other sections, in the order of the new rows.
  mutating func appendMoves(
    of runs: [MatchedRun], except staying: borrowing IncreasingSubsequence, to target: MovedRun,
    arrivals: [MovedRun]
  ) {
    rowCounts.moves += Self.markMoves(of: runs, except: staying, in: &movedRows)
    let marks = movedRows
    movedRuns.append(addingCapacity: runs.count - staying.chosenCount + arrivals.count) { result in
      var arrival = 0
      for run in runs where marks[Int(run.old)] {
        var move = target
        move.rows = run
        while arrival < arrivals.count, arrivals[arrival].rows.new < run.new {
          result.append(arrivals[arrival])
          arrival += 1
        }
        result.append(move)
      }
      for index in arrival..<arrivals.count { result.append(arrivals[index]) }
    }
  }

  /// Marks the runs that were not chosen to stay, and returns their number of rows.
  static func markMoves(
    of runs: [MatchedRun], except staying: borrowing IncreasingSubsequence,
    in movedRows: inout [Bool]
  ) -> Int {
    let runs = runs.view
    let marks = staying.marks
    var moved = movedRows.mutableView
    var moves = 0
    var index = 0
    while index < runs.count {
      if marks[index] != IncreasingSubsequence.chosen {
        let row = Int(runs[index].old)
        let count = Int(runs[index].count)
        moves &+= count
        moved[row] = true
        // The loop becomes a call, which costs more than a single row.
        if count > 1 { for row in row &+ 1..<row &+ count { moved[row] = true } }
      }
      index &+= 1
    }
    return moves
  }
}

extension DiffEngine {
  /// Finds the fewest moves that bring the kept rows and sections to their new positions.
  ///
  /// In each section, the rows of a longest increasing subsequence of old indices stay. Every other
  /// kept row moves once, as does every row that changes its section. Sections are treated alike;
  /// among equal choices, the one that avoids additional stages is preferred.
  ///
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of rows and sections and *r* the
  ///   number of runs of rows that are out of order.
  package mutating func findMoves(oldStarts: [Int32], newStarts: [Int32]) {
    if movesAreFound {
      movesAreFound = false
      return
    }
    movement.movedRows.fill(matching.rowsToNew.count, with: false)
    if !movement.movedRuns.isEmpty { movement.movedRuns.removeAll(keepingCapacity: true) }
    movement.rowsCross = false
    movement.sectionCounts = Counts()
    movement.rowCounts = Counts()
    movement.explicitRowChanges = 0
    let keptCount =
      matching.hasSingleSection
      ? findMovesOfOnlySection() : findMovesOfSections(oldStarts, newStarts)
    movement.rowCounts.deletes = matching.rowsToNew.count - keptCount
    movement.rowCounts.inserts = matching.rowsToOld.count - keptCount
    movement.explicitRowChanges += movement.rowCounts.moves
  }

  /// Marks the rows and sections that move. Returns the number of kept rows.
  private mutating func findMovesOfSections(_ oldStarts: [Int32], _ newStarts: [Int32]) -> Int {
    movement.oldSections = matching.sectionsToNew.map { _ in Movement.OldSection() }
    movement.newSections = matching.sectionsToOld.map { _ in Movement.NewSection() }
    var keptCount = 0
    var cursor = RunCursor()
    for section in matching.sectionsToOld.indices {
      keptCount += findMoves(ofSection: section, &cursor, oldStarts, newStarts)
    }
    for (section, new) in matching.sectionsToNew.enumerated() where new >= 0 {
      let deleted =
        oldStarts[section + 1] - oldStarts[section] - movement.oldSections[section].leaving
        - movement.newSections[Int(new)].kept
      movement.explicitRowChanges += Int(deleted)
      if deleted > 0 { movement.newSections[Int(new)].rowsChange = true }
    }
    findSectionMoves()
    return keptCount
  }

  /// Marks the rows that move within or into a section. Returns the number of its rows that were in
  /// the old list.
  private mutating func findMoves(
    ofSection section: Int, _ cursor: inout RunCursor, _ oldStarts: [Int32], _ newStarts: [Int32]
  ) -> Int {
    let oldSection = Int(matching.sectionsToOld[section])
    let home = oldSection < 0 ? 0..<0 : oldStarts[oldSection]..<oldStarts[oldSection + 1]
    let start = cursor
    var kept = 0
    var last: Int32 = -1
    var isInOrder = true
    var arrivals = 0
    let firstArrival = movement.movedRuns.count
    let end = newStarts[section + 1]
    while let piece = cursor.next(in: matching.runs, before: end, home: home, oldStarts) {
      if home.contains(piece.old) {
        if piece.old < last { isInOrder = false }
        last = piece.old
        kept += Int(piece.count)
        continue
      }
      arrivals += Int(piece.count)
      let from = oldStarts.section(ofRow: Int(piece.old))
      let run = MovedRun(rows: piece, from: from, to: section)
      movement.movedRuns.append(run)
      recordArrival(run)
    }
    let inserted = Int(end - newStarts[section]) - kept - arrivals
    if oldSection >= 0 { movement.explicitRowChanges += inserted }
    movement.newSections[section].kept = Int32(truncatingIfNeeded: kept)
    movement.newSections[section].inserted = Int32(truncatingIfNeeded: inserted)
    if inserted > 0 || arrivals > 0 || !isInOrder {
      movement.newSections[section].rowsChange = true
    }
    if !isInOrder {
      collectHomeRuns(from: start, before: end, home, oldStarts)
      let home = Int(home.lowerBound)..<Int(home.upperBound)
      let runs = homeRuns
      increasing.chooseStationary(
        of: runs.view, rows: kept, home: home, weights: weights.rows, unless: isStopped)
      let target = MovedRun(rows: MatchedRun(), from: oldSection, to: section)
      let arriving = Array(movement.movedRuns[firstArrival...])
      movement.movedRuns.removeLast(arriving.count)
      movement.appendMoves(of: runs, except: increasing, to: target, arrivals: arriving)
    }
    return kept + arrivals
  }

  /// Stores the runs that were in their section before, in their new order.
  private mutating func collectHomeRuns(
    from start: RunCursor, before end: Int32, _ home: Range<Int32>, _ oldStarts: [Int32]
  ) {
    homeRuns.removeAll(keepingCapacity: true)
    var cursor = start
    while let piece = cursor.next(in: matching.runs, before: end, home: home, oldStarts) {
      if home.contains(piece.old) { homeRuns.append(piece) }
    }
  }

  /// Marks the rows that move if both lists consist of the same single section. Returns the number
  /// of kept rows.
  private mutating func findMovesOfOnlySection() -> Int {
    movement.oldSections = Self.onlySection
    movement.newSections = Self.onlyNewSection
    let (rows, isInOrder) = Self.measure(matching.runs)
    movement.explicitRowChanges += matching.rowsToOld.count - rows
    movement.explicitRowChanges += matching.rowsToNew.count - rows
    if !isInOrder {
      let runs = matching.runs
      increasing.chooseStationary(
        of: runs.view, rows: rows, home: 0..<matching.rowsToNew.count, weights: weights.rows,
        unless: isStopped)
      movement.rowCounts.moves = Movement.markMoves(
        of: runs, except: increasing, in: &movement.movedRows)
    }
    return rows
  }

  /// The only section does not move. A constant is not allocated.
  private static let onlySection = [Movement.OldSection()]
  private static let onlyNewSection = [Movement.NewSection(rowsChange: true)]

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

  private mutating func recordArrival(_ run: MovedRun) {
    movement.rowsCross = true
    movement.oldSections[Int(run.from)].leaving += run.rows.count
    let left = matching.sectionsToNew[Int(run.from)]
    if left >= 0 { movement.newSections[Int(left)].rowsChange = true }
    movement.rowCounts.moves += Int(run.rows.count)
    for row in Int(run.rows.old)..<Int(run.rows.old + run.rows.count) {
      movement.movedRows[row] = true
    }
  }

  private mutating func findSectionMoves() {
    var count = 0
    var last: Int32 = -1
    var isInOrder = true
    for old in matching.sectionsToOld where old >= 0 {
      if old < last { isInOrder = false }
      last = old
      count += 1
    }
    movement.sectionCounts.deletes = matching.sectionsToNew.count - count
    movement.sectionCounts.inserts = matching.sectionsToOld.count - count
    guard !isInOrder else { return }
    weighStages(count)
    increasing.chooseHeaviest(of: keptSections, universe: matching.sectionsToNew.count)
    for (index, section) in keptSections.enumerated() where !increasing.hasChosen(index) {
      movement.oldSections[Int(section.number)].isMoved = true
      movement.sectionCounts.moves += weight(ofSection: section.number)
    }
  }

  /// Returns the number of sections that an old section stands for.
  private func weight(ofSection section: Int32) -> Int {
    weights.sections.isEmpty ? 1 : Int(weights.sections[Int(section)])
  }

  /// Computes the weights of keeping the `count` kept sections in place. The first criterion is one
  /// move less; the second avoids a third stage for rows that leave a deleted section; the third
  /// avoids a second stage for rows that change in the section.
  private mutating func weighStages(_ count: Int) {
    keptSections = []
    keptSections.reserveCapacity(count)
    for (new, old) in matching.sectionsToOld.enumerated() where old >= 0 {
      movement.newSections[new].keptIndex = Int32(truncatingIfNeeded: keptSections.count)
      let weight = KeepingWeight(
        count: weight(ofSection: old), second: movement.newSections[new].rowsChange)
      keptSections.append(WeightedNumber(number: old, weight: weight))
    }
    guard movement.rowsCross else { return }
    for run in movement.movedRuns where matching.sectionsToNew[Int(run.from)] < 0 {
      let index = Int(movement.newSections[Int(run.to)].keptIndex)
      if index >= 0 { keptSections[index].weight.addFirst() }
    }
  }
}

/// Iterates over the runs of a matching, split at section boundaries.
private struct RunCursor {
  private var run = 0
  private var done: Int32 = 0

  /// Returns the next run, or a part of one, whose new rows are before `end` and whose old rows are
  /// in one section. `home` is the old section of most rows.
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
