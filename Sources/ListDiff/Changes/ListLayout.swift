/// The sections and rows of the list between two stages, as tokens.
///
/// The token of a section or row of the old list is its index there. The token of an inserted one
/// is the complement `~` of a number, assigned in the order of insertion.
@frozen @usableFromInline
struct ListLayout {
  @usableFromInline typealias Section = (token: Int32, rows: [Int32])

  @usableFromInline var sections: [Section] = []
  @usableFromInline var insertedCount: Int32 = 0

  /// Creates the layout of the old list.
  @_alwaysEmitIntoClient init(shape: [Int]) {
    var next: Int32 = 0
    for (index, count) in shape.enumerated() {
      let end = next + Int32(count)
      sections.append(
        (token: Int32(truncatingIfNeeded: index), rows: Array(next..<end)))
      next = end
    }
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
    var result = self
    result.sections.removeAll(keepingCapacity: true)
    StageForm(stage).forEachSection(of: sections.map { $0.rows.count }) { origin, pieces in
      var section = origin.map { sections[$0] } ?? (token: result.newTokens(1)[0], rows: [])
      let whole = origin.map { Path(section: $0, row: 0) }
      if whole == nil || pieces != [StageForm.Piece(from: whole, count: section.rows.count)] {
        section.rows = []
        for piece in pieces {
          if let from = piece.from {
            section.rows += sections[from.section].rows[from.row..<from.row + piece.count]
          } else {
            section.rows += result.newTokens(piece.count)
          }
        }
      }
      result.sections.append(section)
    }
    return result
  }

  @_alwaysEmitIntoClient mutating func newTokens(_ count: Int) -> [Int32] {
    let end = insertedCount + Int32(truncatingIfNeeded: count)
    defer { insertedCount = end }
    return (insertedCount..<end).map { ~$0 }
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
