extension Rearrangement {
  /// Calls `body` with each effective move in the order of the destinations: the source, the
  /// destination after the removal, and the number of rows. The moves apply one after the other, after
  /// all deletions and before all insertions. Sections are numbered alike on both sides.
  ///
  /// Between two rows that stay, rows that were moved there precede those that have not been
  /// moved yet.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of ranges.
  func forEachMove(_ body: (ListPath, ListPath, Int) -> Void) {
    guard moves > 0 else { return }
    let sources = leaving.count == moves ? leaving : leaving.filter { $0.isMoved }
    let targets = arriving.count == moves ? arriving : arriving.filter { $0.isMoved }
    // For each source, the targets in the same gap: rows moved there precede those that wait in it.
    let targetGaps = sources.gaps(in: targets, after: 1)
    let sourceGaps = targets.gaps(in: sources, after: 0)
    var unmoved = PartialSums(sources.map { $0.packedCount })
    var insertedBefore: [Int32] = [0]
    insertedBefore.reserveCapacity(targets.count + 1)
    for target in targets {
      insertedBefore.append(insertedBefore[insertedBefore.count - 1] + target.packedCount)
    }
    var sourceOfMove = [Int32](repeating: 0, count: moves)
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
        Int(source.staying) + unmoved.sum(gap.ownStart..<index)
        + Int(insertedBefore[max(gap.start, min(targetIndex, gap.end))] - insertedBefore[gap.start])
      unmoved.clear(index)
      let to =
        Int(target.staying)
        + unmoved.sum(sourceGaps[targetIndex].start..<sourceGaps[targetIndex].end)
        + Int(insertedBefore[targetIndex] - insertedBefore[own.start])
      if source.at.section == target.at.section, from == to { continue }
      body(
        ListPath(section: source.at.section, row: from),
        ListPath(section: target.at.section, row: to), target.count)
    }
  }
}

/// The ranges of one side that are in the section of a range of the other side, from the first of
/// that section to the first that is behind the range.
private struct Gap {
  private var first: Int32
  private var last: Int32
  /// The index of the first range of the section on the range's own side.
  private var own: Int32

  init(start: Int, end: Int, ownStart: Int) {
    first = Int32(truncatingIfNeeded: start)
    last = Int32(truncatingIfNeeded: end)
    own = Int32(truncatingIfNeeded: ownStart)
  }

  var start: Int { Int(first) }
  var end: Int { Int(last) }
  var ownStart: Int { Int(own) }
}

extension [Rearrangement.Place] {
  /// Returns, for each range, the others in its section before which fewer than `staying + more`
  /// rows stay. Both sides must be sorted.
  fileprivate func gaps(in others: [Element], after more: Int32) -> [Gap] {
    var result: [Gap] = []
    result.reserveCapacity(count)
    var gap = (start: 0, end: 0, ownStart: 0)
    var section = -1
    for (index, range) in enumerated() {
      if range.at.section != section {
        section = range.at.section
        gap.ownStart = index
        gap.start = gap.end
        while gap.start < others.count, others[gap.start].at.section < section { gap.start += 1 }
        gap.end = gap.start
      }
      while gap.end < others.count, others[gap.end].at.section == section,
        others[gap.end].staying < range.staying + more
      {
        gap.end += 1
      }
      result.append(Gap(start: gap.start, end: gap.end, ownStart: gap.ownStart))
    }
    return result
  }
}
