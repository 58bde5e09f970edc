import ListDiff

/// The items of a source that fulfil a condition, in its sections.
///
/// ```swift
/// let open = source.filtered { $0.isOpen }
/// open.filter { $0.isOpen && $0.owner == "Ann" }
/// ```
@MainActor
public final class FilteredSource<Section: ListSection>: DerivedSource<Section, Section>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  private var projection: Projection<Section, Section>

  init(_ base: SectionSource<Section>, _ isIncluded: @escaping (Section.Item) -> Bool) {
    projection = Projection(section: Self.section(isIncluded), sections: .all { $0 })
    super.init(of: base)
  }

  override func followBase() -> Bool { projection.follow(base.tree, &tree) }

  /// Replaces the condition.
  ///
  /// To evaluate a condition again that depends on other values, replace it by itself.
  ///
  /// - Complexity: O(*n*) when the source is read next, where *n* is the number of items of the base.
  public func filter(_ isIncluded: @escaping (Section.Item) -> Bool) {
    projection.section = Self.section(isIncluded)
    projection.followed = nil
    signal()
  }

  private static func section(
    _ isIncluded: @escaping (Section.Item) -> Bool
  ) -> (Section.Item, Section.ID) -> Section.ID? {
    { isIncluded($0) ? $1 : nil }
  }
}

extension SectionSource {
  /// Returns a source with the items of this one that fulfil a condition.
  ///
  /// Sections stay, also without items. A change of *k* items of *n* costs O(*k* log *n*), with *k* calls of
  /// the condition.
  ///
  /// - Complexity: O(*n*) when it is read for the first time.
  public func filtered(
    _ isIncluded: @escaping (Section.Item) -> Bool
  ) -> FilteredSource<Section> {
    FilteredSource(self, isIncluded)
  }
}
