import ListDiff

/// The changes of a source, as one observer receives them.
///
/// Each change begins with the list that the observer has, which is first that of the time when the
/// sequence was created, and ends with that of the source. An observer that is slow asks for the next change when
/// it is ready, and gets what it has not received as one change, which costs what has changed and not what the
/// list has, and until then needs no memory. A sequence ends when the source is released.
public struct SourceChanges<Section: ListSection>: @MainActor AsyncSequence
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// A change of the source.
  public typealias Element = SourceChange<Section>

  private weak var source: SectionSource<Section>?
  private let state: SourceState<Section>
  private let start: ReceivedState<Section>

  @MainActor init(of source: SectionSource<Section>) {
    self.source = source
    state = source.state
    start = ReceivedState(source)
  }

  /// Returns an observer of the source.
  @MainActor public func makeAsyncIterator() -> Iterator {
    Iterator(source: source, state: state, received: start, signals: source?.makeSignals())
  }

  /// An observer of the source, and what it has received.
  public struct Iterator: @MainActor AsyncIteratorProtocol {
    fileprivate weak var source: SectionSource<Section>?
    fileprivate let state: SourceState<Section>
    fileprivate var received: ReceivedState<Section>

    /// A value for each change or several of them.
    fileprivate let signals: AsyncStream<Void>?

    /// Waits until the source differs from what was received, and returns the change.
    ///
    /// Returns `nil` when all was received and the source is released, or when the task is cancelled.
    ///
    /// - Complexity: O(*k* log *n* + *s* + *m*), where *k* is the number of items that have changed and *m* of
    ///   selected ones; O(*n*) if the last change is still in use, for the first change, or if more than a
    ///   sixteenth of the items have changed.
    @MainActor public mutating func next() async -> SourceChange<Section>? {
      while !Task.isCancelled {
        if let change = received.update(to: source, state) { return change }
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
  /// The list. If it follows another one, it has no selection.
  var value: EditableList<Section>

  /// The number of changes.
  var number = 0

  /// The number of the last change of sections or items.
  var listNumber = 0

  /// Whether the selection is in the tree, and not in that of another source.
  let hasSelection: Bool

  /// Creates the state of a list that is edited.
  init(_ list: EditableList<Section>) {
    value = list
    hasSelection = true
  }

  /// Creates the state of an empty list that follows another one.
  init() {
    value = EditableList(ItemTree(records: false))
    hasSelection = false
  }

  /// Records that the sections or items have changed.
  func setChanged() {
    value.setChanged()
    number += 1
    listNumber = number
  }
}

/// The state of a source that an observer has received.
private struct ReceivedState<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  private var number: Int
  private var listNumber: Int
  private var list: ListMirror<Section>
  private var selected: Set<Section.Item.ID>
  private var cursor: Section.Item.ID?

  /// Copies the present state. If edits may be undone, it belongs to none of the changes.
  @MainActor init(_ source: SectionSource<Section>) {
    list = ListMirror(of: source, records: true)
    number = source.isInBatch ? -1 : source.changeNumber
    listNumber = source.isInBatch ? -1 : source.state.listNumber
    selected = source.selectedItems
    cursor = source.cursorItem
  }

  /// Copies the present state and returns the change, or `nil` if nothing differs.
  @MainActor mutating func update(
    to source: SectionSource<Section>?, _ state: SourceState<Section>
  ) -> SourceChange<Section>? {
    source?.follow()
    guard number != source?.changeNumber ?? state.number else { return nil }
    let before = (selected: selected, cursor: cursor)
    number = source?.changeNumber ?? state.number
    if source != nil || state.hasSelection {
      selected = source?.selectedItems ?? state.value.selected
      cursor = source?.cursorItem ?? state.value.cursor
    }
    let change = SourceChange(
      list: listNumber == state.listNumber ? list.noChange() : list.follow(state),
      newlySelected: selected.subtracting(before.selected),
      deselected: before.selected.subtracting(selected), cursor: cursor)
    listNumber = state.listNumber
    let isSame =
      change.list.changes.isEmpty && change.newlySelected.isEmpty && change.deselected.isEmpty
      && cursor == before.cursor
    return isSame ? nil : change
  }
}
