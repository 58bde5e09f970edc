extension Changes {
  /// One operation of a change, on `count` rows or sections that follow each other.
  ///
  /// Coordinates are explained at ``ListPath``. A move takes its rows to places that follow each
  /// other.
  @frozen
  public enum Op: Hashable, Sendable {
    /// Sections that go, with all rows still in them.
    case deleteSections(at: Int, count: Int)
    /// Sections that are new; ``Changes/Stage/insertedRowCounts`` says how many rows each arrives with.
    case insertSections(at: Int, count: Int)
    /// Sections that go elsewhere with their rows.
    case moveSections(from: Int, to: Int, count: Int)
    /// Rows that go.
    case deleteItems(at: ListPath, count: Int)
    /// Rows that are new to the list.
    case insertItems(at: ListPath, count: Int)
    /// Rows that go elsewhere, also to another section.
    case moveItems(from: ListPath, to: ListPath, count: Int)
    /// Sections that need new header or footer views; a ``Changes`` that was found between two lists
    /// has none.
    case reloadSections(at: Int, count: Int)
    /// Sections with the same identity that show something else, their items aside.
    case reconfigureSections(at: Int, count: Int)
    /// Rows that need new views; a ``Changes`` that was found between two lists has none.
    case reloadItems(at: ListPath, count: Int)
    /// Rows with the same identity and other content; to be shown as a reload where views cannot be
    /// given other content.
    case reconfigureItems(at: ListPath, count: Int)
  }
}

/// What a kept row, or a kept section, needs for its content to be the new one.
package enum ContentChange: UInt8, Comparable, Sendable {
  /// Nothing: the content is the same.
  case none
  /// The same view with other content.
  case reconfigure
  /// Another view.
  case reload

  package static func < (a: ContentChange, b: ContentChange) -> Bool {
    a.rawValue < b.rawValue
  }
}
