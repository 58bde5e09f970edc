import JSONBytes

extension RecordComparison {
  /// Whether a pattern matches a member or column of either file.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes before the first match.
  func matches(_ pattern: FieldPattern) -> Bool { matches(pattern, old) || matches(pattern, new) }

  private func matches(_ pattern: FieldPattern, _ table: RecordTable) -> Bool {
    defer { withExtendedLifetime(table.content) {} }
    if table.form == .json {
      return table.rows.contains { hasMember($0, of: table, at: [], pattern) }
    }
    if table.columns.contains(where: { pattern.matches([$0]) }) { return true }
    return table.rows.contains { row in
      (1...max(1, table.fields(of: row).count)).contains { pattern.matches(["\($0)"]) }
    }
  }

  private func hasMember(
    _ value: Range<Int>, of table: RecordTable, at path: [String], _ pattern: FieldPattern
  ) -> Bool {
    if !path.isEmpty, pattern.matches(path) { return true }
    switch table.content.bytes[value.lowerBound] {
    case 0x7B:
      return table.members(of: value).contains {
        hasMember($0.value, of: table, at: path + [$0.name], pattern)
      }
    case 0x5B:
      return table.elements(of: value).enumerated().contains {
        hasMember($1, of: table, at: path + ["\($0)"], pattern)
      }
    default: return false
    }
  }
}
