import ListDiff
internal import SumTrees

/// A source in a composed list, without its types.
@MainActor protocol ComposedPart {
  /// Returns what the source has changed since the last call, or `nil` if that is too much.
  func nextPatch() -> ItemPatch<AnySection>?

  /// The sections without their items.
  var sections: [AnySection] { get }

  /// The sections with their items.
  var list: [AnySection] { get }
  var sectionCount: Int { get }
  var changeNumber: Int { get }
  var isInBatch: Bool { get }
  var base: any Observed { get }

  var selectedItems: Set<AnyItem.ID> { get }
  func hasSelected(_ item: AnyItem.ID) -> Bool
  func changeSelection(_ items: [AnyItem.ID], _ action: SelectionAction)
  var cursorItem: AnyItem.ID? { get }
  func setCursor(_ item: AnyItem.ID?)
  func makeEdits<E: Error>(_ edits: () throws(E) -> Void) throws(E)
  func makeRecorders() -> [any EditRecorder]
}

/// A source in a composed list.
@MainActor final class SourcePart<Base: ListSection>: ComposedPart
where
  Base.Item: Identifiable & Equatable & Sendable, Base.ID: Sendable, Base.Item.ID: Sendable
{
  private let source: SectionSource<Base>

  /// The index of the source in the list.
  private let index: Int

  private var followed: ChangeLog<Base.Item.ID>.Position?

  init(_ source: SectionSource<Base>, _ index: Int) {
    self.source = source
    self.index = index
    source.tree.log.isKept = true
  }

  private func id(_ item: Base.Item.ID) -> AnyItem.ID {
    AnyItem.ID(of: Base.Item.self, item, inSource: index)
  }

  private func item(_ id: AnyItem.ID) -> Base.Item.ID? { id.base as? Base.Item.ID }

  func nextPatch() -> ItemPatch<AnySection>? {
    source.follow()
    let (start, end) = (followed, source.tree.log.end)
    if start == end { return ItemPatch() }
    followed = end
    guard let start, let patch = source.tree.patch(since: start) else { return nil }
    return ItemPatch(
      items: patch.items.map { id($0) },
      sections: patch.sections.map { $0.map { AnySection($0, index) } },
      placed: patch.placed.map {
        .init(
          section: AnySection.ID(source: index, base: $0.section), row: $0.row,
          item: AnyItem($0.item, inSource: index))
      })
  }

  var sections: [AnySection] {
    source.tree.sectionsInOrder.compactMap { number in
      source.tree.sections[number].map { AnySection($0, index) }
    }
  }

  var list: [AnySection] {
    source.tree.sectionsInOrder.compactMap { number in
      guard let listed = source.tree.sections[number] else { return nil }
      var section = AnySection(listed, index)
      section.items = source.tree.items(ofSection: number).map { AnyItem($0, inSource: index) }
      return section
    }
  }

  var sectionCount: Int { source.sectionCount }
  var changeNumber: Int { source.changeNumber }
  var isInBatch: Bool { source.isInBatch }
  var base: any Observed { source }

  var selectedItems: Set<AnyItem.ID> { Set(source.selectedItems.map { id($0) }) }

  func hasSelected(_ item: AnyItem.ID) -> Bool {
    self.item(item).map { source.hasSelected($0) } ?? false
  }

  func changeSelection(_ items: [AnyItem.ID], _ action: SelectionAction) {
    source.changeSelection(items.compactMap { item($0) }, action)
  }

  var cursorItem: AnyItem.ID? { source.cursorItem.map { id($0) } }

  func setCursor(_ item: AnyItem.ID?) { source.setCursor(item.flatMap { self.item($0) }) }

  func makeEdits<E: Error>(_ edits: () throws(E) -> Void) throws(E) { try source.makeEdits(edits) }

  func makeRecorders() -> [any EditRecorder] { source.makeRecorders() }
}
