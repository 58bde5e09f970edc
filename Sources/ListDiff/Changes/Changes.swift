/// The operations that turn one list, flat or with sections, into another.
///
/// A row is deleted or inserted only if it is missing from one of the lists, each kept row moves at
/// most once, and only rows whose content differs are updated. If no identity repeats, as few rows
/// as possible move. Create a change with `init(from:to:moves:)` or `init(fromSections:to:moves:)`
/// and show it with `steps(from:to:)`, stage by stage. A flat list is a list with one section.
///
/// ```swift
/// let changes = Changes(from: old, to: new)
/// for step in try changes.steps(from: old, to: new) {
///   tableView.performBatchUpdates(step.stage) { items = step.data }
/// }
/// ```
///
/// DifferenceKit's `StagedChangeset`, `interrupt`, `Differentiable` and `ArraySection` correspond
/// to `steps(from:to:)`, ``limited(to:)``, `Identifiable & Equatable` and ``ListSection``;
/// IGListKit's `ListIndexSetResult` and `ListIndexPathResult` to one of the ``stages``, and its
/// `ListDiffable` to the two closures of ``init(from:to:moves:id:sameContent:)``.
@frozen
public struct Changes: Hashable, Sendable {
  /// The stages, each for one `performBatchUpdates`; empty if nothing changes.
  ///
  /// There are at most four stages, and at most two for a flat list or if nothing may move. No row
  /// is in two operations of one stage. Content changes are a stage of their own, the last.
  /// ``ListPath`` explains the coordinates.
  public let stages: [Stage]

  /// The numbers of rows that are deleted, inserted, moved and updated.
  public let rowCounts: Counts

  /// The numbers of sections that are deleted, inserted, moved and updated.
  public let sectionCounts: Counts

  @usableFromInline let oldRows: ListShape
  @usableFromInline let newRows: ListShape

  /// Whether kept rows that are not updated are equal. Used by assertions.
  @usableFromInline var keepsEqualItems: Bool

  @_alwaysEmitIntoClient
  init(
    stages: [Stage] = [], rowCounts: Counts = Counts(), sectionCounts: Counts = Counts(),
    oldRows: ListShape, newRows: ListShape, keepsEqualItems: Bool = false
  ) {
    self.stages = stages
    self.rowCounts = rowCounts
    self.sectionCounts = sectionCounts
    self.oldRows = oldRows
    self.newRows = newRows
    self.keepsEqualItems = keepsEqualItems
  }

  /// Creates the same change with other stages.
  @_alwaysEmitIntoClient package init(_ changes: Changes, stages: [Stage]) {
    self.init(
      stages: stages, rowCounts: changes.rowCounts, sectionCounts: changes.sectionCounts,
      oldRows: changes.oldRows, newRows: changes.newRows, keepsEqualItems: changes.keepsEqualItems)
  }

  /// Creates a change between lists with so many rows in their sections.
  @_alwaysEmitIntoClient package init(
    stages: [Stage], rowCounts: Counts, sectionCounts: Counts, oldShape: [Int], newShape: [Int]
  ) {
    self.init(
      stages: stages, rowCounts: rowCounts, sectionCounts: sectionCounts,
      oldRows: ListShape(oldShape), newRows: ListShape(newShape))
  }

  /// Creates the empty change of a list with `counts` rows in its sections.
  @_alwaysEmitIntoClient package init(unchanged counts: [Int]) {
    self.init(oldRows: ListShape(counts), newRows: ListShape(counts))
  }

  /// The number of rows in each section of the old list; one number for a flat list.
  public var oldShape: [Int] { oldRows.counts }

  /// The number of rows in each section of the new list; one number for a flat list.
  public var newShape: [Int] { newRows.counts }

  /// Whether there is no operation: the lists have the same identities in the same order, and the
  /// same content.
  @inlinable public var isEmpty: Bool { stages.isEmpty }

  /// The number of operations in all stages.
  ///
  /// An operation on a range of consecutive rows counts once.
  ///
  /// - Complexity: O(*s*), where *s* is the number of stages, at most four.
  @_alwaysEmitIntoClient public var opCount: Int { stages.reduce(0) { $0 + $1.ops.count } }

  /// Returns the change, or `nil` if it has more than `limit` operations and the view should reload
  /// everything.
  ///
  /// Operations are counted as in ``opCount``. To limit the number of rows, use ``rowCounts``.
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
  @_alwaysEmitIntoClient public func limited(to limit: Int) -> Changes? {
    opCount > limit ? nil : self
  }

  /// The operations of all stages in sequence, each applied to the result of the previous one.
  ///
  /// ```swift
  /// let ops = Changes(from: ["a", "b", "c"], to: ["c", "a"], id: \.self).sequence.ops
  /// // deleteItems(at: [0, 1], count: 1), then moveItems(from: [0, 1], to: [0, 0], count: 1)
  /// ```
  ///
  /// The data of each ``Changes/Step`` hold the inserted content, stage by stage; see ``OpSequence``.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  @_alwaysEmitIntoClient public var sequence: OpSequence { OpSequence(stages) }
}

/// The number of rows in each section of a list.
@frozen @usableFromInline
enum ListShape: Equatable, Sendable {
  case flat(Int)
  /// The index of each section's first row, followed by the number of rows. Never of a single
  /// section, so that equal shapes compare equal.
  case sections(starts: [Int32])

  @_alwaysEmitIntoClient init(_ counts: [Int]) { self.init(starts: counts.sums) }

  /// Creates the shape from the starts of the sections, followed by the number of rows.
  @usableFromInline
  init(starts: [Int32]) {
    self = starts.count == 2 ? .flat(Int(starts[1])) : .sections(starts: starts)
  }

  /// The index of each section's first row, followed by the number of rows.
  @usableFromInline var starts: [Int32] {
    switch self {
    case .flat(let count): [0, Int32(truncatingIfNeeded: count)]
    case .sections(let starts): starts
    }
  }

  var counts: [Int] {
    switch self {
    case .flat(let count): [count]
    case .sections(let starts): starts.indices.dropLast().map { rows(ofSection: $0).count }
    }
  }

  var count: Int {
    switch self {
    case .flat(let count): count
    case .sections(let starts): Int(starts[starts.count - 1])
    }
  }

  var sectionCount: Int {
    switch self {
    case .flat: 1
    case .sections(let starts): starts.count - 1
    }
  }

  /// Returns the number of rows in the sections before one.
  func start(ofSection section: Int) -> Int {
    switch self {
    case .flat: 0
    case .sections(let starts): Int(starts[section])
    }
  }

  /// Returns the section of a flat row.
  func section(ofRow row: Int) -> Int {
    switch self {
    case .flat: 0
    case .sections(let starts): starts.section(ofRow: row)
    }
  }

  /// Returns the path of a flat row.
  func path(_ row: Int32) -> ListPath {
    let section = section(ofRow: Int(row))
    return ListPath(section: section, row: Int(row) &- start(ofSection: section))
  }

  /// Returns the rows of a section as flat indices.
  func rows(ofSection section: Int) -> Range<Int> {
    switch self {
    case .flat(let count): 0..<count
    case .sections(let starts): starts.rows(ofSection: section)
    }
  }
}

/// The error for lists whose numbers of sections or rows are not those of the compared lists.
public struct ShapeMismatch: Error, Hashable, Sendable {
  /// The expected number of rows in each section.
  public var expected: [Int]

  /// The actual number of rows in each section.
  public var found: [Int]

  /// Creates the error from the expected and the actual shape.
  public init(expected: [Int], found: [Int]) {
    self.expected = expected
    self.found = found
  }
}

extension Changes {
  /// Returns whether two changes have the same operations between lists of the same shapes.
  public static func == (a: Changes, b: Changes) -> Bool {
    a.stages == b.stages && a.rowCounts == b.rowCounts && a.sectionCounts == b.sectionCounts
      && a.oldRows == b.oldRows && a.newRows == b.newRows
  }

  /// Hashes the properties that `==` compares, except the counts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(stages)
    hasher.combine(oldShape)
    hasher.combine(newShape)
  }

  /// The same change, with section updates in a stage before the row updates.
  ///
  /// Use this for a view that shows a section update as a reload: such a view must not receive an
  /// update of a row of that section in the same batch.
  ///
  /// ```swift
  /// let stages = changes.separatingSectionUpdates.stages
  /// ```
  ///
  /// - Complexity: O(*k*), where *k* is the number of operations.
  @_alwaysEmitIntoClient public var separatingSectionUpdates: Changes {
    Changes(self, stages: stages.flatMap { $0.separatingSectionUpdates })
  }
}

extension Changes.Stage {
  /// The stage, or two for the updates of sections and those of rows.
  @_alwaysEmitIntoClient package var separatingSectionUpdates: [Changes.Stage] {
    let sections = ops.prefix { !$0.parts.isOfRows }
    guard !sections.isEmpty, sections.count < ops.count, !changesStructure else { return [self] }
    return [Self(ops: Array(sections)), Self(ops: Array(ops.dropFirst(sections.count)))]
  }
}
