/// The sections of a list and their rows as dense keys. Rows are the same item if and only if their
/// keys are equal.
@usableFromInline
package struct Arrangement: Equatable, Sendable {
  /// The keys of the sections, all different.
  package var sections: [UInt32]

  /// The index in `rows` of each section's first row, followed by the number of rows.
  @usableFromInline package var starts: [Int32]

  /// The keys of the rows of all sections.
  package var rows: [UInt32]

  /// Whether a key may occur in `rows` more than once.
  @usableFromInline package var hasRepeats: Bool

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
    Int(starts[section])..<Int(starts[section + 1])
  }
}

extension [Int32] {
  /// Returns the section of a flat row. The elements are the indices of the sections' first rows,
  /// followed by the number of rows.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func section(ofRow row: Int) -> Int {
    var low = 0
    var high = count - 1
    // Empty sections share their start with the next one; the row is in the last of them.
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(self[middle]) <= row { low = middle } else { high = middle }
    }
    return low
  }
}

extension Collection where Element: BinaryInteger {
  /// The sum of the elements before each element, followed by the sum of all. For the numbers of rows of
  /// sections, these are the starts of the sections.
  @_alwaysEmitIntoClient var sums: [Int32] {
    var result: [Int32] = []
    result.reserveCapacity(count + 1)
    var sum: Int32 = 0
    result.append(sum)
    for element in self {
      sum += Int32(truncatingIfNeeded: element)
      result.append(sum)
    }
    return result
  }
}
