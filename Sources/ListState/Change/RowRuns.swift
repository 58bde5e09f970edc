import ByteBuffers
import ListDiff

/// The rows and sections of a list that are shown as before a change, as runs in the new order.
///
/// Sections that are not listed are shown as before.
package struct RowRuns: Sendable {
  /// Consecutive rows that were consecutive rows of one section before. Rows are counted through
  /// all sections.
  package struct Run: Hashable, Sendable {
    package var oldSection: Int
    package var old: Int
    package var new: Int
    package var count: Int

    /// Whether the rows have the same texts, templates and selection.
    package var isSame: Bool
  }

  /// A section that may have changed.
  package struct Section: Hashable, Sendable {
    /// The index before the change; `nil` for a new section.
    package var old: Int?

    /// The number of sections that are listed as this one; if there are several, they are shown as
    /// before.
    package var count: Int

    /// Whether the section has the same own members.
    package var isSame: Bool

    /// The index of the first row, and the number of rows.
    package var firstRow: Int
    package var rowCount: Int

    /// The range of the section's runs.
    package var runs: Range<Int>
  }

  package private(set) var sections: [Section] = []
  package private(set) var runs: [Run] = []

  /// Whether all sections are listed. If not, the sections of the list are as before.
  package let listsAll: Bool

  /// Creates the runs of a compared change, from the matching of its rows.
  ///
  /// - Complexity: O(*k* log *s* + *b*), where *k* is the number of rows of the comparison, *s* the
  ///   number of listed sections and *b* the number of bytes of the listed items.
  init(
    _ comparison: borrowing TreeComparison, _ matching: borrowing Matching,
    _ tree: borrowing ListTree
  ) {
    listsAll = comparison.listsAll
    let oldStarts = comparison.old.rowStarts
    let newStarts = comparison.new.rowStarts
    for (index, section) in comparison.new.sections.enumerated() {
      let partner = Int(matching.sectionsToOld[index])
      let start = runs.count
      var rowCount = 0
      for row in Int(newStarts[index])..<Int(newStarts[index + 1]) {
        let count = comparison.new.count(ofRow: row)
        rowCount += count
        let old = Int(matching.rowsToOld[row])
        if old < 0 { continue }
        let run = Run(
          oldSection: comparison.old.sections[oldStarts.section(ofRow: old)].index,
          old: comparison.old.offset(ofRow: old), new: comparison.new.offset(ofRow: row),
          count: count, isSame: tree.isShownSame(comparison, old, row))
        append(run, since: start)
      }
      let before = partner < 0 ? nil : comparison.old.sections[partner]
      let traits = partner < 0 ? nil : tree.traitsBefore(before!.section)
      sections.append(
        Section(
          old: before?.index,
          count: section.count, isSame: traits == tree.sections[section.section].traits,
          firstRow: section.firstRow,
          rowCount: rowCount, runs: start..<runs.count))
    }
  }

  /// Creates the runs of all rows of two snapshots that were compared, each with its selected items.
  ///
  /// - Complexity: O(*n* + *b*), where *n* is the number of rows and *b* the number of bytes of the rows that are
  ///   not known to be equal.
  init(
    _ change: SnapshotChange, _ old: (items: Snapshot, selected: Set<Int>),
    _ new: (items: Snapshot, selected: Set<Int>)
  ) {
    listsAll = true
    let (before, after) = (old.items, new.items)
    let (oldStarts, newStarts) = (before.rowStarts, after.rowStarts)
    let matching = change.matching
    var known = UnchangedItems(change.same)
    /// The items of the last row, and whether they are equal.
    var last = (old: -1, new: -1, isSame: false)
    func areSame(_ oldRow: Int, _ newRow: Int) -> Bool {
      let items = (before.item(ofRow: oldRow), after.item(ofRow: newRow))
      if items != (last.old, last.new) {
        let isSame =
          known.contains(items.0, items.1)
          || Bytes.equal(
            before.bytes(of: before.payloads[items.0]), after.bytes(of: after.payloads[items.1]))
        last = (items.0, items.1, isSame)
      }
      let isSelected = old.selected.contains(items.0)
      guard last.isSame, isSelected == new.selected.contains(items.1),
        before.template(ofRow: oldRow) == after.template(ofRow: newRow),
        before.isPart(oldRow) == after.isPart(newRow)
      else { return false }
      return !after.isPart(newRow)
        || Bytes.equal(
          before.bytes(of: before.payload(ofRow: oldRow)),
          after.bytes(of: after.payload(ofRow: newRow)))
    }
    for (index, traits) in after.sections.enumerated() {
      let partner = Int(matching.sectionsToOld[index])
      let start = runs.count
      let rows = Int(newStarts[index])..<Int(newStarts[index + 1])
      // Most rows are in the section of the row before.
      var section = max(0, partner)
      for row in rows {
        let old = Int(matching.rowsToOld[row])
        if old < 0 { continue }
        if old < oldStarts[section] || old >= oldStarts[section + 1] {
          section = before.path(ofRow: old).section
        }
        append(
          Run(oldSection: section, old: old, new: row, count: 1, isSame: areSame(old, row)),
          since: start)
      }
      let isSame = partner >= 0 && before.isSame(before.sections[partner], traits, in: after)
      sections.append(
        Section(
          old: partner < 0 ? nil : partner, count: 1, isSame: isSame, firstRow: rows.lowerBound,
          rowCount: rows.count, runs: start..<runs.count))
    }
  }

  private mutating func append(_ run: Run, since start: Int) {
    if runs.count > start, let last = runs.last, last.isSame == run.isSame,
      last.oldSection == run.oldSection, last.old + last.count == run.old,
      last.new + last.count == run.new
    {
      runs[runs.count - 1].count += run.count
    } else {
      runs.append(run)
    }
  }
}

extension Snapshot {
  /// Reports whether a section has the same templates, selection mode and own members as one of another
  /// snapshot.
  fileprivate func isSame(
    _ section: SectionTraits, _ other: SectionTraits, in snapshot: Snapshot
  ) -> Bool {
    var renamed = section
    renamed.own = other.own
    return renamed == other && Bytes.equal(bytes(of: section.own), snapshot.bytes(of: other.own))
  }
}

extension ListTree {
  /// Reports whether an old and a new row of a comparison, or rows of blocks of equal items, are
  /// shown as the same rows.
  fileprivate func isShownSame(_ comparison: TreeComparison, _ oldRow: Int, _ newRow: Int) -> Bool {
    guard let old = comparison.old.record(ofRow: oldRow),
      let new = comparison.new.record(ofRow: newRow)
    else { return true }
    let oldPart = part(at: comparison.old.index(ofRow: oldRow), of: old)
    let newPart = part(at: comparison.new.index(ofRow: newRow), of: new)
    return (oldPart?.template ?? old.template) == (newPart?.template ?? new.template)
      && old.traits.contains(.selected) == new.traits.contains(.selected)
      && isSameText(old.payload, new.payload)
      && isSameText(oldPart?.payload ?? old.payload, newPart?.payload ?? new.payload)
  }

  private func isSameText(_ one: Payload, _ other: Payload) -> Bool {
    one == other || Bytes.equal(bytes(of: one), bytes(of: other))
  }
}
