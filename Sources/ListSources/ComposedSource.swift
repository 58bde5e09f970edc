import ListDiff

/// A list made of the sections of other lists, one after the other, that follows each of them.
///
/// ```swift
/// let home = ComposedSource([promotions, news])
/// home.whenChanged = { changes in show(changes) }
/// ```
///
/// The selection and the cursor are those of the sources, to which they belong.
@MainActor
public final class ComposedSource<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable {
  /// The sources, in order.
  public let sources: [ListSource<Section>]

  /// Is called with each change of the composed list, once the sources have changed.
  public var whenChanged: (Changes) -> Void = { _ in }

  /// Makes a composition of sources.
  public init(_ sources: [ListSource<Section>]) {
    self.sources = sources
    for (index, source) in sources.enumerated() {
      source.follow { [weak self] changes in
        self?.sourceChanged(index, changes)
        return self != nil
      }
    }
  }

  /// The sections of all sources.
  public var sections: [Section] { sources.flatMap(\.sections) }

  /// Where a path of the composed list is: the index of the source and the path there; `nil` if the
  /// list has no such section.
  public func locate(_ path: ListPath) -> (source: Int, path: ListPath)? {
    var section = path.section
    for (index, source) in sources.enumerated() {
      if section < source.sections.count {
        return (index, ListPath(section: section, row: path.row))
      }
      section -= source.sections.count
    }
    return nil
  }

  /// Where a path of a source is in the composed list.
  public func path(_ path: ListPath, ofSource source: Int) -> ListPath {
    ListPath(section: path.section + sectionCount(before: source), row: path.row)
  }

  private func sectionCount(before source: Int) -> Int {
    sources.prefix(source).reduce(0) { $0 + $1.sections.count }
  }

  private func sourceChanged(_ index: Int, _ changes: Changes) {
    let before = sources.prefix(index).flatMap { $0.sections.map(\.items.count) }
    let after = sources.dropFirst(index + 1).flatMap { $0.sections.map(\.items.count) }
    whenChanged(changes.placed(after: before, before: after))
  }
}
