/// The pairs of old and new rows, and which of them move.
struct RowPairs {
  /// For each old row, its new row, and for each new row, its old row; -1 if there is none.
  var toNew: [Int32]
  var toOld: [Int32]

  /// Whether each old row moves.
  var moved: [Bool]

  init(toNew: [Int32], toOld: [Int32], moved: [Bool]) {
    self.toNew = toNew
    self.toOld = toOld
    self.moved = moved
  }

  /// Pairs the rows that are neither deleted nor inserted, in order.
  init(deleted: [Bool], inserted: [Bool]) {
    toNew = [Int32](repeating: -1, count: deleted.count)
    toOld = [Int32](repeating: -1, count: inserted.count)
    moved = [Bool](repeating: false, count: deleted.count)
    var new = 0
    for old in deleted.indices where !deleted[old] {
      while inserted[new] { new += 1 }
      pair(old, new)
      new += 1
    }
  }

  /// Pairs two rows that have no partner as moved.
  mutating func pairMoved(_ old: Int, _ new: Int) {
    pair(old, new)
    moved[old] = true
  }

  /// Unpairs a moved row: the old row counts as deleted and the new row as inserted.
  mutating func unpair(old: Int) {
    toOld[Int(toNew[old])] = -1
    toNew[old] = -1
    moved[old] = false
  }

  /// Extends moves to equal rows beside the moved ones, if at least one of the two rows has no
  /// partner.
  ///
  /// If the other row has a partner that does not move, that partner gets an equal row from the far
  /// end of the move instead: in `x A x`, where `A` moves, the second `x` moves along, not the
  /// first.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  mutating func extendMoves(where isSame: (_ old: Int, _ new: Int) -> Bool) {
    for step in [1, -1] {
      let rows = step > 0 ? Array(moved.indices) : moved.indices.reversed()
      for row in rows where moved[row] {
        let (old, new) = (row + step, Int(toNew[row]) + step)
        guard toNew.indices.contains(old), toOld.indices.contains(new), isSame(old, new),
          releaseOld(old, new, step, where: isSame), releaseNew(old, new, step, where: isSame)
        else { continue }
        pairMoved(old, new)
      }
    }
  }

  private mutating func pair(_ old: Int, _ new: Int) {
    toNew[old] = Int32(truncatingIfNeeded: new)
    toOld[new] = Int32(truncatingIfNeeded: old)
  }

  /// Unpairs an old row if another row can replace it. Returns false if it must keep its partner.
  private mutating func releaseOld(
    _ old: Int, _ new: Int, _ step: Int, where isSame: (_ old: Int, _ new: Int) -> Bool
  ) -> Bool {
    let partner = Int(toNew[old])
    if partner < 0 { return true }
    guard !moved[old], toOld[new] < 0 else { return false }
    var other = step > 0 ? 0 : toNew.count - 1
    if toOld.indices.contains(partner - step) {
      let before = Int(toOld[partner - step])
      guard before >= 0, !moved[before] else { return false }
      other = before + step
    }
    guard toNew.indices.contains(other), toNew[other] < 0, isSame(other, partner) else {
      return false
    }
    pair(other, partner)
    toNew[old] = -1
    return true
  }

  /// Unpairs a new row, like `releaseOld` an old row.
  private mutating func releaseNew(
    _ old: Int, _ new: Int, _ step: Int, where isSame: (_ old: Int, _ new: Int) -> Bool
  ) -> Bool {
    let partner = Int(toOld[new])
    if partner < 0 { return true }
    guard !moved[partner], toNew[old] < 0 else { return false }
    var other = step > 0 ? 0 : toOld.count - 1
    if toNew.indices.contains(partner - step) {
      let before = partner - step
      guard toNew[before] >= 0, !moved[before] else { return false }
      other = Int(toNew[before]) + step
    }
    guard toOld.indices.contains(other), toOld[other] < 0, isSame(partner, other) else {
      return false
    }
    pair(partner, other)
    toOld[new] = -1
    return true
  }
}

/// Arranges pairs of rows as steps.
struct StepLayout {
  private(set) var steps: [ChangeStep] = []

  private let pairs: RowPairs

  /// Insertions and arrivals before the next row that does not move.
  private var waiting: [ChangeStep] = []

  private let isChanged: (Int) -> Bool

  /// Creates a layout. `isChanged` returns whether a new row's content differs from its old row's.
  init(_ pairs: RowPairs, isChanged: @escaping (Int) -> Bool) {
    self.pairs = pairs
    self.isChanged = isChanged
  }

  /// Removes and returns the steps.
  mutating func takeSteps() -> [ChangeStep] {
    defer { steps = [] }
    return steps
  }

  /// Appends a heading.
  mutating func append(heading: ChangeStep) {
    var heading = heading
    heading.isHeading = true
    steps.append(heading)
  }

  /// Appends the rows of a section. `home` are its old rows and `rows` its new rows.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  mutating func append(rows: Range<Int>, home: Range<Int>) {
    // The steps of a shuffle would take twice the memory while they grow. Unused memory is not
    // mapped.
    if steps.isEmpty { steps.reserveCapacity(rows.count + home.count) }
    var next = home.lowerBound
    var row = rows.lowerBound
    while row < rows.upperBound {
      let old = Int(pairs.toOld[row])
      var count = 1
      if old < 0 {
        while row + count < rows.upperBound, pairs.toOld[row + count] < 0 { count += 1 }
        Self.append(
          ChangeStep(kind: .inserted, old: -1, new: row, count: count), to: &waiting)
      } else if !pairs.moved[old], home.contains(old) {
        appendOld(next..<old)
        let kind: ChangeStep.Kind = isChanged(row) ? .changed : .same
        if kind == .same { count = sameCount(from: row..<rows.upperBound, old..<home.upperBound) }
        next = old + count
        append(ChangeStep(kind: kind, old: old, new: row, count: count))
      } else {
        Self.append(
          ChangeStep(kind: .arrived, isChanged: isChanged(row), old: old, new: row), to: &waiting)
      }
      row += count
    }
    appendOld(next..<home.upperBound)
  }

  /// The number of consecutive rows that neither move nor change, from two that do not.
  private func sameCount(from rows: Range<Int>, _ home: Range<Int>) -> Int {
    var count = 1
    while count < min(rows.count, home.count) {
      let (row, old) = (rows.lowerBound + count, home.lowerBound + count)
      guard Int(pairs.toOld[row]) == old, !pairs.moved[old], !isChanged(row) else { break }
      count += 1
    }
    return count
  }

  /// Appends old rows that were deleted or moved away, then the waiting steps.
  private mutating func appendOld(_ rows: Range<Int>) {
    var row = rows.lowerBound
    while row < rows.upperBound {
      let new = Int(pairs.toNew[row])
      var count = 1
      if new >= 0 {
        append(ChangeStep(kind: .departed, old: row, new: new))
      } else {
        while row + count < rows.upperBound, pairs.toNew[row + count] < 0 { count += 1 }
        append(ChangeStep(kind: .deleted, old: row, new: -1, count: count))
      }
      row += count
    }
    if waiting.isEmpty { return }
    steps += waiting
    waiting.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ step: ChangeStep) { Self.append(step, to: &steps) }

  /// Appends rows, merging them with the last step if they continue that one.
  static func append(_ step: ChangeStep, to steps: inout [ChangeStep]) {
    if let last = steps.last, last.kind == step.kind, !last.isHeading, step.kind != .changed,
      !last.isChanged, !step.isChanged,
      step.old < 0 ? last.old < 0 : step.old == last.old + last.count,
      step.new < 0 ? last.new < 0 : step.new == last.new + last.count
    {
      steps[steps.count - 1].count += step.count
    } else {
      steps.append(step)
    }
  }
}
