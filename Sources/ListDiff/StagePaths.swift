/// Maps rows and sections through the stages of a change.
package struct StagePaths: Sendable {
  private let forward: [StageTrack]
  private let backward: [StageTrack]

  /// Reads valid stages that change the structure of a list.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  init(_ stages: [Changes.Stage]) {
    forward = stages.map { StageTrack($0) }
    backward = stages.reversed().map { StageTrack($0.reversed) }
  }

  // In O(log k), where k is the number of operations:

  /// Creates the map of those stages of a change that change the structure. The stage of contents, which
  /// is the last one, is not among them.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  package init(structureOf stages: [Changes.Stage]) {
    self.init(stages.filter { !$0.ops.allSatisfy(\.isOfContents) })
  }

  /// Returns the path in the new list of a row, given its path in the old one or after a stage; `nil` if
  /// it is deleted.
  func end(_ path: ListPath, after stage: Int = -1) -> ListPath? {
    forward[(stage + 1)...].path(path)
  }

  /// Returns the path in the old list of a row, given its path in the new one or before a stage; `nil` if
  /// it is inserted.
  package func origin(_ path: ListPath, before stage: Int? = nil) -> ListPath? {
    backward[(stage.map { backward.count - $0 } ?? 0)...].path(path)
  }

  /// Returns the path before a stage of a row of the old list, or `nil` if it is deleted.
  package func path(_ path: ListPath, before stage: Int) -> ListPath? {
    forward[..<stage].path(path)
  }

  /// Returns the index in the new list of a section likewise.
  func end(section: Int, after stage: Int = -1) -> Int? {
    forward[(stage + 1)...].section(section)
  }

  /// Returns the index in the old list of a section likewise.
  package func origin(section: Int, before stage: Int? = nil) -> Int? {
    backward[(stage.map { backward.count - $0 } ?? 0)...].section(section)
  }
}

extension RandomAccessCollection where Element == StageTrack {
  fileprivate func path(_ path: ListPath) -> ListPath? {
    reduce(path) { path, track in path.flatMap { track.path($0) } }
  }

  fileprivate func section(_ section: Int) -> Int? {
    reduce(section) { section, track in section.flatMap { track.sections.target(of: $0) } }
  }
}

extension Changes.Stage {
  /// The operations of the inverse stage, except for their order and `insertedRowCounts`.
  fileprivate var reversed: Changes.Stage {
    Changes.Stage(
      ops: ops.map { op in
        switch op {
        case .deleteSections(let at, let count): .insertSections(at: at, count: count)
        case .insertSections(let at, let count): .deleteSections(at: at, count: count)
        case .moveSections(let from, let to, let count):
          .moveSections(from: to, to: from, count: count)
        case .deleteItems(let at, let count): .insertItems(at: at, count: count)
        case .insertItems(let at, let count): .deleteItems(at: at, count: count)
        case .moveItems(let from, let to, let count):
          .moveItems(from: to, to: from, count: count)
        default: op
        }
      })
  }
}
