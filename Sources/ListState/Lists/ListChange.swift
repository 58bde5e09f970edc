import ListDiff

/// The parameters of a change beside the new snapshot.
package struct ChangeRequest: Sendable {
  package var baseRevision: Int?
  package var selected: [ItemReference]?
  package var cursor: ItemReference?
  package var cursorPolicy = CursorPolicy.follow

  /// Whether the list has no cursor from now on. `cursor` is `nil` then.
  package var clearsCursor = false

  package init() {}
}

/// A change of a list, as it is reported.
///
/// Copies share the snapshots and the difference between them.
package struct ListChange: Sendable {
  private final class SharedContents: Sendable {
    let old: Snapshot
    let new: Snapshot
    let changes: SnapshotChange
    let selectionBefore: Selection
    let forcedUpdates: ForcedUpdates

    init(
      old: consuming Snapshot, new: consuming Snapshot, changes: consuming SnapshotChange,
      selectionBefore: consuming Selection, forcedUpdates: consuming ForcedUpdates
    ) {
      self.old = old
      self.new = new
      self.changes = changes
      self.selectionBefore = selectionBefore
      self.forcedUpdates = forcedUpdates
    }
  }

  package var name: [UInt8]
  package var baseRevision: Int
  package var revision: Int
  private let contents: SharedContents
  package var deselected: [Deselected]

  /// Whether the content changed.
  package var isRevision: Bool { baseRevision != revision }

  /// Whether the selection or the cursor changed.
  package var changesMarks: Bool

  /// Whether the numbers of a view changed. They are reported beside the items that it shows.
  package var changesNumbers: Bool

  init(
    name: [UInt8], baseRevision: Int, revision: Int, old: consuming Snapshot,
    new: consuming Snapshot, changes: consuming SnapshotChange, deselected: [Deselected] = [],
    changesMarks: Bool = false, changesNumbers: Bool = false, selectionBefore: Selection,
    forcedUpdates: ForcedUpdates = ForcedUpdates()
  ) {
    self.name = name
    self.baseRevision = baseRevision
    self.revision = revision
    contents = SharedContents(
      old: old, new: new, changes: changes, selectionBefore: selectionBefore,
      forcedUpdates: forcedUpdates)
    self.deselected = deselected
    self.changesMarks = changesMarks
    self.changesNumbers = changesNumbers
  }

  package var old: Snapshot { contents.old }
  package var new: Snapshot { contents.new }
  package var changes: SnapshotChange { contents.changes }
  package var selectionBefore: Selection { contents.selectionBefore }

  /// Items and sections to report as updated even if their content is unchanged.
  var forcedUpdates: ForcedUpdates { contents.forcedUpdates }
}

extension ListChange {
  /// Creates the empty change of a list.
  package init(unchanged list: NamedList) {
    self.init(
      name: list.name, baseRevision: list.revision, revision: list.revision, old: list.snapshot,
      new: list.snapshot, changes: SnapshotChange(), selectionBefore: list.selection)
  }

  /// Creates a change of only the selection and the cursor of a list.
  package init(marking change: SelectionChange, of list: NamedList) {
    self.init(unchanged: list)
    deselected = change.deselectedItems.map { Deselected(item: $0, isDeleted: false) }
    changesMarks = change.changesMarks
  }
}

/// An item that was deselected.
package struct Deselected: Sendable {
  /// The index of the item before the change.
  package var item: Int
  /// Whether the item was deleted.
  package var isDeleted: Bool
}

/// The smallest change between two snapshots.
package final class SnapshotChange: Sendable {
  package let stages: [Stage]

  /// The pairs of sections and rows.
  package let matching: Matching

  /// Items that are equal, byte by byte, mostly in the order of the new snapshot. Some of them may be
  /// paired with other items.
  package let same: [MatchedRun]

  /// The pairs of items.
  package let items: Matching

  /// The sections and rows that move, and the numbers of deletes, inserts, moves and updates.
  package let movement: Movement

  /// Whether the content differs. False if there are only forced updates.
  package let isOfContent: Bool

  package init(
    stages: [Stage] = [], matching: Matching = Matching(), same: [MatchedRun] = [],
    items: Matching = Matching(), movement: Movement = Movement(), isOfContent: Bool = false
  ) {
    self.stages = stages
    self.matching = matching
    self.same = same
    self.items = items
    self.movement = movement
    self.isOfContent = isOfContent
  }
}

/// Compares the contents of kept rows and sections, as bytes and, if these differ, as values.
struct ContentComparison {
  let old: Snapshot
  let new: Snapshot
  let rules: any ContentRules

  /// The items of the parts that were compared last, and whether they are equal beside their parts.
  typealias LastItems = (old: Int, new: Int, areSame: Bool)

  func section(_ before: Int, _ after: Int) -> ContentChange {
    max(ownChange(before, after), new.forcedUpdates.sections[after] ?? .none)
  }

  /// Compares paired rows. Rows of the same items are compared one after the other.
  func row(_ before: Int, _ after: Int, _ lastItems: inout LastItems?) -> ContentChange {
    let change = rowChange(before, after, &lastItems)
    if new.forcedUpdates.items.isEmpty { return change }
    return max(change, new.forcedUpdates.items[new.item(ofRow: after)] ?? .none)
  }

  private func ownChange(_ before: Int, _ after: Int) -> ContentChange {
    let a = old.sections[before]
    let b = new.sections[after]
    if isSame(a.own, b.own, by: rules.isSameSection) { return .none }
    return a.headerTemplate == b.headerTemplate && a.footerTemplate == b.footerTemplate
      ? .reconfigure : .reload
  }

  private func rowChange(
    _ before: Int, _ after: Int, _ lastItems: inout LastItems?
  ) -> ContentChange {
    let a = old.payload(ofRow: before)
    let b = new.payload(ofRow: after)
    var isSame = isSame(a, b, by: rules.isSameItem)
    if isSame, new.isPart(after) {
      isSame = areSameBesideParts(old.item(ofRow: before), new.item(ofRow: after), &lastItems)
    }
    if isSame { return .none }
    return old.template(ofRow: before) == new.template(ofRow: after) ? .reconfigure : .reload
  }

  /// Reports whether items have equal members beside their parts. Compares them once for all parts.
  private func areSameBesideParts(
    _ before: Int, _ after: Int, _ lastItems: inout LastItems?
  ) -> Bool {
    if let lastItems, (lastItems.old, lastItems.new) == (before, after) { return lastItems.areSame }
    let areSame = isSame(old.payloads[before], new.payloads[after], by: rules.isSameBesideParts)
    lastItems = (before, after, areSame)
    return areSame
  }

  /// Reports whether the content of any kept section or row differs.
  func differs(_ matching: Matching) -> Bool {
    var lastItems: LastItems?
    for (new, old) in matching.sectionsToOld.enumerated() where old >= 0 {
      if ownChange(Int(old), new) != .none { return true }
    }
    for (new, old) in matching.rowsToOld.enumerated() where old >= 0 {
      if rowChange(Int(old), new, &lastItems) != .none { return true }
    }
    return false
  }

  /// Reports whether paired items are equal, even if they show no rows.
  func isSameItem(_ before: Int, _ after: Int) -> Bool {
    isSame(old.payloads[before], new.payloads[after], by: rules.isSameItem)
  }

  private func isSame(
    _ a: Payload, _ b: Payload,
    by rule: ContentRules.Comparison
  ) -> Bool {
    rule(old.bytes(of: a), new.bytes(of: b))
  }
}

/// Pairs of items that are known to be equal, byte by byte, in the order of the new items.
struct UnchangedItems {
  private let runs: [MatchedRun]
  private var next = 0

  init(_ runs: [MatchedRun]) { self.runs = runs }

  /// Returns whether an old and a new item are known to be equal. Calls must be in the order of the new
  /// items.
  mutating func contains(_ old: Int, _ new: Int) -> Bool {
    while next < runs.count, Int(runs[next].newEnd) <= new { next += 1 }
    return next < runs.count && Int(runs[next].new) <= new
      && Int(runs[next].old) - old == Int(runs[next].new) - new
  }
}

/// Skips rows that are known to be equal on both sides, in the order of the new rows.
struct UnchangedRows {
  private let runs: [MatchedRun]
  private var next = 0

  init(_ runs: [MatchedRun]) { self.runs = runs }

  /// Calls `body` with the pairs of a run of matched rows that are not known to be equal. Calls
  /// must be in the order of the new rows.
  mutating func forEachOther(of run: MatchedRun, _ body: (Int, Int) -> Void) {
    let shift = Int(run.old) - Int(run.new)
    let end = Int(run.new) + Int(run.count)
    var row = Int(run.new)
    while row < end {
      while next < runs.count, Int(runs[next].new) + Int(runs[next].count) <= row { next += 1 }
      guard next < runs.count, Int(runs[next].new) < end else { break }
      let unchanged = Int(runs[next].new)
      while row < unchanged {
        body(row + shift, row)
        row += 1
      }
      let unchangedEnd = min(end, unchanged + Int(runs[next].count))
      // Repeated rows may have been paired differently.
      if Int(runs[next].old) - unchanged == shift {
        row = unchangedEnd
      } else {
        while row < unchangedEnd {
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
