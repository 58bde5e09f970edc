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
}

/// Consecutive rows of one section that move to consecutive places in one section.
struct MovedRun {
  var rows: MatchedRun
  /// The old section that they are taken from.
  var from: Int32
  /// The new section that they are put into.
  var to: Int32
}

/// The kept rows of one section in their new order, as runs of consecutive old indices.
struct KeptRuns {
  /// The runs that were in the section before.
  var starts: [Int32] = []
  var counts: [Int32] = []
  var weights: [UInt128] = []
  var rows = 0
  var isInOrder = true

  /// All runs with the section that each comes from: those that were in the section before and
  /// stay are taken away from here.
  var pieces: [MovedRun] = []

  mutating func removeAll() {
    starts.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    rows = 0
    isInOrder = true
  }

  /// Adds a run of `count` that was in the section before.
  mutating func append(_ start: Int32, count: Int32) {
    if let last = starts.last, start < last { isInOrder = false }
    starts.append(start)
    counts.append(count)
    rows += Int(count)
  }
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

    var cursor = RunCursor()
    var keptCount = 0
    for section in matching.sectionsToOld.indices {
      keptCount += findMoves(ofSection: section, &cursor, oldStarts, newStarts)
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
    findSectionMoves(newStarts)
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
      let isHome = home.contains(piece.old)
      if isHome {
        kept.append(piece.old, count: piece.count)
      } else {
        arrivals += Int(piece.count)
      }
      let from = isHome ? oldSection : oldStarts.section(ofRow: Int(piece.old))
      kept.pieces.append(
        MovedRun(
          rows: piece, from: Int32(truncatingIfNeeded: from),
          to: Int32(truncatingIfNeeded: section)))
    }
    keptInSection[section] = Int32(truncatingIfNeeded: kept.rows)
    let comers = Int(end - newStarts[section]) - kept.rows - arrivals
    if oldSection >= 0 { movement.rowOpsTold += comers }
    if comers > 0 || arrivals > 0 || !kept.isInOrder { movement.rowsChange[section] = true }
    if arrivals > 0 || !kept.isInOrder { tellMoves(home: oldSection) }
    return kept.rows + arrivals
  }

  /// Marks the gathered rows but for a longest increasing subsequence of those that are at home.
  private mutating func tellMoves(home: Int) {
    chooseStaying()
    var place = increasing.chosen.count
    var run: Int32 = -1
    for piece in kept.pieces {
      if Int(piece.from) == home {
        run += 1
        if place > 0, increasing.chosen[place - 1] == run {
          place -= 1
          continue
        }
      } else {
        movement.rowsCross = true
        movement.leaving[Int(piece.from)] += piece.rows.count
        let left = matching.sectionsToNew[Int(piece.from)]
        if left >= 0 { movement.rowsChange[Int(left)] = true }
      }
      movement.rowCounts.moves += Int(piece.rows.count)
      movement.movedRuns.append(piece)
      for row in Int(piece.rows.old)..<Int(piece.rows.old + piece.rows.count) {
        movement.movedRows[row] = true
      }
    }
  }

  /// Leaves in `increasing.chosen` the runs at home that stay.
  private mutating func chooseStaying() {
    if kept.isInOrder {
      increasing.chooseAll(kept.starts.count)
    } else if kept.starts.count * 64 < kept.rows {
      kept.weights.removeAll(keepingCapacity: true)
      for count in kept.counts { kept.weights.append(UInt128(count)) }
      increasing.chooseHeaviest(
        of: kept.starts, weights: kept.weights, universe: matching.rowsToNew.count)
    } else {
      increasing.chooseLongest(ofRuns: kept.starts, counts: kept.counts, elements: kept.rows)
    }
  }

  private mutating func findSectionMoves(_ newStarts: [Int32]) {
    kept.removeAll()
    for old in matching.sectionsToOld where old >= 0 { kept.append(old, count: 1) }
    movement.sectionCounts.deletes = matching.sectionsToNew.count - kept.rows
    movement.sectionCounts.inserts = matching.sectionsToOld.count - kept.rows
    guard !kept.isInOrder else { return }
    weighStages()
    for section in kept.starts { movement.movedSections[Int(section)] = true }
    increasing.chooseHeaviest(
      of: kept.starts, weights: kept.weights, universe: matching.sectionsToNew.count)
    for index in increasing.chosen {
      movement.movedSections[Int(kept.starts[Int(index)])] = false
    }
    movement.sectionCounts.moves = kept.rows - increasing.chosen.count
  }

  /// Leaves in `kept.weights` what it is worth that a kept section stays: first of all one move less,
  /// then no third stage for rows that come out of a vanishing section, then no second stage for
  /// rows that change in it.
  private mutating func weighStages() {
    kept.weights.removeAll(keepingCapacity: true)
    for old in kept.starts {
      let new = Int(matching.sectionsToNew[Int(old)])
      kept.weights.append(1 << 64 + (movement.rowsChange[new] ? 1 : 0))
      keptInSection[new] = Int32(truncatingIfNeeded: kept.weights.count - 1)
    }
    guard movement.rowsCross else { return }
    for run in movement.movedRuns where matching.sectionsToNew[Int(run.from)] < 0 {
      guard matching.sectionsToOld[Int(run.to)] >= 0 else { continue }
      let index = Int(keptInSection[Int(run.to)])
      if kept.weights[index] & (1 << 32) == 0 { kept.weights[index] += 1 << 32 }
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
