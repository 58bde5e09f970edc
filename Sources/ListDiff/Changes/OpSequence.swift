/// A change as a sequence of operations, each applied to the result of the one before it.
///
/// A move removes `count` rows or sections at `from` and then inserts them at `to`, a position
/// after the removal. Within a stage, sections are deleted, moved and then inserted, and so are
/// rows; inserted rows are at their position after the stage as soon as they are inserted. Content
/// updates are last. An array follows a change like this:
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
@frozen
public struct OpSequence: Hashable, Sendable {
  /// The operations in the order in which they apply.
  @inlinable public var ops: [Changes.Op] { stored.ops }

  /// The number of rows in each inserted section as it is inserted, in the order of the operations.
  @inlinable public var insertedRowCounts: [Int] { stored.insertedRowCounts }

  @usableFromInline var stored = Changes.Stage()

  /// Creates a sequence from the operations of stages.
  ///
  /// ``Changes/sequence`` does so with all stages of a change.
  ///
  /// Within a stage, deletions come first, from the end of the list; then moves, ordered by
  /// destination; then insertions, from the start of the list. The current position of a row that
  /// has not been moved yet is computed with a tree of partial sums (Fenwick, "A new data
  /// structure for cumulative frequency tables", 1994).
  ///
  /// - Precondition: Each stage fits the list after the previous stage.
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations, independent of the
  ///   lengths of the lists.
  @_alwaysEmitIntoClient public init(_ stages: [Changes.Stage]) {
    for stage in stages { append(stage) }
  }

  @_alwaysEmitIntoClient mutating func append(_ stage: Stage) {
    let form = StageForm(stage)
    stored.ops.reserveCapacity(ops.count + stage.ops.count)
    append(form.sections, areRows: false) { $0 }
    stored.insertedRowCounts.append(contentsOf: stage.insertedRowCounts)
    // From here on, section indices are those after the stage.
    append(form.rows, areRows: true) { form.section($0) ?? $0 }
    for op in stage.ops where op.isOfContents { stored.ops.append(op) }
  }

  @_alwaysEmitIntoClient mutating func append(
    _ places: Rearrangement, areRows: Bool, _ section: (Int) -> Int
  ) {
    if places.isEmpty { return }
    func append(_ verb: Op.Verb, _ at: ListPath, to: ListPath, _ count: Int) {
      stored.ops.append(Op((verb, areRows, at, to, count)))
    }
    for place in places.leaving.reversed() where !place.isMoved {
      let at = ListPath(section: section(place.at.section), row: place.at.row)
      append(.delete, at, to: at, place.count)
    }
    places.renumbered(section).forEachMove { append(.move, $0, to: $1, $2) }
    for place in places.arriving where !place.isMoved {
      append(.insert, place.at, to: place.at, place.count)
    }
  }
}
