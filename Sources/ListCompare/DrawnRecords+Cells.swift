import JSONBytes

extension DrawnRecords {
  /// A table has no more columns for members of JSON.
  private static let mostMembers = 24

  var cellNames: [String] {
    switch comparison.new.form {
    case .json: memberNames
    case .delimited, .columns: comparison.hasOtherColumns ? [] : comparison.new.columns
    }
  }

  func hasNames(ofNew row: Int) -> Bool { comparison.new.isHeader(row) }

  func cells(_ names: [String], ofOld old: Int?, new: Int?) -> [StyledText] {
    if comparison.new.form == .json { return memberCells(names, old, new) }
    let before = old.map { comparison.old.fields(of: comparison.old.rows[$0]) }
    let after = new.map { comparison.new.fields(of: comparison.new.rows[$0]) }
    var changes: [String: FieldDifference] = [:]
    if let old, let new {
      for difference in comparison.differences(old, new) { changes[difference.name] = difference }
    }
    return names.indices.map { column in
      if let difference = changes[comparison.new.columnName(column)] {
        return cell([difference])
      }
      let (table, fields) =
        after.map { (comparison.new, $0) } ?? (comparison.old, before ?? [])
      guard column < fields.count else { return StyledText() }
      let isKey = table.keyColumns.contains(column)
      return StyledText(table.value(fields[column]), isKey ? .label : nil)
    }
  }

  /// The names of the members of all rows, after an empty one if the rows have names themselves.
  /// Only objects with few members in all, and on average at most one object or array in each, have
  /// columns.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  private var memberNames: [String] {
    var names = comparison.new.names.isEmpty ? [] : [""]
    var known: Set<String> = []
    var (rows, nested) = (0, 0)
    for table in [comparison.old, comparison.new] {
      for row in table.rows.indices where !(table.hasPreface && row == 0) {
        guard table.bytes(table.rows[row]).first == 0x7B else { return [] }
        rows += 1
        for member in JSONMember.all(of: table.rows[row], in: table.content.bytes) {
          let first = table.content.bytes[member.value.lowerBound]
          if first == 0x7B || first == 0x5B { nested += 1 }
          if known.insert(member.name).inserted { names.append(member.name) }
        }
        if known.count > Self.mostMembers { return [] }
      }
    }
    return nested <= rows ? names : []
  }

  private func memberCells(_ names: [String], _ old: Int?, _ new: Int?) -> [StyledText] {
    guard let row = new ?? old else { return [] }
    let table = new == nil ? comparison.old : comparison.new
    if table.hasPreface, row == 0 { return [] }
    var values: [String: Range<Int>] = [:]
    for member in JSONMember.all(of: table.rows[row], in: table.content.bytes) {
      values[member.name] = member.value
    }
    var changes: [String: [FieldDifference]] = [:]
    if let old, let new {
      for difference in comparison.differences(old, new) {
        changes[difference.path[0], default: []].append(difference)
      }
    }
    return names.indices.map { column in
      if column == 0, !comparison.new.names.isEmpty { return StyledText(table.names[row], .label) }
      let name = names[column]
      if let differences = changes[name] { return cell(differences) }
      guard let value = values[name] else { return StyledText() }
      let isKey = table.keyFields.contains(name)
      return StyledText(JSONText.plain(table.bytes(value)), isKey ? .label : nil)
    }
  }

  /// The differences in a cell. The first name of their paths is that of the column.
  private func cell(_ differences: [FieldDifference]) -> StyledText {
    var text = StyledText()
    for difference in differences {
      if !text.bytes.isEmpty { text.append(", ") }
      var inner = difference
      inner.path.removeFirst()
      if !inner.name.isEmpty { text.append(inner.name + ": ") }
      let (before, after) = values(of: difference)
      text.append(before, .old)
      text.append(" → ")
      text.append(after, .new)
    }
    return text
  }
}
