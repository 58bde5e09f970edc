/// Consecutive rows of a section whose ids are to be hashed.
@frozen @usableFromInline
struct HashedRange {
  /// Whether the rows are in the new list.
  @usableFromInline let isNew: Bool
  @usableFromInline let section: Int
  /// The rows from the start of the section.
  @usableFromInline let start: Int
  @usableFromInline let end: Int
  /// The number of rows in the sections before.
  @usableFromInline let offset: Int

  /// Appends the rows with hashes of their ids, of the items of the section. That these need not be copyable keeps
  /// a debug build from copying each.
  @_alwaysEmitIntoClient @inline(__always)
  func hash<Item: ~Copyable, ID: Hashable>(
    _ items: Span<Item>, by hash: inout IDHash, id: (borrowing Item) -> ID,
    to rows: inout OutputSpan<UnalignedRow>
  ) {
    var row = start
    while row < end {
      rows.append(UnalignedRow(hash: hash.hash(id(items[row])), row: offset &+ row))
      row &+= 1
    }
  }
}

/// Pairs in one old and one new section.
@frozen @usableFromInline
struct PairedRange {
  /// The indices of the rows.
  @usableFromInline let start: Int
  @usableFromInline let end: Int
  @usableFromInline let old: Int
  @usableFromInline let oldStart: Int
  @usableFromInline let new: Int
  @usableFromInline let newStart: Int

  /// Appends the new rows whose content has changed, of the items of both sections. Returns false if two
  /// different ids have the same hash.
  @_alwaysEmitIntoClient @inline(__always)
  func findChanges<Item: ~Copyable, ID: Hashable>(
    _ unaligned: inout UnalignedRows, _ old: Span<Item>, _ new: Span<Item>,
    id: (borrowing Item) -> ID, isSame: (borrowing Item, borrowing Item) -> Bool,
    changed: inout [Int32]
  ) -> Bool {
    var next = start
    while next < end {
      let row = unaligned.rows[next]
      next &+= 1
      if row.partner < 0 { continue }
      let before = Int(row.partner) &- oldStart
      let after = Int(row.row) &- newStart
      if id(old[before]) != id(new[after]), unaligned.checksIDs { return false }
      if !isSame(old[before], new[after]) { changed.append(row.row) }
    }
    return true
  }
}
