/// A change in which nothing moves.
package struct UnmovedStages {
  package var stages: [Stage] = []
  package var rows = Counts()
  package var sections = Counts()
}

extension [Stage] {
  /// Whether a row or a section moves.
  package var haveMoves: Bool {
    contains { stage in
      stage.ops.contains { op in
        switch op {
        case .moveSections, .moveItems: true
        default: false
        }
      }
    }
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
    let structure = filter { !$0.ops.allSatisfy(\.isOfContents) }
    let paths = StagePaths(structureOf: self)
    var gone = SplitPaths()
    var new = SplitPaths()
    for (stage, ops) in structure.map(\.ops).enumerated() {
      for op in ops {
        switch op {
        case .deleteSections(let at, let count):
          gone.sections += (at..<at + count).compactMap { paths.origin(section: $0, before: stage) }
        case .insertSections(let at, let count):
          new.sections += (at..<at + count).compactMap { paths.end(section: $0, after: stage) }
        case .moveSections(let from, let to, let count):
          gone.sections += (from..<from + count).compactMap {
            paths.origin(section: $0, before: stage)
          }
          new.sections += (to..<to + count).compactMap { paths.end(section: $0, after: stage) }
        case .deleteItems(let at, let count):
          gone.rows += at.rows(count).compactMap { paths.origin($0, before: stage) }
        case .insertItems(let at, let count):
          new.rows += at.rows(count).compactMap { paths.end($0, after: stage) }
        case .moveItems(let from, let to, let count):
          gone.rows += from.rows(count).compactMap { paths.origin($0, before: stage) }
          new.rows += to.rows(count).compactMap { paths.end($0, after: stage) }
        case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: break
        }
      }
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
    for op in flatMap({ $0.ops }) where op.isOfContents {
      switch op {
      case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
        for section in at..<at + count where !new.hasSection(section) {
          contents.append(op.at(section: section))
          result.sections.updates += 1
        }
      case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
        for path in at.rows(count) where !new.hasRow(path) {
          contents.append(op.at(path))
          result.rows.updates += 1
        }
      default: break
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
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < path { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low] == path || hasSection(path.section)
  }
}

extension ListPath {
  /// Returns the paths of consecutive rows.
  fileprivate func rows(_ count: Int) -> [ListPath] { (0..<count).map { advanced(by: $0) } }
}

extension Changes.Op {
  /// Returns the update of one section.
  fileprivate func at(section: Int) -> Changes.Op {
    if case .reloadSections = self { return .reloadSections(at: section, count: 1) }
    return .reconfigureSections(at: section, count: 1)
  }

  /// Returns the update of one row.
  fileprivate func at(_ path: ListPath) -> Changes.Op {
    if case .reloadItems = self { return .reloadItems(at: path, count: 1) }
    return .reconfigureItems(at: path, count: 1)
  }
}
