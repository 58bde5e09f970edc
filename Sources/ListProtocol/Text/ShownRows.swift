import JSONBytes
import ListDiff
import ListState
import ListText

/// Finds the rows of a page that are shown like rows of the page before it: their contents and
/// marks are equal.
struct ShownRows {
  private let old: TextPage
  private let new: TextPage

  /// The old row of each new one, -1 for none; `nil` if both pages have the same rows.
  private let partners: [Int32]?

  /// Whether both pages have the same content.
  private let isSameContent: Bool

  /// Rows that are known to be equal, and the first of them that may concern the next row.
  private let known: [MatchedRun]
  private var next = 0
  private var contents: RowComparison

  /// The number of rows whose marks are looked up at once.
  private static let chunk = 256

  init(_ old: TextPage, _ new: TextPage, _ matching: RowMatching) {
    self.old = old
    self.new = new
    let isSameSize = old.snapshot.rowCount == new.snapshot.rowCount
    isSameContent =
      matching.rows == nil && old.revision == new.revision && new.revision > 0 && isSameSize
    partners = matching.rows?.rowsToOld ?? (isSameSize ? nil : [])
    let areItems = old.snapshot.parts == nil && new.snapshot.parts == nil
    known = if case .pairs(_, let same) = matching, areItems { same } else { [] }
    contents = RowComparison(old.snapshot, new.snapshot)
  }

  /// Returns the longest run of rows of the old page, in one section, that are shown like the first
  /// of the given rows of the new page. The rows of successive calls ascend.
  ///
  /// - Complexity: O(*b* + *k* + log *s*), where *b* is the number of bytes of the rows that are not
  ///   known to be equal, *k* the number of rows and *s* the number of sections.
  mutating func rows(shownLike rows: Range<Int>) -> Range<Int> {
    let row = rows.lowerBound
    if let partners, partners.count <= row { return 0..<0 }
    let first = partners.map { Int($0[row]) } ?? row
    guard first >= 0, first < old.snapshot.rowCount else { return 0..<0 }
    let section = old.snapshot.path(ofRow: first).section
    let most = min(rows.count, Int(old.snapshot.rowStarts[section + 1]) - first)
    var count = 0
    while count < most {
      let areEqual = equalRows(first + count, row + count)
      let chunk = max(1, min(most - count, areEqual, Self.chunk))
      let haveMarks = haveMarks(first + count, row + count, chunk)
      for _ in 0..<chunk {
        let (before, now) = (first + count, row + count)
        guard partners == nil || Int(partners![now]) == before,
          !haveMarks || old.marks(ofRow: before) == new.marks(ofRow: now),
          areEqual > 0 || contents.isSame(before, now)
        else { return first..<first + count }
        #if DEBUG
          precondition(contents.isSame(before, now), "known rows are equal")
        #endif
        count += 1
      }
    }
    return first..<first + count
  }

  /// Returns how many rows from these on are known to be equal.
  private mutating func equalRows(_ before: Int, _ row: Int) -> Int {
    if isSameContent { return .max }
    while next < known.count, Int(known[next].new + known[next].count) <= row { next += 1 }
    guard next < known.count, Int(known[next].new) <= row,
      Int(known[next].old - known[next].new) == before - row
    else { return 0 }
    return Int(known[next].new + known[next].count) - row
  }

  /// Reports whether any of some rows is selected or has the cursor, before or now.
  private func haveMarks(_ before: Int, _ row: Int, _ count: Int) -> Bool {
    old.hasMarks(inRows: before..<before + count) || new.hasMarks(inRows: row..<row + count)
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
