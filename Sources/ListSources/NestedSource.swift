import ListDiff

/// The items of a source and those inside them, which have a selection and a cursor of their own.
@MainActor final class NestedSource<Section: ListSection>: SectionSource<Section>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  private let base: SectionSource<Section>
  private var items: NestedItems<Section>

  init(_ base: SectionSource<Section>, _ children: @escaping (Section.Item) -> [Section.Item]?) {
    self.base = base
    items = NestedItems(children)
    super.init(SourceState(EditableList()))
    base.follow()
    base.tree.log.isKept = true
  }

  /// Returns the id of the item that another one is directly inside of.
  func parent(of item: Section.Item) -> ItemID? { items.parents[item.id] }

  override func follow() {
    base.follow()
    let isChanged = items.follow(base.tree) { edit in state.value.follow(edit) }
    if isChanged { state.setChanged() }
  }

  override var changeNumber: Int { base.changeNumber + state.number }

  override var isInBatch: Bool { base.isInBatch || state.value.isInBatch }

  override func makeEdits<E: Error>(_ edits: () throws(E) -> Void) throws(E) {
    do {
      _ = try editTogether { () throws(E) in try base.makeEdits(edits) }
    } catch {
      items.followed = nil
      throw error
    }
  }

  package override func makeRecorders() -> [any EditRecorder] { base.makeRecorders() }

  override var bases: [any Observed] { [base] }
}

extension SectionSource {
  /// Returns a source with the items of this one and those inside them as a tree.
  ///
  /// ```swift
  /// let comments = threads.outline(children: \.replies)
  /// comments.expand(1)
  /// ```
  ///
  /// The items inside others have a selection and a cursor of their own, which are those of the outline, and
  /// any items can be selected. The ids of all items are distinct; of those with the same id, one is shown. Equal
  /// items have equal children.
  ///
  /// A change of *k* items, and of those that are shown below them, costs O(*k* log *n*), where *n* is the number
  /// of all items, if the others share the memory of their children with those of before. What is inside an item
  /// that has changed is compared level by level, and what is equal is left out.
  ///
  /// - Parameters:
  ///   - isExpanded: Whether items are expanded at first.
  ///   - children: Returns the items that are directly inside of an item, or `nil` if there are none.
  /// - Complexity: O(*n*) when it is read for the first time.
  public func outline(
    isExpanded: Bool = false, children: @escaping (Section.Item) -> [Section.Item]?
  ) -> OutlineSource<Section> {
    let nested = NestedSource(self, children)
    return OutlineSource(nested, Expansion(isExpanded: isExpanded)) { nested.parent(of: $0) }
  }
}
