extension Changes {
  /// Maps rows and sections of the old list to the new one, and the other way round.
  ///
  /// ```swift
  /// let map = changes.pathMap
  /// selection = selection.compactMap { map.newPath(ofOld: $0) }
  /// ```
  ///
  /// Use it to update a selection, a scroll anchor or expanded rows.
  public struct PathMap: Sendable {
    fileprivate let paths: StagePaths

    fileprivate init(_ stages: [Stage]) {
      paths = StagePaths(structureOf: stages)
    }

    /// Returns the path in the new list of a row of the old list, or `nil` if it is deleted.
    ///
    /// - Complexity: O(log *k*), where *k* is the number of operations.
    public func newPath(ofOld path: ListPath) -> ListPath? { paths.end(path) }

    /// Returns the path in the old list of a row of the new list, or `nil` if it is inserted.
    ///
    /// - Complexity: O(log *k*), where *k* is the number of operations.
    public func oldPath(ofNew path: ListPath) -> ListPath? { paths.origin(path) }

    /// Returns the index in the new list of a section of the old list, or `nil` if it is deleted.
    ///
    /// - Complexity: O(log *k*), where *k* is the number of operations.
    public func newSection(ofOld section: Int) -> Int? { paths.end(section: section) }

    /// Returns the index in the old list of a section of the new list, or `nil` if it is inserted.
    ///
    /// - Complexity: O(log *k*), where *k* is the number of operations.
    public func oldSection(ofNew section: Int) -> Int? { paths.origin(section: section) }
  }

  /// Maps rows and sections of one list to the other.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  public var pathMap: PathMap { PathMap(stages) }

  /// Returns the path in the new list of a row of the old list, or `nil` if it is deleted.
  ///
  /// To map several rows, create a ``pathMap`` once.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  public func newPath(ofOld path: ListPath) -> ListPath? { pathMap.newPath(ofOld: path) }

  /// Returns the path in the old list of a row of the new list, or `nil` if it is inserted.
  ///
  /// To map several rows, create a ``pathMap`` once.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  public func oldPath(ofNew path: ListPath) -> ListPath? { pathMap.oldPath(ofNew: path) }

  /// The paths in the new list of the inserted rows, in order, including those of inserted
  /// sections.
  ///
  /// - Complexity: O((*k* + *i*) log *k*), where *k* is the number of operations and *i* of
  ///   inserted rows.
  public var insertedPaths: [ListPath] {
    StageInsertions.ofStages(stages).flatMap(\.rows).flatMap { rows in
      (0..<rows.count).map { rows.at.advanced(by: $0) }
    }.sorted()
  }

  /// The paths in the old list of the deleted rows, in order, including those of deleted sections.
  ///
  /// - Complexity: O(*k* log *k* + *d* log *k*), where *k* is the number of operations and *d* of
  ///   rows that are deleted or in deleted sections.
  public var deletedPaths: [ListPath] {
    let map = pathMap
    let shape = oldShape
    var result: [ListPath] = []
    for (index, stage) in stages.enumerated() {
      for op in stage.ops {
        switch op {
        case .deleteItems(let at, let count):
          for row in 0..<count {
            if let path = map.paths.origin(at.advanced(by: row), before: index) {
              result.append(path)
            }
          }
        case .deleteSections(let at, let count):
          for section in at..<at + count {
            guard let old = map.paths.origin(section: section, before: index) else { continue }
            result += (0..<shape[old]).map { ListPath(section: old, row: $0) }
              .filter { map.newPath(ofOld: $0) == nil }
          }
        default: break
        }
      }
    }
    return result.sorted()
  }

  /// The moved rows, as paths in the old and in the new list, in the order of the new list.
  ///
  /// Rows that move with their section are not included.
  ///
  /// - Complexity: O((*k* + *m*) log *k*), where *k* is the number of operations and *m* of moved
  ///   rows.
  public var moves: [(from: ListPath, to: ListPath)] {
    let map = pathMap
    var result: [(from: ListPath, to: ListPath)] = []
    for (index, stage) in stages.enumerated() {
      for case .moveItems(let from, let to, let count) in stage.ops {
        for row in 0..<count {
          if let old = map.paths.origin(from.advanced(by: row), before: index),
            let new = map.paths.end(to.advanced(by: row), after: index)
          {
            result.append((old, new))
          }
        }
      }
    }
    return result.sorted { $0.to < $1.to }
  }

  /// The rows whose content changes, as paths in the old and in the new list, in the order of the
  /// new list.
  ///
  /// - Complexity: O((*k* + *u*) log *k*), where *k* is the number of operations and *u* of updated
  ///   rows.
  public var updates: [(old: ListPath, new: ListPath)] {
    let map = pathMap
    var result: [(old: ListPath, new: ListPath)] = []
    for op in stages.flatMap(\.ops) {
      switch op {
      case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
        for row in 0..<count {
          let new = at.advanced(by: row)
          if let old = map.oldPath(ofNew: new) { result.append((old, new)) }
        }
      default: break
      }
    }
    return result.sorted { $0.new < $1.new }
  }
}
