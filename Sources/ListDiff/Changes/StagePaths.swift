/// The name of ``Changes/PathMap`` inside the package.
package typealias StagePaths = Changes.PathMap

// In O(log k), where k is the number of operations:

extension Changes.PathMap {
  /// Creates the map of those stages of a change that change the structure. The stage of contents, which
  /// is the last one, is not among them.
  ///
  /// - Complexity: O(*k*), where *k* is the number of operations.
  @_alwaysEmitIntoClient package init(structureOf stages: [Changes.Stage]) {
    forms = stages.filter { $0.changesStructure }.map { StageForm($0) }
  }

  /// Returns the path in the new list of a row, given its path in the old one or after a stage; `nil` if
  /// it is deleted.
  @_alwaysEmitIntoClient package func end(_ path: ListPath, after stage: Int = -1) -> ListPath? {
    forms[(stage + 1)...].follow(path) { $0.path($1) }
  }

  /// Returns the path in the old list of a row, given its path in the new one or before a stage; `nil` if
  /// it is inserted.
  @_alwaysEmitIntoClient
  package func origin(_ path: ListPath, before stage: Int? = nil) -> ListPath? {
    forms[..<(stage ?? forms.count)].reversed().follow(path) { $0.origin($1) }
  }

  /// Returns the path before a stage of a row of the old list, or `nil` if it is deleted.
  @_alwaysEmitIntoClient package func path(_ path: ListPath, before stage: Int) -> ListPath? {
    forms[..<stage].follow(path) { $0.path($1) }
  }

  /// Returns the index in the new list of a section likewise.
  @_alwaysEmitIntoClient package func end(section: Int, after stage: Int = -1) -> Int? {
    forms[(stage + 1)...].follow(section) { $0.section($1) }
  }

  /// Returns the index in the old list of a section likewise.
  @_alwaysEmitIntoClient package func origin(section: Int, before stage: Int? = nil) -> Int? {
    forms[..<(stage ?? forms.count)].reversed().follow(section) { $0.origin(section: $1) }
  }
}

extension Sequence<StageForm> {
  /// Returns where a row or section is after all of these steps, or `nil` if it is not there any more.
  @_alwaysEmitIntoClient
  func follow<Place>(_ start: Place, _ step: (StageForm, Place) -> Place?) -> Place? {
    var place = start
    for form in self {
      guard let next = step(form, place) else { return nil }
      place = next
    }
    return place
  }
}
