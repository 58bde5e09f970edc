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
    @usableFromInline let staying: Int32

    @_alwaysEmitIntoClient
    init(at: ListPath, other: ListPath, count: Int, move: Int, staying: Int32 = 0) {
      self.at = at
      self.other = other
      packedCount = Int32(truncatingIfNeeded: count)
      self.move = Int32(truncatingIfNeeded: move)
      self.staying = staying
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

  @usableFromInline package let leaving: [Place]
  @usableFromInline package let arriving: [Place]

  /// Creates the normal form from ranges in any order.
  @_alwaysEmitIntoClient init(leaving: [Place], arriving: [Place]) {
    self.leaving = leaving.sortedAndCounted()
    self.arriving = arriving.sortedAndCounted()
  }

  /// Reads the operations of a stage on rows or on sections.
  @_alwaysEmitIntoClient init(_ stage: Stage, ofRows isOfRows: Bool) {
    var leaving: [Place] = []
    var arriving: [Place] = []
    var moves = 0
    for op in stage.ops where !op.isOfContents {
      let op = op.parts
      if op.isOfRows != isOfRows { continue }
      let move = op.verb == .move ? moves : -1
      if op.verb == .move { moves += 1 }
      if op.verb != .insert {
        leaving.append(Place(at: op.at, other: op.to, count: op.count, move: move))
      }
      if op.verb != .delete {
        arriving.append(Place(at: op.to, other: op.at, count: op.count, move: move))
      }
    }
    self.init(leaving: leaving, arriving: arriving)
  }

  @_alwaysEmitIntoClient var isEmpty: Bool { leaving.isEmpty && arriving.isEmpty }

  /// Returns the same ranges, with the sections of what leaves renumbered. They are in order of the new
  /// numbers.
  @_alwaysEmitIntoClient func renumbered(_ section: (Int) -> Int) -> Rearrangement {
    var last = (old: -1, new: -1)
    let leaving = leaving.map { place in
      if place.at.section != last.old { last = (place.at.section, section(place.at.section)) }
      return Place(
        at: ListPath(section: last.new, row: place.at.row), other: place.other, count: place.count,
        move: Int(place.move))
    }
    return Rearrangement(leaving: leaving, arriving: arriving)
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
    sections = Rearrangement(stage, ofRows: false)
    rows = Rearrangement(stage, ofRows: true)
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
  /// Returns the ranges in the order of their paths, with what stays before each.
  @_alwaysEmitIntoClient func sortedAndCounted() -> [Element] {
    var places = self
    // Insertions are in order already, and often so are deletions.
    places.sort { $0.at.number }
    var section = -1
    var others = 0
    for index in places.indices {
      let place = places[index]
      if place.at.section != section { (section, others) = (place.at.section, 0) }
      places[index] = Element(
        at: place.at, other: place.other, count: place.count, move: Int(place.move),
        staying: Int32(truncatingIfNeeded: place.at.row - others))
      others += place.count
    }
    return places
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
