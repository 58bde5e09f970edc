// The functions of this folder are transparent because the optimizer does not inline others, even if
// they are marked, into functions as large as these loops. A call for each column doubles the time.

/// The losses of the characters of one column.
///
/// The loss of an alignment is the difference between its score and the highest score that the term can
/// have, in which each character has a bonus of 10. A `BonusCode` below 4 is the loss of the bonus; 4
/// stands for 10.
struct ColumnLosses {
  /// The loss of a character that starts a run.
  let start: Vector
  /// Its loss in a run that carries 4, 8 and 9.
  let low, middle, high: Vector
  /// All bits of rows in which a run does not carry 8, and 9, after the character because of it.
  let notMiddle, notHigh: Vector

  /// The cost of a gap, less the relief.
  let gap: Vector

  /// - Parameters:
  ///   - details: The details of the column, in the lower three bits of each byte. The others are
  ///     ignored.
  ///   - relief: The least loss of each character after the first, which is not counted.
  @_transparent
  init(details: Vector, relief: UInt8 = 0) {
    let code = details & Vector(repeating: 7)
    let relief = Vector(repeating: relief)
    notMiddle = bits(code .== Vector(repeating: 4))
    notHigh = otherBits(code .< Vector(repeating: 2))
    start = code &+ (notMiddle & Vector(repeating: 6))
    let less = code &- smaller(code, relief)
    low = less &+ (notMiddle & Vector(repeating: 2))
    middle = smaller(less, Vector(repeating: 2) &- relief)
    high = smaller(less, Vector(repeating: 1) &- relief)
    gap = Vector(repeating: 3) &- relief
  }
}

/// The least losses of alignments that have reached one character of a term; 255 if there is none.
///
/// A run may also be counted among those that carry less, because its loss is never less there.
struct Reached {
  /// The loss if the character is matched in the current column, in a run that carries at least 4, 8
  /// and 9.
  var low, middle, high: Vector
  /// The loss if it is matched earlier and a gap follows it.
  var gap: Vector

  @_transparent
  init() {
    low = Vector(repeating: 255)
    middle = low
    high = low
    gap = low
  }

  /// Advances the first character of a term to the next column.
  ///
  /// - Parameter other: All bits of rows that have another character in the column.
  @_transparent
  mutating func begin(_ column: ColumnLosses, other: Vector) {
    begin(column, (column.start &+ column.start) | other)
  }

  /// Advances the first character of a term to the next column.
  ///
  /// - Parameter loss: The loss of a run that starts in the column.
  @_transparent
  mutating func begin(_ column: ColumnLosses, _ loss: Vector) {
    passGap(column)
    low = loss
    middle = low | column.notMiddle
    high = low | column.notHigh
  }

  /// Whether any row has an alignment. `low` is never more than `middle` and `high`.
  @_transparent
  var isAnyAlive: Bool { isAnyBelowTop(low & gap) }

  /// Advances a character of a term to the next column.
  ///
  /// - Parameters:
  ///   - other: All bits of rows that have another character in the column.
  ///   - previous: The state of the character before it, in the column before.
  @_transparent
  mutating func advance(_ column: ColumnLosses, other: Vector, after previous: Reached) {
    passGap(column)
    let fromHigh = saturatingSum(previous.high, column.high) | other
    let fromMiddle = smaller(saturatingSum(previous.middle, column.middle) | other, fromHigh)
    let fromLow = smaller(
      saturatingSum(previous.low, column.low), saturatingSum(previous.gap, column.start))
    low = smaller(fromLow | other, fromMiddle)
    middle = smaller(fromMiddle, low | column.notMiddle)
    high = smaller(fromHigh, low | column.notHigh)
  }

  /// Returns the least loss of alignments that end with the next character in the next column.
  @_transparent
  func last(_ column: ColumnLosses, other: Vector) -> Vector {
    let fromRun = smaller(
      saturatingSum(middle, column.middle), saturatingSum(high, column.high))
    let fromLow = smaller(saturatingSum(low, column.low), saturatingSum(gap, column.start))
    return smaller(fromRun, fromLow) | other
  }

  @_transparent
  private mutating func passGap(_ column: ColumnLosses) {
    gap = smaller(
      saturatingSum(gap, Vector(repeating: 1)), saturatingSum(low, column.gap))
  }

  /// Removes the alignments of some rows, whose bits are all set.
  @_transparent
  mutating func forget(_ rows: Vector) {
    low |= rows
    middle |= rows
    high |= rows
    gap |= rows
  }
}
