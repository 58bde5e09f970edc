import ListDiff
import ListText

/// The text of a list, and the state of the list that it shows.
struct TextPage {
  var text = RenderedText()

  /// The revision of the text; 0 is the text of a list that does not exist.
  var textRevision = 0
  var revision = 0

  /// The row of the cursor, and the selected rows as maximal ranges within sections.
  var cursor: Int?
  var selection: [(at: Path, count: Int)] = []

  /// Whether the text has spans, and the match that some of them show.
  var hasSpans = false
  var match: ListMatch?

  /// The steps from recent texts to this one.
  var steps = TextSteps()

  /// The index of the cursor's line among the lines of its row, which may have become fewer.
  var rowLine = 0

  /// The line of the cursor; if its row has no lines, the line where the first one would be.
  var cursorLine: Int? {
    cursor.map { row in
      let lines = text.lines(ofRow: row)
      return lines.lowerBound + min(rowLine, max(lines.count - 1, 0))
    }
  }

  /// Returns the path of the row that a line of a text belongs to, if that is known, and the index
  /// of the line among those that the row had then. If the text no longer has the row, its path at
  /// the returned revision.
  func path(
    ofLine line: Int, in textRevision: Int
  ) -> (path: Path, revision: Int?, rowLine: Int)? {
    let present = (number: self.textRevision, text: text)
    guard let (target, index) = steps.target(ofLine: line, in: textRevision, present: present)
    else { return nil }
    switch target {
    case .owner(.row(let row)): return (text.path(ofRow: row), nil, index)
    case .lost(let path, let revision): return (path, revision, index)
    case .owner: return nil
    }
  }

  /// Returns the pairs of the text with that of a list that has the same content, and perhaps
  /// another selection.
  ///
  /// - Complexity: O(*s* + *k* log *n*), where *s* is the number of ranges of selected rows, *k* the
  ///   number of ranges that were selected or deselected and *n* the number of rows.
  func pairs(selecting selection: [(at: Path, count: Int)]) -> RowPairs {
    RowPairs(identityOf: text, exceptFor: Self.difference(self.selection, selection))
  }

  /// Returns the rows that are in one of two lists of ranges. The ranges of each list are in order
  /// and do not overlap.
  private static func difference(
    _ one: [(at: Path, count: Int)], _ other: [(at: Path, count: Int)]
  ) -> [(at: Path, count: Int)] {
    var result: [(at: Path, count: Int)] = []
    var (rest, others) = (one[...], other[...])
    while let first = rest.first, let second = others.first {
      if first.at == second.at {
        let common = min(first.count, second.count)
        rest.dropRows(common)
        others.dropRows(common)
      } else if first.at < second.at {
        let isBelow = first.at.section == second.at.section
        let count = isBelow ? min(first.count, second.at.row - first.at.row) : first.count
        result.append((first.at, count))
        rest.dropRows(count)
      } else {
        let isBelow = first.at.section == second.at.section
        let count = isBelow ? min(second.count, first.at.row - second.at.row) : second.count
        result.append((second.at, count))
        others.dropRows(count)
      }
    }
    return result + rest + others
  }
}

extension ArraySlice<(at: Path, count: Int)> {
  /// Removes rows from the start of the first range.
  fileprivate mutating func dropRows(_ count: Int) {
    let first = self[startIndex]
    self[startIndex] = (first.at.advanced(by: count), first.count - count)
    if first.count == count { removeFirst() }
  }
}
