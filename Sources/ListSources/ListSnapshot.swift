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
public struct ListSnapshot<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
>: Sendable {
  var sections: [SectionID] = []
  var chunks = ItemChunks<SectionID, ItemID>()

  /// The items that were reconfigured since the snapshot was created.
  public internal(set) var reconfiguredItems: Set<ItemID> = []
  /// The items that were reloaded since the snapshot was created.
  public internal(set) var reloadedItems: Set<ItemID> = []
  /// The sections that were reloaded since the snapshot was created.
  public internal(set) var reloadedSections: Set<SectionID> = []

  /// Creates an empty snapshot.
  public init() {}

  /// The ids of the sections, in order.
  public var sectionIdentifiers: [SectionID] { sections }

  /// The ids of the items of all sections, in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  public var itemIdentifiers: [ItemID] { sections.flatMap { chunks.items(in: $0) } }

  /// The number of sections.
  public var numberOfSections: Int { sections.count }

  /// The number of items in all sections.
  public var numberOfItems: Int { chunks.count }

  /// Returns the ids of the items of a section, in order; empty if there is no such section.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the section.
  public func itemIdentifiers(inSection section: SectionID) -> [ItemID] {
    chunks.items(in: section)
  }

  /// Returns the number of items of a section; 0 if there is no such section.
  public func numberOfItems(inSection section: SectionID) -> Int { chunks.count(in: section) }

  /// Returns the section of an item, or `nil` if the item does not exist.
  ///
  /// - Complexity: O(1).
  public func sectionIdentifier(containingItem item: ItemID) -> SectionID? {
    chunks.section(of: item)
  }

  /// Returns the index of a section, or `nil` if it does not exist.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  public func indexOfSection(_ section: SectionID) -> Int? { sections.firstIndex(of: section) }

  /// Returns the index of an item among the items of all sections, or `nil` if it does not exist.
  ///
  /// - Complexity: O(*s* + √*n*), where *s* is the number of sections and *n* of items.
  public func indexOfItem(_ item: ItemID) -> Int? {
    guard let path = path(of: item) else { return nil }
    return sections.prefix(path.section).reduce(path.row) { $0 + chunks.count(in: $1) }
  }

  /// Returns the path of an item, or `nil` if it does not exist.
  ///
  /// - Complexity: O(*s* + *m* / 256), where *s* is the number of sections and *m* of items in the
  ///   item's section.
  public func path(of item: ItemID) -> ListPath? {
    guard let section = chunks.section(of: item), let index = indexOfSection(section) else {
      return nil
    }
    return chunks.row(of: item).map { ListPath(section: index, row: $0) }
  }

  /// Computes the change from an earlier snapshot.
  ///
  /// Items and sections that were reloaded or reconfigured in this snapshot are updates.
  ///
  /// - Complexity: The same as `init(fromSections:to:moves:)` of `Changes`.
  public func changes(from earlier: ListSnapshot, moves: Bool = true) -> Changes {
    let updated = reconfiguredItems.union(reloadedItems)
    return Changes(
      fromSections: earlier.listed(updating: []), to: listed(updating: reloadedSections),
      moves: moves, id: { $0 }, sameContent: { _, new in !updated.contains(new) })
  }

  private func listed(updating updated: Set<SectionID>) -> [SnapshotSection<SectionID, ItemID>] {
    sections.map {
      SnapshotSection(id: $0, items: chunks.items(in: $0), isUpdated: updated.contains($0))
    }
  }
}

/// A section of a snapshot, for comparison.
private struct SnapshotSection<ID: Hashable, Item>: ListSection {
  let id: ID
  var items: [Item]
  let isUpdated: Bool

  func hasSameContent(as other: SnapshotSection) -> Bool { !isUpdated && !other.isUpdated }
}

extension ListSnapshot: Equatable {
  /// Returns whether two snapshots have the same sections with the same items in the same order.
  public static func == (a: ListSnapshot, b: ListSnapshot) -> Bool {
    a.sections == b.sections
      && a.sections.allSatisfy { a.chunks.items(in: $0) == b.chunks.items(in: $0) }
  }
}

/// An error of an edit of a snapshot.
public enum SnapshotError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error {
  /// The snapshot does not have this item.
  case noItem(ItemID)
  /// The snapshot does not have this section.
  case noSection(SectionID)
  /// The snapshot already has this item, or the edit adds it twice.
  case duplicateItem(ItemID)
  /// The snapshot already has this section, or the edit adds it twice.
  case duplicateSection(SectionID)
  /// Items cannot be appended, because the snapshot has no sections.
  case noSections
}

extension SnapshotError: Equatable {}
