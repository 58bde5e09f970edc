import ListDiff
internal import SumTrees

/// A list shown by an app: its sections, the selected items, and the cursor.
///
/// New sections are applied as a whole, or edited one by one; selection and cursor stay with their
/// items.
///
/// ```swift
/// let source = ListSource(sections: inbox)
/// try source.select([2], .replace)
/// source.apply(sorted)
/// try source.moveItem(2, afterItem: 1)
/// ```
///
/// A view observes ``changes``, and its data source has the list of the step that was shown last, not
/// that of the source. A source may have several observers.
///
/// ```swift
/// shown = source.sections
/// tableView.reloadData()
/// for await change in source.changes {
///   for step in change.list.steps {
///     shown = step.data
///     tableView.performBatchUpdates(step.stage)
///   }
/// }
/// ```
///
/// Ids are distinct in a source. Of sections or items with the same id, only the first is kept.
///
/// In complexities, *n* is the number of items and *s* the number of sections.
@MainActor
public final class ListSource<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// The id of an item.
  public typealias ItemID = Section.Item.ID

  /// The id of the item at the cursor, or `nil` if there is no cursor.
  public internal(set) var cursor: ItemID? {
    get { state.cursor }
    set { state.cursor = newValue }
  }

  let state: SourceState<Section>

  var tree: ItemTree<Section> {
    _read { yield state.tree }
    _modify { yield &state.tree }
  }

  /// What a batch that fails restores.
  var openBatch: Batch?

  private var observers: [Int: AsyncStream<Void>.Continuation] = [:]
  private var followers: [(number: Int, notify: (Revision) -> Bool)] = []
  private var nextNumber = 0

  /// Creates a source with sections.
  ///
  /// - Complexity: O(*n* + *s*).
  public init(sections: [Section] = []) { state = SourceState(sections) }

  // MARK: Reading

  /// The sections with their items.
  ///
  /// - Complexity: O(*n* + *s*) for the first time after an edit, otherwise O(1). To read single items
  ///   and sections, use ``item(at:)`` and ``section(at:)``.
  public var sections: [Section] { state.sections }

  /// The number of sections.
  public var sectionCount: Int { tree.sectionCount }

  /// The number of items in all sections.
  public var itemCount: Int { tree.itemCount }

  /// Returns the number of items in the section at an index; 0 if the source has no section there.
  ///
  /// - Complexity: O(log *s*).
  public func itemCount(inSection index: Int) -> Int {
    tree.section(at: index).map { tree.forest.sums(ofTree: $0).items } ?? 0
  }

  /// Returns the section at an index without its items, or `nil` if there is none.
  ///
  /// - Complexity: O(log *s*).
  public func section(at index: Int) -> Section? {
    tree.section(at: index).flatMap { tree.sections[$0] }
  }

  /// Returns the path of an item, or `nil` if it is not in the source.
  ///
  /// - Complexity: O(log *n*).
  public func path(of item: ItemID) -> ListPath? { tree.location(of: item).map(tree.path) }

  /// Returns the item at a path, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  public func item(at path: ListPath) -> Section.Item? { tree.item(at: path) }

  // MARK: Changes

  /// A new sequence of the changes from now on.
  ///
  /// Several edits that an observer has not received yet are one change. The sequence ends when the
  /// source is released.
  ///
  /// - Complexity: O(*n* + *s*).
  public var changes: SourceChanges<Section> { SourceChanges(of: self) }

  /// The number of the last change of sections or items.
  package var listRevision: Int { state.listNumber }

  /// Sends a value to a stream with each change, until the stream ends.
  package func add(_ observer: AsyncStream<Void>.Continuation) {
    observers[nextNumber] = observer
    nextNumber += 1
  }

  /// Returns a stream that has a value if the source has changed since the last one was read.
  func makeSignals() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = nextNumber
    nextNumber += 1
    observers[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.observers[number] = nil }
    }
    return stream
  }

  deinit {
    for continuation in observers.values { continuation.finish() }
  }

  /// Replaces the sections and returns the change.
  ///
  /// Kept items stay selected as far as the selection modes allow it. If the item at the cursor is
  /// deleted, the cursor moves to the next kept item, or else to the previous one. If few items change, only
  /// these are replaced, so that others, which are equal, remain those of before.
  ///
  /// - Precondition: There is no ``batch(_:)`` at present.
  /// - Complexity: The same as `init(fromSections:to:moves:)` of `Changes`.
  @_alwaysEmitIntoClient @discardableResult
  public func apply(_ new: [Section]) -> Changes {
    // The comparison is specialized for the types of the caller.
    adopt(new, Changes(fromSections: sections, to: new))
  }

  /// Replaces the sections by `new`, to which the change leads, and returns the change to the sections
  /// and items with distinct ids.
  @usableFromInline
  func adopt(_ new: [Section], _ found: Changes) -> Changes {
    precondition(openBatch == nil, "a batch consists of edits")
    var changes = found
    if tree.apply(found, to: new) {
      state.list = new
      settle()
    } else {
      changes = rebuild(new, found)
    }
    tree.finishChange()
    send(changes)
    return changes
  }

  /// Makes a new tree of the sections, and returns the change.
  private func rebuild(_ new: [Section], _ found: Changes) -> Changes {
    let before = state.sections
    let old = tree
    tree = ItemTree(new, records: true)
    tree.selectionModes = old.selectionModes
    let isWhole =
      tree.itemCount == new.reduce(0) { $0 + $1.items.count } && tree.sectionCount == new.count
    state.list = isWhole ? new : tree.list
    tree.keepSelection(of: old)
    tree.applySelectionModes()
    if let item = cursor, !tree.contains(item) {
      cursor = old.neighbor(of: item, isKept: tree.contains)
    }
    return isWhole ? found : Changes(fromSections: before, to: state.sections)
  }

  /// Makes the selection and the cursor fit the edits that are recorded, and the selection the modes.
  func settle() {
    if tree.change.hasEdits {
      tree.applySelectionRules()
      if let item = cursor, !tree.contains(item) {
        cursor = tree.neighbor(of: item, isKept: tree.contains)
      }
    }
    tree.applySelectionModes()
  }

  /// A change of the sections, and the list after it.
  struct Revision {
    let number: Int
    let changes: Changes
    let tree: ItemTree<Section>
  }

  /// Registers a closure that is called with each change of the sections, as long as it returns
  /// true.
  func follow(_ body: @escaping (Revision) -> Bool) {
    followers.append((nextNumber, body))
    nextNumber += 1
  }

  func send(_ changes: Changes) {
    state.number += 1
    for (number, observer) in observers {
      if case .terminated = observer.yield() { observers[number] = nil }
    }
    if changes.isEmpty { return }
    state.listNumber = state.number
    if followers.isEmpty { return }
    let revision = Revision(number: state.number, changes: changes, tree: tree)
    Delivery.send { [self] in
      for (number, notify) in followers where !notify(revision) {
        followers.removeAll { $0.number == number }
      }
    }
  }
}
