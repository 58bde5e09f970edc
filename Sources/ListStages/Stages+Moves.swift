import ListDiff

/// A change in which nothing moves.
package struct UnmovedStages {
  package var stages: [Stage] = []
  package var rows = Counts()
  package var sections = Counts()
}

extension [Stage] {
  /// Whether a row or a section moves.
  package var haveMoves: Bool {
    contains { stage in stage.ops.contains { $0.verb == .move } }
  }

  /// Returns the stages of the same change with deletions and insertions instead of moves: at most one of
  /// the structure, and one of the contents. `rows` and `sections` are the counts of the change.
  /// `rowCount` returns the number of rows of a section of the new list.
  ///
  /// - Complexity: O(*m* log *k* + *m* log *m*), where *k* is the number of operations and *m* the number
  ///   of rows and sections that they name.
  package func replacingMoves(
    rows: Counts, sections: Counts, rowCount: (_ section: Int) -> Int
  ) -> UnmovedStages {
    let paths = StagePaths(structureOf: self)
    var gone = SplitPaths()
    var new = SplitPaths()
    for (stage, form) in paths.forms.enumerated() {
      gone.add(form.sections.leaving, form.rows.leaving) {
        paths.origin(section: $0, before: stage)
      } row: {
        paths.origin($0, before: stage)
      }
      new.add(form.sections.arriving, form.rows.arriving) {
        paths.end(section: $0, after: stage)
      } row: {
        paths.end($0, after: stage)
      }
    }
    gone.rows = gone.rows.filter { !gone.sections.contains($0.section) }
    new.rows = new.rows.filter { !new.sections.contains($0.section) }
    var stage = Stage()
    for at in gone.sections.sorted() { stage.append(.deleteSections(at: at, count: 1)) }
    for at in new.sections.sorted() {
      stage.append(.insertSections(at: at, count: 1))
      stage.insertedRowCounts.append(rowCount(at))
    }
    for at in gone.rows.sorted() { stage.append(.deleteItems(at: at, count: 1)) }
    for at in new.rows.sorted() { stage.append(.insertItems(at: at, count: 1)) }
    var result = UnmovedStages()
    if !stage.ops.isEmpty { result.stages.append(stage) }
    result.rows.inserts = new.rows.count + stage.insertedRowCounts.reduce(0, +)
    result.rows.deletes = rows.deletes + result.rows.inserts - rows.inserts
    result.sections.inserts = new.sections.count
    result.sections.deletes = gone.sections.count
    let contents = updates(except: new, &result)
    if !contents.ops.isEmpty { result.stages.append(contents) }
    return result
  }

  /// Returns the updates of rows and sections other than some of the new list, and counts them.
  private func updates(except new: SplitPaths, _ result: inout UnmovedStages) -> Stage {
    var contents = Stage()
    for op in lazy.flatMap({ $0.ops }) where op.isOfContents {
      var one = op.parts
      let all = one
      one.count = 1
      for offset in 0..<all.count {
        one.at = all.at.advanced(by: offset)
        one.to = one.at
        if all.isOfRows ? new.hasRow(one.at) : new.sections.contains(one.at.row) { continue }
        contents.append(Op(one))
        if all.isOfRows { result.rows.updates += 1 } else { result.sections.updates += 1 }
      }
    }
    return contents
  }
}

/// Sections and rows.
private struct SplitPaths {
  var sections: Set<Int> = []
  var rows: Set<ListPath> = []

  /// Adds the sections and rows that the closures find for places.
  mutating func add(
    _ sections: [Rearrangement.Place], _ rows: [Rearrangement.Place], section: (Int) -> Int?,
    row: (ListPath) -> ListPath?
  ) {
    for path in sections.lazy.flatMap({ $0.paths }) {
      if let section = section(path.row) { self.sections.insert(section) }
    }
    for path in rows.lazy.flatMap({ $0.paths }) {
      if let row = row(path) { self.rows.insert(row) }
    }
  }

  /// Returns whether a row is one of these rows or in one of the sections.
  func hasRow(_ path: ListPath) -> Bool { rows.contains(path) || sections.contains(path.section) }
}
