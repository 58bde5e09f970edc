import ListDiff

extension ListPresenter {
  /// The number of changes that can be undone; 0, so that nothing is kept, unless it is set.
  ///
  /// A change consists of all edits that are shown at once, also those of other programs.
  public var undoLimit: Int {
    get { history.limit }
    set { history.limit = newValue }
  }

  /// Whether there is a change to undo.
  public var canUndo: Bool { !history.undone.isEmpty }

  /// Whether there is a change to make again, because it was undone and no other was made since.
  public var canRedo: Bool { !history.redone.isEmpty }

  /// Undoes the last change of the list in the source, and restores the selection and the cursor
  /// before it.
  ///
  /// Returns false if there is no change to undo, if the source cannot restore an earlier list, or
  /// while a change is shown.
  ///
  /// - Complexity: O(*n*). A change is kept as its operations and the items that it deletes or
  ///   updates.
  @discardableResult
  public func undo() -> Bool { restore(from: \.undone, to: \.redone) }

  /// Makes the last change again that was undone.
  ///
  /// Returns false if there is none, if the source cannot do this, or while a change is shown.
  ///
  /// - Complexity: The same as ``undo()``.
  @discardableResult
  public func redo() -> Bool { restore(from: \.redone, to: \.undone) }

  private typealias Steps = WritableKeyPath<ChangeHistory<Section>, [ChangeHistory<Section>.Step]>

  private func restore(from steps: Steps, to others: Steps) -> Bool {
    if isUpdating { return false }
    update()
    guard let step = history[keyPath: steps].last else { return false }
    return restore(step.list(before: sections), selected: step.selected, cursor: step.cursor) {
      history[keyPath: steps].removeLast()
      history[keyPath: others].append(ChangeHistory.Step(undoing: $0))
    }
  }
}

/// A change of what is shown, with the selection and the cursor before it.
struct ShownChange<Section: ListSection> {
  var old: [Section]
  var selected: [ListPath]
  var cursor: ListPath?
  var changes: Changes
  var new: [Section]
}

/// The changes that can be undone and made again.
struct ChangeHistory<Section: ListSection> {
  /// What leads back to a list.
  struct Step {
    private let changes: Changes

    /// The items and sections that the later list does not have, or not with the same content.
    private let items: [ListPath: Section.Item]
    private let sections: [Int: Section]

    let selected: [ListPath]
    let cursor: ListPath?

    init(undoing change: ShownChange<Section>) {
      changes = change.changes.inverse
      (selected, cursor) = (change.selected, change.cursor)
      var (items, sections): ([ListPath: Section.Item], [Int: Section]) = ([:], [:])
      _ = Self.apply(changes, to: change.new) {
        var section = change.old[$0]
        section.items = []
        sections[$0] = section
        return section
      } inserting: {
        let item = change.old[$0.section].items[$0.row]
        items[$0] = item
        return item
      }
      (self.items, self.sections) = (items, sections)
    }

    /// Returns the list, given the later one.
    func list(before new: [Section]) -> [Section] {
      Self.apply(changes, to: new) {
        guard let section = sections[$0] else { preconditionFailure("the section was kept") }
        return section
      } inserting: {
        guard let item = items[$0] else { preconditionFailure("the item was kept") }
        return item
      }
    }

    private static func apply(
      _ changes: Changes, to list: [Section], section: (Int) -> Section,
      inserting item: (ListPath) -> Section.Item
    ) -> [Section] {
      do {
        return try changes.applying(toSections: list, section: section, inserting: item)
      } catch {
        preconditionFailure("the list is that of the change")
      }
    }
  }

  var limit = 0 {
    didSet {
      undone.removeFirst(max(0, undone.count - max(0, limit)))
      if limit <= 0 { redone = [] }
    }
  }

  var undone: [Step] = []
  var redone: [Step] = []

  /// Records a change that is not an undo.
  mutating func record(_ change: ShownChange<Section>) {
    redone = []
    if limit <= 0 { return }
    undone.append(Step(undoing: change))
    if undone.count > limit { undone.removeFirst() }
  }
}
