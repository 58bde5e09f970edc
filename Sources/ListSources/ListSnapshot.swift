import ListDiff

/// The ids of the sections and items of a list, edited with the methods of
/// `NSDiffableDataSourceSnapshot`.
///
/// ```swift
/// var snapshot = ListSnapshot<String, Int>()
/// try snapshot.appendSections(["inbox", "done"])
/// try snapshot.appendItems([1, 2, 3], toSection: "inbox")
/// try snapshot.moveItem(3, beforeItem: 1)
/// let changes = snapshot.changes(from: earlier)
/// ```
///
/// Each id occurs once in a snapshot. An edit that refers to a missing id, or adds an existing one,
/// throws and changes nothing.
///
/// The next snapshot is a copy of the one that is shown, with edits. Items that were marked for an
/// update in the shown one are not updated again:
///
/// ```swift
/// var next = snapshot
/// try next.reloadItems([2])
/// let update = next.changes(from: snapshot)
/// ```
public struct ListSnapshot<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
>: Sendable {
  private var storedTree = ItemTree<SnapshotSection<SectionID, ItemID>>(records: false)

  /// The tree, of which an edit makes leaves that are different from those of copies.
  var tree: ItemTree<SnapshotSection<SectionID, ItemID>> {
    _read { yield storedTree }
    _modify {
      storedTree.beginEdit()
      yield &storedTree
    }
  }

  var reconfigureMarks = SnapshotMarks<ItemID>()
  var reloadMarks = SnapshotMarks<ItemID>()
  var sectionMarks = SnapshotMarks<SectionID>()

  /// The items that were reconfigured in this snapshot and those that it is a copy of.
  public var reconfiguredItems: Set<ItemID> { reconfigureMarks.ids }

  /// The items that were reloaded in this snapshot and those that it is a copy of.
  public var reloadedItems: Set<ItemID> { reloadMarks.ids }

  /// The sections that were reloaded in this snapshot and those that it is a copy of.
  public var reloadedSections: Set<SectionID> { sectionMarks.ids }

  /// Creates an empty snapshot.
  public init() {}

  /// The ids of the sections, in order.
  ///
  /// - Complexity: O(*s* log *s*), where *s* is the number of sections.
  public var sectionIdentifiers: [SectionID] { tree.sectionsInOrder.map { tree.id(ofSection: $0) } }

  /// The ids of the items of all sections, in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  public var itemIdentifiers: [ItemID] { tree.list.flatMap { $0.items.map(\.id) } }

  /// The number of sections.
  public var numberOfSections: Int { tree.sectionCount }

  /// The number of items in all sections.
  public var numberOfItems: Int { tree.itemCount }

  /// Returns the ids of the items of a section, in order; empty if the section does not exist.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the section.
  public func itemIdentifiers(inSection section: SectionID) -> [ItemID] {
    tree.numbers[section].map { tree.items(ofSection: $0).map(\.id) } ?? []
  }

  /// Returns the number of items of a section; 0 if it does not exist.
  ///
  /// - Complexity: O(1).
  public func numberOfItems(inSection section: SectionID) -> Int {
    tree.numbers[section].map { tree.forest.sums(ofTree: $0).items } ?? 0
  }

  /// Returns the section of an item, or `nil` if the item does not exist.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of items.
  public func sectionIdentifier(containingItem item: ItemID) -> SectionID? {
    tree.leafOf[item].map { tree.id(ofSection: tree.forest.tree(of: Int($0))) }
  }

  /// Returns the index of a section, or `nil` if it does not exist.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  public func indexOfSection(_ section: SectionID) -> Int? {
    tree.numbers[section].map(tree.index(ofSection:))
  }

  /// Returns the index of an item among the items of all sections, or `nil` if it does not exist.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of items and sections.
  public func indexOfItem(_ item: ItemID) -> Int? { tree.location(of: item).map(tree.index(of:)) }

  /// Returns the path of an item, or `nil` if it does not exist.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of items and sections.
  public func path(of item: ItemID) -> ListPath? { tree.location(of: item).map(tree.path) }

  /// Computes the change from an earlier snapshot.
  ///
  /// Items that were reconfigured since that one are reconfigured; items and sections that were
  /// reloaded since are reloaded, which gives them new views. What was marked already in the earlier
  /// snapshot, of which this is a copy, was updated with it.
  ///
  /// - Complexity: O(*k* log *n* + *n* / 64 + *s*), where *k* is the number of edited and marked items, *n* of
  ///   all items and *s* of sections, and O(*n*) if nothing moves or neither snapshot is a copy of the other.
  public func changes(from earlier: ListSnapshot, moves: Bool = true) -> Changes {
    let isReloaded = { (item: ItemID) in reloadMarks.has(item, after: earlier.reloadMarks) }
    let changes = tree.changes(from: earlier.tree, moves: moves) {
      !sectionMarks.has($1.id, after: earlier.sectionMarks)
    } isSameItem: {
      !isReloaded($1.id) && !reconfigureMarks.has($1.id, after: earlier.reconfigureMarks)
    }
    return changes.reloading(sections: true) {
      tree.item(at: $0).map { isReloaded($0.id) } ?? false
    }
  }
}

/// A section of a snapshot, whose items are their ids.
struct SnapshotSection<ID: Hashable & Sendable, ItemID: Hashable & Sendable>: ListSection, Sendable
{
  struct Item: Identifiable, Sendable { let id: ItemID }

  let id: ID
  var items: [Item] = []

  func hasSameContent(as other: SnapshotSection) -> Bool { true }
}

extension ListSnapshot: Equatable {
  /// Returns whether two snapshots have the same sections with the same items in the same order.
  public static func == (a: ListSnapshot, b: ListSnapshot) -> Bool {
    a.tree.itemCounts == b.tree.itemCounts && a.sectionIdentifiers == b.sectionIdentifiers
      && a.itemIdentifiers == b.itemIdentifiers
  }
}

/// An error of an edit of a ``ListSnapshot`` or a ``ListSource``, which has changed nothing.
public enum EditError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error {
  /// The list does not have this item.
  case noItem(ItemID)
  /// The list does not have this section.
  case noSection(SectionID)
  /// The list already has this item, or the edit adds it twice.
  case duplicateItem(ItemID)
  /// The list already has this section, or the edit adds it twice.
  case duplicateSection(SectionID)
  /// Items cannot be appended, because the list has no sections.
  case noSections
}

extension EditError: Equatable {}
