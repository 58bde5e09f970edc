/// Consecutive rows of a section of the old or the new list whose ids are to be hashed. They are counted from the
/// start of the section; `offset` is the number of rows in the sections before.
@usableFromInline
typealias HashedRange = (isNew: Bool, section: Int, start: Int, end: Int, offset: Int)

extension IDHash {
  /// Appends the rows of a range with hashes of their ids, of the items of the section. That these need not be
  /// copyable keeps a debug build from copying each.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func append<Item: ~Copyable, ID: Hashable>(
    _ range: HashedRange, of items: Span<Item>, id: (borrowing Item) -> ID,
    to rows: inout OutputSpan<UnalignedRow>
  ) {
    var row = range.start
    while row < range.end {
      rows.append(UnalignedRow(hash: hash(id(items[row])), row: range.offset &+ row))
      row &+= 1
    }
  }
}

/// Pairs in one old and one new section: the indices of the rows, and the sections with their first rows.
@usableFromInline
typealias PairedRange = (start: Int, end: Int, old: Int, oldStart: Int, new: Int, newStart: Int)

extension UnalignedRows {
  /// Appends the new rows of a range whose content has changed, of the items of both sections. Returns false if
  /// two different ids have the same hash.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func findChanges<Item: ~Copyable, ID: Hashable>(
    in range: PairedRange, _ old: Span<Item>, _ new: Span<Item>, id: (borrowing Item) -> ID,
    isSame: (borrowing Item, borrowing Item) -> Bool, changed: inout [Int32]
  ) -> Bool {
    let rows = pairedRows
    let checksIDs = checksIDs
    var next = range.start
    while next < range.end {
      let row = rows[next]
      next &+= 1
      if row.partner < 0 { continue }
      let before = Int(row.partner) &- range.oldStart
      let after = Int(row.row) &- range.newStart
      if checksIDs, id(old[before]) != id(new[after]) { return false }
      if !isSame(old[before], new[after]) { changed.append(row.row) }
    }
    return true
  }
}
