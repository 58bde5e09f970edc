import ListDiff

/// The changes of a source, as one observer receives them.
///
/// Each change begins with the list that the observer has, which is first that of the time when the
/// sequence was created, and ends with that of the source. Edits that the observer has not received
/// yet are one change, so that they need no memory. A sequence ends when the source is released.
public struct SourceChanges<Section: ListSection>: @MainActor AsyncSequence
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// A change of the source.
  public typealias Element = SourceChange<Section>

  private weak var source: ListSource<Section>?
  private let state: SourceState<Section>
  private let start: ReceivedState<Section>

  @MainActor init(of source: ListSource<Section>) {
    self.source = source
    state = source.state
    start = ReceivedState(state, isFinal: source.openBatch == nil)
  }

  /// Returns an observer of the source.
  @MainActor public func makeAsyncIterator() -> Iterator {
    Iterator(state: state, received: start, signals: source?.makeSignals())
  }

  /// An observer of the source, and what it has received.
  public struct Iterator: @MainActor AsyncIteratorProtocol {
    fileprivate let state: SourceState<Section>
    fileprivate var received: ReceivedState<Section>

    /// A value for each change or several of them.
    fileprivate let signals: AsyncStream<Void>?

    /// Waits until the source differs from what was received, and returns the change.
    ///
    /// Returns `nil` when all was received and the source is released, or when the task is cancelled.
    ///
    /// - Complexity: The same as `init(fromSections:to:moves:)` of `Changes`; O(*k*) if only the
    ///   selection changed, where *k* is the number of selected items.
    @MainActor public mutating func next() async -> SourceChange<Section>? {
      while !Task.isCancelled {
        if let change = received.update(to: state) { return change }
        guard await isSignalled() else { return nil }
      }
      return nil
    }

    @MainActor private func isSignalled() async -> Bool {
      guard let signals else { return false }
      for await _ in signals { return true }
      return false
    }
  }
}

/// What a source has, and what its observers read when it is released.
@MainActor final class SourceState<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  var tree: ItemTree<Section>

  /// The sections of the tree, if they were read or replaced since the last edit.
  var list: [Section]?

  var cursor: Section.Item.ID?

  /// The number of changes.
  var number = 0

  /// The number of the last change of sections or items.
  var listNumber = 0

  init(_ sections: [Section]) { tree = ItemTree(sections, records: true) }

  /// The sections with their items.
  var sections: [Section] {
    if let list { return list }
    let sections = tree.list
    list = sections
    return sections
  }
}

/// The state of a source that an observer has received.
private struct ReceivedState<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  private var number: Int
  private var listNumber: Int
  private var list: [Section]
  private var selected: Set<Section.Item.ID>
  private var cursor: Section.Item.ID?

  /// Copies the present state. If it is not final, it belongs to none of the changes.
  @MainActor init(_ state: SourceState<Section>, isFinal: Bool) {
    number = isFinal ? state.number : -1
    listNumber = isFinal ? state.listNumber : -1
    list = state.sections
    selected = state.tree.selected
    cursor = state.cursor
  }

  /// Copies the present state and returns the change, or `nil` if nothing differs.
  @MainActor mutating func update(to state: SourceState<Section>) -> SourceChange<Section>? {
    guard number != state.number else { return nil }
    let before = self
    (number, selected, cursor) = (state.number, state.tree.selected, state.cursor)
    var changes = Changes(unchanged: list.map { $0.items.count })
    if listNumber != state.listNumber {
      (listNumber, list) = (state.listNumber, state.sections)
      changes = Changes(fromSections: before.list, to: list)
    }
    let change = SourceChange(
      list: ListChange(changes: changes, old: before.list, new: list),
      newlySelected: selected.subtracting(before.selected),
      deselected: before.selected.subtracting(selected), cursor: cursor)
    let isSame =
      changes.isEmpty && change.newlySelected.isEmpty && change.deselected.isEmpty
      && cursor == before.cursor
    return isSame ? nil : change
  }
}
