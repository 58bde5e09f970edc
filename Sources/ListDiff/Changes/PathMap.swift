extension Changes {
  /// Maps rows and sections of the old list to the new one, and the other way round.
  ///
  /// ```swift
  /// let map = changes.pathMap
  /// selection = selection.compactMap { map.newPath(ofOld: $0) }
  /// ```
  ///
  /// Use it to update a selection, a scroll anchor or expanded rows.
  @frozen
  public struct PathMap: Sendable {
    @usableFromInline package let forms: [StageForm]

    /// Returns the path in the new list of a row of the old list, or `nil` if it is deleted.
    ///
    /// - Complexity: O(log *k*), where *k* is the number of operations.
    @_alwaysEmitIntoClient public func newPath(ofOld path: ListPath) -> ListPath? { end(path) }

    /// Returns the path in the old list of a row of the new list, or `nil` if it is inserted.
    ///
    /// - Complexity: O(log *k*), where *k* is the number of operations.
    @_alwaysEmitIntoClient public func oldPath(ofNew path: ListPath) -> ListPath? { origin(path) }

    /// Returns the index in the new list of a section of the old list, or `nil` if it is deleted.
    ///
    /// - Complexity: O(log *k*), where *k* is the number of operations.
    @_alwaysEmitIntoClient
    public func newSection(ofOld section: Int) -> Int? { end(section: section) }

    /// Returns the index in the old list of a section of the new list, or `nil` if it is inserted.
    ///
    /// - Complexity: O(log *k*), where *k* is the number of operations.
    @_alwaysEmitIntoClient
    public func oldSection(ofNew section: Int) -> Int? { origin(section: section) }
  }

  /// Maps rows and sections of one list to the other.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  @_alwaysEmitIntoClient public var pathMap: PathMap { PathMap(structureOf: stages) }

  /// Returns the path in the new list of a row of the old list, or `nil` if it is deleted.
  ///
  /// To map several rows, create a ``pathMap`` once.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  @_alwaysEmitIntoClient
  public func newPath(ofOld path: ListPath) -> ListPath? { pathMap.newPath(ofOld: path) }

  /// Returns the path in the old list of a row of the new list, or `nil` if it is inserted.
  ///
  /// To map several rows, create a ``pathMap`` once.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  @_alwaysEmitIntoClient
  public func oldPath(ofNew path: ListPath) -> ListPath? { pathMap.oldPath(ofNew: path) }

  /// The paths in the new list of the inserted rows, in order, including those of inserted
  /// sections.
  ///
  /// - Complexity: O((*k* + *i*) log *k*), where *k* is the number of operations and *i* of
  ///   inserted rows.
  @_alwaysEmitIntoClient public var insertedPaths: [ListPath] { paths(areInserted: true) }

  /// The paths in the old list of the deleted rows, in order, including those of deleted sections.
  ///
  /// - Complexity: O(*k* log *k* + *d* log *k*), where *k* is the number of operations and *d* of
  ///   rows that are deleted or in deleted sections.
  @_alwaysEmitIntoClient public var deletedPaths: [ListPath] { paths(areInserted: false) }

  @_alwaysEmitIntoClient @inline(never)
  func paths(areInserted: Bool) -> [ListPath] {
    let map = pathMap
    let shape = areInserted ? newShape : oldShape
    var result: [ListPath] = []
    for (stage, form) in map.forms.enumerated() {
      let rows = areInserted ? form.rows.arriving : form.rows.leaving
      for place in rows where !place.isMoved {
        for row in place.paths {
          let row = areInserted ? map.end(row, after: stage) : map.origin(row, before: stage)
          if let row { result.append(row) }
        }
      }
      let sections = areInserted ? form.sections.arriving : form.sections.leaving
      for place in sections where !place.isMoved {
        for path in place.paths {
          guard
            let section = areInserted
              ? map.end(section: path.row, after: stage)
              : map.origin(section: path.row, before: stage)
          else { continue }
          for row in ListPath(section: section, row: 0).paths(shape[section])
          where (areInserted ? map.origin(row) : map.end(row)) == nil {
            result.append(row)
          }
        }
      }
    }
    result.sort { $0.number }
    return result
  }

  /// The moved rows, as paths in the old and in the new list, in the order of the new list.
  ///
  /// Rows that move with their section are not included.
  ///
  /// - Complexity: O((*k* + *m*) log *k*), where *k* is the number of operations and *m* of moved
  ///   rows.
  @_alwaysEmitIntoClient public var moves: [(from: ListPath, to: ListPath)] {
    let map = pathMap
    var rows: [ListPath] = []
    for (stage, form) in map.forms.enumerated() {
      for place in form.rows.arriving where place.isMoved {
        for row in place.paths {
          if let row = map.end(row, after: stage) { rows.append(row) }
        }
      }
    }
    return map.pairs(ofNew: &rows).map { (from: $0, to: $1) }
  }

  /// The rows whose content changes, as paths in the old and in the new list, in the order of the
  /// new list.
  ///
  /// - Complexity: O((*k* + *u*) log *k*), where *k* is the number of operations and *u* of updated
  ///   rows.
  @_alwaysEmitIntoClient public var updates: [(old: ListPath, new: ListPath)] {
    var rows: [ListPath] = []
    for stage in stages {
      for op in stage.ops where op.isOfContents {
        let op = op.parts
        if op.isOfRows { rows += op.at.paths(op.count) }
      }
    }
    return pathMap.pairs(ofNew: &rows)
  }
}

extension Changes.PathMap {
  /// Sorts rows of the new list, and returns those that are in the old one, with their paths there.
  @_alwaysEmitIntoClient
  func pairs(ofNew rows: inout [ListPath]) -> [(old: ListPath, new: ListPath)] {
    rows.sort { $0.number }
    var pairs: [(old: ListPath, new: ListPath)] = []
    for row in rows {
      if let old = origin(row) { pairs.append((old, row)) }
    }
    return pairs
  }
}
