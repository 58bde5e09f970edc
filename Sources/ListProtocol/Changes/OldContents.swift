import ByteBuffers
import ListDiff

/// The contents that operations delete or replace, as the member `old`.
struct OldContents {
  private let contents: ContentWriter
  private let stages: [Stage]
  private let paths: StagePaths

  /// The stage that is being written.
  private var stage = 0

  /// Its deletions, in the order in which they are written.
  private var deletions: ArraySlice<Op> = []

  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  init(_ contents: ContentWriter, of stages: [Stage]) {
    self.contents = contents
    self.stages = stages
    paths = StagePaths(structureOf: stages)
  }

  /// Begins a stage, whose deletions are written in their order, or in the reverse one.
  mutating func begin(stage: Int, isReversed: Bool = false) {
    self.stage = stage
    var deletions = stages[stage].ops.filter { op in
      switch op {
      case .deleteSections, .deleteItems: true
      default: false
      }
    }
    if isReversed {
      // Those of sections come first in either order.
      let rows = deletions.firstIndex { op in
        if case .deleteItems = op { true } else { false }
      }
      deletions[..<(rows ?? deletions.count)].reverse()
      if let rows { deletions[rows...].reverse() }
    }
    self.deletions = deletions[...]
  }

  /// Appends the old contents of an operation, which may be a deletion with other coordinates than in the
  /// stage.
  ///
  /// - Complexity: O(*n* log *k*), where *n* is the number of rows and *k* that of operations.
  mutating func append(_ op: Op, to out: inout ByteBuffer) {
    switch op {
    case .deleteSections, .deleteItems: appendRemoved(deletions.removeFirst(), to: &out)
    case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
      out.append(list: "old", count) { offset, out in
        contents.appendOwn(ofSection: origin(section: at + offset), to: &out)
      }
    case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
      append(rows: at, count, to: &out)
    case .insertSections, .moveSections, .insertItems, .moveItems: break
    }
  }

  private func appendRemoved(_ op: Op, to out: inout ByteBuffer) {
    switch op {
    case .deleteSections(let at, let count):
      out.append(list: "old", count) { offset, out in append(section: at + offset, to: &out) }
    case .deleteItems(let at, let count): append(rows: at, count, to: &out)
    default: preconditionFailure("only deletions are kept")
    }
  }

  private func append(rows at: Path, _ count: Int, to out: inout ByteBuffer) {
    out.append(list: "old", count) { offset, out in
      let path = at.advanced(by: offset)
      guard let old = paths.origin(path, before: stage) else {
        preconditionFailure("a row that is deleted or updated is in the old list")
      }
      contents.appendRow(contents.rows.start(ofSection: old.section) + old.row, to: &out)
    }
  }

  /// Appends a section with the rows that it has before the stage.
  private func append(section: Int, to out: inout ByteBuffer) {
    let old = origin(section: section)
    let start = contents.rows.start(ofSection: old)
    contents.appendSection(old, to: &out) { out in
      for row in 0..<contents.rows.rowCount(ofSection: old)
      where paths.path(Path(section: old, row: row), before: stage)?.section == section {
        out.appendSeparator()
        contents.appendRow(start + row, to: &out)
      }
    }
  }

  private func origin(section: Int) -> Int {
    guard let old = paths.origin(section: section, before: stage) else {
      preconditionFailure("a section that is deleted or updated is in the old list")
    }
    return old
  }
}

extension ListService {
  /// Keeps the contents of a list before the change of a request if its answer has them.
  mutating func keepOldContents(of list: [UInt8], _ encoding: ChangeEncoding) {
    if encoding.content == .both { store.requestedOldContents = list }
  }
}
