import ListDiff
internal import SumTrees

/// The list of a source as it was when it was read last, which follows the source change by change.
///
/// A change that the log of the source covers costs what it changes; for others, the lists are compared.
package struct ListMirror<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  private var tree: ItemTree<Section>
  private var followed: ChangeLog<Section.Item.ID>.Position

  /// A change of the source, before the mirror has it.
  package struct Change {
    /// The change from the list of the mirror.
    package let changes: Changes

    /// The list after the change.
    fileprivate let target: ItemTree<Section>

    /// What leads to that list, or `nil` if it is read anew.
    fileprivate let patch: ItemPatch<Section>?

    /// Whether only the first stage changes more than contents.
    fileprivate var hasOneStructure: Bool {
      changes.stages.dropFirst().allSatisfy { !$0.changesStructure }
    }

    /// Returns the item at a path of the list after the change.
    package func item(at path: ListPath) -> Section.Item? { target.item(at: path) }
  }

  /// Creates a mirror of the present list.
  ///
  /// - Complexity: O(1), but the next change of the source costs O(*n*).
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - records: Whether the mirror has what undoes a change until the next.
  @MainActor package init(of source: SectionSource<Section>, records: Bool = false) {
    source.follow()
    source.tree.log.isKept = true
    tree = source.tree.copy(records: records)
    followed = source.tree.log.end
  }

  /// Returns the change by which nothing changes.
  mutating func noChange() -> ListChange<Section> {
    tree.finishChange()
    return ListChange(changes: Changes(unchanged: tree.itemCounts), tree: tree, before: nil)
  }

  /// The sections with their items.
  ///
  /// - Complexity: O(*n* + *s*).
  package var sections: [Section] { tree.list }

  /// The number of sections.
  package var sectionCount: Int { tree.sectionCount }

  /// Returns the number of items in a section, or 0 if there is no such section.
  ///
  /// - Complexity: O(log *s*).
  package func itemCount(inSection index: Int) -> Int { tree.itemCount(inSection: index) }

  /// Returns a section without its items, or `nil` if there is none.
  ///
  /// - Complexity: O(log *s*).
  package func section(at index: Int) -> Section? { tree.listedSection(at: index) }

  /// Returns the item at a path, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  package func item(at path: ListPath) -> Section.Item? { tree.item(at: path) }

  // MARK: Following

  /// Returns the change to the present list of the source. The mirror must then adopt it.
  ///
  /// - Complexity: O(*k* log *n* + *s*), where *k* is the number of items that have changed; that of `compare`
  ///   if the source has forgotten what has changed.
  @MainActor package mutating func change(
    of source: SectionSource<Section>, comparing compare: ([Section], [Section]) -> Changes
  ) -> Change {
    source.follow()
    guard let patch = nextPatch(of: source.state) else {
      return Change(
        changes: compare(tree.list, source.state.value.readSections()), target: source.tree,
        patch: nil)
    }
    let changes = tree.changes(to: source.tree, by: patch)
    return Change(changes: changes, target: source.tree, patch: patch)
  }

  /// Makes the list that after a change.
  package mutating func adopt(_ change: Change) {
    guard let patch = change.patch else {
      tree = change.target.copy(records: tree.records)
      return
    }
    tree.apply(patch)
    tree.finishChange()
  }

  /// Makes the list that after a stage of a change.
  ///
  /// Contents are those of the new list as soon as sections and items have their places.
  package mutating func adopt(_ change: Change, stage index: Int) {
    if !change.hasOneStructure {
      tree.apply(change.changes.stages[index], index, of: change.changes.pathMap, to: change.target)
      tree.finishChange()
    } else if index == 0 {
      adopt(change)
    }
  }

  /// Makes the list that of a source that has followed others, and returns the change.
  ///
  /// - Complexity: That of ``change(of:comparing:)``. If the last change is still in use, O(*n*).
  @MainActor mutating func follow(_ source: SourceState<Section>) -> ListChange<Section> {
    tree.finishChange()
    if let patch = nextPatch(of: source) {
      tree.apply(patch)
      return ListChange(changes: tree.changes, tree: tree, before: nil)
    }
    let before = tree
    tree = source.value.tree.copy(records: true)
    return ListChange(changes: tree.changes(from: before), tree: tree, before: before)
  }

  /// Makes the list that of the source, and returns what makes the source what the list was before.
  @MainActor mutating func takeInverse(of source: SectionSource<Section>) -> InverseEdits<Section> {
    source.follow()
    guard let patch = nextPatch(of: source.state) else {
      defer { tree = source.tree.copy(records: true) }
      return .list(tree.list)
    }
    tree.apply(patch)
    defer { tree.finishChange() }
    return .patch(tree.inverse)
  }

  @MainActor private mutating func nextPatch(
    of source: SourceState<Section>
  ) -> ItemPatch<Section>? {
    defer { followed = source.value.tree.log.end }
    return source.value.tree.patch(since: followed)
  }
}

/// What undoes edits of a source.
enum InverseEdits<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  case patch(ItemPatch<Section>)
  case list([Section])
}
