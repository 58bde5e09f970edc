import ListDiff
internal import SumTrees

/// A list with sections, a selection and a cursor, as a value that is edited item by item.
///
/// It can be used on any actor. A copy costs O(1); the first edit of a list that has copies costs O(*n*), and
/// each other one what it changes.
///
/// ```swift
/// var list = EditableList(sections: inbox)
/// try list.updateItems([read])
/// let shown = list
/// try list.moveItem(2, afterItem: 1)
/// let changes = list.changes(from: shown)
/// ```
///
/// A ``ListSource`` has such a list as its ``SectionSource/value``, and applies one that was edited elsewhere.
/// Selection and cursor stay with their items.
///
/// The list is a collection of its items, those of all sections one after the other. Ids are distinct in it: of
/// sections or items with the same id, only the first is kept.
///
/// In complexities, *n* is the number of items and *s* the number of sections.
public struct EditableList<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// The id of an item.
  public typealias ItemID = Section.Item.ID

  /// The error type of edits.
  public typealias Failure = EditError<Section.ID, ItemID>

  var tree: ItemTree<Section>

  /// The sections of the tree, if they were read or replaced since the last edit.
  private var listed: [Section]?

  /// The id of the item at the cursor, or `nil` if there is no cursor.
  public internal(set) var cursor: ItemID?

  /// What a batch that fails restores.
  private var openBatch: Batch?

  /// Creates a list with sections.
  ///
  /// - Complexity: O(*n* + *s*).
  public init(sections: [Section] = []) { tree = ItemTree(sections, records: true) }

  /// Creates the list of a tree.
  init(_ tree: ItemTree<Section>) { self.tree = tree }

  // MARK: Batches

  /// The state that is not in the items, before a batch.
  fileprivate struct Batch {
    /// Of a copy that was made during the batch, this is `nil` after it.
    weak var scope: Token?

    var cursor: ItemID?
    var marks: SelectionMarks<ItemID>
    var choices: Choices<ItemID>
    var selectionModes: [Section.ID: SelectionMode]
    var initialChoices: [Section.ID: [ItemID]]
  }

  /// Whether edits are being made that may be undone.
  var isInBatch: Bool { openBatch?.scope != nil }

  /// Begins a batch, which lasts until it is committed or undone, and not longer than the result exists.
  /// Returns `nil` in a batch.
  mutating func beginBatch() -> Token? {
    if isInBatch { return nil }
    finishCopiedBatch()
    let scope = Token()
    openBatch = Batch(
      scope: scope, cursor: cursor, marks: tree.marks, choices: tree.choices,
      selectionModes: tree.selectionModes, initialChoices: tree.initialChoices)
    return scope
  }

  /// Restores the list before a batch.
  mutating func undoBatch() {
    guard let before = openBatch else { preconditionFailure("a batch does not replace its list") }
    openBatch = nil
    tree.undoChange()
    listed = nil
    (cursor, tree.marks, tree.choices) = (before.cursor, before.marks, before.choices)
    (tree.selectionModes, tree.initialChoices) = (before.selectionModes, before.initialChoices)
  }

  /// Finishes the edits since the last call, and returns their change.
  mutating func commit() -> Changes {
    if openBatch != nil { tree.beginEdit() }
    openBatch = nil
    settle()
    let changes = tree.changes
    tree.finishChange()
    return changes
  }

  /// Makes edits, which are a change of their own if there is no batch.
  mutating func edit<E: Error>(
    _ body: (inout EditableList) throws(E) -> Void
  ) throws(E) -> Changes {
    finishCopiedBatch()
    tree.beginEdit()
    try body(&self)
    if openBatch == nil { return commit() }
    return Changes(unchanged: [])
  }

  /// Makes the list that of a patch.
  mutating func apply(_ patch: ItemPatch<Section>) -> Changes {
    editTree { tree in tree.apply(patch) }
  }

  /// Edits the items or sections. An edit that throws has changed nothing.
  mutating func editTree<E: Error>(
    _ body: (inout ItemTree<Section>) throws(E) -> Void
  ) throws(E) -> Changes {
    try edit { list throws(E) in
      try body(&list.tree)
      list.listed = nil
    }
  }

  /// Finishes the edits of a batch during which this list was copied from another one.
  private mutating func finishCopiedBatch() {
    if let openBatch, openBatch.scope == nil { _ = commit() }
  }

  /// Makes the selection and the cursor fit the edits that are recorded, and the selection the modes.
  private mutating func settle() {
    if tree.change.hasEdits {
      tree.applySelectionRules()
      if let item = cursor, !tree.contains(item) {
        cursor = tree.neighbor(of: item, isKept: tree.contains)
      }
    }
    tree.applySelectionModes()
  }

  /// Makes the list follow another one.
  mutating func follow(_ edit: (inout ItemTree<Section>) -> Void) {
    finishCopiedBatch()
    tree.beginEdit()
    edit(&tree)
    listed = nil
    guard openBatch == nil else { return }
    settle()
    tree.finishChange()
  }

  /// Notes that the tree was changed, and not by an edit of this list.
  mutating func setChanged() {
    listed = nil
    tree.beginEdit()
  }

  // MARK: Replacing

  /// Replaces the sections and returns the change.
  ///
  /// Kept items stay selected as far as the selection modes allow it. If the item at the cursor is
  /// deleted, the cursor moves to the next kept item, or else to the previous one. If few items change, only
  /// these are replaced, so that others, which are equal, remain those of before.
  ///
  /// - Precondition: There is no ``batch(_:)`` at present.
  /// - Complexity: The same as `init(fromSections:to:moves:)` of `Changes`.
  @_alwaysEmitIntoClient @discardableResult
  public mutating func apply(_ new: [Section]) -> Changes {
    // The comparison is specialized for the types of the caller.
    adopt(new, Changes(fromSections: sections, to: new))
  }

  /// Replaces the sections by those to which a change leads that was computed elsewhere, and returns it.
  ///
  /// If ids repeat, the returned change is that to the sections and items with distinct ids.
  ///
  /// - Precondition: There is no ``batch(_:)`` at present.
  /// - Throws: `ShapeMismatch` if the numbers of sections or items of the list or of `new` are not those of the
  ///   change. Nothing is changed then.
  /// - Complexity: O(*k* log *n* + *s*), where *k* is the number of items that change, and O(*s* log *s*) if
  ///   sections do; O(*n*) if more than an eighth of the items change.
  @discardableResult
  public mutating func apply(
    _ new: [Section], changes: Changes
  ) throws(ShapeMismatch) -> Changes {
    let (old, counts) = (tree.itemCounts, new.map { $0.items.count })
    guard changes.oldShape == old else {
      throw ShapeMismatch(expected: changes.oldShape, found: old)
    }
    guard changes.newShape == counts else {
      throw ShapeMismatch(expected: changes.newShape, found: counts)
    }
    return adopt(new, changes)
  }

  /// Replaces the sections by `new`, to which the change leads, and returns the change to the sections
  /// and items with distinct ids.
  @usableFromInline
  mutating func adopt(_ new: [Section], _ found: Changes) -> Changes {
    precondition(!isInBatch, "a batch consists of edits")
    finishCopiedBatch()
    tree.beginEdit()
    var changes = found
    if tree.apply(found, to: new) {
      listed = new
      settle()
    } else {
      changes = rebuild(new, found)
    }
    tree.finishChange()
    return changes
  }

  /// Makes a new tree of the sections, and returns the change.
  private mutating func rebuild(_ new: [Section], _ found: Changes) -> Changes {
    let before = sections
    let old = tree
    tree.replace(with: ItemTree(new, records: true))
    tree.selectionModes = old.selectionModes
    let isWhole =
      tree.itemCount == new.reduce(0) { $0 + $1.items.count } && tree.sectionCount == new.count
    listed = isWhole ? new : tree.list
    tree.keepSelection(of: old)
    tree.applySelectionModes()
    if let item = cursor, !tree.contains(item) {
      cursor = old.neighbor(of: item, isKept: tree.contains)
    }
    return isWhole ? found : Changes(fromSections: before, to: sections)
  }

  /// Makes this another list, which those that follow it then read, and returns the change.
  mutating func adopt(_ new: EditableList) -> Changes {
    precondition(!isInBatch, "a batch consists of edits")
    var new = new
    new.finishCopiedBatch()
    let changes = new.tree.changes(from: tree)
    new.tree.log = tree.log
    new.tree.log.add(changes, from: tree, to: new.tree)
    self = new
    return changes
  }

  // MARK: Reading

  /// The sections with their items.
  ///
  /// - Complexity: O(*n* + *s*), or O(1) for sections that were applied. To read single items and sections, use
  ///   ``item(at:)`` and ``section(at:)``.
  public var sections: [Section] { listed ?? tree.list }

  /// Returns the sections with their items, and keeps them until the next edit.
  mutating func readSections() -> [Section] {
    if let listed { return listed }
    let sections = tree.list
    listed = sections
    return sections
  }

  /// The number of sections.
  public var sectionCount: Int { tree.sectionCount }

  /// The number of items in all sections.
  public var itemCount: Int { tree.itemCount }

  /// Returns the number of items in the section at an index; 0 if the list has no section there.
  ///
  /// - Complexity: O(log *s*).
  public func itemCount(inSection index: Int) -> Int { tree.itemCount(inSection: index) }

  /// Returns the section at an index without its items, or `nil` if there is none.
  ///
  /// - Complexity: O(log *s*).
  public func section(at index: Int) -> Section? { tree.listedSection(at: index) }

  /// Returns whether the list has an item.
  ///
  /// - Complexity: O(1).
  public func contains(_ item: ItemID) -> Bool { tree.contains(item) }

  /// Returns an item, or `nil` if it is not in the list.
  ///
  /// - Complexity: O(1).
  public func item(_ id: ItemID) -> Section.Item? { tree.item(id) }

  /// Returns the path of an item, or `nil` if it is not in the list.
  ///
  /// - Complexity: O(log *n*).
  public func path(of item: ItemID) -> ListPath? { tree.location(of: item).map(tree.path) }

  /// Returns the item at a path, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  public func item(at path: ListPath) -> Section.Item? { tree.item(at: path) }

  /// Computes the change from another list, such as a copy that was made before edits of this one.
  ///
  /// Items that neither list has changed since one was a copy of the other are not compared.
  ///
  /// - Complexity: O(*k* log *n* + *n* / 64 + *s*), where *k* is the number of edited items, and O(*n*) if
  ///   neither list is a copy of the other with edits.
  public func changes(from other: EditableList) -> Changes { tree.changes(from: other.tree) }
}

extension EditableList.Batch: Sendable where Section: Sendable, Section.Item: Sendable {}
extension EditableList: Sendable where Section: Sendable, Section.Item: Sendable {}
