import JSONBytes
import ListDiff
import ListState
import ListText

/// The text of a list and its source.
struct TextPage {
  var text = RenderedText()

  /// The revision of the text; 0 is the text of a list that does not exist.
  var textRevision = 0
  var revision = 0
  var snapshot = Snapshot()
  var selected = BitSet(bound: 0)
  var cursor: Int?

  /// Whether the text has spans, and the match that some of them show.
  var hasSpans = false
  var match: ListMatch?

  /// The steps from recent texts to this one.
  var steps = TextSteps()

  /// Returns the path of the row that a line of a text belongs to, if that is known.
  func path(ofLine line: Int, in textRevision: Int) -> Path? {
    let present = (number: self.textRevision, text: text)
    guard case .row(let row) = steps.owner(ofLine: line, in: textRevision, present: present)
    else { return nil }
    return snapshot.path(ofRow: row)
  }

  /// Returns the selection and cursor state of a row.
  func marks(ofRow row: Int) -> RowMarks {
    RowMarks(
      isSelected: selected.count > 0 && selected.contains(snapshot.item(ofRow: row)),
      hasCursor: row == cursor)
  }
  /// Reports whether any of some rows is selected or has the cursor.
  ///
  /// - Complexity: O(*k*), where *k* is the number of rows.
  func hasMarks(inRows rows: Range<Int>) -> Bool {
    if let cursor, rows.contains(cursor) { return true }
    if selected.count == 0 || rows.isEmpty { return false }
    let items = snapshot.item(ofRow: rows.lowerBound)...snapshot.item(ofRow: rows.upperBound - 1)
    return selected.count(in: Range(items)) > 0
  }
}
