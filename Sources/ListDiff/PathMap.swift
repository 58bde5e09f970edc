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
    let forms: [StageForm]

    /// Returns the path in the new list of a row of the old list, or `nil` if it is deleted.
    ///
    /// - Complexity: O(log *k*), where *k* is the number of operations.
    public func newPath(ofOld path: ListPath) -> ListPath? { end(path) }

    /// Returns the path in the old list of a row of the new list, or `nil` if it is inserted.
    ///
    /// - Complexity: O(log *k*), where *k* is the number of operations.
    public func oldPath(ofNew path: ListPath) -> ListPath? { origin(path) }

    /// Returns the index in the new list of a section of the old list, or `nil` if it is deleted.
    ///
    /// - Complexity: O(log *k*), where *k* is the number of operations.
    public func newSection(ofOld section: Int) -> Int? { end(section: section) }

    /// Returns the index in the old list of a section of the new list, or `nil` if it is inserted.
    ///
    /// - Complexity: O(log *k*), where *k* is the number of operations.
    public func oldSection(ofNew section: Int) -> Int? { origin(section: section) }
  }

  /// Maps rows and sections of one list to the other.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  public var pathMap: PathMap { PathMap(structureOf: stages) }

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
    for (index, form) in map.forms.enumerated() {
      for place in form.rows.leaving where !place.isMoved {
        result += place.paths.compactMap { map.origin($0, before: index) }
      }
      for place in form.sections.leaving where !place.isMoved {
        for section in place.paths {
          guard let old = map.origin(section: section.row, before: index) else { continue }
          result += (0..<shape[old]).map { ListPath(section: old, row: $0) }
            .filter { map.newPath(ofOld: $0) == nil }
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
    var result: [KeptRow] = []
    for (index, form) in map.forms.enumerated() {
      for place in form.rows.arriving where place.isMoved {
        for row in 0..<place.count {
          if let old = map.origin(place.other.advanced(by: row), before: index),
            let new = map.end(place.at.advanced(by: row), after: index)
          {
            result.append(KeptRow(old: old, new: new))
          }
        }
      }
    }
    return result.sorted().map { ($0.old, $0.new) }
  }

  /// The rows whose content changes, as paths in the old and in the new list, in the order of the
  /// new list.
  ///
  /// - Complexity: O((*k* + *u*) log *k*), where *k* is the number of operations and *u* of updated
  ///   rows.
  public var updates: [(old: ListPath, new: ListPath)] {
    let map = pathMap
    var result: [KeptRow] = []
    for op in stages.lazy.flatMap({ $0.ops }) where op.isOfContents {
      let op = op.parts
      for row in 0..<op.count where op.isOfRows {
        let new = op.at.advanced(by: row)
        if let old = map.oldPath(ofNew: new) { result.append(KeptRow(old: old, new: new)) }
      }
    }
    return result.sorted().map { ($0.old, $0.new) }
  }
}

/// A row that is in both lists, in the order of the new one.
private struct KeptRow: Comparable {
  var old: ListPath
  var new: ListPath

  static func < (a: KeptRow, b: KeptRow) -> Bool { a.new < b.new }
}
