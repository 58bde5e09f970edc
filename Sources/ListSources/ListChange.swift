import ListDiff

/// A change of a source, and the list before and after it.
///
/// Views show the lists of a change and do not read the source, which may already have changed again. What the
/// change has inserted or updated is read item by item, at the cost of these, or from whole lists.
public struct ListChange<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// The operations that turn the old list into the new one.
  public let changes: Changes

  /// The list after the change, in which the change is recorded if it is not read anew.
  let tree: ItemTree<Section>

  /// The list before the change if it is read anew.
  let before: ItemTree<Section>?

  /// The sections before the change.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  public var old: [Section] {
    if let before { return before.list }
    var tree = tree
    tree.undoChange()
    return tree.list
  }

  /// The sections after the change.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  public var new: [Section] { tree.list }

  /// Returns the item at a path of the list after the change, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of items.
  public func item(at path: ListPath) -> Section.Item? { tree.item(at: path) }

  /// Returns the section at an index of the list after the change, without its items, or `nil` if there is none.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  public func section(at index: Int) -> Section? { tree.listedSection(at: index) }

  /// The stages of the change, each with the list after it.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items, and that of each step.
  public var steps: Changes.Steps<[Section]> {
    do {
      return try changes.steps(fromSections: old, to: new)
    } catch {
      preconditionFailure("the lists are those of the change")
    }
  }
}

extension ListChange: Sendable where Section: Sendable, Section.Item: Sendable {}
