import ListDiff

/// A list that consists of the sections of other lists, one after the other, and follows their
/// changes.
///
/// ```swift
/// let home = ComposedSource([promotions, news])
/// home.whenChanged = { change in
///   for step in change.steps { show(step) }
/// }
/// ```
///
/// Selection and cursor belong to the sources.
@MainActor
public final class ComposedSource<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// The sources, in order.
  public let sources: [ListSource<Section>]

  /// Called with each change of the composed list.
  ///
  /// The first change begins with the list of the time when this was set. The closure may edit the
  /// sources: changes are sent one after the other, in the order in which they were made, to all
  /// compositions.
  ///
  /// - Precondition: This is not set in a batch of a source.
  public var whenChanged: ((ListChange<Section>) -> Void)? {
    didSet {
      precondition(sources.allSatisfy { $0.openBatch == nil }, "set outside of batches")
      shown = whenChanged == nil ? [] : sources.map { ($0.state.listNumber, $0.sections) }
    }
  }

  /// For each source, what was sent last, and the number of that change.
  private var shown: [(number: Int, sections: [Section])] = []

  /// Creates a composition of sources.
  public init(_ sources: [ListSource<Section>]) {
    self.sources = sources
    for (index, source) in sources.enumerated() {
      source.follow { [weak self] revision in
        self?.sourceChanged(index, revision)
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

  private func sourceChanged(_ index: Int, _ revision: ListSource<Section>.Revision) {
    guard let whenChanged, shown[index].number < revision.number else { return }
    // The other sources may already have changes that are sent later.
    func counts(_ range: Range<Int>) -> [Int] {
      shown[range].flatMap { $0.sections.map { $0.items.count } }
    }
    let changes = revision.changes
      .placed(after: counts(0..<index), before: counts(index + 1..<shown.count))
    let old = shown.flatMap { $0.sections }
    shown[index] = (revision.number, revision.tree.list)
    whenChanged(ListChange(changes: changes, old: old, new: shown.flatMap { $0.sections }))
  }
}
