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
  @_alwaysEmitIntoClient public func applying<Old: Collection>(
    to old: Old, inserting content: (ListPath) -> Old.Element
  ) throws(ShapeMismatch) -> [Old.Element] {
    let old = [Section(id: 0, items: Array(old))]
    guard oldRows == .flat(old[0].items.count), case .flat = newRows else {
      throw ShapeMismatch(expected: oldShape, found: [old[0].items.count])
    }
    return finalLayout.fill(old, stages, { _ in old[0] }, content)[0].items
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
  @_alwaysEmitIntoClient public func applying<Section: ListSection>(
    toSections old: [Section], section: (Int) -> Section,
    inserting content: (ListPath) -> Section.Item
  ) throws(ShapeMismatch) -> [Section] {
    let shape = old.map { $0.items.count }
    guard oldRows == ListShape(shape) else {
      throw ShapeMismatch(expected: oldShape, found: shape)
    }
    return finalLayout.fill(old, stages, section, content)
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
  @_alwaysEmitIntoClient
  public func apply<Item>(to rows: inout [Item], inserting content: (Int) -> Item) {
    let old = [Changes.Section(id: 0, items: rows)]
    let layout = ListLayout(shape: [rows.count]).after(self)
    precondition(layout.sections.count == 1, "a flat list has no operations on sections")
    rows = layout.fill(old, [self], { _ in old[0] }, { content($0.row) })[0].items
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
  @_alwaysEmitIntoClient public func apply<Section: ListSection>(
    toSections sections: inout [Section], section: (Int) -> Section,
    inserting content: (ListPath) -> Section.Item
  ) {
    let layout = ListLayout(shape: sections.map { $0.items.count }).after(self)
    sections = layout.fill(sections, [self], section, content)
  }
}

extension ListLayout {
  /// Returns a list of this layout: what was in the old list and is not updated from there, other sections
  /// and items from the closures.
  @_alwaysEmitIntoClient func fill<Section: ListSection>(
    _ old: [Section], _ stages: [Changes.Stage], _ section: (Int) -> Section,
    _ content: (ListPath) -> Section.Item
  ) -> [Section] {
    let items = old.count == 1 ? old[0].items : old.flatMap { $0.items }
    let updates = stages.updates(sections.map { $0.rows.count }.sums)
    var next = 0
    return sections.enumerated().map { index, part in
      let isOther = part.token < 0 || updates.sections[index] != nil
      var result = isOther ? section(index) : old[Int(part.token)]
      result.items = part.rows.enumerated().map { row, token in
        defer { next += 1 }
        let isOther = token < 0 || updates.rows[next] != nil
        return isOther ? content(ListPath(section: index, row: row)) : items[Int(token)]
      }
      return result
    }
  }
}
