extension StageForm {
  /// Consecutive rows of a list after a stage that were consecutive before it, or are inserted.
  /// `from` is the position before the stage of the first row, or `nil` if the rows are inserted.
  @usableFromInline package typealias Piece = (from: ListPath?, count: Int)

  /// Calls `body` with each section after the stage, in order: its index before the stage, or `nil` if it is
  /// inserted, and its rows. `shape` has the number of rows of each section before the stage.
  ///
  /// Returns false if the stage does not fit the list.
  ///
  /// - Complexity: O(*s* log *k* + *k*), where *s* is the number of sections and *k* of operations.
  @_alwaysEmitIntoClient @discardableResult
  package func forEachSection(of shape: [Int], _ body: (_ origin: Int?, _ rows: [Piece]) -> Void)
    -> Bool
  {
    let inserted = sections.arriving.reduce(0) { $1.isMoved ? $0 : $0 + $1.count }
    var order: [Piece] = []
    guard inserted == insertedRowCounts.count, sections.leaving.areDisjoint(in: [shape.count]),
      rows.leaving.areDisjoint(in: shape),
      sections.append(to: &order, after: 0, shape.count, at: 0)
    else { return false }
    var index = 0
    var counts = insertedRowCounts[...]
    var pieces: [Piece] = []
    for piece in order {
      for offset in 0..<piece.count {
        let origin = piece.from.map { $0.row + offset }
        let count = origin.map { shape[$0] } ?? counts.removeFirst()
        pieces.removeAll(keepingCapacity: true)
        guard count >= 0, rows.append(to: &pieces, after: origin, count, at: index) else {
          return false
        }
        body(origin, pieces)
        index += 1
      }
    }
    return rows.arriving.last.map { $0.at.section < index } ?? true
  }
}

extension Rearrangement {
  /// Appends the rows of section `new`. Without those that leave or arrive, it is the section `old` with
  /// `count` rows, or `count` inserted rows. Returns false if one arrives beyond the end.
  @_alwaysEmitIntoClient func append(
    to pieces: inout [StageForm.Piece], after old: Int?, _ count: Int, at new: Int
  ) -> Bool {
    var leaving = old.map { self.leaving.inSection($0) } ?? []
    var row = 0
    var position = 0
    /// Appends what stays up to a position.
    func appendStaying(upTo end: Int) {
      while position < end {
        if let first = leaving.first, first.at.row == row {
          row += first.count
          leaving.removeFirst()
          continue
        }
        let next = min(end - position, (leaving.first?.at.row ?? count) - row)
        if next <= 0 { return }
        let from = old.map { ListPath(section: $0, row: row) }
        pieces.append((from, next))
        row += next
        position += next
      }
    }
    for place in arriving.inSection(new) {
      appendStaying(upTo: place.at.row)
      guard position == place.at.row else { return false }
      pieces.append((place.isMoved ? place.other : nil, place.count))
      position += place.count
    }
    appendStaying(upTo: .max)
    return true
  }
}

extension [Rearrangement.Place] {
  /// Returns the ranges of a section.
  @_alwaysEmitIntoClient func inSection(_ section: Int) -> ArraySlice<Element> {
    if isEmpty { return [] }
    return self[partition { $0.at.section >= section }..<partition { $0.at.section > section }]
  }

  /// Returns whether the ranges, which are in order, do not overlap and are in a list with so many rows.
  @_alwaysEmitIntoClient func areDisjoint(in shape: [Int]) -> Bool {
    var end = ListPath(section: 0, row: 0)
    for place in self {
      guard place.at >= end, place.at.section < shape.count,
        place.count <= shape[place.at.section] - place.at.row
      else { return false }
      end = place.at.advanced(by: place.count)
    }
    return true
  }
}
