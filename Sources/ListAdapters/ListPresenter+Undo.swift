import ListDiff
import ListSources

extension ListPresenter {
  /// The number of changes that can be undone; 0, so that nothing is kept, unless it is set.
  ///
  /// A change consists of all edits that are shown at once. They are undone in the `ListSource`s that the list
  /// is made of. Edits that do not change what is shown belong to the change after them, or, if there is none,
  /// are undone with the one before.
  public var undoLimit: Int {
    get { history.limit }
    set {
      history.limit = newValue
      if newValue <= 0 {
        history.recorders = []
      } else if history.recorders.isEmpty {
        history.recorders = source.presented.makeRecorders()
      }
    }
  }

  /// Whether there is a change to undo.
  public var canUndo: Bool { !history.undone.isEmpty }

  /// Whether there is a change to make again, because it was undone and no other was made since.
  public var canRedo: Bool { !history.redone.isEmpty }

  /// Undoes the last change of the list in its sources, and restores the selection and the cursor before it.
  ///
  /// Returns false if there is no change to undo, or while a change is shown.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changed and selected items; O(*n*) if nearly all items have changed.
  @discardableResult
  public func undo() -> Bool { restore(from: \.undone, to: \.redone) }

  /// Makes the last change again that was undone.
  ///
  /// Returns false if there is none, or while a change is shown.
  ///
  /// - Complexity: The same as ``undo()``.
  @discardableResult
  public func redo() -> Bool { restore(from: \.redone, to: \.undone) }

  private typealias Steps = WritableKeyPath<EditHistory, [EditHistory.Step]>

  private func restore(from steps: Steps, to others: Steps) -> Bool {
    if isUpdating { return false }
    update()
    guard let step = history[keyPath: steps].popLast() else { return false }
    for undo in history.takeEdits() + step { undo() }
    update { history[keyPath: others].append($0) }
    return true
  }
}

/// The changes that can be undone and made again.
@MainActor struct EditHistory {
  /// What undoes the edits of each source.
  typealias Step = [@MainActor () -> Void]

  var limit = 0 {
    didSet {
      undone.removeFirst(max(0, undone.count - max(0, limit)))
      if limit <= 0 { redone = [] }
    }
  }

  /// What records the edits of each source.
  var recorders: [any EditRecorder] = []

  var undone: [Step] = []
  var redone: [Step] = []

  /// Returns what undoes the edits since the last call.
  func takeEdits() -> Step {
    recorders.contains { $0.hasEdits } ? recorders.map { $0.record() } : []
  }

  /// Makes the present selection that before the next edits.
  func noteSelection() { for recorder in recorders { recorder.noteSelection() } }

  /// Records a change that is not an undo.
  mutating func record(_ step: Step) {
    redone = []
    if limit <= 0 { return }
    undone.append(step)
    if undone.count > limit { undone.removeFirst() }
  }
}
