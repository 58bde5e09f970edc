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
  package var baseRevision: Int
  package var revision: Int
  package var old: Snapshot
  package var new: Snapshot
  package var changes: SnapshotChange
  package var deselected: [Deselected]
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

  /// Which items are which.
  package internal(set) var items = Matching()

  /// Which sections and rows move, and how many come, go, move and change.
  package internal(set) var movement = Movement()

  package init() {}

  package var isEmpty: Bool { stages.isEmpty }
}

/// How contents that are written differently are compared.
package struct ContentRules: Sendable {
  /// Whether two items, or parts, are the same value.
  package var isSameItem: @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
  /// Whether two sections' own members are the same.
  package var isSameSection: @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
  /// Whether two items are the same but for their parts.
  package var isSameBesideParts: @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool

  package init(
    isSameItem: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool,
    isSameSection: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool,
    isSameBesideParts: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
  ) {
    self.isSameItem = isSameItem
    self.isSameSection = isSameSection
    self.isSameBesideParts = isSameBesideParts
  }
}

/// Says what kept rows and sections need, by their bytes and, where those differ, their values.
struct ContentComparison {
  let old: Snapshot
  let new: Snapshot
  let rules: ContentRules

  func section(_ before: Int, _ after: Int) -> ContentChange {
    let a = old.sections[before]
    let b = new.sections[after]
    if isSame(a.own, b.own, by: rules.isSameSection) { return .none }
    return a.headerTemplate == b.headerTemplate && a.footerTemplate == b.footerTemplate
      ? .reconfigure : .reload
  }

  func row(_ before: Int, _ after: Int) -> ContentChange {
    let a = old.payload(ofRow: before)
    let b = new.payload(ofRow: after)
    var isSame = isSame(a, b, by: rules.isSameItem)
    if isSame, new.isPart(after) {
      isSame = self.isSame(
        old.payloads[old.item(ofRow: before)], new.payloads[new.item(ofRow: after)],
        by: rules.isSameBesideParts)
    }
    if isSame { return .none }
    return old.template(ofRow: before) == new.template(ofRow: after) ? .reconfigure : .reload
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
