extension DiffEngine {
  /// Returns all stages of the change, for rows and sections that are paired.
  ///
  /// `section` and `row` return the updates as for ``contentStage(newStarts:section:row:)``.
  @_alwaysEmitIntoClient package mutating func stages(
    oldStarts: [Int32], newStarts: [Int32], section: (Int, Int) -> ContentChange,
    row: (Int, Int) -> ContentChange
  ) -> [Stage] {
    findMoves(oldStarts: oldStarts, newStarts: newStarts)
    let structure = structuralStages(oldStarts: oldStarts, newStarts: newStarts)
    let contents = contentStage(newStarts: newStarts, section: section, row: row)
    return contents.ops.isEmpty ? structure : structure + [contents]
  }

  /// Returns the last stage of a change: reloads and reconfigurations of kept rows and sections, in
  /// final coordinates.
  ///
  /// `section` and `row` return the update that a kept section or row needs, given its old and its
  /// new index. Counts the updates in ``movement``.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections, and at most *n* calls of
  ///   the closures.
  @_alwaysEmitIntoClient package mutating func contentStage(
    newStarts: [Int32], section: (Int, Int) -> ContentChange, row: (Int, Int) -> ContentChange
  ) -> Stage {
    contentStage(newStarts: newStarts, section: section) { runs, contents in
      for run in runs {
        for offset in 0..<Int(run.count) {
          let change = row(Int(run.old) + offset, Int(run.new) + offset)
          if change != .none { contents.append(change, row: Int(run.new) + offset) }
        }
      }
    }
  }

  /// Returns the last stage of a change. `compare` receives the runs of kept rows and appends the
  /// rows that changed, in order.
  ///
  /// This lets the caller compare adjacent contents at once. If `known` equals the runs of the
  /// matching, all rows are known to be unchanged, and none is compared.
  ///
  /// - Complexity: O(*r* + *s* + *c*), where *r* is the number of runs, *s* of sections and *c* of
  ///   rows that changed, in addition to the call of `compare`.
  @_alwaysEmitIntoClient package mutating func contentStage(
    newStarts: [Int32], known: [MatchedRun] = [], section: (Int, Int) -> ContentChange,
    comparing compare: ([MatchedRun], inout ContentOps) -> Void
  ) -> Stage {
    var contents = ContentOps(ListShape(starts: newStarts))
    for (new, old) in matching.sectionsToOld.enumerated() where old >= 0 {
      contents.append(section(Int(old), new), section: new)
    }
    if known != matching.runs {
      compare(matching.runs, &contents)
      cost.contentsCompared += matching.rowsToNew.count - movement.rowCounts.deletes
    }
    movement.rowCounts.updates = contents.rows
    movement.sectionCounts.updates = contents.sections
    return contents.finish()
  }
}

/// The operations of a content stage.
@frozen @usableFromInline package struct ContentOps: ~Copyable {
  /// The operations in the order in which they were added, and whether that is not the order of a stage; and
  /// the kind of the last one.
  private var stage = Stage()
  private var isMixed = false
  private var last = 0
  private let shape: ListShape
  /// The section of the last row, and its rows.
  private var section = -1
  private var home = 0..<0
  /// The last rows, which the next one may continue.
  private var open = (change: ContentChange.none, start: 0, end: 0)
  @usableFromInline package private(set) var rows = 0
  @usableFromInline package private(set) var sections = 0

  /// Creates no operations on a list of that shape.
  @usableFromInline init(_ shape: ListShape) { self.shape = shape }

  /// Adds the update of a section, given by its new index. Sections must be added in ascending
  /// order.
  @usableFromInline package mutating func append(_ change: ContentChange, section: Int) {
    if change == .none { return }
    sections += 1
    let isReload = change == .reload
    note(isReload ? 0 : 1)
    stage.append(
      isReload
        ? .reloadSections(at: section, count: 1) : .reconfigureSections(at: section, count: 1))
  }

  /// Adds the update of a row, given by its new index. Rows must be added in ascending order.
  @usableFromInline package mutating func append(_ change: ContentChange, row: Int) {
    if change == .none { return }
    rows += 1
    if change == open.change, row == open.end, row < home.upperBound {
      open.end += 1
      return
    }
    close()
    while row >= home.upperBound {
      section += 1
      home = shape.rows(ofSection: section)
    }
    open = (change, row, row + 1)
  }

  private mutating func close() {
    if open.change == .none { return }
    let path = Path(section: section, row: open.start - home.lowerBound)
    let count = open.end - open.start
    let isReload = open.change == .reload
    note(isReload ? 2 : 3)
    stage.ops.append(
      isReload ? .reloadItems(at: path, count: count) : .reconfigureItems(at: path, count: count))
  }

  private mutating func note(_ kind: Int) {
    if kind < last { isMixed = true }
    last = kind
  }

  /// Returns the place of the operation's kind in a stage.
  private static func kind(_ op: Op) -> Int {
    switch op {
    case .reloadSections: 0
    case .reconfigureSections: 1
    case .reloadItems: 2
    default: 3
    }
  }

  /// Returns the stage. Call it once, after all updates.
  @usableFromInline mutating func finish() -> Stage {
    close()
    if isMixed {
      let ops = stage.ops
      stage.ops = (0...3).flatMap { kind in ops.filter { Self.kind($0) == kind } }
    }
    return stage
  }
}
