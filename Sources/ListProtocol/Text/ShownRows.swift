import ByteBuffers
import ListDiff
import ListState
import ListText

/// Finds the rows of a snapshot that are shown like rows of a snapshot before it, apart from the
/// cursor: their contents and their selection are equal.
struct ShownRows {
  private let old: SnapshotSource
  private let new: SnapshotSource

  /// The old row of each new one, -1 for none.
  private let partners: [Int32]

  /// Rows that are known to be equal, and the first of them that may concern the next row.
  private let known: [MatchedRun]
  private var next = 0
  private var contents: RowComparison

  /// The number of rows whose selection is looked up at once.
  private static let chunk = 256

  init(_ old: SnapshotSource, _ new: SnapshotSource, _ change: SnapshotChange) {
    self.old = old
    self.new = new
    partners = change.matching.rowsToOld
    let areItems = old.snapshot.parts == nil && new.snapshot.parts == nil
    known = areItems ? change.same : []
    contents = RowComparison(old.snapshot, new.snapshot)
  }

  /// Returns the longest run of old rows, in one section, that are shown like the first of the
  /// given new rows. The rows of successive calls ascend.
  ///
  /// - Complexity: O(*b* + *k* + log *s*), where *b* is the number of bytes of the rows that are not
  ///   known to be equal, *k* the number of rows and *s* the number of sections.
  mutating func rows(shownLike rows: Range<Int>) -> Range<Int> {
    let row = rows.lowerBound
    let first = Int(partners[row])
    guard first >= 0 else { return 0..<0 }
    let section = old.snapshot.path(ofRow: first).section
    let most = min(rows.count, Int(old.snapshot.rowStarts[section + 1]) - first)
    var count = 0
    while count < most {
      let areEqual = equalRows(first + count, row + count)
      let chunk = max(1, min(most - count, areEqual, Self.chunk))
      let areSelected =
        old.hasSelection(inRows: first + count..<first + count + chunk)
        || new.hasSelection(inRows: row + count..<row + count + chunk)
      for _ in 0..<chunk {
        let (before, now) = (first + count, row + count)
        guard Int(partners[now]) == before,
          !areSelected || old.isSelected(before) == new.isSelected(now),
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
    while next < known.count, Int(known[next].new + known[next].count) <= row { next += 1 }
    guard next < known.count, Int(known[next].new) <= row,
      Int(known[next].old - known[next].new) == before - row
    else { return 0 }
    return Int(known[next].new + known[next].count) - row
  }
}

extension SnapshotSource {
  fileprivate func isSelected(_ row: Int) -> Bool {
    selected.count > 0 && selected.contains(snapshot.item(ofRow: row))
  }

  /// Reports whether any of some rows is selected.
  ///
  /// - Complexity: O(*k*), where *k* is the number of rows.
  fileprivate func hasSelection(inRows rows: Range<Int>) -> Bool {
    if selected.count == 0 || rows.isEmpty { return false }
    let items = snapshot.item(ofRow: rows.lowerBound)...snapshot.item(ofRow: rows.upperBound - 1)
    return selected.count(in: Range(items)) > 0
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
