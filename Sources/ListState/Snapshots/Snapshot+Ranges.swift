import ListDiff

extension Snapshot {
  /// Returns the rows of ascending items as maximal ranges within sections.
  ///
  /// - Complexity: O(*k* + *s*), where *k* is the number of the items and *s* the number of
  ///   sections.
  package func ranges(of items: some Sequence<Int>) -> [(at: Path, count: Int)] {
    var ranges: [(at: Path, count: Int)] = []
    var section = 0
    let rowStarts = rowStarts
    for item in items {
      let rows = rows(ofItem: item)
      if rows.isEmpty { continue }
      while Int(rowStarts[section + 1]) <= rows.lowerBound { section += 1 }
      let at = Path(section: section, row: rows.lowerBound - Int(rowStarts[section]))
      if let last = ranges.last, last.at.advanced(by: last.count) == at {
        ranges[ranges.count - 1].count += rows.count
      } else {
        ranges.append((at, rows.count))
      }
    }
    return ranges
  }
}
