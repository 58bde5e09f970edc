import ListDiff
internal import SumTrees

/// A source that consists of items of another one, which it follows.
///
/// It is made by methods of ``SectionSource``, such as ``SectionSource/filtered(_:)``.
@MainActor
public class DerivedSource<Base: ListSection, Section: ListSection>: SectionSource<Section>
where
  Base.Item: Identifiable & Equatable, Base.ID: Sendable, Section.Item: Identifiable & Equatable,
  Section.ID: Sendable, Section.Item.ID == Base.Item.ID, Base.Item.ID: Sendable
{
  /// The source that is followed.
  public let base: SectionSource<Base>

  /// The marks of selections that were made in this list, in its order.
  private var marks = SelectionMarks<ItemID>()

  init(of base: SectionSource<Base>) {
    self.base = base
    super.init(SourceState())
    base.follow()
    base.tree.log.isKept = true
  }

  /// Makes the tree follow that of the base. Returns whether it has changed.
  func followBase() -> Bool { false }

  override func follow() {
    base.follow()
    if followBase() { state.setChanged() }
  }

  override var changeNumber: Int { base.changeNumber + state.number }

  override var isInBatch: Bool { base.isInBatch }

  override var selectedItems: Set<ItemID> { base.selectedItems.filter { tree.contains($0) } }

  override func hasSelected(_ item: ItemID) -> Bool {
    tree.contains(item) && base.hasSelected(item)
  }

  override func changeSelection(_ items: [ItemID], _ action: SelectionAction) {
    guard let change = marks.change(by: items, action, in: tree) else { return }
    makeEdits {
      if !change.deselected.isEmpty { base.changeSelection(change.deselected, .deselect) }
      base.changeSelection(change.items, change.action)
    }
  }

  override var cursorItem: ItemID? { base.cursorItem.flatMap { tree.contains($0) ? $0 : nil } }

  override func setCursor(_ item: ItemID?) { base.setCursor(item) }

  /// Makes edits of the sources of this list, all of which are undone if one of them fails.
  ///
  /// - Throws: The error of `edits`. Nothing is changed then.
  /// - Complexity: That of the edits.
  public func batch<E: Error>(_ edits: () throws(E) -> Void) throws(E) { try makeEdits(edits) }

  override func makeEdits<E: Error>(_ edits: () throws(E) -> Void) throws(E) {
    try base.makeEdits(edits)
  }

  package override func makeRecorders() -> [any EditRecorder] { base.makeRecorders() }

  override var bases: [any Observed] { [base] }
}

extension SelectionMarks where Key: Sendable {
  /// Returns the change of the selection of sources by an action in a list that is made of them: an
  /// extension selects the items from the last one to another one in the order of that list.
  mutating func change<Section>(
    by items: [Key], _ action: SelectionAction, in tree: ItemTree<Section>
  ) -> (deselected: [Key], items: [Key], action: SelectionAction)?
  where Section.Item: Identifiable, Section.Item.ID == Key {
    guard action == .extend else {
      extended = []
      if action != .deselect { anchor = items.last ?? anchor }
      return ([], items, action)
    }
    guard let last = items.last, let end = tree.location(of: last) else { return nil }
    guard let anchor, let start = tree.location(of: anchor) else {
      self.anchor = last
      return ([], [last], .replace)
    }
    let (first, second) = (tree.index(of: start), tree.index(of: end))
    let range = tree.items(min(first, second)..<max(first, second) + 1).map { $0.id }
    let deselected = extended.filter { tree.contains($0) }
    extended = Set(range)
    extended.remove(anchor)
    return (Array(deselected), range, .select)
  }
}
