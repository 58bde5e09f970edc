import ListDiff

/// The items of a source in sections by a key, which is the id and the header of the section.
///
/// The sections are in the order of their first items in the base, and each has items. To have them in the
/// order of the keys, group a source that is sorted by them.
///
/// ```swift
/// let byOwner = source.sorted(by: \.owner).grouped(by: \.owner)
/// byOwner.group(by: \.state)
/// ```
@MainActor
public final class GroupedSource<
  Base: ListSection, Key: Hashable & Sendable
>: DerivedSource<Base, HeadedSection<Key, Key, Base.Item>>
where Base.Item: Identifiable & Equatable, Base.Item.ID: Sendable, Base.ID: Sendable {
  private var projection: Projection<Base, HeadedSection<Key, Key, Base.Item>>

  init(_ base: SectionSource<Base>, _ key: @escaping (Base.Item) -> Key) {
    projection = Projection(
      section: { item, _ in key(item) },
      sections: .ofItems { key, _ in HeadedSection(id: key, header: key) })
    super.init(of: base)
  }

  override func followBase() -> Bool { projection.follow(base.tree, &tree) }

  /// Replaces the key.
  ///
  /// - Complexity: O(*n*) when the source is read next, with *n* calls of `key`.
  public func group(by key: @escaping (Base.Item) -> Key) {
    projection.section = { item, _ in key(item) }
    projection.followed = nil
    signal()
  }
}

extension SectionSource {
  /// Returns a source with the items of this one in a section for each key.
  ///
  /// A section has the key as its id and its header. Items are in the order of this source, and sections in
  /// that of their first items. A change of *k* items of *n* costs O(*k* log *n*), with *k* calls of `key`.
  ///
  /// - Complexity: O(*n*) when it is read for the first time, with *n* calls of `key`.
  public func grouped<Key: Hashable & Sendable>(
    by key: @escaping (Section.Item) -> Key
  ) -> GroupedSource<Section, Key> {
    GroupedSource(self, key)
  }
}
