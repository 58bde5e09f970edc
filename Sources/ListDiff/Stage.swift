extension Changes {
  /// Operations that happen at once, as in `performBatchUpdates`.
  ///
  /// This is how a collection view shows a flat list:
  ///
  /// ```swift
  /// func show(_ step: Changes.Step<[Mail]>) {
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
  /// func paths(_ at: ListPath, _ count: Int) -> [IndexPath] {
  ///   (at.row..<at.row + count).map { IndexPath(item: $0, section: at.section) }
  /// }
  /// ```
  @frozen
  public struct Stage: Hashable, Codable, Sendable {
    /// The operations in the order of the cases of ``Changes/Op``, then by place, moves by where they
    /// go.
    public var ops: [Op] = []

    /// How many rows each inserted section arrives with, in the order of the sections.
    public var insertedRowCounts: [Int] = []

    /// Makes a stage of operations, which are to be in the order that ``ops`` tells.
    @inlinable
    public init(ops: [Op] = [], insertedRowCounts: [Int] = []) {
      self.ops = ops
      self.insertedRowCounts = insertedRowCounts
    }
  }

  /// How many single rows, or sections, a change deletes, inserts, moves and updates.
  ///
  /// What moves and changes counts in both. Rows that go or come with their section count.
  @frozen
  public struct Counts: Hashable, Codable, Sendable {
    /// How many go.
    public var deletes = 0
    /// How many come.
    public var inserts = 0
    /// How many go elsewhere.
    public var moves = 0
    /// How many are kept with other content.
    public var updates = 0

    /// Makes counts, zero where not given.
    @inlinable
    public init(deletes: Int = 0, inserts: Int = 0, moves: Int = 0, updates: Int = 0) {
      self.deletes = deletes
      self.inserts = inserts
      self.moves = moves
      self.updates = updates
    }
  }
}
