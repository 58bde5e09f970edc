/// What a stage does to rows, or to sections, in normal form: the ranges that leave their places in the list
/// before it, and those that arrive in the list after it, both in order. Sections are the rows of section 0.
///
/// This stage deletes `b`, inserts `x` and moves `e` and `f`:
///
/// ```
/// before   a b c d e f     leaving    b at 1, after 1 that stays   e f at 4, after 3
/// after    a e f c x d     arriving   e f at 1, after 1            x at 4, after 2
/// ```
///
/// What stays is in the same order on both sides, so it is where as many that stay are before it.
@frozen @usableFromInline
package struct Rearrangement: Sendable {
  /// Consecutive rows that leave or arrive together.
  @frozen @usableFromInline
  package struct Place: Sendable {
    @usableFromInline package let at: ListPath
    /// The first position on the other side of what moves.
    @usableFromInline let other: ListPath
    @usableFromInline let packedCount: Int32
    /// The number of the move, or -1.
    @usableFromInline let move: Int32
    /// The number of rows before these in their section that stay.
    @usableFromInline var staying: Int32 = 0

    @_alwaysEmitIntoClient init(at: ListPath, other: ListPath, count: Int, move: Int) {
      self.at = at
      self.other = other
      packedCount = Int32(truncatingIfNeeded: count)
      self.move = Int32(truncatingIfNeeded: move)
    }

    @_alwaysEmitIntoClient package var count: Int { Int(packedCount) }
    @_alwaysEmitIntoClient package var isMoved: Bool { move >= 0 }

    /// The position of the rows if only the rows that stay are before them.
    @_alwaysEmitIntoClient var stayingPath: ListPath {
      ListPath(section: at.section, row: Int(staying))
    }

    /// The paths of the rows.
    @_alwaysEmitIntoClient package var paths: LazyMapCollection<Range<Int>, ListPath> {
      at.paths(count)
    }
  }

  @usableFromInline package internal(set) var leaving: [Place] = []
  @usableFromInline package internal(set) var arriving: [Place] = []
  @usableFromInline var moves = 0

  @_alwaysEmitIntoClient init() {}

  @_alwaysEmitIntoClient var isEmpty: Bool { leaving.isEmpty && arriving.isEmpty }

  /// Adds the range of an operation that changes the structure.
  @_alwaysEmitIntoClient mutating func add(_ op: Op.Parts) {
    let move = op.verb == .move ? moves : -1
    if op.verb == .move { moves += 1 }
    if op.verb != .insert {
      leaving.append(Place(at: op.at, other: op.to, count: op.count, move: move))
    }
    if op.verb != .delete {
      arriving.append(Place(at: op.to, other: op.at, count: op.count, move: move))
    }
  }

  /// Sorts the ranges. Call it after all are added.
  @_alwaysEmitIntoClient mutating func finish() {
    leaving.sortAndCount()
    arriving.sortAndCount()
  }

  /// Returns the same ranges, with the sections of what leaves renumbered. They are in order of the new
  /// numbers.
  @_alwaysEmitIntoClient func renumbered(_ section: (Int) -> Int) -> Rearrangement {
    var result = self
    var isSame = true
    var last = (old: -1, new: -1)
    for (index, place) in leaving.enumerated() {
      if place.at.section != last.old {
        last = (place.at.section, section(place.at.section))
        if last.old != last.new { isSame = false }
      }
      if isSame { continue }
      result.leaving[index] = Place(
        at: ListPath(section: last.new, row: place.at.row), other: place.other,
        count: place.count, move: Int(place.move))
    }
    if !isSame { result.leaving.sortAndCount() }
    return result
  }
}

/// What a stage does to the structure of a list, in normal form.
///
/// All that follows the stages of a change reads this form: where rows and sections are after a stage or
/// were before it, the list after a stage, and the operations one after the other.
@frozen @usableFromInline
package struct StageForm: Sendable {
  @usableFromInline package let sections: Rearrangement
  @usableFromInline package let rows: Rearrangement
  /// The number of rows in each inserted section, in order.
  @usableFromInline let insertedRowCounts: [Int]

  /// Reads the operations of a stage.
  ///
  /// - Complexity: O(*k*), where *k* is the number of operations.
  @_alwaysEmitIntoClient package init(_ stage: Stage) {
    insertedRowCounts = stage.insertedRowCounts
    var sections = Rearrangement()
    var rows = Rearrangement()
    for op in stage.ops where !op.isOfContents {
      let op = op.parts
      if op.isOfRows { rows.add(op) } else { sections.add(op) }
    }
    sections.finish()
    rows.finish()
    (self.sections, self.rows) = (sections, rows)
  }

  // In O(log k), where k is the number of operations:

  /// Returns the path after the stage of a row, or `nil` if it is deleted.
  @_alwaysEmitIntoClient package func path(_ path: ListPath) -> ListPath? {
    Self.map(path, rows.leaving, rows.arriving) { section($0) }
  }

  /// Returns the path before the stage of a row, or `nil` if it is inserted.
  @_alwaysEmitIntoClient func origin(_ path: ListPath) -> ListPath? {
    Self.map(path, rows.arriving, rows.leaving) { origin(section: $0) }
  }

  /// Returns the index after the stage of a section, or `nil` if it is deleted.
  @_alwaysEmitIntoClient package func section(_ index: Int) -> Int? {
    Self.map(ListPath(section: 0, row: index), sections.leaving, sections.arriving) { $0 }?.row
  }

  /// Returns the index before the stage of a section, or `nil` if it is inserted.
  @_alwaysEmitIntoClient func origin(section index: Int) -> Int? {
    Self.map(ListPath(section: 0, row: index), sections.arriving, sections.leaving) { $0 }?.row
  }

  @_alwaysEmitIntoClient static func map(
    _ path: ListPath, _ leaving: [Rearrangement.Place], _ arriving: [Rearrangement.Place],
    _ section: (Int) -> Int?
  ) -> ListPath? {
    var rank = path.row
    let next = leaving.partition { $0.at > path }
    if next > 0, leaving[next - 1].at.section == path.section {
      let last = leaving[next - 1]
      let offset = path.row - last.at.row
      if offset < last.count { return last.isMoved ? last.other.advanced(by: offset) : nil }
      rank = offset - last.count + Int(last.staying)
    }
    guard let section = section(path.section) else { return nil }
    let end = arriving.partition {
      $0.at.section == section ? Int($0.staying) > rank : $0.at.section > section
    }
    if end > 0, arriving[end - 1].at.section == section {
      let last = arriving[end - 1]
      rank += last.at.row - Int(last.staying) + last.count
    }
    return ListPath(section: section, row: rank)
  }
}

extension [Rearrangement.Place] {
  /// Sorts the ranges by path, and counts what stays before each.
  @_alwaysEmitIntoClient mutating func sortAndCount() {
    // Insertions are in order already, and often so are deletions.
    sort { $0.at.number }
    var section = -1
    var others: Int32 = 0
    for index in indices {
      let at = self[index].at
      if at.section != section { (section, others) = (at.section, 0) }
      self[index].staying = Int32(truncatingIfNeeded: at.row) &- others
      others &+= self[index].packedCount
    }
  }
}

extension Array {
  /// Returns the index of the first element for which `isBeyond` is true. It must be true for all
  /// elements after that one.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  @_alwaysEmitIntoClient func partition(_ isBeyond: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
