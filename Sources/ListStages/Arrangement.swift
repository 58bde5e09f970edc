import ListDiff

/// The sections of a list and their rows as dense keys. Rows are the same item if and only if their
/// keys are equal.
package struct Arrangement: Equatable, Sendable {
  /// The keys of the sections, all different.
  package var sections: [UInt32]

  /// The index in `rows` of each section's first row, followed by the number of rows.
  package var starts: [Int32]

  /// The keys of the rows of all sections.
  package var rows: [UInt32]

  /// Whether a key may occur in `rows` more than once.
  package var hasRepeats: Bool

  package init(
    sections: [UInt32] = [], starts: [Int32] = [0], rows: [UInt32] = [], hasRepeats: Bool = false
  ) {
    self.sections = sections
    self.starts = starts
    self.rows = rows
    self.hasRepeats = hasRepeats
  }

  /// Returns the rows of a section as indices in `rows`.
  package func range(ofSection section: Int) -> Range<Int> {
    starts.rows(ofSection: section)
  }
}
