import ListDiff
internal import SumTrees

/// A list shown by an app: its sections, the selected items, and the cursor.
///
/// New sections are applied as a whole, or edited one by one; selection and cursor stay with their
/// items. Views observe ``changes`` and read the source; a source may have several observers.
///
/// ```swift
/// let source = ListSource(sections: inbox)
/// try source.select([2], .replace)
/// source.apply(sorted)
/// try source.moveItem(2, afterItem: 1)
/// ```
///
/// Ids are distinct in a source. Of sections or items with the same id, only the first is kept.
///
/// In complexities, *n* is the number of items and *s* the number of sections.
@MainActor
public final class ListSource<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// The id of an item.
  public typealias ItemID = Section.Item.ID

  /// The id of the item at the cursor, or `nil` if there is no cursor.
  public internal(set) var cursor: ItemID?

  var tree: ItemTree<Section>

  /// What a batch that fails restores.
  var openBatch: Batch?

  private var subscribers: [Int: AsyncStream<SourceChange<ItemID>>.Continuation] = [:]
  private var followers: [(number: Int, notify: (Changes) -> Bool)] = []
  private var nextNumber = 0

  /// Creates a source with sections.
  ///
  /// - Complexity: O(*n* + *s*).
  public init(sections: [Section] = []) { tree = ItemTree(sections, records: true) }

  // MARK: Reading

  /// The sections with their items.
  ///
  /// - Complexity: O(*n* + *s*). To read single items and sections, use ``item(at:)`` and
  ///   ``section(at:)``.
  public var sections: [Section] { tree.list }

  /// The number of sections.
  public var sectionCount: Int { tree.sectionCount }

  /// The number of items in all sections.
  public var itemCount: Int { tree.itemCount }

  /// Returns the number of items in the section at an index; 0 if the source has no section there.
  ///
  /// - Complexity: O(log *s*).
  public func itemCount(inSection index: Int) -> Int {
    tree.section(at: index).map { tree.forest.sums(ofTree: $0).items } ?? 0
  }

  /// Returns the section at an index without its items, or `nil` if there is none.
  ///
  /// - Complexity: O(log *s*).
  public func section(at index: Int) -> Section? {
    tree.section(at: index).flatMap { tree.sections[$0] }
  }

  /// Returns the path of an item, or `nil` if it is not in the source.
  ///
  /// - Complexity: O(log *n*).
  public func path(of item: ItemID) -> ListPath? { tree.location(of: item).map(tree.path) }

  /// Returns the item at a path, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  public func item(at path: ListPath) -> Section.Item? { tree.item(at: path) }

  // MARK: Changes

  /// A new sequence of the changes from now on.
  ///
  /// Each observer receives all changes in order. The sequence ends when the source is released.
  public var changes: AsyncStream<SourceChange<ItemID>> {
    let (stream, continuation) = AsyncStream.makeStream(of: SourceChange<ItemID>.self)
    let number = nextNumber
    nextNumber += 1
    subscribers[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.subscribers[number] = nil }
    }
    return stream
  }

  deinit {
    for continuation in subscribers.values { continuation.finish() }
  }

  /// Replaces the sections and returns the change.
  ///
  /// Kept items stay selected as far as the selection modes allow it. If the item at the cursor is
  /// deleted, the cursor moves to the next kept item, or else to the previous one.
  ///
  /// - Precondition: There is no ``batch(_:)`` at present.
  /// - Complexity: The same as `init(fromSections:to:moves:)` of `Changes`.
  @discardableResult
  public func apply(_ new: [Section]) -> Changes {
    precondition(openBatch == nil, "a batch consists of edits")
    let old = tree
    let oldCursor = cursor
    tree = ItemTree(new, records: true)
    tree.selectionModes = old.selectionModes
    let isWhole =
      tree.itemCount == new.reduce(0) { $0 + $1.items.count } && tree.sectionCount == new.count
    let changes = Changes(fromSections: old.list, to: isWhole ? new : tree.list)
    tree.keepSelection(of: old)
    if let item = cursor, !tree.contains(item) {
      cursor = old.neighbor(of: item, isKept: tree.contains)
    }
    let before = old.selected
    let deselected = before.filter { tree.location(of: $0).map(tree.isSelected) != true }
    tree.finishChange()
    if !changes.isEmpty || !deselected.isEmpty || cursor != oldCursor {
      send(changes, deselected: deselected)
    }
    return changes
  }

  /// Registers a closure that is called with each change of the sections, as long as it returns
  /// true.
  func follow(_ body: @escaping (Changes) -> Bool) {
    followers.append((nextNumber, body))
    nextNumber += 1
  }

  func send(_ changes: Changes, selected: Set<ItemID> = [], deselected: Set<ItemID>) {
    let change = SourceChange(
      changes: changes, newlySelected: selected, deselected: deselected, cursor: cursor)
    for continuation in subscribers.values { continuation.yield(change) }
    if changes.isEmpty { return }
    // A closure may edit the source.
    for (number, notify) in followers where !notify(changes) {
      followers.removeAll { $0.number == number }
    }
  }
}
