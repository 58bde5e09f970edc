import ListDiff

/// What a request for a change says beside the new snapshot.
package struct ChangeRequest: Sendable {
  package var baseRevision: Int?
  package var selected: [ItemReference]?
  package var cursor: ItemReference?
  package var cursorPolicy = CursorPolicy.follow

  package init() {}
}

/// What a change has done to a list, and what is told of it.
package struct ListChange: Sendable {
  package var name: [UInt8]
  package var baseRevision: Int
  package var revision: Int
  package var old: Snapshot
  package var new: Snapshot
  package var changes: SnapshotChange
  package var deselected: [Deselected]

  /// Whether the content is another than before.
  package var isRevision: Bool { baseRevision != revision }

  /// Whether the selection or the cursor is another than before.
  package var isMarked: Bool

  /// Whether what is told of a view beside what it shows is different from before.
  package var isRenumbered = false

  package var selectionBefore: Selection

  /// What is told even where it is the same.
  var touched = TouchedContents()
}

extension ListChange {
  /// No change of a list.
  package init(unchanged list: NamedList) {
    self.init(
      name: list.name, baseRevision: list.revision, revision: list.revision, old: list.snapshot,
      new: list.snapshot, changes: SnapshotChange(), deselected: [], isMarked: false,
      selectionBefore: list.selection)
  }

  /// A change of the selection and the cursor only, of a list as it is now.
  package init(marking change: SelectionChange, of list: NamedList) {
    self.init(unchanged: list)
    deselected = change.deselectedItems.map { Deselected(item: $0, gone: false) }
    isMarked = change.isMarked
  }
}

/// An item that left the selection.
package struct Deselected: Sendable {
  /// The item before the change.
  package var item: Int
  /// Whether it left the list.
  package var gone: Bool
}

/// The least change between two snapshots.
package struct SnapshotChange: Sendable {
  package var stages: [Stage] = []

  /// Which sections and rows are which.
  package internal(set) var matching = Matching()

  /// The items that were known to be the same, byte by byte, before they were compared.
  var same: [MatchedRun] = []

  /// Which items are which.
  package internal(set) var items = Matching()

  /// Which sections and rows move, and how many come, go, move and change.
  package internal(set) var movement = Movement()

  /// Whether any content differs, and not only what is told is wanted to be.
  package internal(set) var isOfContent = false

  package init() {}
}

/// Says what kept rows and sections need, by their bytes and, where those differ, their values.
struct ContentComparison {
  let old: Snapshot
  let new: Snapshot
  let rules: ContentRules

  /// The items of parts that were compared last, and whether they are the same beside their parts.
  private var lastItems: (old: Int, new: Int, areSame: Bool)?

  init(old: Snapshot, new: Snapshot, rules: ContentRules) {
    self.old = old
    self.new = new
    self.rules = rules
  }

  func section(_ before: Int, _ after: Int) -> ContentChange {
    max(ownChange(before, after), new.touched.sections[after] ?? .none)
  }

  mutating func row(_ before: Int, _ after: Int) -> ContentChange {
    let change = rowChange(before, after)
    if new.touched.items.isEmpty { return change }
    return max(change, new.touched.items[new.item(ofRow: after)] ?? .none)
  }

  private func ownChange(_ before: Int, _ after: Int) -> ContentChange {
    let a = old.sections[before]
    let b = new.sections[after]
    if isSame(a.own, b.own, by: rules.isSameSection) { return .none }
    return a.headerTemplate == b.headerTemplate && a.footerTemplate == b.footerTemplate
      ? .reconfigure : .reload
  }

  private mutating func rowChange(_ before: Int, _ after: Int) -> ContentChange {
    let a = old.payload(ofRow: before)
    let b = new.payload(ofRow: after)
    var isSame = isSame(a, b, by: rules.isSameItem)
    if isSame, new.isPart(after) {
      isSame = areSameBesideParts(old.item(ofRow: before), new.item(ofRow: after))
    }
    if isSame { return .none }
    return old.template(ofRow: before) == new.template(ofRow: after) ? .reconfigure : .reload
  }

  /// Whether items have the same members beside their parts, which is looked at once for all of these.
  private mutating func areSameBesideParts(_ before: Int, _ after: Int) -> Bool {
    if let lastItems, (lastItems.old, lastItems.new) == (before, after) { return lastItems.areSame }
    let areSame = isSame(old.payloads[before], new.payloads[after], by: rules.isSameBesideParts)
    lastItems = (before, after, areSame)
    return areSame
  }

  /// Whether the content of any section or row that is kept differs.
  mutating func differs(_ matching: Matching) -> Bool {
    for (new, old) in matching.sectionsToOld.enumerated() where old >= 0 {
      if ownChange(Int(old), new) != .none { return true }
    }
    for (new, old) in matching.rowsToOld.enumerated() where old >= 0 {
      if rowChange(Int(old), new) != .none { return true }
    }
    return false
  }

  /// Whether items that are a pair are the same, also where they show no rows.
  func isSameItem(_ before: Int, _ after: Int) -> Bool {
    isSame(old.payloads[before], new.payloads[after], by: rules.isSameItem)
  }

  private func isSame(
    _ a: Payload, _ b: Payload,
    by rule: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    rule(old.bytes(of: a), new.bytes(of: b))
  }
}

/// Rows that are known to be the same on both sides, passed in the order of the new ones.
struct KnownRows {
  private let runs: [MatchedRun]
  private var next = 0

  init(_ runs: [MatchedRun]) { self.runs = runs }

  /// Visits the pairs of a run of matched rows that are not known to be the same; the runs come in
  /// the order of the new rows.
  mutating func forEachOther(of run: MatchedRun, _ body: (Int, Int) -> Void) {
    let shift = Int(run.old) - Int(run.new)
    let end = Int(run.new) + Int(run.count)
    var row = Int(run.new)
    while row < end {
      while next < runs.count, Int(runs[next].new) + Int(runs[next].count) <= row { next += 1 }
      guard next < runs.count, Int(runs[next].new) < end else { break }
      let known = Int(runs[next].new)
      while row < known {
        body(row + shift, row)
        row += 1
      }
      let knownEnd = min(end, known + Int(runs[next].count))
      // Of rows that repeat another pair may have been chosen.
      if Int(runs[next].old) - known == shift {
        row = knownEnd
      } else {
        while row < knownEnd {
          body(row + shift, row)
          row += 1
        }
      }
    }
    while row < end {
      body(row + shift, row)
      row += 1
    }
  }
}
