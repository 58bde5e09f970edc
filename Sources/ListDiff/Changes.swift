/// What has to happen to one list, flat or with sections, so that it becomes another.
///
/// Rows are deleted and inserted only where they go or come, each kept row moves at most once, as
/// few as possible do where no identity repeats, and just what differs is updated. Make one with
/// `init(from:to:moves:)` or `init(fromSections:to:moves:)` and show it with
/// `steps(from:to:)`, stage by stage; a flat list is a list with one section.
///
/// ```swift
/// let changes = Changes(from: old, to: new)
/// for step in try changes.steps(from: old, to: new) {
///   items = step.data
///   tableView.performBatchUpdates(step.stage)
/// }
/// ```
///
/// What DifferenceKit calls `StagedChangeset`, `interrupt`, `Differentiable` and `ArraySection` is
/// here `steps(from:to:)`, ``limited(to:)``, `Identifiable & Equatable` and ``ListSection``;
/// IGListKit's `ListIndexSetResult` and `ListIndexPathResult` are one of the ``stages``, its
/// `ListDiffable` the two closures of ``init(from:to:moves:id:sameContent:)``.
@frozen
public struct Changes: Hashable, Sendable {
  /// The stages, each to be given to one `performBatchUpdates`; none where nothing changes.
  ///
  /// There are at most four, of a flat list and where nothing may move at most two. No row is in
  /// two operations of one stage, and changes of content are a stage of their own, the last.
  /// Coordinates are explained at ``ListPath``.
  public internal(set) var stages: [Stage] {
    @inlinable get { storedStages }
    _modify { yield &storedStages }
  }

  /// How many rows are deleted, inserted, moved and updated.
  public internal(set) var rowCounts: Counts {
    @inlinable get { storedRowCounts }
    _modify { yield &storedRowCounts }
  }

  /// How many sections are deleted, inserted, moved and updated.
  public internal(set) var sectionCounts: Counts {
    @inlinable get { storedSectionCounts }
    _modify { yield &storedSectionCounts }
  }

  // Stored apart, so that an empty change is made in the code of an app.
  @usableFromInline var storedStages: [Stage]
  @usableFromInline var storedRowCounts: Counts
  @usableFromInline var storedSectionCounts: Counts

  @usableFromInline var oldRows: ListShape
  @usableFromInline var newRows: ListShape

  /// Whether kept rows that are not updated are equal, for a check.
  @usableFromInline var keepsEqualItems = false

  @inlinable
  init(
    stages: [Stage] = [], rowCounts: Counts = Counts(), sectionCounts: Counts = Counts(),
    oldRows: ListShape, newRows: ListShape
  ) {
    storedStages = stages
    storedRowCounts = rowCounts
    storedSectionCounts = sectionCounts
    self.oldRows = oldRows
    self.newRows = newRows
  }

  /// How many rows each section of the old list has; one number for a flat list.
  public var oldShape: [Int] { oldRows.counts }

  /// How many rows each section of the new list has; one number for a flat list.
  public var newShape: [Int] { newRows.counts }

  /// Whether nothing is to be done: the same identities in the same order, and no other content.
  @inlinable public var isEmpty: Bool { stages.isEmpty }

  /// How many operations there are, in all stages; one on a hundred rows that follow each other is
  /// one.
  ///
  /// - Complexity: O(*s*), where *s* is the number of stages, at most four.
  public var opCount: Int { stages.reduce(0) { $0 + $1.ops.count } }

  /// The changes, or `nil` where there are more than `limit` operations: a sign to reload
  /// everything.
  ///
  /// Operations are counted as ``opCount`` does. To go by rows, look at ``rowCounts``.
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
  /// ```swift
  /// let ops = Changes(from: ["a", "b", "c"], to: ["c", "a"], id: \.self).sequence.ops
  /// // deleteItems(at: [0, 1], count: 1), then moveItems(from: [0, 1], to: [0, 0], count: 1)
  /// ```
  ///
  /// What the insertions bring is told by ``Changes/Step/data``, stage by stage: see ``OpSequence``.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  public var sequence: OpSequence { OpSequence(stages) }
}

/// How many rows each section of a list has.
@frozen @usableFromInline
enum ListShape: Hashable, Sendable {
  case flat(Int)
  /// Never one number, so that equal shapes are equal.
  case sections([Int])

  init(_ counts: [Int]) { self = counts.count == 1 ? .flat(counts[0]) : .sections(counts) }

  var counts: [Int] {
    switch self {
    case .flat(let count): [count]
    case .sections(let counts): counts
    }
  }
}

/// Lists are not those that the changes are about: they have other numbers of sections or rows.
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

extension Changes {
  /// Whether two changes have the same operations between lists of the same shapes.
  public static func == (a: Changes, b: Changes) -> Bool {
    a.stages == b.stages && a.rowCounts == b.rowCounts && a.sectionCounts == b.sectionCounts
      && a.oldRows == b.oldRows && a.newRows == b.newRows
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(stages)
    hasher.combine(oldRows)
    hasher.combine(newRows)
  }

  /// The same change with the updates of sections in a stage before that of the updates of rows.
  ///
  /// A view that shows the update of a section by reloading it must not be given an update of a row of
  /// that section in the same batch.
  ///
  /// ```swift
  /// let stages = changes.separatingSectionUpdates.stages
  /// ```
  ///
  /// - Complexity: O(*k*), where *k* is the number of operations.
  public var separatingSectionUpdates: Changes {
    guard let last = stages.last, last.ops.allSatisfy(\.isOfContents) else { return self }
    let sections = last.ops.prefix { !$0.isOfRows }
    if sections.isEmpty || sections.count == last.ops.count { return self }
    var result = self
    result.stages.removeLast()
    result.stages.append(Stage(ops: Array(sections)))
    result.stages.append(Stage(ops: Array(last.ops.dropFirst(sections.count))))
    return result
  }
}
