/// Consecutive rows to which the same happened, or a heading.
///
/// Steps in order are a picture of a change: rows that both sides have, before each of them what
/// was deleted or moved away there, then what was inserted or moved there.
package struct ChangeStep: Sendable {
  /// What happened to rows.
  package enum Kind: Hashable, Sendable {
    case same
    case changed
    case deleted
    /// Rows that moved, where they were.
    case departed
    case inserted
    /// Rows that moved, where they are.
    case arrived
  }

  package var kind: Kind

  /// Whether this is the heading of a section; `old` and `new` are sections then.
  package var isHeading = false

  /// Whether a row that moved changed, too.
  package var isChanged = false

  // Files have less than 2 GiB, and a shuffle has two steps for each of its rows.
  private var rows: (old: Int32, new: Int32, count: Int32)

  package init(
    kind: Kind, isHeading: Bool = false, isChanged: Bool = false, old: Int, new: Int, count: Int = 1
  ) {
    self.kind = kind
    self.isHeading = isHeading
    self.isChanged = isChanged
    rows = (Int32(old), Int32(new), Int32(count))
  }

  /// The first of the old rows; -1 if there are none.
  package var old: Int {
    get { Int(rows.old) }
    set { rows.old = Int32(newValue) }
  }

  /// The first of the new rows; -1 if there are none.
  package var new: Int {
    get { Int(rows.new) }
    set { rows.new = Int32(newValue) }
  }

  /// The number of rows.
  package var count: Int {
    get { Int(rows.count) }
    set { rows.count = Int32(newValue) }
  }
}

/// How many rows were deleted, inserted, moved and changed.
package struct ChangeCounts: Hashable, Sendable {
  package var deleted = 0
  package var inserted = 0
  package var moved = 0
  package var changed = 0

  package init() {}

  /// Counts the rows of a step.
  package mutating func add(_ step: ChangeStep) {
    switch step.kind {
    case .same, .departed: break
    case .changed: changed += step.count
    case .deleted: deleted += step.count
    case .inserted: inserted += step.count
    case .arrived:
      moved += step.count
      if step.isChanged { changed += step.count }
    }
  }

  /// The counts that are not zero, such as "1 deleted, 2 moved".
  package var description: String {
    [(deleted, "deleted"), (inserted, "inserted"), (moved, "moved"), (changed, "changed")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
