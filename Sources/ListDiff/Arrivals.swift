/// Tells, stage by stage, which rows and sections of the new snapshot a change brings in.
///
/// The rows that are new to a section's list come in one stage and in order, so that counting them
/// is enough.
package struct Arrivals {
  private let matching: Matching
  private let newStarts: [Int32]

  /// What stands where after the stage entered last: new indices, `-1` for a section that goes.
  private var order: [Int32]

  /// By new section, from where its next new row is to be looked for.
  private var next: [Int32]
  private var nextSection = 0

  /// The state before the first stage.
  package init(matching: Matching, newStarts: [Int32]) {
    self.matching = matching
    self.newStarts = newStarts
    order = matching.sectionsToNew
    next = newStarts
  }

  /// Goes on to the state after a stage.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  package mutating func enter(_ stage: Stage) {
    var placed: [Int: Int32] = [:]
    var left = Set<Int>()
    for op in stage.ops {
      switch op {
      case .deleteSections(let at, let count): left.formUnion(at..<at + count)
      case .insertSections(let at, let count):
        for place in at..<at + count { placed[place] = nextNewSection() }
      case .moveSections(let from, let to, let count):
        left.formUnion(from..<from + count)
        for offset in 0..<count { placed[to + offset] = order[from + offset] }
      default: continue
      }
    }
    if placed.isEmpty, left.isEmpty { return }
    var survivors = order.indices.lazy.filter { !left.contains($0) }.makeIterator()
    order = (0..<order.count - left.count + placed.count).map { place in
      placed[place] ?? order[survivors.next()!]
    }
  }

  /// The new section that stands at a place after the stage entered last.
  package func section(at place: Int) -> Int { Int(order[place]) }

  /// The next row, as a new index, that comes into the section at a place.
  package mutating func nextRow(inSectionAt place: Int) -> Int {
    let section = section(at: place)
    var row = Int(next[section])
    while matching.rowsToOld[row] >= 0 { row += 1 }
    next[section] = Int32(truncatingIfNeeded: row + 1)
    return row
  }

  private mutating func nextNewSection() -> Int32 {
    while matching.sectionsToOld[nextSection] >= 0 { nextSection += 1 }
    defer { nextSection += 1 }
    return Int32(truncatingIfNeeded: nextSection)
  }
}
