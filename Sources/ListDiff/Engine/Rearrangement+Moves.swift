extension Rearrangement {
  /// Calls `body` with each effective move in the order of the destinations: the source, the
  /// destination after the removal, and the number of rows. The moves apply one after the other, after
  /// all deletions and before all insertions. Sections are numbered alike on both sides.
  ///
  /// Between two rows that stay, rows that were moved there precede those that have not been
  /// moved yet.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of ranges.
  @_alwaysEmitIntoClient func forEachMove(_ body: (ListPath, ListPath, Int) -> Void) {
    let sources = leaving.filter { $0.isMoved }
    let targets = arriving.filter { $0.isMoved }
    // A single move passes no other one.
    if targets.count == 1 {
      let (from, to) = (sources[0].stayingPath, targets[0].stayingPath)
      if from != to { body(from, to, targets[0].count) }
    }
    if targets.count < 2 { return }
    // For each source, the targets in the same gap: rows moved there precede those that wait in it.
    let targetGaps = sources.gaps(in: targets, after: 1)
    let sourceGaps = targets.gaps(in: sources, after: 0)
    var unmoved = [Int32](partialSumsOf: sources.lazy.map { $0.packedCount })
    let insertedBefore = targets.lazy.map { $0.packedCount }.sums
    var sourceOfMove = [Int32](repeating: 0, count: sources.count)
    for (index, source) in sources.enumerated() {
      sourceOfMove[Int(source.move)] = Int32(truncatingIfNeeded: index)
    }
    var own = (section: -1, start: 0)
    for (targetIndex, target) in targets.enumerated() {
      if target.at.section != own.section { own = (target.at.section, targetIndex) }
      let index = Int(sourceOfMove[Int(target.move)])
      let source = sources[index]
      let gap = targetGaps[index]
      let from =
        Int(source.staying) + unmoved.partialSum(Int(gap.ownStart)..<index)
        + Int(
          insertedBefore[max(Int(gap.start), min(targetIndex, Int(gap.end)))]
            - insertedBefore[Int(gap.start)])
      unmoved.subtract(source.packedCount, at: index)
      let to =
        Int(target.staying)
        + unmoved.partialSum(
          Int(sourceGaps[targetIndex].start)..<Int(sourceGaps[targetIndex].end))
        + Int(insertedBefore[targetIndex] - insertedBefore[own.start])
      if source.at.section == target.at.section, from == to { continue }
      body(
        ListPath(section: source.at.section, row: from),
        ListPath(section: target.at.section, row: to), target.count)
    }
  }
}

/// The ranges of one side that are in the section of a range of the other side, from the first of
/// that section to the first that is behind the range; and the first range of the section on the range's
/// own side.
@usableFromInline typealias Gap = (start: Int32, end: Int32, ownStart: Int32)

extension [Rearrangement.Place] {
  /// Returns, for each range, the others in its section before which fewer than `staying + more`
  /// rows stay. Both sides must be sorted.
  @_alwaysEmitIntoClient func gaps(in others: [Element], after more: Int32) -> [Gap] {
    var result: [Gap] = []
    result.reserveCapacity(count)
    var gap: Gap = (0, 0, 0)
    var end = 0
    var section = -1
    for (index, range) in enumerated() {
      if range.at.section != section {
        section = range.at.section
        gap.ownStart = Int32(truncatingIfNeeded: index)
        while end < others.count, others[end].at.section < section { end += 1 }
        gap.start = Int32(truncatingIfNeeded: end)
      }
      while end < others.count, others[end].at.section == section,
        others[end].staying < range.staying + more
      {
        end += 1
      }
      gap.end = Int32(truncatingIfNeeded: end)
      result.append(gap)
    }
    return result
  }
}
