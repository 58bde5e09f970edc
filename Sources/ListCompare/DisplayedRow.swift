import JSONBytes

/// A row of a change, for pages that show whole lists.
package struct DisplayedRow: Sendable {
  package var kind: ChangeStep.Kind
  package var isHeading: Bool

  /// The row's identity across changes.
  package var key: String

  /// The text that displays the row.
  package var text: String
}

extension Comparison {
  /// All rows of both sides, in the order of a drawing; empty for lines of text.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package var displayedRows: [DisplayedRow] {
    guard let records else { return [] }
    let rows = DrawnRecords(records, cutsValues: true)
    var result: [DisplayedRow] = []
    for step in records.steps {
      if step.isHeading {
        let text = rows.heading(step)
        guard rows.hasHeadings else { continue }
        let table = step.new >= 0 ? records.new : records.old
        let key = table.sectionKeys[step.new >= 0 ? step.new : step.old]
        result.append(
          DisplayedRow(
            kind: step.kind, isHeading: true, key: "§" + String(decoding: key, as: UTF8.self),
            text: String(decoding: text.bytes, as: UTF8.self)))
        continue
      }
      for offset in 0..<step.count {
        let isOld = step.new < 0 || step.kind == .departed
        let table = isOld ? records.old : records.new
        let row = (isOld ? step.old : step.new) + offset
        let key = String(decoding: table.key(ofRow: row), as: UTF8.self)
        let texts = isOld ? rows.texts(ofOld: row) : rows.texts(ofNew: row)
        result.append(
          DisplayedRow(
            kind: step.kind, isHeading: false, key: key,
            text: String(decoding: texts[0].bytes, as: UTF8.self)))
      }
    }
    return result
  }
}
