/// Consecutive rows with the same kind of change, or a heading.
///
/// Steps in order describe a change: before each row that both sides have come the rows that were
/// deleted or moved away, then those that were inserted or moved there.
package struct ChangeStep: Sendable {
  /// The kind of change.
  package enum Kind: Hashable, Sendable {
    case same
    case changed
    case deleted
    /// Moved rows, at their old position.
    case departed
    case inserted
    /// Moved rows, at their new position.
    case arrived
  }

  package var kind: Kind

  /// Whether this is the heading of a section; then `old` and `new` are section numbers.
  package var isHeading = false

  /// Whether a moved row also changed.
  package var isChanged = false

  // Files are smaller than 2 GiB. Steps are compact because a shuffle has two for each row.
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

/// The numbers of deleted, inserted, moved and changed rows.
package struct ChangeCounts: Hashable, Sendable {
  package var deleted = 0
  package var inserted = 0
  package var moved = 0
  package var changed = 0

  package init() {}

  /// Adds the rows of a step.
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

  /// Adds other counts.
  package mutating func add(_ other: ChangeCounts) {
    deleted += other.deleted
    inserted += other.inserted
    moved += other.moved
    changed += other.changed
  }

  /// The nonzero counts, such as "1 deleted, 2 moved".
  package var description: String {
    var text = ""
    func add(_ count: Int, _ word: String) {
      if count > 0 { text += "\(text.isEmpty ? "" : ", ")\(count) \(word)" }
    }
    add(deleted, "deleted")
    add(inserted, "inserted")
    add(moved, "moved")
    add(changed, "changed")
    return text
  }
}

extension [ChangeStep] {
  /// The counts of what changed.
  var counts: (rows: ChangeCounts, sections: ChangeCounts) {
    var rows = ChangeCounts()
    var sections = ChangeCounts()
    for step in self {
      if step.isHeading { sections.add(step) } else { rows.add(step) }
    }
    return (rows, sections)
  }

  /// The last line of a drawing.
  var summary: String {
    let (rows, sections) = counts
    var text = rows.description
    if sections != ChangeCounts() {
      text += "\(text.isEmpty ? "" : "; ")sections: \(sections.description)"
    }
    return text
  }
}
