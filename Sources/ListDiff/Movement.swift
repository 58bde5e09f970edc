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

  /// Whether any row leaves its section for another.
  var rowsCross = false

  /// By old section: whether rows leave it for another section.
  var isLeft: [Bool] = []

  /// By new section: whether rows come, go or move in it.
  var rowsChange: [Bool] = []

  package init() {}
}

/// The kept rows of one section in their new order, as old indices and as runs of consecutive ones.
struct KeptRows {
  var rows: [Int32] = []
  var runStarts: [Int32] = []
  var runWeights: [Int] = []
  var runOffsets: [Int32] = []
  var isInOrder = true

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    runStarts.removeAll(keepingCapacity: true)
    runWeights.removeAll(keepingCapacity: true)
    runOffsets.removeAll(keepingCapacity: true)
    isInOrder = true
  }

  mutating func append(_ row: Int32) {
    if let last = rows.last {
      if row < last { isInOrder = false }
      if row == last + 1 {
        runWeights[runWeights.count - 1] += 1
        rows.append(row)
        return
      }
    }
    runOffsets.append(Int32(truncatingIfNeeded: rows.count))
    runStarts.append(row)
    runWeights.append(1)
    rows.append(row)
  }
}

extension DiffEngine {
  /// Finds the fewest moves that put the kept rows and sections in their new places.
  ///
  /// In each section the rows of a longest increasing subsequence of old places stay; every other
  /// kept row moves once, as does every row that changes its section. So with the sections, where of
  /// equal choices one is taken that keeps in place what would need another stage.
  ///
  /// - Complexity: O(*n* + *r* log *r*), where *n* is the number of rows and sections and *r* the
  ///   number of runs of rows that are out of order.
  package mutating func findMoves(oldStarts: [Int32], newStarts: [Int32]) {
    let oldCount = matching.rowsToNew.count
    let newCount = matching.rowsToOld.count
    movement.movedRows.fill(oldCount, with: false)
    movement.movedSections.fill(matching.sectionsToNew.count, with: false)
    movement.isLeft.fill(matching.sectionsToNew.count, with: false)
    movement.rowsChange.fill(matching.sectionsToOld.count, with: false)
    movement.rowsCross = false
    movement.sectionCounts = Counts()
    movement.rowCounts = Counts()
    movement.rowOpsTold = 0

    var keptCount = 0
    for section in matching.sectionsToOld.indices {
      let range = Int(newStarts[section])..<Int(newStarts[section + 1])
      keptCount += findMoves(ofSection: section, rows: range, oldStarts: oldStarts)
    }
    for (section, new) in matching.sectionsToNew.enumerated() where new >= 0 {
      let range = Int(oldStarts[section])..<Int(oldStarts[section + 1])
      let gone = matching.rowsToNew.countOfUnpaired(in: range)
      movement.rowOpsTold += gone
      if gone > 0 { movement.rowsChange[Int(new)] = true }
    }
    movement.rowCounts.deletes = oldCount - keptCount
    movement.rowCounts.inserts = newCount - keptCount
    movement.rowOpsTold += movement.rowCounts.moves
    findSectionMoves(oldStarts, newStarts)
  }

  /// Marks the rows that move in or into a section and returns how many of its rows were there before.
  private mutating func findMoves(
    ofSection section: Int, rows: Range<Int>, oldStarts: [Int32]
  ) -> Int {
    let oldSection = Int(matching.sectionsToOld[section])
    let home = oldSection < 0 ? 0..<0 : Int(oldStarts[oldSection])..<Int(oldStarts[oldSection + 1])
    kept.removeAll()
    var arrivals = 0
    for row in rows {
      let old = matching.rowsToOld[row]
      if old < 0 { continue }
      if home.contains(Int(old)) {
        kept.append(old)
      } else {
        arrivals += 1
        movement.movedRows[Int(old)] = true
        let left = oldStarts.section(ofRow: Int(old))
        movement.isLeft[left] = true
        let leftNew = matching.sectionsToNew[left]
        if leftNew >= 0 { movement.rowsChange[Int(leftNew)] = true }
      }
    }
    let comers = rows.count - kept.rows.count - arrivals
    if oldSection >= 0 { movement.rowOpsTold += comers }
    if arrivals > 0 { movement.rowsCross = true }
    movement.rowCounts.moves += arrivals
    if comers > 0 || arrivals > 0 || !kept.isInOrder { movement.rowsChange[section] = true }
    if !kept.isInOrder { markMovesOfKept() }
    return kept.rows.count + arrivals
  }

  /// Marks the kept rows that are not in a longest increasing subsequence.
  private mutating func markMovesOfKept() {
    for row in kept.rows { movement.movedRows[Int(row)] = true }
    var staying = 0
    if kept.runStarts.count * 8 < kept.rows.count {
      increasing.chooseHeaviest(of: kept.runStarts, weights: kept.runWeights)
      for run in increasing.chosen {
        let offset = Int(kept.runOffsets[Int(run)])
        let count = kept.runWeights[Int(run)]
        for row in kept.rows[offset..<offset + count] { movement.movedRows[Int(row)] = false }
        staying += count
      }
    } else {
      increasing.chooseLongest(of: kept.rows)
      for index in increasing.chosen { movement.movedRows[Int(kept.rows[Int(index)])] = false }
      staying = increasing.chosen.count
    }
    movement.rowCounts.moves += kept.rows.count - staying
  }

  private mutating func findSectionMoves(_ oldStarts: [Int32], _ newStarts: [Int32]) {
    kept.removeAll()
    for old in matching.sectionsToOld where old >= 0 { kept.append(old) }
    movement.sectionCounts.deletes = matching.sectionsToNew.count - kept.rows.count
    movement.sectionCounts.inserts = matching.sectionsToOld.count - kept.rows.count
    guard !kept.isInOrder else { return }
    let weights = stageWeights(oldStarts, newStarts)
    for section in kept.rows { movement.movedSections[Int(section)] = true }
    increasing.chooseHeaviest(of: kept.rows, weights: weights)
    for index in increasing.chosen {
      movement.movedSections[Int(kept.rows[Int(index)])] = false
    }
    movement.sectionCounts.moves = kept.rows.count - increasing.chosen.count
  }

  /// What it is worth that a kept section stays: first of all one move less, then no third stage for
  /// rows that come out of a vanishing section, then no second stage for rows that change in it.
  private func stageWeights(_ oldStarts: [Int32], _ newStarts: [Int32]) -> [Int] {
    let count = kept.rows.count
    let digit = Int.bitWidth - count.leadingZeroBitCount
    // With half a million sections and more the three wishes do not fit in a word.
    guard digit < 20 else { return Array(repeating: 1, count: count) }
    var refuges = Set<Int>()
    if movement.rowsCross {
      for (row, new) in matching.rowsToNew.enumerated() where new >= 0 && movement.movedRows[row] {
        let left = oldStarts.section(ofRow: row)
        guard matching.sectionsToNew[left] < 0 else { continue }
        refuges.insert(newStarts.section(ofRow: Int(new)))
      }
    }
    return kept.rows.map { old in
      let new = Int(matching.sectionsToNew[Int(old)])
      return 1 << (2 * digit) + (refuges.contains(new) ? 1 << digit : 0)
        + (movement.rowsChange[new] ? 1 : 0)
    }
  }
}

extension [Int32] {
  func countOfUnpaired(in range: Range<Int>) -> Int {
    var count = 0
    for index in range where self[index] < 0 { count += 1 }
    return count
  }
}
