/// The items of two lists as numbers, on the way to their change.
///
/// The generic part of a diff: it reads ids and compares contents; all else is done on numbers.
@usableFromInline
struct Pairing: ~Copyable {
  @usableFromInline var oldStarts: [Int32] = [0]
  @usableFromInline var newStarts: [Int32] = [0]
  @usableFromInline var sectionsToOld: [Int32] = []
  @usableFromInline var sectionsToNew: [Int32] = []
  @usableFromInline var rowsToOld: [Int32] = []
  @usableFromInline var rowsToNew: [Int32] = []

  /// What no comparison of neighbours has paired, as old and new rows.
  @usableFromInline var oldRest: [Int32] = []
  @usableFromInline var newRest: [Int32] = []

  /// Whether pairs were found by hashes alone.
  @usableFromInline var isHashed = false

  var unpairedHashes: [UInt64] = []

  /// What changed, by new index.
  @usableFromInline var changedRows: [Int32] = []
  @usableFromInline var changedSections: [Int32] = []

  var engine = DiffEngine()

  @usableFromInline init() {}

  /// Makes room for sections of so many items.
  @usableFromInline
  mutating func reserve(old: [Int], new: [Int]) {
    for count in old { oldStarts.append(oldStarts[oldStarts.count - 1] + Int32(count)) }
    for count in new { newStarts.append(newStarts[newStarts.count - 1] + Int32(count)) }
    rowsToNew.fill(Int(oldStarts[old.count]), with: -1)
    rowsToOld.fill(Int(newStarts[new.count]), with: -1)
  }

  /// Pairs the only section of a list without sections.
  @usableFromInline
  mutating func pairOnlySection() {
    sectionsToOld = [0]
    sectionsToNew = [0]
  }

  /// Takes the pairs over and finds who moves; without `moves` nobody, and the pairs are dissolved.
  @usableFromInline
  mutating func solve(moves: Bool) {
    engine.matching.sectionsToNew = sectionsToNew
    engine.matching.sectionsToOld = sectionsToOld
    engine.matching.rowsToNew = rowsToNew
    engine.matching.rowsToOld = rowsToOld
    engine.matching.gatherRuns()
    engine.movesAreFound = false
    findMoves(moves: moves)
  }

  /// Pairs items by their keys, where some key repeats.
  @usableFromInline
  mutating func pairRepeats(_ oldKeys: [UInt32], _ newKeys: [UInt32], keys: Int) {
    let old = Arrangement(
      sections: sectionsToNew.indices.map { UInt32($0) }, starts: oldStarts, rows: oldKeys,
      hasRepeats: true)
    let unpaired = sectionsToNew.count
    let new = Arrangement(
      sections: sectionsToOld.enumerated().map {
        UInt32($1 >= 0 ? Int($1) : unpaired + $0)
      }, starts: newStarts, rows: newKeys, hasRepeats: true)
    engine.match(old, new, universe: max(keys, unpaired + sectionsToOld.count))
    rowsToNew = engine.matching.rowsToNew
    rowsToOld = engine.matching.rowsToOld
  }

  private mutating func findMoves(moves: Bool) {
    engine.findMoves(oldStarts: oldStarts, newStarts: newStarts)
    if !moves {
      engine.dissolveMoves(oldStarts: oldStarts, newStarts: newStarts)
      rowsToOld = engine.matching.rowsToOld
      sectionsToOld = engine.matching.sectionsToOld
    }
  }

  /// The change, once contents are compared.
  @usableFromInline
  consuming func changes() -> Changes {
    var stages = engine.structuralStages(oldStarts: oldStarts, newStarts: newStarts)
    let changed = Set(changedSections)
    let changedRows = changedRows
    var next = 0
    let contents = engine.contentStage(newStarts: newStarts) { _, new in
      changed.contains(Int32(truncatingIfNeeded: new)) ? .reconfigure : .none
    } comparing: { run, contents in
      let end = run.new + run.count
      while next < changedRows.count, changedRows[next] < end {
        // What was parted after the comparison is in no run.
        if changedRows[next] >= run.new {
          contents.append(.reconfigure, row: Int(changedRows[next]))
        }
        next += 1
      }
    }
    if !contents.ops.isEmpty { stages.append(contents) }
    return Changes(
      stages: stages, rowCounts: engine.movement.rowCounts,
      sectionCounts: engine.movement.sectionCounts, oldShape: oldStarts.lengths,
      newShape: newStarts.lengths)
  }
}

extension [Int32] {
  /// The differences of neighbours: from where sections start to how many rows they have.
  var lengths: [Int] { (0..<count - 1).map { Int(self[$0 + 1] - self[$0]) } }
}

extension DiffEngine {
  /// Parts what would move, so that it goes and comes instead; to be called after
  /// ``findMoves(oldStarts:newStarts:)``, which it repeats.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections.
  package mutating func dissolveMoves(oldStarts: [Int32], newStarts: [Int32]) {
    for (old, moved) in movement.movedSections.enumerated() where moved {
      matching.sectionsToOld[Int(matching.sectionsToNew[old])] = -1
      matching.sectionsToNew[old] = -1
      for row in Int(oldStarts[old])..<Int(oldStarts[old + 1]) { part(row) }
    }
    for (new, old) in matching.sectionsToOld.enumerated() where old < 0 {
      for row in Int(newStarts[new])..<Int(newStarts[new + 1]) {
        if matching.rowsToOld[row] >= 0 { part(Int(matching.rowsToOld[row])) }
      }
    }
    for (row, moved) in movement.movedRows.enumerated() where moved { part(row) }
    matching.gatherRuns()
    findMoves(oldStarts: oldStarts, newStarts: newStarts)
  }

  private mutating func part(_ old: Int) {
    let new = Int(matching.rowsToNew[old])
    guard new >= 0 else { return }
    matching.rowsToNew[old] = -1
    matching.rowsToOld[new] = -1
  }
}
