import ListDiff

extension Matching {
  /// Returns the same matching inside a larger list, with unchanged sections and rows before and
  /// after.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections of the larger list.
  package func placed(
    sections: (before: Int, after: Int), rows: (before: Int, after: Int)
  ) -> Matching {
    var result = Matching()
    result.sectionsToNew = Self.placed(sectionsToNew, sections, other: sectionsToOld.count)
    result.sectionsToOld = Self.placed(sectionsToOld, sections, other: sectionsToNew.count)
    result.rowsToNew = Self.placed(rowsToNew, rows, other: rowsToOld.count)
    result.rowsToOld = Self.placed(rowsToOld, rows, other: rowsToNew.count)
    result.gatherRuns()
    return result
  }

  private static func placed(
    _ partners: [Int32], _ around: (before: Int, after: Int), other: Int
  ) -> [Int32] {
    let shift = Int32(truncatingIfNeeded: around.before)
    var result: [Int32] = []
    result.reserveCapacity(around.before + partners.count + around.after)
    for index in 0..<around.before { result.append(Int32(truncatingIfNeeded: index)) }
    for partner in partners { result.append(partner < 0 ? -1 : partner + shift) }
    for index in 0..<around.after {
      result.append(Int32(truncatingIfNeeded: around.before + other + index))
    }
    return result
  }
}

extension Changes.Stage {
  /// Returns the same stage for a list with `count` more sections before the others.
  package func shifted(by count: Int) -> Changes.Stage {
    var result = self
    result.ops = ops.map { op in
      var op = op.parts
      op.at = op.at.shifted(by: count, op.isOfRows)
      op.to = op.to.shifted(by: count, op.isOfRows)
      return Changes.Op(op)
    }
    return result
  }
}

extension ListPath {
  /// Returns the path, or the index of a section as a row, with `count` more sections before it.
  fileprivate func shifted(by count: Int, _ isOfRow: Bool) -> ListPath {
    isOfRow ? ListPath(section: section + count, row: row) : advanced(by: count)
  }
}
