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
      gone.sections += form.sections.leaving.flatMap { $0.paths }
        .compactMap { paths.origin(section: $0.row, before: stage) }
      new.sections += form.sections.arriving.flatMap { $0.paths }
        .compactMap { paths.end(section: $0.row, after: stage) }
      gone.rows += form.rows.leaving.flatMap { $0.paths }
        .compactMap { paths.origin($0, before: stage) }
      new.rows += form.rows.arriving.flatMap { $0.paths }
        .compactMap { paths.end($0, after: stage) }
    }
    gone.finish()
    new.finish()
    var stage = Stage()
    for at in gone.sections { stage.append(.deleteSections(at: at, count: 1)) }
    for at in new.sections {
      stage.append(.insertSections(at: at, count: 1))
      stage.insertedRowCounts.append(rowCount(at))
    }
    for at in gone.rows { stage.append(.deleteItems(at: at, count: 1)) }
    for at in new.rows { stage.append(.insertItems(at: at, count: 1)) }
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
        if all.isOfRows ? new.hasRow(one.at) : new.hasSection(one.at.row) { continue }
        contents.append(Op(one))
        if all.isOfRows { result.rows.updates += 1 } else { result.sections.updates += 1 }
      }
    }
    return contents
  }
}

/// Sections, and rows of other sections, each once and in order.
private struct SplitPaths {
  var sections: [Int] = []
  var rows: [ListPath] = []

  /// Sorts the paths, and removes the rows of the sections.
  mutating func finish() {
    sections = Array(Set(sections)).sorted()
    rows = rows.filter { !hasSection($0.section) }.sorted()
    // A row may move twice.
    var unique: [ListPath] = []
    unique.reserveCapacity(rows.count)
    for row in rows where unique.last != row { unique.append(row) }
    rows = unique
  }

  func hasSection(_ section: Int) -> Bool {
    let index = sections.partition { $0 >= section }
    return index < sections.count && sections[index] == section
  }

  /// Returns whether a row is one of these rows or in one of the sections.
  func hasRow(_ path: ListPath) -> Bool {
    let low = rows.partition { $0 >= path }
    return low < rows.count && rows[low] == path || hasSection(path.section)
  }
}
