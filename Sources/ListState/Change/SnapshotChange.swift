import ListDiff
import ListStages

/// A change of a list whose snapshots were compared, as the composites of the list follow it.
struct ComparedChange {
  let made: ListChange
  let changes: SnapshotChange

  /// Whether the selection or the cursor changed.
  let changesMarks: Bool
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

  package init(
    stages: [Stage] = [], matching: Matching = Matching(), same: [MatchedRun] = [],
    items: Matching = Matching(), movement: Movement = Movement()
  ) {
    self.stages = stages
    self.matching = matching
    self.same = same
    self.items = items
    self.movement = movement
  }
}

/// Compares the contents of kept rows and sections, as bytes and, if these differ, as values.
struct ContentComparison {
  let old: Snapshot
  let new: Snapshot
  let rules: any ContentRules

  /// The items of the parts that were compared last, and whether they are equal beside their parts.
  typealias LastItems = (old: Int, new: Int, areSame: Bool)

  /// Compares paired rows. Rows of the same items are compared one after the other.
  func row(_ before: Int, _ after: Int, _ lastItems: inout LastItems?) -> ContentChange {
    let a = old.payload(ofRow: before)
    let b = new.payload(ofRow: after)
    var isSame = isSame(a, b, by: rules.isSameItem)
    if isSame, new.isPart(after) {
      isSame = areSameBesideParts(old.item(ofRow: before), new.item(ofRow: after), &lastItems)
    }
    if isSame { return .none }
    return old.template(ofRow: before) == new.template(ofRow: after) ? .reconfigure : .reload
  }

  /// Compares the own members of paired sections.
  func section(_ before: Int, _ after: Int) -> ContentChange {
    let a = old.sections[before]
    let b = new.sections[after]
    if isSame(a.own, b.own, by: rules.isSameSection) { return .none }
    return a.headerTemplate == b.headerTemplate && a.footerTemplate == b.footerTemplate
      ? .reconfigure : .reload
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
