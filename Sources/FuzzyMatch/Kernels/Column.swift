// The functions of this folder are transparent because the optimizer stops inlining, even always,
// into functions as large as these loops are; a call for each column would take as long again.

/// What the characters of one column lose.
///
/// A loss is what an alignment lacks to the highest score that a term can have, in which each
/// character has a bonus of 10. A `BonusCode` below 4 is the loss of the bonus, 4 stands for 10.
struct ColumnLosses {
  /// What a character loses as the start of a run.
  let start: Vector
  /// What it loses in a run that carries 4, 8 and 9.
  let low, middle, high: Vector
  /// All bits of rows where the character does not lift a run to carry 8, and 9.
  let notMiddle, notHigh: Vector

  /// - Parameter details: of the column in the lower three bits of each byte; the others are
  ///   ignored.
  @_transparent
  init(details: Vector) {
    let code = details & Vector(repeating: 7)
    notMiddle = bits(code .== Vector(repeating: 4))
    notHigh = otherBits(code .< Vector(repeating: 2))
    start = code &+ (notMiddle & Vector(repeating: 6))
    low = code &+ (notMiddle & Vector(repeating: 2))
    middle = smaller(code, Vector(repeating: 2))
    high = smaller(code, Vector(repeating: 1))
  }
}

/// The least losses of alignments that have got to one character of a term; 255 stands for none.
///
/// A run may be counted among those that carry less, too: it never loses less there.
struct Reached {
  /// The character is matched in the present column, in a run that carries at least 4, 8 and 9.
  var low, middle, high: Vector
  /// It is matched before, and what follows it is a gap.
  var gap: Vector

  @_transparent
  init() {
    low = Vector(repeating: 255)
    middle = low
    high = low
    gap = low
  }

  /// Goes on to the next column with the first character of a term.
  ///
  /// - Parameter other: all bits of rows that have another character in the column.
  @_transparent
  mutating func begin(_ column: ColumnLosses, other: Vector) {
    passGap()
    low = (column.start &+ column.start) | other
    middle = low | column.notMiddle
    high = low | column.notHigh
  }

  /// Goes on to the next column with a character of a term.
  ///
  /// - Parameters:
  ///   - other: all bits of rows that have another character in the column.
  ///   - previous: the character before, in the column before.
  @_transparent
  mutating func advance(_ column: ColumnLosses, other: Vector, after previous: Reached) {
    passGap()
    let fromHigh = saturatingSum(previous.high, column.high) | other
    let fromMiddle = smaller(saturatingSum(previous.middle, column.middle) | other, fromHigh)
    let fromLow = smaller(
      saturatingSum(previous.low, column.low), saturatingSum(previous.gap, column.start))
    low = smaller(fromLow | other, fromMiddle)
    middle = smaller(fromMiddle, low | column.notMiddle)
    high = smaller(fromHigh, low | column.notHigh)
  }

  /// The least loss of alignments that end with the character after this one, in the next column.
  @_transparent
  func last(_ column: ColumnLosses, other: Vector) -> Vector {
    let fromRun = smaller(
      saturatingSum(middle, column.middle), saturatingSum(high, column.high))
    let fromLow = smaller(saturatingSum(low, column.low), saturatingSum(gap, column.start))
    return smaller(fromRun, fromLow) | other
  }

  @_transparent
  private mutating func passGap() {
    gap = smaller(
      saturatingSum(gap, Vector(repeating: 1)), saturatingSum(low, Vector(repeating: 3)))
  }

  /// Forgets the alignments of some rows, whose bits are all set.
  @_transparent
  mutating func forget(_ rows: Vector) {
    low |= rows
    middle |= rows
    high |= rows
    gap |= rows
  }
}
