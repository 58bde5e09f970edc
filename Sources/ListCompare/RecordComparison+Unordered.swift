import ListDiff

extension RecordComparison {
  /// Returns the steps if the order of rows does not matter: in each section, the old rows in their
  /// order, then the new rows that were not there.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  func unorderedSteps(
    _ matching: Matching, _ oldStarts: [Int32], _ newStarts: [Int32]
  ) -> [ChangeStep] {
    var steps: [ChangeStep] = []
    var equality = RowEquality(self)
    let hasSections = !old.sectionStarts.isEmpty || !new.sectionStarts.isEmpty
    func append(old home: Range<Int>, new rows: Range<Int>) {
      for row in home {
        let other = Int(matching.rowsToNew[row])
        var kind: ChangeStep.Kind = other < 0 ? .deleted : .departed
        if rows.contains(other) { kind = equality.isSame(row, other) ? .same : .changed }
        StepLayout.append(ChangeStep(kind: kind, old: row, new: other), to: &steps)
      }
      for row in rows {
        let other = Int(matching.rowsToOld[row])
        guard other < 0 || !home.contains(other) else { continue }
        let isChanged = other >= 0 && !equality.isSame(other, row)
        StepLayout.append(
          ChangeStep(
            kind: other < 0 ? .inserted : .arrived, isChanged: isChanged, old: other, new: row),
          to: &steps)
      }
    }
    for section in matching.sectionsToOld.indices {
      let other = Int(matching.sectionsToOld[section])
      if hasSections {
        var heading = ChangeStep(kind: .inserted, isHeading: true, old: other, new: section)
        if other >= 0 {
          heading.isChanged = !equality.isSame(section: other, section)
          heading.kind = heading.isChanged ? .changed : .same
        }
        steps.append(heading)
      }
      append(
        old: other < 0 ? 0..<0 : Self.range(other, oldStarts), new: Self.range(section, newStarts))
    }
    for section in matching.sectionsToNew.indices where matching.sectionsToNew[section] < 0 {
      steps.append(ChangeStep(kind: .deleted, isHeading: true, old: section, new: -1))
      append(old: Self.range(section, oldStarts), new: 0..<0)
    }
    return steps
  }
}
