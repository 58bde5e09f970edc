import ListDiff
internal import SumTrees

/// A list with sections, a selection and a cursor, which changes: a ``ListSource``, or one that is made
/// of other sources.
///
/// What is made of other sources follows them when it is read, so that several edits cost as much as
/// one. It is itself a source:
///
/// ```swift
/// let open = source.filtered { $0.isOpen }.sorted(by: \.title)
/// ```
///
/// Selection and cursor belong to the ``ListSource`` of an item, with its rules. What is made of it shows
/// them and changes them there, so that an item that is selected stays so while it is not shown.
///
/// In complexities, *n* is the number of items and *s* the number of sections. Reading a source that is
/// made of others first follows these.
@MainActor
public class SectionSource<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// The id of an item.
  public typealias ItemID = Section.Item.ID

  let state: SourceState<Section>

  /// The tree of the list when it was followed last.
  var tree: ItemTree<Section> {
    _read { yield state.value.tree }
    _modify { yield &state.value.tree }
  }

  private var observers: [Int: AsyncStream<Void>.Continuation] = [:]

  init(_ state: SourceState<Section>) { self.state = state }

  deinit {
    for continuation in observers.values { continuation.finish() }
  }

  // MARK: Overridden

  /// Makes the list follow what it is made of.
  func follow() {}

  /// A number that grows with each change of items, selection or cursor.
  var changeNumber: Int { state.number }

  /// Whether edits are being made that may be undone.
  var isInBatch: Bool { state.value.isInBatch }

  /// The selected items.
  var selectedItems: Set<ItemID> { state.value.selected }

  /// Returns whether an item of the list is selected.
  func hasSelected(_ item: ItemID) -> Bool { state.value.isSelected(item) }

  /// The paths of the selected items.
  var pathsOfSelection: [ListPath] {
    if state.hasSelection { return state.value.selectedPaths }
    return selectedItems.compactMap { path(of: $0) }.sorted()
  }

  /// Changes the selection of items of the list.
  func changeSelection(_ items: [ItemID], _ action: SelectionAction) {
    choose { $0.changeSelection(items, action) }
  }

  /// The item at the cursor.
  var cursorItem: ItemID? { state.value.cursor }

  /// Moves the cursor to an item of the list, or removes it.
  func setCursor(_ item: ItemID?) { choose { $0.cursor = item } }

  /// Makes edits, all of which are undone if one of them fails.
  func makeEdits<E: Error>(_ edits: () throws(E) -> Void) throws(E) { _ = try editTogether(edits) }

  /// Returns what records the edits of the sources that the list is made of.
  package func makeRecorders() -> [any EditRecorder] { [] }

  /// The sources that the list is made of.
  var bases: [any Observed] { [] }
}

/// A source without its types, which sends its changes.
@MainActor protocol Observed {
  /// Sends a value to a stream with each change of it or its bases, until the stream ends or `number` is removed.
  func add(_ observer: AsyncStream<Void>.Continuation, _ number: Int)

  /// Removes an observer.
  func removeObserver(_ number: Int)
}

extension SectionSource: Observed {
  func add(_ observer: AsyncStream<Void>.Continuation, _ number: Int) {
    observers[number] = observer
    for base in bases { base.add(observer, number) }
  }

  func removeObserver(_ number: Int) {
    observers[number] = nil
    for base in bases { base.removeObserver(number) }
  }
}

extension SectionSource {
  // MARK: Editing

  /// Edits the list, and sends the change if no batch is open.
  func edit<E: Error>(
    _ body: (inout EditableList<Section>) throws(E) -> Changes
  ) throws(E) -> Changes {
    let changes = try body(&state.value)
    if !state.value.isInBatch { send(changes) }
    return changes
  }

  /// Changes the selection or the cursor, and sends that if no batch is open.
  func choose<E: Error>(_ body: (inout EditableList<Section>) throws(E) -> Void) throws(E) {
    _ = try edit { list throws(E) in
      try body(&list)
      return Changes(unchanged: [])
    }
  }

  /// Makes edits as one change, which is sent, and returns it. All of them are undone if one of them fails.
  func editTogether<E: Error>(_ edits: () throws(E) -> Void) throws(E) -> Changes {
    guard let scope = state.value.beginBatch() else {
      try edits()
      return Changes(unchanged: [])
    }
    do {
      try edits()
    } catch {
      state.value.undoBatch()
      throw error
    }
    return withExtendedLifetime(scope) { edit { $0.commit() } }
  }

  /// Records a change, and sends it to the observers.
  private func send(_ changes: Changes) {
    signal()
    if !changes.isEmpty { state.listNumber = state.number }
  }

  // MARK: Reading

  /// The list as a value, with the selection and the cursor, which other actors can read and edit.
  ///
  /// - Complexity: O(1), but the next edit of the source or of the value costs O(*n*); for lists that are made
  ///   of others, O(*k* log *n*), where *k* is the number of selected items.
  public var value: EditableList<Section> {
    follow()
    if state.hasSelection { return state.value }
    var list = EditableList(tree.copy(records: true))
    let chosen = pathsOfSelection.compactMap { tree.item(at: $0)?.id }
    list.restoreSelection(chosen, cursorItem)
    return list
  }

  /// The sections with their items.
  ///
  /// - Complexity: O(*n* + *s*) for the first time after an edit, otherwise O(1). To read single items
  ///   and sections, use ``item(at:)`` and ``section(at:)``.
  public var sections: [Section] {
    follow()
    return state.value.readSections()
  }

  /// The number of sections.
  public var sectionCount: Int {
    follow()
    return tree.sectionCount
  }

  /// The number of items in all sections.
  public var itemCount: Int {
    follow()
    return tree.itemCount
  }

  /// Returns the number of items in the section at an index; 0 if the source has no section there.
  ///
  /// - Complexity: O(log *s*).
  public func itemCount(inSection index: Int) -> Int {
    follow()
    return state.value.itemCount(inSection: index)
  }

  /// Returns the section at an index without its items, or `nil` if there is none.
  ///
  /// - Complexity: O(log *s*).
  public func section(at index: Int) -> Section? {
    follow()
    return state.value.section(at: index)
  }

  /// Returns the path of an item, or `nil` if it is not in the source.
  ///
  /// - Complexity: O(log *n*).
  public func path(of item: ItemID) -> ListPath? {
    follow()
    return state.value.path(of: item)
  }

  /// Returns the item at a path, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  public func item(at path: ListPath) -> Section.Item? {
    follow()
    return tree.item(at: path)
  }

  // MARK: Changes

  /// A new sequence of the changes from now on.
  ///
  /// Several edits that an observer has not received yet are one change. The sequence ends when the
  /// source is released.
  ///
  /// - Complexity: O(*k*), where *k* is the number of selected items, but the next edit of the source costs O(*n*).
  public var changes: SourceChanges<Section> { SourceChanges(of: self) }

  /// The number of the last change of sections or items.
  package var listRevision: Int {
    follow()
    return state.listNumber
  }

  /// Sends a value to a stream with each change, until the stream ends.
  package func add(_ observer: AsyncStream<Void>.Continuation) {
    add(observer, ObserverNumbers.next())
  }

  /// Returns a stream that has a value if the source has changed since the last one was read.
  func makeSignals() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = ObserverNumbers.next()
    add(continuation, number)
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.removeObserver(number) }
    }
    return stream
  }

  /// Records a change, and sends a value to each observer.
  func signal() {
    state.number += 1
    for (number, observer) in observers {
      if case .terminated = observer.yield() { observers[number] = nil }
    }
  }

  // MARK: Selection

  /// The ids of the selected items.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of selected items.
  public var selected: Set<ItemID> {
    follow()
    return selectedItems
  }

  /// The paths of the selected items, in order.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of selected items.
  public var selectedPaths: [ListPath] {
    follow()
    return pathsOfSelection
  }

  /// Returns whether an item is selected; false if it is not in the source.
  ///
  /// - Complexity: O(1).
  public func isSelected(_ item: ItemID) -> Bool {
    follow()
    return hasSelected(item)
  }

  /// Changes the selection.
  ///
  /// In a section with the mode ``SelectionMode/single``, the last item replaces the item that was
  /// selected.
  ///
  /// - Throws: ``MissingItem`` if an item is not in the source. Nothing is changed then.
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that are named, selected,
  ///   deselected, or between the ends of an extension.
  public func select(
    _ items: [ItemID], _ action: SelectionAction = .select
  ) throws(MissingItem<ItemID>) {
    follow()
    for item in items where !tree.contains(item) { throw MissingItem(item: item) }
    changeSelection(items, action)
  }

  /// The id of the item at the cursor, or `nil` if there is no cursor.
  public var cursor: ItemID? {
    follow()
    return cursorItem
  }

  /// Moves the cursor to an item, or removes it.
  ///
  /// - Throws: ``MissingItem`` if the item is not in the source. Nothing is changed then.
  public func moveCursor(to item: ItemID?) throws(MissingItem<ItemID>) {
    follow()
    if let item, !tree.contains(item) { throw MissingItem(item: item) }
    setCursor(item)
  }

  /// The path of the item at the cursor, or `nil` if there is no cursor.
  ///
  /// - Complexity: O(log *n*).
  public var cursorPath: ListPath? { cursor.flatMap { path(of: $0) } }
}

/// Numbers that distinguish the observers of all sources.
@MainActor private enum ObserverNumbers {
  private static var last = 0

  static func next() -> Int {
    last += 1
    return last
  }
}
