/// One operation of a change, on `count` rows or sections that follow each other.
///
/// Coordinates are explained at ``Path``. A move takes its rows to places that follow each other.
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
  /// Sections that need new header or footer views; a ``Changes`` that was found between two lists
  /// has none.
  case reloadSections(at: Int, count: Int)
  /// Sections with the same identity that show something else, their items aside.
  case reconfigureSections(at: Int, count: Int)
  /// Rows that need new views; a ``Changes`` that was found between two lists has none.
  case reloadItems(at: Path, count: Int)
  /// Rows with the same identity and other content; to be shown as a reload where views cannot be
  /// given other content.
  case reconfigureItems(at: Path, count: Int)
}

/// Operations that happen at once, as in `performBatchUpdates`.
///
/// This is how a collection view shows a flat list:
///
/// ```swift
/// func show(_ step: Step<[Mail]>) {
///   collectionView.performBatchUpdates {
///     mails = step.data
///     for op in step.stage.ops {
///       switch op {
///       case .deleteItems(let at, let count): collectionView.deleteItems(at: paths(at, count))
///       case .insertItems(let at, let count): collectionView.insertItems(at: paths(at, count))
///       case .moveItems(let from, let to, let count):
///         for (from, to) in zip(paths(from, count), paths(to, count)) {
///           collectionView.moveItem(at: from, to: to)
///         }
///       case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
///         collectionView.reconfigureItems(at: paths(at, count))
///       default: break  // A flat list has no operations on sections.
///       }
///     }
///   }
/// }
///
/// func paths(_ at: Path, _ count: Int) -> [IndexPath] {
///   (at.row..<at.row + count).map { IndexPath(item: $0, section: at.section) }
/// }
/// ```
public struct Stage: Hashable, Sendable {
  /// The operations in the order of the cases of ``Op``, then by place, moves by where they go.
  public var ops: [Op] = []

  /// How many rows each inserted section arrives with, in the order of the sections.
  public var insertedRowCounts: [Int] = []

  /// Makes a stage of operations, which are to be in the order that ``ops`` tells.
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
