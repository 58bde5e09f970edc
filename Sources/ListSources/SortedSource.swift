import ListDiff

/// The items of a source in another order, each in its section.
///
/// Items that are equal in the order are in that of the base.
///
/// ```swift
/// let byName = source.sorted(by: \.name)
/// byName.sort(by: \.date, >)
/// ```
@MainActor
public final class SortedSource<Section: ListSection>: DerivedSource<Section, Section>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  private var projection: Projection<Section, Section>

  @usableFromInline
  init(_ base: SectionSource<Section>, _ order: ItemOrder<Section.Item>) {
    projection = Projection(section: { $1 }, order: order, sections: .all { $0 })
    super.init(of: base)
  }

  override func followBase() -> Bool { projection.follow(base.tree, &tree) }

  @usableFromInline
  func sort(_ order: ItemOrder<Section.Item>) {
    projection.order = order
    projection.followed = nil
    signal()
  }

  /// Replaces the order by that of keys.
  ///
  /// - Complexity: O(*n* log *n*) when the source is read next, with *n* calls of `key`.
  @_alwaysEmitIntoClient
  public func sort<Key: Comparable>(
    by key: @escaping (Section.Item) -> Key,
    _ areInIncreasingOrder: @escaping (Key, Key) -> Bool = (<)
  ) {
    sort(ItemOrder(by: key, areInIncreasingOrder))
  }

  /// Replaces the order by that of a predicate, which is a strict weak ordering.
  ///
  /// - Complexity: O(*n* log *n*) when the source is read next.
  @_alwaysEmitIntoClient
  public func sort(by areInIncreasingOrder: @escaping (Section.Item, Section.Item) -> Bool) {
    sort(ItemOrder(areInIncreasingOrder))
  }
}

extension SectionSource {
  /// Returns a source with the items of each section in the order of keys.
  ///
  /// The order is stable: items with equal keys are in the order of this source. A change of *k* items of *n*
  /// costs O(*k* log *n*), also in calls of `key`.
  ///
  /// - Complexity: O(*n* log *n*) when it is read for the first time, with *n* calls of `key`.
  @_alwaysEmitIntoClient
  public func sorted<Key: Comparable>(
    by key: @escaping (Section.Item) -> Key,
    _ areInIncreasingOrder: @escaping (Key, Key) -> Bool = (<)
  ) -> SortedSource<Section> {
    SortedSource(self, ItemOrder(by: key, areInIncreasingOrder))
  }

  /// Returns a source with the items of each section in the order of a predicate, which is a strict weak
  /// ordering.
  ///
  /// The order is stable. A change of *k* items of *n* costs O(*k* log *n*), also in calls of the predicate.
  ///
  /// - Complexity: O(*n* log *n*) when it is read for the first time.
  @_alwaysEmitIntoClient
  public func sorted(
    by areInIncreasingOrder: @escaping (Section.Item, Section.Item) -> Bool
  ) -> SortedSource<Section> {
    SortedSource(self, ItemOrder(areInIncreasingOrder))
  }
}
