extension DiffEngine {
  /// The operations of one stage, between what stands before it and after it.
  func stage(
    _ number: Int, from before: Interlude, to after: Interlude, _ oldStarts: [Int32],
    _ newStarts: [Int32], goingAfter last: LastStages
  ) -> Stage {
    var stage = Stage()
    for (index, token) in before.sections.enumerated()
    where token < 0 && last.ofSection[Int(~token)] + 1 == number {
      stage.append(.deleteSections(at: index, count: 1))
    }
    if number == 1 {
      appendSectionArrivals(after, to: &stage)
    }
    if number <= 2, movement.rowOpsTold > 0 {
      let gaps = matching.runs.count + matching.sectionsToOld.count
      stage.ops.reserveCapacity(
        stage.ops.count + min(movement.rowCounts.deletes, gaps)
          + min(movement.rowCounts.inserts, gaps) + movement.movedRuns.count)
      appendDeletes(number, before, oldStarts, to: &stage)
      appendInserts(number, after, to: &stage)
      if movement.rowCounts.moves > 0 {
        appendMoves(number, before, after, oldStarts, newStarts, to: &stage)
      }
    }
    return stage
  }

  /// Sections that come or move; those that come bring the rows that are new to the list.
  private func appendSectionArrivals(_ after: Interlude, to stage: inout Stage) {
    for (index, token) in after.sections.enumerated() where token >= 0 {
      guard matching.sectionsToOld[Int(token)] < 0 else { continue }
      stage.append(.insertSections(at: index, count: 1))
      stage.insertedRowCounts.append(
        Int(after.starts[Int(token) + 1] - after.starts[Int(token)]))
    }
    for (index, token) in after.sections.enumerated() where token >= 0 {
      let old = Int(matching.sectionsToOld[Int(token)])
      guard old >= 0, movement.movedSections[old] else { continue }
      stage.append(.moveSections(from: old, to: index, count: 1))
    }
  }

  /// Whether rows of their own come, go and move in a kept section in this stage.
  private func changesRows(_ token: Int32, in number: Int) -> Bool {
    guard token >= 0, movement.rowsChange[Int(token)] else { return false }
    let old = Int(matching.sectionsToOld[Int(token)])
    return old >= 0 && (movement.movedSections[old] ? 2 : 1) == number
  }

  private func appendDeletes(
    _ number: Int, _ before: Interlude, _ oldStarts: [Int32], to stage: inout Stage
  ) {
    let toNew = matching.rowsToNew.span
    for (index, token) in before.sections.enumerated() where changesRows(token, in: number) {
      let old = Int(matching.sectionsToOld[Int(token)])
      let start = Int(oldStarts[old])
      let end = Int(oldStarts[old + 1])
      var row = toNew.firstNegative(from: start, to: end)
      while row < end {
        let next = toNew.firstPositive(from: row, to: end)
        stage.ops.append(
          .deleteItems(at: Path(section: index, row: row - start), count: next - row))
        row = toNew.firstNegative(from: next, to: end)
      }
    }
  }

  private func appendInserts(_ number: Int, _ after: Interlude, to stage: inout Stage) {
    let rows = after.rows.span
    for (index, token) in after.sections.enumerated() where changesRows(token, in: number) {
      let start = Int(after.starts[Int(token)])
      let end = Int(after.starts[Int(token) + 1])
      var row = rows.firstNegative(from: start, to: end)
      while row < end {
        let next = rows.firstPositive(from: row, to: end)
        stage.ops.append(
          .insertItems(at: Path(section: index, row: row - start), count: next - row))
        row = rows.firstNegative(from: next, to: end)
      }
    }
  }

  private func appendMoves(
    _ number: Int, _ before: Interlude, _ after: Interlude, _ oldStarts: [Int32],
    _ newStarts: [Int32], to stage: inout Stage
  ) {
    let sources = before.indicesByOld(matching)
    let targets = after.indicesByNew(matching)
    let isOnly = before.places.isEmpty && after.places.isEmpty
    for run in movement.movedRuns where isOnly || moveStage(of: run) == number {
      let source = Int(sources[Int(run.from)])
      let target = Int(targets[Int(run.to)])
      let from = Int(run.rows.old - oldStarts[Int(run.from)])
      let to = Int(run.rows.new - newStarts[Int(run.to)])
      if isOnly {
        stage.append(
          .moveItems(
            from: Path(section: source, row: from), to: Path(section: target, row: to),
            count: Int(run.rows.count)))
        continue
      }
      // Between the stages the rows of a run may have others among them.
      for offset in 0..<Int(run.rows.count) {
        let row = Int(run.rows.old) + offset
        stage.append(
          .moveItems(
            from: Path(
              section: source,
              row: before.places.isEmpty ? from + offset : Int(before.places[row])),
            to: Path(
              section: target, row: after.places.isEmpty ? to + offset : Int(after.places[row])),
            count: 1))
      }
    }
  }
}

extension Span<Int32> {
  private static var stride: Int { 32 }

  /// The index of the first element below zero, or `end`.
  func firstNegative(from start: Int, to end: Int) -> Int {
    var index = start
    let close = min(end, start + Self.stride)
    while index < close {
      if self[index] < 0 { return index }
      index += 1
    }
    // Far from the last one: whole strides without a branch an element.
    while index + Self.stride <= end {
      let part = extracting(index..<index + Self.stride)
      var signs: Int32 = 0
      for offset in 0..<Self.stride { signs |= part[offset] }
      if signs < 0 { break }
      index += Self.stride
    }
    while index < end, self[index] >= 0 { index += 1 }
    return index
  }

  /// The index of the first element that is not below zero, or `end`.
  func firstPositive(from start: Int, to end: Int) -> Int {
    var index = start
    while index < end, self[index] < 0 { index += 1 }
    return index
  }
}
