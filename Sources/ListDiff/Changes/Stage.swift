extension Changes {
  /// Operations that happen at once, as in `performBatchUpdates`.
  ///
  /// A collection view shows a stage of a flat list like this:
  ///
  /// ```swift
  /// func show(_ step: Changes.Step<[Mail]>) {
  ///   collectionView.performBatchUpdates { [self] in
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
  public struct Stage: Hashable, Sendable {
    /// The operations in the order of the cases of ``Changes/Op``, then by position; moves are
    /// ordered by their destination.
    public var ops: [Op] = []

    /// The number of rows in each inserted section as it is inserted, in the order of the sections.
    public var insertedRowCounts: [Int] = []

    /// Creates a stage of operations, which must be in the order described at ``ops``.
    @inlinable
    public init(ops: [Op] = [], insertedRowCounts: [Int] = []) {
      self.ops = ops
      self.insertedRowCounts = insertedRowCounts
    }
  }

  /// The numbers of rows, or sections, that a change deletes, inserts, moves and updates.
  ///
  /// A row that moves and is updated counts in both numbers. Rows that are deleted or inserted with
  /// their section are included.
  @frozen
  public struct Counts: Hashable, Sendable {
    /// The number of deletions.
    public var deletes = 0
    /// The number of insertions.
    public var inserts = 0
    /// The number of moves.
    public var moves = 0
    /// The number of kept rows or sections whose content changes.
    public var updates = 0

    /// Creates counts, which are zero by default.
    @inlinable
    public init(deletes: Int = 0, inserts: Int = 0, moves: Int = 0, updates: Int = 0) {
      self.deletes = deletes
      self.inserts = inserts
      self.moves = moves
      self.updates = updates
    }
  }
}
