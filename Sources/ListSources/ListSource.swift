import ListDiff

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
///     tableView.performBatchUpdates(step.stage) { shown = step.data }
///   }
/// }
/// ```
///
/// Ids are distinct in a source. Of sections or items with the same id, only the first is kept.
///
/// In complexities, *n* is the number of items and *s* the number of sections.
@MainActor
public final class ListSource<Section: ListSection>: SectionSource<Section>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// Creates a source with sections.
  ///
  /// - Complexity: O(*n* + *s*).
  public init(sections: [Section] = []) {
    super.init(SourceState(EditableList(sections: sections)))
  }

  /// Creates a source with a list.
  ///
  /// - Complexity: O(1).
  public init(_ list: EditableList<Section>) { super.init(SourceState(list)) }

  /// A source has sections.
  @available(*, unavailable, message: "items are in sections: [HeadedSection(id: 0, items: items)]")
  public convenience init<Item>(_ items: [Item]) where Section == HeadedSection<Int, String, Item> {
    preconditionFailure()
  }

  /// Sections have a label.
  @available(*, unavailable, renamed: "init(sections:)")
  public convenience init(_ sections: [Section]) { preconditionFailure() }

  package override func makeRecorders() -> [any EditRecorder] { [SourceRecorder(self)] }

  // MARK: Changes

  /// Replaces the sections and returns the change, as ``EditableList/apply(_:)`` does.
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
  func adopt(_ new: [Section], _ found: Changes) -> Changes { edit { $0.adopt(new, found) } }

  /// Replaces the sections by those to which a change leads that was computed elsewhere, such as on another
  /// actor, and returns the change.
  ///
  /// Complexity and errors are those of ``EditableList/apply(_:changes:)``.
  ///
  /// - Precondition: There is no ``batch(_:)`` at present.
  @discardableResult
  public func apply(_ new: [Section], changes: Changes) throws(ShapeMismatch) -> Changes {
    try edit { list throws(ShapeMismatch) in try list.apply(new, changes: changes) }
  }

  /// Replaces the list with its selection and its cursor by another one, such as a ``SectionSource/value`` of
  /// this source that was edited on another actor, or read from a file, and returns the change of the items.
  ///
  /// - Precondition: There is no ``batch(_:)`` at present.
  /// - Complexity: That of ``EditableList/changes(from:)``.
  @discardableResult
  public func apply(_ list: EditableList<Section>) -> Changes { edit { $0.adopt(list) } }
}
