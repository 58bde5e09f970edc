extension Changes {
  /// Returns the new list, made from the old list and the new content.
  ///
  /// `content` is called, in order, for each path of the new list whose item is inserted or
  /// updated.
  ///
  /// ```swift
  /// let result = try changes.applying(to: old) { new[$0.row] }
  /// ```
  ///
  /// This allows a change to be sent without the lists: as the operations and the items that they
  /// insert or update.
  ///
  /// - Throws: ``ShapeMismatch`` if `old` is not as long as the old list of the change, or that
  ///   list had sections.
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of items and *k* of operations.
  public func applying<Old: Collection>(
    to old: Old, inserting content: (ListPath) -> Old.Element
  ) throws(ShapeMismatch) -> [Old.Element] {
    let old = Array(old)
    guard oldRows == .flat(old.count), case .flat = newRows else {
      throw ShapeMismatch(expected: oldShape, found: [old.count])
    }
    let updated = Set(updates.map(\.new))
    return finalLayout.sections[0].rows.enumerated().map { row, token in
      let path = ListPath(section: 0, row: row)
      return token < 0 || updated.contains(path) ? content(path) : old[Int(token)]
    }
  }

  /// Returns the new list with sections, made from the old list and the new content.
  ///
  /// `section` is called for each section of the new list that is inserted or updated; the items of
  /// its result are replaced. `content` is called for each path whose item is inserted or updated.
  ///
  /// ```swift
  /// let result = try changes.applying(toSections: inbox) {
  ///   sorted[$0]
  /// } inserting: {
  ///   sorted[$0.section].items[$0.row]
  /// }
  /// ```
  ///
  /// - Throws: ``ShapeMismatch`` if the numbers of sections or rows of `old` are not those of the
  ///   old list of the change.
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of items and *k* of operations.
  public func applying<Section: ListSection>(
    toSections old: [Section], section: (Int) -> Section,
    inserting content: (ListPath) -> Section.Item
  ) throws(ShapeMismatch) -> [Section] {
    let shape = old.map { $0.items.count }
    guard oldRows == ListShape(shape) else {
      throw ShapeMismatch(expected: oldShape, found: shape)
    }
    let items = old.flatMap { $0.items }
    let updated = Set(updates.map(\.new))
    let updatedSections = Set(stages.flatMap(\.ops).flatMap(\.updatedSections))
    return finalLayout.sections.enumerated().map { index, part in
      var result =
        part.token < 0 || updatedSections.contains(index) ? section(index) : old[Int(part.token)]
      result.items = part.rows.enumerated().map { row, token in
        let path = ListPath(section: index, row: row)
        return token < 0 || updated.contains(path) ? content(path) : items[Int(token)]
      }
      return result
    }
  }

  private var finalLayout: ListLayout {
    let layouts = layouts
    return layouts[layouts.count - 1]
  }
}

extension Changes.Stage {
  /// Applies the operations of the stage to a flat list, all at once.
  ///
  /// `content` is called for each row, in the list after the stage, that is inserted or updated.
  ///
  /// ```swift
  /// stage.apply(to: &rows) { step.data[$0] }
  /// ```
  ///
  /// - Precondition: The stage fits the list and has no operations on sections.
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of rows and *k* of operations.
  public func apply<Item>(to rows: inout [Item], inserting content: (Int) -> Item) {
    let layout = ListLayout(shape: [rows.count]).after(self)
    precondition(layout.sections.count == 1, "a flat list has no operations on sections")
    let updated = Set(ops.flatMap(\.updatedPaths).map(\.row))
    rows = layout.sections[0].rows.enumerated().map { row, token in
      token < 0 || updated.contains(row) ? content(row) : rows[Int(token)]
    }
  }

  /// Applies the operations of the stage to a list with sections, all at once.
  ///
  /// `section` is called for each section, in the list after the stage, that is inserted or
  /// updated; the items of its result are replaced. `content` is called for each path, in the list
  /// after the stage, whose item is updated, or inserted alone or with its section.
  ///
  /// ```swift
  /// stage.apply(toSections: &folders) {
  ///   step.data[$0]
  /// } inserting: {
  ///   step.data[$0.section].items[$0.row]
  /// }
  /// ```
  ///
  /// - Precondition: The stage fits the list.
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of rows and *k* of operations.
  public func apply<Section: ListSection>(
    toSections sections: inout [Section], section: (Int) -> Section,
    inserting content: (ListPath) -> Section.Item
  ) {
    let old = sections
    let items = old.flatMap { $0.items }
    let updated = Set(ops.flatMap(\.updatedPaths))
    let updatedSections = Set(ops.flatMap(\.updatedSections))
    let layout = ListLayout(shape: old.map { $0.items.count }).after(self)
    sections = layout.sections.enumerated().map { index, part in
      var result =
        part.token < 0 || updatedSections.contains(index) ? section(index) : old[Int(part.token)]
      result.items = part.rows.enumerated().map { row, token in
        let path = ListPath(section: index, row: row)
        return token < 0 || updated.contains(path) ? content(path) : items[Int(token)]
      }
      return result
    }
  }
}

extension Changes.Op {
  /// The rows whose content the operation changes.
  fileprivate var updatedPaths: [ListPath] {
    switch self {
    case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
      (0..<count).map { at.advanced(by: $0) }
    default: []
    }
  }

  /// The sections whose content the operation changes.
  fileprivate var updatedSections: Range<Int> {
    switch self {
    case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
      at..<at + count
    default: 0..<0
    }
  }
}
