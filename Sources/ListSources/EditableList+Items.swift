import ListDiff
internal import SumTrees

extension EditableList: RandomAccessCollection {
  /// The items of a list, section by section.
  public struct Iterator: IteratorProtocol {
    private let tree: ItemTree<Section>
    private var section: Int?
    private var leaf: Int?
    private var index = 0

    fileprivate init(_ tree: ItemTree<Section>) {
      self.tree = tree
      section = tree.order.first(ofTree: 0)
      leaf = section.flatMap { tree.forest.first(ofTree: $0) }
    }

    /// Returns the next item, or `nil` after the last.
    ///
    /// - Complexity: O(1) on average for all items and sections.
    public mutating func next() -> Section.Item? {
      while let section {
        if let leaf {
          if index < tree.leaves[leaf].items.count {
            defer { index += 1 }
            return tree.leaves[leaf].items[index]
          }
          self.leaf = tree.forest.element(after: leaf)
          index = 0
        } else {
          self.section = tree.order.element(after: section)
          leaf = self.section.flatMap { tree.forest.first(ofTree: $0) }
        }
      }
      return nil
    }
  }

  /// Returns an iterator over the items.
  public func makeIterator() -> Iterator { Iterator(tree) }

  /// 0, the index of the first item.
  public var startIndex: Int { 0 }

  /// The number of items.
  public var endIndex: Int { tree.itemCount }

  /// Returns the item at an index among those of all sections.
  ///
  /// - Complexity: O(log *n*).
  public subscript(index: Int) -> Section.Item {
    guard let item = tree.items(index..<index + 1).first else {
      preconditionFailure("there is no item \(index) of \(tree.itemCount)")
    }
    return item
  }
}

extension EditableList: Equatable {
  /// Returns whether two lists have the same sections and items, selected items in the order of choice, cursor,
  /// and selection modes.
  ///
  /// - Complexity: That of ``changes(from:)``.
  public static func == (a: EditableList, b: EditableList) -> Bool {
    a.cursor == b.cursor && a.selectionModes == b.selectionModes
      && a.tree.initialChoices == b.tree.initialChoices && a.tree.itemCounts == b.tree.itemCounts
      && a.choices == b.choices && a.changes(from: b).isEmpty
  }
}

/// What is encoded of a list.
private struct SavedList<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  var sections: [Section]
  var choices: [Section.Item.ID]
  var cursor: Section.Item.ID?
  var modes: [Section.ID: SelectionMode]
  var initialChoices: [Section.ID: [Section.Item.ID]]
}

extension SavedList: Encodable
where Section: Encodable, Section.ID: Encodable, Section.Item.ID: Encodable {}
extension SavedList: Decodable
where Section: Decodable, Section.ID: Decodable, Section.Item.ID: Decodable {}

extension EditableList: Encodable
where Section: Encodable, Section.ID: Encodable, Section.Item.ID: Encodable {
  /// Encodes the sections, the selection with its modes and its order, and the cursor.
  ///
  /// - Complexity: O(*n* + *s*).
  public func encode(to encoder: any Encoder) throws {
    let saved = SavedList(
      sections: sections, choices: choices, cursor: cursor, modes: selectionModes,
      initialChoices: tree.initialChoices)
    try saved.encode(to: encoder)
  }
}

extension EditableList: Decodable
where Section: Decodable, Section.ID: Decodable, Section.Item.ID: Decodable {
  /// Decodes a list.
  ///
  /// Items are selected in the order in which they were chosen, as far as the modes allow it; ids that are not
  /// in the sections are ignored.
  ///
  /// - Complexity: O(*n* + *s*).
  public init(from decoder: any Decoder) throws {
    let saved = try SavedList<Section>(from: decoder)
    self.init(sections: saved.sections)
    tree.selectionModes = saved.modes
    tree.initialChoices = saved.initialChoices
    restoreSelection(saved.choices, saved.cursor)
  }
}
