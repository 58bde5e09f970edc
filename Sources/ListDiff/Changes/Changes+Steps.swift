extension Changes {
  /// A stage of a change and the list after it; see `steps(from:to:)`.
  ///
  /// `data` is the list after the stage, which the data source must hold when the batch update begins. Inserted rows are
  /// at the positions of their insertions. `stage` has the operations, for one `performBatchUpdates`.
  public typealias Step<Data> = (data: Data, stage: Stage)
}

extension Changes {
  /// The steps of a change, whose lists are made when they are read; see `steps(from:to:)`.
  ///
  /// They are a collection with the indices of the stages. To read a step is O(*n* + *k* log *k*), where *n* is the
  /// number of items and *k* of operations, and O(1) for the last one. Its list is made anew each time.
  public typealias Steps<Data> = LazyMapSequence<Range<Int>, Step<Data>>

  /// Returns the steps of some stages. `data` returns the list after the stage with an index.
  @_alwaysEmitIntoClient
  static func steps<Data>(_ stages: [Stage], data: @escaping (Int) -> Data) -> Steps<Data> {
    stages.indices.lazy.map { (data: data($0), stage: stages[$0]) }
  }
}

extension Changes {
  /// Returns the stages of a change between flat lists, each with the list after it.
  ///
  /// ```swift
  /// for step in try changes.steps(from: old, to: new) {
  ///   tableView.performBatchUpdates(step.stage) { items = step.data }
  /// }
  /// ```
  ///
  /// Updated items have their old content until the stage that updates contents, whose data is `new`. If
  /// nothing changes, there are no steps. `old` and `new` must be the lists that were compared. Their
  /// lengths are checked; a debug build of an app also traps if items that can be compared differ
  /// from those that were compared.
  ///
  /// - Throws: ``ShapeMismatch`` if `old` or `new` is not as long as the list that was compared.
  /// - Complexity: O(*n*) if one of them is not an array, where *n* is the number of items; else O(*s*) for *s* stages.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func steps<Old: Collection, New: Collection>(
    from old: Old, to new: New
  ) throws(ShapeMismatch) -> Steps<[Old.Element]> where Old.Element == New.Element {
    try flatSteps(Array(old), Array(new))
  }

  /// Returns the stages of a change between flat lists of items that can be compared, each with the
  /// list after it.
  ///
  /// - Throws: ``ShapeMismatch`` if `old` or `new` is not as long as the list that was compared.
  /// - Complexity: O(*n*) if one of them is not an array, where *n* is the number of items; else O(*s*) for *s* stages.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func steps<Old: Collection, New: Collection>(
    from old: Old, to new: New
  ) throws(ShapeMismatch) -> Steps<[Old.Element]>
  where Old.Element == New.Element, Old.Element: Equatable {
    let old = Array(old)
    let new = Array(new)
    try check([old.count], [new.count])
    assert(areUnchanged { old[$0.row] == new[$1.row] }, "other lists than those compared")
    return try flatSteps(old, new)
  }

  /// Returns the stages of a change between lists with sections, as ``steps(fromSections:to:)``
  /// does.
  ///
  /// - Throws: ``ShapeMismatch`` if the numbers of sections or rows of `old` or `new` are not those
  ///   of the list that was compared.
  /// - Complexity: The same as ``steps(fromSections:to:)``.
  @_alwaysEmitIntoClient
  public func steps<Old: Collection, New: Collection>(
    from old: Old, to new: New
  ) throws(ShapeMismatch) -> Steps<[Old.Element]>
  where Old.Element == New.Element, Old.Element: ListSection {
    try steps(fromSections: Array(old), to: Array(new))
  }

  /// Returns the stages of a change between lists with sections, each with the list after it.
  ///
  /// ```swift
  /// for step in try changes.steps(fromSections: inbox, to: sorted) {
  ///   tableView.performBatchUpdates(step.stage) { folders = step.data }
  /// }
  /// ```
  ///
  /// Updated sections and items have their old content until the stages that update contents, whose
  /// data is `new`. If nothing changes, there are no steps. An inserted section may receive items in
  /// a later step than its own. `old` and `new` must be the lists that were compared; their shapes
  /// are checked.
  ///
  /// - Throws: ``ShapeMismatch`` if the numbers of sections or rows of `old` or `new` are not those
  ///   of the list that was compared.
  /// - Complexity: O(*s*), where *s* is the number of sections and stages.
  @_alwaysEmitIntoClient
  public func steps<Section: ListSection>(
    fromSections old: [Section], to new: [Section]
  ) throws(ShapeMismatch) -> Steps<[Section]> {
    try check(old.map { $0.items.count }, new.map { $0.items.count })
    assert(
      areUnchangedSections { old[$0].id == new[$1].id }, "other sections than those compared")
    let structuralCount = stages.count { $0.changesStructure }
    var layouts: [ListLayout] = []
    return Self.steps(stages) { index in
      // Stages after the structural ones do not change the layout, and all show the new contents.
      if index >= structuralCount || index == stages.count - 1 { return new }
      if let updates = updatesOfOnlyStructure { return Self.restoring(updates, of: old, in: new) }
      if layouts.isEmpty { layouts = self.layouts }
      let newIndices = layouts[layouts.count - 1].newIndices
      let oldItems = old.count == 1 ? old[0].items : old.flatMap { $0.items }
      let newItems = new.count == 1 ? new[0].items : new.flatMap { $0.items }
      return layouts[index + 1].sections.map { part in
        var section =
          part.token >= 0 ? old[Int(part.token)] : new[Int(newIndices[Int(~part.token)])]
        section.items = part.rows.map {
          $0 >= 0 ? oldItems[Int($0)] : newItems[Int(newIndices[Int(~$0)])]
        }
        return section
      }
    }
  }

  /// The updates if the first stage is the only one that changes the structure, so that the list after it
  /// differs from the new one only in what is updated.
  @_alwaysEmitIntoClient var updatesOfOnlyStructure: UpdatedPairs? {
    guard let first = stages.first, first.changesStructure,
      stages.dropFirst().allSatisfy({ !$0.changesStructure })
    else { return nil }
    let map = pathMap
    var pairs: UpdatedPairs = ([], [])
    for op in stages.lazy.flatMap({ $0.ops }) where op.isOfContents {
      let op = op.parts
      for offset in 0..<op.count {
        let path = op.at.advanced(by: offset)
        if !op.isOfRows {
          let section = op.at.row + offset
          if let old = map.oldSection(ofNew: section) { pairs.sections.append((old, section)) }
        } else if let old = map.oldPath(ofNew: path) {
          pairs.rows.append((old, path))
        }
      }
    }
    return pairs
  }

  /// Returns the new list with the old rows and sections instead of those that are updated.
  @_alwaysEmitIntoClient
  static func restoring<Section: ListSection>(
    _ updates: UpdatedPairs, of old: [Section], in new: [Section]
  ) -> [Section] {
    var list = new
    for row in updates.rows {
      list[row.new.section].items[row.new.row] = old[row.old.section].items[row.old.row]
    }
    for section in updates.sections {
      let items = list[section.new].items
      list[section.new] = old[section.old]
      list[section.new].items = items
    }
    return list
  }

  @_alwaysEmitIntoClient
  func flatSteps<Item>(_ old: [Item], _ new: [Item]) throws(ShapeMismatch) -> Steps<[Item]> {
    try check([old.count], [new.count])
    let steps = try steps(
      fromSections: [Section(id: 0, items: old)], to: [Section(id: 0, items: new)])
    return Self.steps(stages) { steps[$0].data[0].items }
  }

  @_alwaysEmitIntoClient var layouts: [ListLayout] { ListLayout.all(self) }

  /// The layout of the new list.
  @_alwaysEmitIntoClient var finalLayout: ListLayout {
    let layouts = layouts
    return layouts[layouts.count - 1]
  }

  @_alwaysEmitIntoClient func check(_ old: [Int], _ new: [Int]) throws(ShapeMismatch) {
    guard old == oldShape else { throw ShapeMismatch(expected: oldShape, found: old) }
    guard new == newShape else { throw ShapeMismatch(expected: newShape, found: new) }
  }

  /// Returns whether `areSame` holds for the old and the new path of each kept row that is not
  /// updated. Returns true if the change does not guarantee equal items.
  ///
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of rows and *k* of operations.
  @_alwaysEmitIntoClient func areUnchanged(_ areSame: (ListPath, ListPath) -> Bool) -> Bool {
    guard keepsEqualItems, case .flat(let count) = newRows else { return true }
    let updates = stages.updates([0, Int32(count)])
    return finalLayout.sections[0].rows.enumerated().allSatisfy { row, old in
      let isKept = old >= 0 && updates.rows[row] == nil
      return !isKept
        || areSame(ListPath(section: 0, row: Int(old)), ListPath(section: 0, row: row))
    }
  }

  /// Returns whether `areSame` holds for the old and the new index of each kept section.
  @_alwaysEmitIntoClient func areUnchangedSections(_ areSame: (Int, Int) -> Bool) -> Bool {
    finalLayout.sections.enumerated().allSatisfy { index, section in
      section.token < 0 || areSame(Int(section.token), index)
    }
  }
}

/// The rows and sections that a change updates, in the old and in the new list.
@usableFromInline
typealias UpdatedPairs = (
  rows: [(old: ListPath, new: ListPath)], sections: [(old: Int, new: Int)]
)
