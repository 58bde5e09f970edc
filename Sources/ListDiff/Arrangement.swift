/// Which rows stand in which sections, by dense key: two rows are the same where their keys are.
package struct Arrangement: Hashable, Sendable {
  /// The keys of the sections, each different.
  package var sections: [UInt32]

  /// The index in `rows` of each section's first row, and at the end the number of rows.
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

  /// The rows of a section, as indices in `rows`.
  package func range(ofSection section: Int) -> Range<Int> {
    Int(starts[section])..<Int(starts[section + 1])
  }
}

extension [Int32] {
  /// The section of a flat row, where these are the indices of the sections' first rows and then
  /// the number of rows.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  @usableFromInline package func section(ofRow row: Int) -> Int {
    var low = 0
    var high = count - 1
    // Empty sections share their start with the next; the row is in the last of them.
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(self[middle]) <= row { low = middle } else { high = middle }
    }
    return low
  }
}
