import ListDiff

/// A list that consists of the sections of other lists, one after the other, and follows their
/// changes.
///
/// ```swift
/// let home = ComposedSource([promotions, news])
/// home.whenChanged = { changes in show(changes) }
/// ```
///
/// Selection and cursor belong to the sources.
@MainActor
public final class ComposedSource<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// The sources, in order.
  public let sources: [ListSource<Section>]

  /// Called with each change of the composed list, after the source has changed.
  public var whenChanged: (Changes) -> Void = { _ in }

  /// Creates a composition of sources.
  public init(_ sources: [ListSource<Section>]) {
    self.sources = sources
    for (index, source) in sources.enumerated() {
      source.follow { [weak self] changes in
        self?.sourceChanged(index, changes)
        return self != nil
      }
    }
  }

  /// The sections of all sources with their items, in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items and sections.
  public var sections: [Section] { sources.flatMap(\.sections) }

  /// The number of sections of all sources.
  public var sectionCount: Int { sectionCount(before: sources.count) }

  /// Returns the item at a path, or `nil` if there is none.
  ///
  /// - Complexity: O(*c* + log *n*), where *c* is the number of sources and *n* of items of one.
  public func item(at path: ListPath) -> Section.Item? {
    locate(path).flatMap { sources[$0.source].item(at: $0.path) }
  }

  /// Returns the source of a path of the composed list, as an index, and the path in that source.
  ///
  /// Returns `nil` if the list does not have this section.
  public func locate(_ path: ListPath) -> (source: Int, path: ListPath)? {
    var section = path.section
    for (index, source) in sources.enumerated() {
      if section < source.sectionCount {
        return (index, ListPath(section: section, row: path.row))
      }
      section -= source.sectionCount
    }
    return nil
  }

  /// Returns the path in the composed list of a path of a source.
  public func path(_ path: ListPath, ofSource source: Int) -> ListPath {
    ListPath(section: path.section + sectionCount(before: source), row: path.row)
  }

  private func sectionCount(before source: Int) -> Int {
    sources.prefix(source).reduce(0) { $0 + $1.sectionCount }
  }

  private func sourceChanged(_ index: Int, _ changes: Changes) {
    let before = sources.prefix(index).flatMap(\.tree.itemCounts)
    let after = sources.dropFirst(index + 1).flatMap(\.tree.itemCounts)
    whenChanged(changes.placed(after: before, before: after))
  }
}
