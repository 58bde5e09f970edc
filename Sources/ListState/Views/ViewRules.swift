import ListDiff

/// What a view makes of the items of its sources.
package protocol ViewRules: Sendable {
  /// The definition as a client wrote it.
  var source: [UInt8] { get }

  /// The definition without its window; equal ones make the same of the same items.
  var sourceWithoutWindow: [UInt8] { get }

  /// Which part of the items is shown; nil for all.
  var window: ViewWindow? { get }

  /// Whether a section that has no item to show is absent.
  var hidesEmptySections: Bool { get }

  /// Whether the selection is that of the sources.
  var selectsInSources: Bool { get }

  /// What makes an outline of the items; nil if they are a list.
  var outline: OutlineRules? { get }

  /// Hands out of each item the identifier of its parent, if it has one, and whether it is lazy; false if
  /// it `isStopped`.
  func forEachLink(
    of items: Snapshot, isStopped: () -> Bool,
    _ body: (Int, (kind: IDKind, id: UnsafeRawBufferPointer)?, _ isLazy: Bool) -> Void
  ) -> Bool

  /// Describes the sections of an outline after it has changed which items are shown.
  func describeSections(of arrangement: inout ViewArrangement, _ items: Snapshot)

  /// Appends an item with what its row shows of its place in an outline.
  func append(_ item: UnsafeRawBufferPointer, _ row: OutlineRow, to text: inout [UInt8])

  /// The items that the view has, in its order; nil if it `isStopped`.
  ///
  /// `memory` is what was prepared of the items, or of those that were there `before`.
  func arrange(
    _ items: ViewItems, _ memory: inout (any ViewMemory)?, before: EarlierViewItems?,
    isStopped: () -> Bool
  ) -> ViewArrangement?

  /// The rules for one item at a time, and by item of the sources the number of its text in what was
  /// prepared; `nil` if the view cannot follow single items.
  func itemRules(_ memory: (any ViewMemory)?) -> (rules: any ItemRules, texts: [Int32])?
}

/// What rules have prepared of items for the next time that they are arranged.
package protocol ViewMemory: Sendable {}

/// The items of a view's sources before they changed.
package struct EarlierViewItems: Sendable {
  package let snapshot: Snapshot

  /// By item which it is now, -1 for those that are not there.
  package let toNew: [Int32]
}

/// The items of a view's sources, one source after the other.
package struct ViewItems: Sendable {
  /// The sections of the sources, with identities that tell the sources apart.
  package var snapshot = Snapshot()

  /// By source the number of items before its first one.
  package var sourceStarts: [Int] = []

  /// What the items say of their parents, if the view is an outline.
  package internal(set) var links: ParentLinks?

  /// No items.
  package init() {}

  /// Items of a snapshot that come from sources which begin at some of them.
  package init(_ snapshot: Snapshot, sourceStarts: [Int]) {
    self.snapshot = snapshot
    self.sourceStarts = sourceStarts
  }
}

/// The items of a view in its order, and its sections.
package struct ViewArrangement: Sendable {
  /// Where the identity and the own members of a section are.
  package enum Origin: Sendable {
    /// In a section of the sources.
    case source(Int)

    /// In the view's texts: an identifier, and an object with all own members.
    case own(IDKind, id: Range<Int>, members: Range<Int>)
  }

  /// All items of the view, or the first ones if `rest` has all.
  private var first: [Int32] = []

  /// All items, if they are not known yet.
  private var rest: DeferredOrder?

  /// The items, by their indices in the sources.
  ///
  /// - Complexity: O(1), except for the first access to the items of a `DeferredOrder`.
  package var order: [Int32] {
    get { rest?.items ?? first }
    _modify {
      if let rest { first = rest.items }
      rest = nil
      yield &first
    }
  }

  /// The number of items.
  package var count: Int { rest?.count ?? first.count }

  /// By section the number of items before its first one, and at the end that of all.
  package var starts: [Int32] = [0]
  package var sections: [Origin] = []

  /// What the sections of the view itself are described by.
  package var texts: [UInt8] = []
  package var selectionMode = SelectionMode.single
  package var allowsEmptySelection = false

  /// The tree that the items are; nil if they are a list.
  package var outline: Outline?

  /// No items.
  package init() {}

  /// Items of which only the first ones are known yet, without sections.
  package init(first: [Int32], of all: DeferredOrder) {
    self.first = first
    rest = all
  }

  /// The items in a range of positions.
  package func items(in range: Range<Int>) -> ArraySlice<Int32> {
    range.upperBound <= first.count ? first[range] : order[range]
  }

  /// All items of a snapshot, in its order and in its sections.
  package init(all snapshot: Snapshot) {
    order = Array(0..<Int32(truncatingIfNeeded: snapshot.itemCount))
    starts = snapshot.arrangement.starts
    sections = snapshot.sections.indices.map { .source($0) }
  }
}

/// Which part of its items a view shows.
package struct ViewWindow: Hashable, Sendable {
  /// The index of the first item that is shown, if the window is not anchored.
  package var start: Int

  /// Whether the window is where a certain item is, and not at an index.
  package var isAnchored: Bool

  /// The number of items to be shown before the item of the anchor.
  package var before: Int

  /// The number of items that are shown.
  package var count: Int

  /// A window of `count` items from an index on.
  package init(start: Int, count: Int) {
    self.start = start
    isAnchored = false
    before = 0
    self.count = count
  }

  /// A window of `count` items that begins so many items before a certain one.
  package init(before: Int, count: Int) {
    start = 0
    isAnchored = true
    self.before = before
    self.count = count
  }

  /// The items that are shown of so many, where the anchor is one of them.
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

  /// Of an outline the number of items that would be shown without a window.
  package var shown: Int?
}

/// What a request makes a view of.
package struct ViewRequest: Sendable {
  package var rules: any ViewRules

  /// The item that the window is to be anchored to.
  package var anchor: ItemReference?

  /// A view by rules.
  package init(_ rules: any ViewRules, anchor: ItemReference? = nil) {
    self.rules = rules
    self.anchor = anchor
  }
}
