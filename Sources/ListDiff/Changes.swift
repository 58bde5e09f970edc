/// What has to happen to one list, flat or with sections, so that it becomes another.
///
/// The change is the least there is: each kept row moves at most once and as few as possible do, rows
/// are deleted and inserted only where they go or come, and just what differs is updated. Make one
/// with ``init(from:to:moves:)`` or ``init(fromSections:to:moves:)`` and show it with
/// ``steps(from:to:)``, stage by stage; a flat list is a list with one section.
///
/// ```swift
/// let changes = Changes(from: old, to: new)
/// for step in try changes.steps(from: old, to: new) {
///   items = step.data
///   tableView.performBatchUpdates(step.stage)
/// }
/// ```
public struct Changes: Hashable, Sendable {
  /// The stages, each to be given to one `performBatchUpdates`; none where nothing changes.
  ///
  /// Coordinates are explained at ``Path``.
  public internal(set) var stages: [Stage]

  /// How many rows are deleted, inserted, moved and updated.
  public internal(set) var rowCounts: Counts

  /// How many sections are deleted, inserted, moved and updated.
  public internal(set) var sectionCounts: Counts

  /// How many rows each section of the old list has.
  public internal(set) var oldShape: [Int]

  /// How many rows each section of the new list has.
  public internal(set) var newShape: [Int]

  /// Whether the lists are the same.
  public var isEmpty: Bool { stages.isEmpty }

  /// How many operations there are, in all stages.
  ///
  /// - Complexity: O(*s*), where *s* is the number of stages, at most four.
  public var opCount: Int { stages.reduce(0) { $0 + $1.ops.count } }

  /// The changes, or `nil` where there are more than `limit` operations: a sign to reload everything.
  ///
  /// ```swift
  /// if let changes = Changes(from: old, to: new).limited(to: 1) {
  ///   for stage in changes.stages { tableView.performBatchUpdates(stage) }
  /// } else {
  ///   tableView.reloadData()
  /// }
  /// ```
  ///
  /// - Complexity: O(*s*), where *s* is the number of stages, at most four.
  public func limited(to limit: Int) -> Changes? { opCount > limit ? nil : self }

  /// The operations one after the other, each meant for the result of the one before.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  public var sequence: OpSequence { OpSequence(stages) }
}

/// The lists are not those that the changes are about: a section more or less, or rows.
public struct ShapeMismatch: Error, Hashable, Sendable {
  /// How many rows each section should have.
  public var expected: [Int]

  /// How many rows each section has.
  public var found: [Int]

  /// Makes the error for a list with other rows in its sections than expected.
  public init(expected: [Int], found: [Int]) {
    self.expected = expected
    self.found = found
  }
}
