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

extension Stage {
  /// Returns the same stage for a list with `count` more sections before the others.
  package func shifted(by count: Int) -> Stage {
    func shifted(_ path: Path) -> Path { Path(section: path.section + count, row: path.row) }
    var result = self
    result.ops = ops.map { op in
      switch op {
      case .deleteSections(let at, let n): .deleteSections(at: at + count, count: n)
      case .insertSections(let at, let n): .insertSections(at: at + count, count: n)
      case .reloadSections(let at, let n): .reloadSections(at: at + count, count: n)
      case .reconfigureSections(let at, let n): .reconfigureSections(at: at + count, count: n)
      case .moveSections(let from, let to, let n):
        .moveSections(from: from + count, to: to + count, count: n)
      case .deleteItems(let at, let n): .deleteItems(at: shifted(at), count: n)
      case .insertItems(let at, let n): .insertItems(at: shifted(at), count: n)
      case .reloadItems(let at, let n): .reloadItems(at: shifted(at), count: n)
      case .reconfigureItems(let at, let n): .reconfigureItems(at: shifted(at), count: n)
      case .moveItems(let from, let to, let n):
        .moveItems(from: shifted(from), to: shifted(to), count: n)
      }
    }
    return result
  }
}
