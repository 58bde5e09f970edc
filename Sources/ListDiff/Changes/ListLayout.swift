/// The sections and rows of the list between two stages, as tokens.
///
/// The token of a section or row of the old list is its index there. The token of an inserted one
/// is the complement `~` of a number, assigned in the order of insertion.
@frozen @usableFromInline
struct ListLayout {
  @usableFromInline typealias Section = (token: Int32, rows: [Int32])

  @usableFromInline let sections: [Section]
  @usableFromInline let insertedCount: Int32

  @_alwaysEmitIntoClient init(_ sections: [Section], insertedCount: Int32 = 0) {
    self.sections = sections
    self.insertedCount = insertedCount
  }

  /// Creates the layout of the old list.
  @_alwaysEmitIntoClient init(shape: [Int]) {
    let starts = shape.sums
    self.init(
      shape.indices.map {
        (token: Int32(truncatingIfNeeded: $0), rows: Array(starts[$0]..<starts[$0 + 1]))
      })
  }

  /// Returns the layouts before the first stage and after each structural stage.
  @_alwaysEmitIntoClient static func all(_ changes: Changes) -> [ListLayout] {
    var result = [ListLayout(shape: changes.oldShape)]
    for stage in changes.stages where stage.changesStructure {
      result.append(result[result.count - 1].after(stage))
    }
    return result
  }

  /// Returns the layout after a valid stage.
  ///
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of rows and sections and *k* of
  ///   operations.
  @_alwaysEmitIntoClient func after(_ stage: Stage) -> ListLayout {
    var count = insertedCount
    func newTokens(_ added: Int) -> [Int32] {
      let start = count
      count += Int32(truncatingIfNeeded: added)
      return (start..<count).map { ~$0 }
    }
    var result: [Section] = []
    StageForm(stage).forEachSection(of: sections.map { $0.rows.count }) { origin, pieces in
      var section = origin.map { sections[$0] } ?? (token: newTokens(1)[0], rows: [])
      let whole = origin.map { Path(section: $0, row: 0) }
      if whole == nil || pieces.count != 1 || pieces[0] != (whole, section.rows.count) {
        section.rows = []
        for piece in pieces {
          if let from = piece.from {
            section.rows += sections[from.section].rows[from.row..<from.row + piece.count]
          } else {
            section.rows += newTokens(piece.count)
          }
        }
      }
      result.append(section)
    }
    return ListLayout(result, insertedCount: count)
  }

  /// By number of an inserted section or row, its index in the new list. Call it on the last
  /// layout.
  @_alwaysEmitIntoClient var newIndices: [Int32] {
    var result = [Int32](repeating: -1, count: Int(insertedCount))
    var row: Int32 = 0
    for (index, section) in sections.enumerated() {
      if section.token < 0 { result[Int(~section.token)] = Int32(truncatingIfNeeded: index) }
      for token in section.rows {
        if token < 0 { result[Int(~token)] = row }
        row += 1
      }
    }
    return result
  }
}
