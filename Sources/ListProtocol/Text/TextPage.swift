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

  /// Returns the longest run of rows of this page, in one section, that are shown like the first of
  /// the given rows of another page: their contents and marks are equal.
  ///
  /// - Complexity: O(*b* + log *s*), where *b* is the number of bytes of the rows and *s* the
  ///   number of sections.
  func rows(
    shownLike rows: Range<Int>, of other: TextPage, _ matching: RowMatching
  ) -> Range<Int> {
    let partners: [Int32]? =
      if case .pairs(let matching) = matching { matching.rowsToOld } else { nil }
    let row = rows.lowerBound
    let first = partners.map { Int($0[row]) } ?? row
    guard first >= 0, first < snapshot.rowCount,
      partners != nil || snapshot.rowCount == other.snapshot.rowCount
    else { return 0..<0 }
    let section = snapshot.path(ofRow: first).section
    let most = min(rows.count, Int(snapshot.rowStarts[section + 1]) - first)
    var contents = RowComparison(snapshot, other.snapshot)
    var count = 0
    while count < most, partners == nil || Int(partners![row + count]) == first + count,
      marks(ofRow: first + count) == other.marks(ofRow: row + count),
      contents.isSame(first + count, row + count)
    {
      count += 1
    }
    return first..<first + count
  }
}

/// Compares rows of two snapshots byte by byte.
private struct RowComparison {
  let old: Snapshot
  let new: Snapshot

  /// The texts of the rows, if all rows are items with the default template.
  let oldPayloads: [Payload]
  let newPayloads: [Payload]
  let isPlain: Bool

  /// The first buffers, which have most texts. Finding them for each row takes longer than
  /// comparing.
  let oldText: UnsafeRawBufferPointer
  let newText: UnsafeRawBufferPointer

  init(_ old: Snapshot, _ new: Snapshot) {
    self.old = old
    self.new = new
    isPlain =
      old.parts == nil && new.parts == nil && old.templates.isEmpty && new.templates.isEmpty
    oldPayloads = old.payloads
    newPayloads = new.payloads
    oldText = old.buffers.first?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
    newText = new.buffers.first?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// The last items whose parts were compared, and whether their texts are equal.
  private var lastItems: (old: Int, new: Int, areSame: Bool)?

  mutating func isSame(_ row: Int, _ other: Int) -> Bool {
    if isPlain {
      let a = oldPayloads[row]
      let b = newPayloads[other]
      if a.buffer == 0, b.buffer == 0 {
        return Bytes.equal(oldText[of: a], newText[of: b])
      }
    }
    guard old.template(ofRow: row) == new.template(ofRow: other),
      old.isPart(row) == new.isPart(other),
      Bytes.equal(
        old.bytes(of: old.payload(ofRow: row)), new.bytes(of: new.payload(ofRow: other)))
    else { return false }
    guard new.isPart(other) else { return true }
    let items = (old.item(ofRow: row), new.item(ofRow: other))
    if let lastItems, (lastItems.old, lastItems.new) == items { return lastItems.areSame }
    let areSame = Bytes.equal(
      old.bytes(of: old.payloads[items.0]), new.bytes(of: new.payloads[items.1]))
    lastItems = (items.0, items.1, areSame)
    return areSame
  }
}

extension UnsafeRawBufferPointer {
  fileprivate subscript(of payload: Payload) -> UnsafeRawBufferPointer {
    let start = Int(payload.start)
    return UnsafeRawBufferPointer(rebasing: self[start..<start + Int(payload.length)])
  }
}
