extension Changes {
  /// An id that occurs several times in a list.
  public struct Duplicate<ID: Hashable>: Hashable {
    /// The id.
    public var id: ID

    /// The paths of the items with this id, ascending; at least two.
    public var paths: [ListPath]

    /// Creates a report of an id and its paths.
    public init(id: ID, paths: [ListPath]) {
      self.id = id
      self.paths = paths
    }
  }

  /// Returns the ids that occur several times in a flat list, in the order of their first items.
  ///
  /// Lists with duplicates can be compared. If ids are expected to be distinct, assert it:
  ///
  /// ```swift
  /// assert(Changes.duplicates(in: new).isEmpty)
  /// ```
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  @_alwaysEmitIntoClient
  public static func duplicates<List: Collection>(
    in list: List
  ) -> [Duplicate<List.Element.ID>] where List.Element: Identifiable {
    duplicates(in: list, id: { $0.id })
  }

  /// Returns the ids that occur several times in a flat list, in the order of their first items.
  ///
  /// ```swift
  /// let twice = Changes.duplicates(in: ["a", "b", "a"], id: \.self)
  /// ```
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  @_alwaysEmitIntoClient
  public static func duplicates<List: Collection, ID: Hashable>(
    in list: List, id: (List.Element) -> ID
  ) -> [Duplicate<ID>] {
    duplicates(inSections: CollectionOfOne(list), id: id)
  }

  /// Returns the ids that occur several times in a list with sections, in the order of their first
  /// items.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  @_alwaysEmitIntoClient
  public static func duplicates<Section: ListSection>(
    inSections sections: [Section]
  ) -> [Duplicate<Section.Item.ID>] where Section.Item: Identifiable {
    duplicates(inSections: sections.map { $0.items }, id: { $0.id })
  }

  @_alwaysEmitIntoClient
  static func duplicates<Lists: Collection, ID: Hashable>(
    inSections lists: Lists, id: (Lists.Element.Element) -> ID
  ) -> [Duplicate<ID>] where Lists.Element: Collection {
    var first: [ID: ListPath] = [:]
    var indices: [ID: Int] = [:]
    var result: [Duplicate<ID>] = []
    for (section, list) in lists.enumerated() {
      for (row, item) in list.enumerated() {
        let id = id(item)
        let path = ListPath(section: section, row: row)
        guard let before = first[id] else {
          first[id] = path
          continue
        }
        if let index = indices[id] {
          result[index].paths.append(path)
        } else {
          indices[id] = result.count
          result.append(Duplicate(id: id, paths: [before, path]))
        }
      }
    }
    return result.sorted { $0.paths[0] < $1.paths[0] }
  }
}

extension Changes.Duplicate: Sendable where ID: Sendable {}
