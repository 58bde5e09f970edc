/// A change as single steps: each operation is meant for the result of the one before it.
///
/// A move takes `count` rows, or sections, out at `from` and then puts them in at `to`, a place
/// after the removal. Of each stage sections are inserted after they are deleted and moved, and so
/// are rows: what is inserted stands at once where it stands after the stage. Changes of content
/// come last. So an array follows a change:
///
/// ```swift
/// for step in try changes.steps(from: old, to: new) {
///   for op in OpSequence([step.stage]).ops {
///     switch op {
///     case .deleteItems(let at, let count): rows.removeSubrange(at.row..<at.row + count)
///     case .moveItems(let from, let to, let count):
///       let moved = rows[from.row..<from.row + count]
///       rows.removeSubrange(from.row..<from.row + count)
///       rows.insert(contentsOf: moved, at: to.row)
///     case .insertItems(let at, let count):
///       rows.insert(contentsOf: step.data[at.row..<at.row + count], at: at.row)
///     case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
///       let range = at.row..<at.row + count
///       rows.replaceSubrange(range, with: step.data[range])
///     default: break  // A flat list has no operations on sections.
///     }
///   }
/// }
/// ```
public struct OpSequence: Hashable, Sendable {
  /// The operations, in the order in which they are applied.
  public internal(set) var ops: [Changes.Op] = []

  /// How many rows each inserted section arrives with, in the order of the operations.
  public internal(set) var insertedRowCounts: [Int] = []

  /// Puts the operations of stages, which happen at once, in an order one after the other; a
  /// ``Changes`` does so with all of its stages as its ``Changes/sequence``.
  ///
  /// Of each stage first what goes is taken away, from the end; then moves are made, by where they
  /// go; then what comes is put in, from the start. Where a row that still waits to be moved stands
  /// at such a moment is counted by a tree of partial sums (after Fenwick, "A new data structure
  /// for cumulative frequency tables", 1994, with nodes of 64).
  ///
  /// - Precondition: Each stage is one that fits the list that the one before leaves.
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations; no list is looked at.
  public init(_ stages: [Changes.Stage]) {
    for stage in stages { append(stage) }
  }

  private mutating func append(_ stage: Stage) {
    var sections = LineMoves()
    var rows = LineMoves()
    var insertedSections: [Op] = []
    var insertedRows: [Op] = []
    var goneRows: [Op] = []
    var updates: [Op] = []
    ops.reserveCapacity(ops.count + stage.ops.count)
    for op in stage.ops {
      switch op {
      case .deleteSections(let at, let count):
        sections.remove(Path(section: 0, row: at), count)
      case .insertSections(let at, let count):
        sections.place(Path(section: 0, row: at), count)
        insertedSections.append(op)
      case .moveSections(let from, let to, let count):
        sections.move(Path(section: 0, row: from), Path(section: 0, row: to), count)
      case .deleteItems: goneRows.append(op)
      case .insertItems(let at, let count):
        rows.place(at, count)
        insertedRows.append(op)
      case .moveItems, .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems:
        updates.append(op)
      }
    }
    for op in stage.ops.reversed() {
      if case .deleteSections = op { ops.append(op) }
    }
    sections.forEachInTurn { from, to, count in
      ops.append(.moveSections(from: from.row, to: to.row, count: count))
    }
    ops.append(contentsOf: insertedSections)
    insertedRowCounts.append(contentsOf: stage.insertedRowCounts)

    // From here on sections are where the stage leaves them.
    let map = StageMap(Stage(ops: stage.ops.filter(\.isOfSections)))
    for op in goneRows.reversed() {
      guard case .deleteItems(let at, let count) = op else { continue }
      let place = map.path(at)
      rows.remove(place, count)
      ops.append(.deleteItems(at: place, count: count))
    }
    for op in updates {
      guard case .moveItems(let from, let to, let count) = op else { continue }
      rows.move(map.path(from), to, count)
    }
    rows.forEachInTurn { from, to, count in
      ops.append(.moveItems(from: from, to: to, count: count))
    }
    ops.append(contentsOf: insertedRows)
    ops.append(contentsOf: updates.filter(\.isOfContents))
  }
}

extension Op {
  fileprivate var isOfSections: Bool {
    switch self {
    case .deleteSections, .insertSections, .moveSections: true
    default: false
    }
  }

  var isOfContents: Bool {
    switch self {
    case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: true
    default: false
    }
  }

  /// Whether it is one on rows, not on sections.
  var isOfRows: Bool {
    switch self {
    case .deleteItems, .insertItems, .moveItems, .reloadItems, .reconfigureItems: true
    default: false
    }
  }
}
