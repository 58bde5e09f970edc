import ListDiff

/// The rules that make a view of the items of its sources.
package protocol ViewRules: Sendable {
  /// The definition as a client wrote it.
  var source: [UInt8] { get }

  /// The definition without its window. Equal definitions make equal views of the same items.
  var sourceWithoutWindow: [UInt8] { get }

  /// The part of the items that is shown; `nil` if all are.
  var window: ViewWindow? { get }

  /// Whether sections without items to show are omitted.
  var hidesEmptySections: Bool { get }

  /// Whether the view shows the selection of its sources.
  var selectsInSources: Bool { get }

  /// The rules of an outline; `nil` if the items are a list.
  var outline: OutlineRules? { get }

  /// Calls a closure with the identifier of each item's parent, if it has one, and whether the item
  /// is lazy. Returns false if it `isStopped`.
  func forEachLink(
    of items: Snapshot, isStopped: () -> Bool,
    _ body: (Int, (kind: IDKind, id: UnsafeRawBufferPointer)?, _ isLazy: Bool) -> Void
  ) -> Bool

  /// Updates the sections of an outline after its expansion has changed.
  func describeSections(of arrangement: inout ViewArrangement, _ items: Snapshot)

  /// Appends an item with the members that describe its position in an outline.
  func append(_ item: UnsafeRawBufferPointer, _ row: OutlineRow, to text: inout [UInt8])

  /// Returns the items of the view, in its order; `nil` if it `isStopped`.
  ///
  /// `memory` is what was prepared for these items, or for those `before` a change. It may be for
  /// other rules.
  func arrange(
    _ items: ViewItems, _ memory: inout (any ViewMemory)?, before: EarlierViewItems?,
    isStopped: () -> Bool
  ) -> ViewArrangement?

  /// Returns the rules for one item at a time, and the number of the prepared text of each item of
  /// the sources, an empty array if it is the index of the item.
  func itemRules(_ memory: (any ViewMemory)?) -> (rules: any ItemRules, texts: [Int32])
}

/// Data that rules have prepared for the next time that they arrange the items.
package protocol ViewMemory: Sendable {}

/// The items of a view's sources before they changed.
package struct EarlierViewItems: Sendable {
  package let snapshot: Snapshot

  /// The new index of each item; -1 for those that were removed.
  package let toNew: [Int32]
}

/// The items of a view's sources, one source after the other.
package struct ViewItems: Sendable {
  /// The sections of the sources, with identities that distinguish the sources.
  package var snapshot = Snapshot()

  /// For each source the number of items before it.
  package var sourceStarts: [Int] = []

  /// The parents that the items name, if the view is an outline.
  package internal(set) var links: ParentLinks?

  /// Creates a value without items.
  package init() {}

  /// Creates the items of a snapshot, given the index of each source's first item.
  package init(_ snapshot: Snapshot, sourceStarts: [Int]) {
    self.snapshot = snapshot
    self.sourceStarts = sourceStarts
  }
}

/// The items of a view in its order, and its sections.
package struct ViewArrangement: Sendable {
  /// Where the identity and the members of a section are.
  package enum Origin: Sendable {
    /// In a section of the sources.
    case source(Int)

    /// In the view's texts: an identifier, and an object with all members of the section.
    case own(IDKind, id: Range<Int>, members: Range<Int>)
  }

  /// All items of the view, or only the first ones if `rest` is not `nil`.
  private(set) var first: [Int32] = []

  /// Computes all items, or `nil` if it is stopped.
  package typealias Computation = @Sendable (_ isStopped: () -> Bool) -> [Int32]?

  /// The number of all items, if they have yet to be sorted.
  private var rest: (count: Int, compute: Computation)?

  /// The items, by their indices in the sources.
  ///
  /// - Complexity: O(1) after ``sortAll(isStopped:)`` and a modification; else that of sorting the items if only
  ///   the first ones are known yet.
  package var order: [Int32] {
    get { rest.map { $0.compute { false }! } ?? first }
    _modify {
      _ = sortAll { false }
      yield &first
    }
  }

  /// Sorts the items that have yet to be sorted. Returns false if it `isStopped`.
  mutating func sortAll(isStopped: () -> Bool) -> Bool {
    guard let rest else { return true }
    guard let all = rest.compute(isStopped) else { return false }
    precondition(all.count == rest.count, "as many items as were counted")
    (first, self.rest) = (all, nil)
    return true
  }

  /// The number of items.
  package var count: Int { rest?.count ?? first.count }

  /// For each section the number of items before it, followed by the number of all items.
  package var starts: [Int32] = [0]
  package var sections: [Origin] = []

  /// The identifiers and members of the view's own sections.
  package var texts: [UInt8] = []
  package var selectionMode = SelectionMode.single
  package var allowsEmptySelection = false

  /// The tree of the items; `nil` if they are a list.
  package var outline: Outline?

  /// Creates an arrangement without items.
  package init() {}

  /// Creates an arrangement without sections, of which only the first ones of `count` items are known yet.
  package init(first: [Int32], of count: Int, _ compute: @escaping Computation) {
    self.first = first
    rest = (count, compute)
  }

  /// Returns the items in a range of positions.
  package func items(in range: Range<Int>) -> ArraySlice<Int32> {
    range.upperBound <= first.count ? first[range] : order[range]
  }

  /// Creates the arrangement of all items of a snapshot, in its order and its sections.
  package init(all snapshot: Snapshot) {
    order = Array(0..<Int32(truncatingIfNeeded: snapshot.itemCount))
    starts = snapshot.arrangement.starts
    sections = snapshot.sections.indices.map { .source($0) }
  }
}

/// The part of its items that a view shows.
package struct ViewWindow: Hashable, Sendable {
  /// The index of the first item that is shown, if the window is not anchored.
  package var start: Int

  /// Whether the window is anchored to an item instead of an index.
  package var isAnchored: Bool

  /// The number of items that are shown before that of the anchor.
  package var before: Int

  /// The number of items that are shown.
  package var count: Int

  /// Creates a window of `count` items that begins at an index.
  package init(start: Int, count: Int) {
    self.start = start
    isAnchored = false
    before = 0
    self.count = count
  }

  /// Creates a window of `count` items that begins a number of items before its anchor.
  package init(before: Int, count: Int) {
    start = 0
    isAnchored = true
    self.before = before
    self.count = count
  }

  /// Returns the range of shown items, given the number of items and the index of the anchor.
  func range(of matched: Int, anchor: Int?) -> Range<Int> {
    let wanted = anchor.map { $0 - min($0, before) } ?? start
    let first = min(wanted, max(0, matched - count))
    return first..<first + min(count, matched - first)
  }
}

/// The numbers of a view: its size and the position of its window.
package struct ViewNumbers: Hashable, Sendable {
  /// The index of the first item that is shown.
  package var start = 0

  /// The number of items that the view has.
  package var matched = 0

  /// The number of items that the sources have.
  package var total = 0

  /// For an outline, the number of items that would be shown without a window.
  package var shown: Int?
}

/// A request for a view.
package struct ViewRequest: Sendable {
  package var rules: any ViewRules

  /// The item to which the window is to be anchored.
  package var anchor: ItemReference?

  /// Creates a request for a view with some rules.
  package init(_ rules: any ViewRules, anchor: ItemReference? = nil) {
    self.rules = rules
    self.anchor = anchor
  }
}
