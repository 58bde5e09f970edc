extension Changes {
  /// An operation of a change, on `count` consecutive rows or sections.
  ///
  /// ``ListPath`` explains the coordinates. A move takes consecutive rows to consecutive positions.
  @frozen
  public enum Op: Hashable, Sendable {
    /// Deletes sections with the rows that are still in them.
    case deleteSections(at: Int, count: Int)
    /// Inserts sections.
    ///
    /// ``Changes/Stage/insertedRowCounts`` holds the number of rows in each.
    case insertSections(at: Int, count: Int)
    /// Moves sections with their rows.
    case moveSections(from: Int, to: Int, count: Int)
    /// Deletes rows.
    case deleteItems(at: ListPath, count: Int)
    /// Inserts rows that are new to the list.
    case insertItems(at: ListPath, count: Int)
    /// Moves rows, possibly to another section.
    case moveItems(from: ListPath, to: ListPath, count: Int)
    /// Replaces the header and footer views of sections.
    ///
    /// A ``Changes`` that was computed from two lists has none; one between two `ListSnapshot`s may.
    case reloadSections(at: Int, count: Int)
    /// Updates sections whose own content changed, not counting their items.
    case reconfigureSections(at: Int, count: Int)
    /// Replaces the views of rows.
    ///
    /// A ``Changes`` that was computed from two lists has none; one between two `ListSnapshot`s may.
    case reloadItems(at: ListPath, count: Int)
    /// Updates rows whose content changed.
    ///
    /// Show it as a reload if views cannot be updated in place.
    case reconfigureItems(at: ListPath, count: Int)
  }
}
