/// One operation of a change; neighbours are merged, so each has a `count`.
///
/// Coordinates are explained at ``Path``.
public enum Op: Hashable, Sendable {
  /// Sections that go, with all rows still in them.
  case deleteSections(at: Int, count: Int)
  /// Sections that are new; ``Stage/insertedRowCounts`` says how many rows each arrives with.
  case insertSections(at: Int, count: Int)
  /// Sections that go elsewhere with their rows.
  case moveSections(from: Int, to: Int, count: Int)
  /// Rows that go.
  case deleteItems(at: Path, count: Int)
  /// Rows that are new to the list.
  case insertItems(at: Path, count: Int)
  /// Rows that go elsewhere, also to another section.
  case moveItems(from: Path, to: Path, count: Int)
  /// Sections that need new header or footer views.
  case reloadSections(at: Int, count: Int)
  /// Sections with other members of their own.
  case reconfigureSections(at: Int, count: Int)
  /// Rows that need new views.
  case reloadItems(at: Path, count: Int)
  /// Rows with the same identity and other content.
  case reconfigureItems(at: Path, count: Int)
}

/// Operations that happen at once, as in `performBatchUpdates`.
public struct Stage: Hashable, Sendable {
  /// The operations by kind, then by place, moves by where they go.
  public var ops: [Op] = []

  /// How many rows each inserted section arrives with, in the order of the sections.
  public var insertedRowCounts: [Int] = []

  /// Makes a stage of operations in that order.
  public init(ops: [Op] = [], insertedRowCounts: [Int] = []) {
    self.ops = ops
    self.insertedRowCounts = insertedRowCounts
  }
}

/// How many single rows, or sections, a change deletes, inserts, moves and updates.
///
/// What moves and changes counts in both. Rows that go or come with their section count.
public struct Counts: Hashable, Sendable {
  /// How many go.
  public var deletes = 0
  /// How many come.
  public var inserts = 0
  /// How many go elsewhere.
  public var moves = 0
  /// How many are kept with other content.
  public var updates = 0

  /// Makes counts, zero where not given.
  public init(deletes: Int = 0, inserts: Int = 0, moves: Int = 0, updates: Int = 0) {
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
  }
}

/// What a kept row, or a kept section, needs for its content to be the new one.
public enum ContentChange: UInt8, Comparable, Sendable {
  /// Nothing: the content is the same.
  case none
  /// The same view with other content.
  case reconfigure
  /// Another view.
  case reload

  @inlinable public static func < (a: ContentChange, b: ContentChange) -> Bool {
    a.rawValue < b.rawValue
  }
}
