/// A stage of a change and the list as it stands after it: see ``Changes/steps(from:to:)``.
public struct Step<Data> {
  /// The list after the stage: what the data source has to hold when the batch update begins.
  ///
  /// What the stage inserts stands in it at the places of the insertions.
  public let data: Data

  /// The operations, to be given to one `performBatchUpdates`.
  public let stage: Stage

  @inlinable init(data: Data, stage: Stage) {
    self.data = data
    self.stage = stage
  }
}

extension Step: Sendable where Data: Sendable {}

extension Changes {
  /// The stages of a change between flat lists, each with the list after it.
  ///
  /// ```swift
  /// for step in try changes.steps(from: old, to: new) {
  ///   items = step.data
  ///   tableView.performBatchUpdates(step.stage)
  /// }
  /// ```
  ///
  /// Kept items have their old content until the last step, whose data is `new`; where nothing
  /// changes there is no step. `old` and `new` are to be the lists that were compared, of which
  /// only the lengths are checked.
  ///
  /// - Throws: ``ShapeMismatch`` where `old` or `new` is not as long as the list compared.
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of items and *k* of operations.
  @inlinable
  public func steps<List: Collection>(
    from old: List, to new: List
  ) throws(ShapeMismatch) -> [Step<[List.Element]>] {
    let old = Array(old)
    let new = Array(new)
    return try steps(
      oldShape: [old.count], newShape: [new.count], last: new
    ) { placement, newIndices in
      placement.sections[0].rows.map { $0 >= 0 ? old[Int($0)] : new[Int(newIndices[Int(~$0)])] }
    }
  }

  /// The stages of a change between lists with sections, each with the list after it.
  ///
  /// ```swift
  /// for step in try changes.steps(fromSections: inbox, to: sorted) {
  ///   folders = step.data
  ///   tableView.performBatchUpdates(step.stage)
  /// }
  /// ```
  ///
  /// Kept sections and items have their old content until the last step, whose data is `new`; where
  /// nothing changes there is no step. A section that comes may get items in a later step than its
  /// own. `old` and `new` are to be the lists that were compared, of which only the shapes are
  /// checked.
  ///
  /// - Throws: ``ShapeMismatch`` where `old` or `new` has not as many sections and rows as the list
  ///   compared.
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of items and sections and *k* of
  ///   operations.
  @inlinable
  public func steps<Section: ListSection>(
    fromSections old: [Section], to new: [Section]
  ) throws(ShapeMismatch) -> [Step<[Section]>] {
    let oldItems = old.flatMap(\.items)
    let newItems = new.flatMap(\.items)
    return try steps(
      oldShape: old.map(\.items.count), newShape: new.map(\.items.count), last: new
    ) { placement, newIndices in
      placement.sections.map { part in
        var section =
          part.token >= 0 ? old[Int(part.token)] : new[Int(newIndices[Int(~part.token)])]
        section.items = part.rows.map {
          $0 >= 0 ? oldItems[Int($0)] : newItems[Int(newIndices[Int(~$0)])]
        }
        return section
      }
    }
  }

  @inlinable
  func steps<Data>(
    oldShape: [Int], newShape: [Int], last: Data, _ data: (Placement, [Int32]) -> Data
  ) throws(ShapeMismatch) -> [Step<Data>] {
    try check(oldShape, newShape)
    if stages.count == 1 { return [Step(data: last, stage: stages[0])] }
    let placements = placements
    let newIndices = placements[placements.count - 1].newIndices
    return stages.indices.map { index in
      Step(
        data: index == stages.count - 1 ? last : data(placements[index + 1], newIndices),
        stage: stages[index])
    }
  }

  @usableFromInline var placements: [Placement] { Placement.all(self) }

  @usableFromInline
  func check(_ old: [Int], _ new: [Int]) throws(ShapeMismatch) {
    guard old == oldShape else { throw ShapeMismatch(expected: oldShape, found: old) }
    guard new == newShape else { throw ShapeMismatch(expected: newShape, found: new) }
  }
}
