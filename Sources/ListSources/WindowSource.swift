import ListDiff

/// The items of a source in a range of indices, in those of its sections that have such items.
///
/// ```swift
/// let page = source.window(0..<50)
/// page.range = 50..<100
/// ```
@MainActor
public final class WindowSource<Section: ListSection>: DerivedSource<Section, Section>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// The indices of the items among those of all sections of the base, which may have fewer.
  ///
  /// - Complexity: Setting it costs O(*k* log *n* + *s*) when the source is read next, where *k* is the number
  ///   of items that enter or leave.
  public var range: Range<Int> {
    didSet { if range != oldValue { signal() } }
  }

  private var projection: Projection<Section, Section>

  init(_ base: SectionSource<Section>, _ range: Range<Int>) {
    self.range = range
    projection = Projection(
      section: { $1 }, sections: .ofItems { $1 }, range: range)
    super.init(of: base)
  }

  override func followBase() -> Bool {
    let isMoved = projection.range != range
    projection.range = range
    guard projection.follow(base.tree, &tree, anyway: isMoved) else { return false }
    tree.adoptContents(of: base.tree)
    return true
  }
}

extension ItemTree {
  /// Replaces the contents of the sections by those of sections of another list with the same ids.
  ///
  /// - Complexity: O(*s*).
  fileprivate mutating func adoptContents(of base: ItemTree) {
    for number in sectionsInOrder {
      guard let listed = base.numbers[id(ofSection: number)].flatMap({ base.sections[$0] }),
        sections[number]?.hasSameContent(as: listed) != true
      else { continue }
      updateSection(number, with: listed)
    }
  }
}

extension SectionSource {
  /// Returns a source with the items of this one in a range of indices among those of all sections.
  ///
  /// Sections without items in the range are left out. A change of *k* items of *n* costs O(*k* log *n*) and
  /// O(*s*) for the *s* sections of the window.
  ///
  /// - Complexity: O(*k* + log *n*) when it is read for the first time, where *k* is the number of items.
  public func window(_ range: Range<Int>) -> WindowSource<Section> { WindowSource(self, range) }
}
