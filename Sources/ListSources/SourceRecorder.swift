import ListDiff

/// Records the edits of a source, so that they can be undone together with those of others.
@MainActor package protocol EditRecorder {
  /// The source.
  var source: ObjectIdentifier { get }

  /// Whether the source was edited since the last call of ``record()``.
  var hasEdits: Bool { get }

  /// Returns what undoes the edits since the last call, and restores the selection and the cursor before them.
  func record() -> @MainActor () -> Void

  /// Makes the present selection and cursor those that are before the next edits.
  func noteSelection()
}

/// Records the edits of a source.
@MainActor final class SourceRecorder<Section: ListSection>: EditRecorder
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  private let edited: ListSource<Section>
  private var mirror: ListMirror<Section>
  private var revision: Int
  private var choices: [Section.Item.ID]
  private var cursor: Section.Item.ID?

  init(_ source: ListSource<Section>) {
    edited = source
    mirror = ListMirror(of: source, records: true)
    revision = source.listRevision
    (choices, cursor) = (source.choices, source.cursor)
  }

  var source: ObjectIdentifier { ObjectIdentifier(edited) }

  var hasEdits: Bool { edited.listRevision != revision }

  func record() -> @MainActor () -> Void {
    defer { noteSelection() }
    let inverse = hasEdits ? mirror.takeInverse(of: edited) : nil
    revision = edited.listRevision
    return { [edited, choices, cursor] in edited.undo(inverse, choices, cursor) }
  }

  func noteSelection() { (choices, cursor) = (edited.choices, edited.cursor) }
}

extension ListSource {
  /// Undoes edits, and restores the selection and the cursor.
  fileprivate func undo(
    _ edits: InverseEdits<Section>?, _ choices: [ItemID], _ cursor: ItemID?
  ) {
    switch edits {
    case .list(let sections): apply(sections)
    case .patch(let patch): _ = edit { $0.apply(patch) }
    case nil: break
    }
    if choices != self.choices || cursor != self.cursor {
      choose { $0.restoreSelection(choices, cursor) }
    }
  }
}
