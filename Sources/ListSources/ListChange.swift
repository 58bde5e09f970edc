import ListDiff

/// A change of a list with sections, and the list before and after it.
///
/// Views show the lists of a change and do not read the source, which may already have changed again.
public struct ListChange<Section: ListSection> {
  /// The operations that turn the old list into the new one.
  public let changes: Changes

  /// The sections before the change.
  public let old: [Section]

  /// The sections after the change.
  public let new: [Section]

  /// The stages of the change, each with the list after it.
  ///
  /// - Complexity: The same as `steps(fromSections:to:)` of `Changes`.
  public var steps: [Changes.Step<[Section]>] {
    do {
      return try changes.steps(fromSections: old, to: new)
    } catch {
      preconditionFailure("the lists are those of the change")
    }
  }
}

extension ListChange: Sendable where Section: Sendable {}
