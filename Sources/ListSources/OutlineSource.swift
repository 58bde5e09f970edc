import ListDiff
internal import SumTrees

/// The items of a source as a tree of rows, in which each item is below its parent, and can be expanded and
/// collapsed.
///
/// ```swift
/// let files = source.sorted(by: \.name).outline { $0.folder }
/// files.expand("Sources")
/// ```
///
/// Siblings are in the order of the base: to sort each level, make an outline of a sorted source. An item
/// whose parent the base does not have is a root, in its section of the base, and so are items that would be
/// their own ancestors.
@MainActor
public final class OutlineSource<
  Base: ListSection
>: DerivedSource<Base, OutlineSection<Base, OutlineRow<Base.Item>>>
where Base.Item: Identifiable & Equatable, Base.Item.ID: Sendable, Base.ID: Sendable {
  /// What is expanded.
  ///
  /// It can be kept and restored with the list. Items that the source does not have at present are kept in it.
  ///
  /// - Complexity: Setting it costs O(*n*) when the source is read next.
  public var expansion: Expansion<ItemID> {
    get { folds }
    set {
      folds = newValue
      forest.followed = nil
      signal()
    }
  }

  private var folds: Expansion<ItemID>
  private var forest: OutlineForest<Base>

  init(
    _ base: SectionSource<Base>, _ folds: Expansion<ItemID>,
    _ parent: @escaping (Base.Item) -> ItemID?
  ) {
    self.folds = folds
    forest = OutlineForest(parent)
    super.init(of: base)
  }

  override func followBase() -> Bool { forest.follow(base.tree, &tree, folds) }

  /// Expands an item, so that its children are shown.
  ///
  /// An item that has no children yet is expanded when it has.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of rows that are shown.
  public func expand(_ item: ItemID) { setExpanded(item, true) }

  /// Collapses an item, so that nothing below it is shown.
  ///
  /// What is expanded there stays expanded.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of rows that were shown.
  public func collapse(_ item: ItemID) { setExpanded(item, false) }

  /// Returns whether the children of an item are shown, or would be.
  public func isExpanded(_ item: ItemID) -> Bool { folds.isExpanded(item) }

  private func setExpanded(_ item: ItemID, _ isExpanded: Bool) {
    if folds.isExpanded(item) == isExpanded { return }
    follow()
    folds.setExpanded(item, isExpanded)
    forest.updateFold(of: item, &tree, folds)
    state.setChanged()
    signal()
  }
}

extension SectionSource {
  /// Returns a source with the items of this one as a tree, given the id of the parent of each; `nil` for
  /// roots.
  ///
  /// A change of *k* items, and of those that are shown below them, costs O(*k* (*d* + log *n*)), where *d* is
  /// the depth of the tree, with O(*k* *d*) calls of `parent`.
  ///
  /// - Parameters:
  ///   - isExpanded: Whether items are expanded at first.
  ///   - parent: Returns the id of the parent of an item.
  /// - Complexity: O(*n* *d*) when it is read for the first time.
  public func outline(
    isExpanded: Bool = false, parent: @escaping (Section.Item) -> ItemID?
  ) -> OutlineSource<Section> {
    OutlineSource(self, Expansion(isExpanded: isExpanded), parent)
  }
}

/// A row of an ``OutlineSource``: an item, and its place in the tree.
public struct OutlineRow<Item: Identifiable>: Identifiable {
  /// The id of the item.
  public var id: Item.ID { item.id }

  /// The item.
  public var item: Item

  /// The number of ancestors.
  public var level: Int

  /// Whether the item has children.
  public var hasChildren: Bool

  /// Whether the item has children, and these are shown.
  public var isExpanded: Bool
}

extension OutlineRow: Equatable where Item: Equatable {}
extension OutlineRow: Sendable where Item: Sendable {}

/// A section of a source with other items in it.
public struct OutlineSection<Base: ListSection, Item>: ListSection {
  /// The id of the section.
  public var id: Base.ID { base.id }

  /// The section of the source, without its items.
  public var base: Base

  /// The rows.
  public var items: [Item]

  /// Returns whether the sections of the source show the same content.
  public func hasSameContent(as other: OutlineSection) -> Bool {
    base.hasSameContent(as: other.base)
  }
}

extension OutlineSection: Sendable where Base: Sendable, Item: Sendable {}

/// Which items of an ``OutlineSource`` are expanded.
public struct Expansion<ItemID: Hashable>: Hashable {
  /// Whether items are expanded at first.
  public var isExpanded: Bool

  /// The items that are not as at first.
  public var exceptions: Set<ItemID>

  /// Creates an expansion.
  public init(isExpanded: Bool = false, exceptions: Set<ItemID> = []) {
    self.isExpanded = isExpanded
    self.exceptions = exceptions
  }

  /// Returns whether an item is expanded.
  public func isExpanded(_ item: ItemID) -> Bool { exceptions.contains(item) != isExpanded }

  /// Expands or collapses an item.
  public mutating func setExpanded(_ item: ItemID, _ isExpanded: Bool) {
    if isExpanded == self.isExpanded { exceptions.remove(item) } else { exceptions.insert(item) }
  }
}

extension Expansion: Sendable where ItemID: Sendable {}
extension Expansion: Codable where ItemID: Codable {}
