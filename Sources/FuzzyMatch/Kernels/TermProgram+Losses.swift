extension TermProgram {
  /// The largest loss that a byte can distinguish from no alignment.
  static let mostLoss: UInt8 = 254

  /// Returns the least loss of an alignment of each row of a block, or 255 if there is none or it is
  /// more than a byte holds. A loss of more than `limit`, and that of a row that is not `among` some, may
  /// also be returned as 255.
  func losses(
    _ group: BlockGroup, _ block: Int, _ scratch: inout Scratch, limit: UInt8, among: UInt16,
    hasMembers: Bool
  ) -> LeastLosses {
    group.withSlab(block / Slab.blocks, distinguishingCase: !term.ignoresCase) { blocks in
      let columns = blocks[block % Slab.blocks]
      scratch.steps = columns.count * count
      guard count <= columns.count else { return LeastLosses() }
      return codes.withUnsafeBufferPointer { codes in
        if count == 1, term.kind == .fuzzy || term.kind == .substring {
          return ShortTerm1(codes).losses(columns, among: among, tracksColumns: hasMembers)
        }
        if term.kind != .fuzzy {
          return scratch.vectors.withUnsafeMutableBufferPointer {
            term.kind == .word
              ? wordLosses(columns, codes, $0, among: among, hasMembers: hasMembers)
              : runLosses(
                columns, codes, $0, limit: limit, among: among, hasMembers: hasMembers)
          }
        }
        if count <= 4, limit == Self.mostLoss, !hasMembers {
          return LeastLosses(shortLosses(columns, codes))
        }
        let (losses, steps) = scratch.reached.withUnsafeMutableBufferPointer {
          fuzzyLosses(columns, codes, $0, limit: limit, among: among, hasMembers: hasMembers)
        }
        scratch.steps = steps
        return losses
      }
    }
  }

  /// The same for a term of two to four characters, if rows have one member.
  private func shortLosses(_ columns: Columns, _ codes: UnsafeBufferPointer<Vector>) -> Vector {
    switch count {
    case 2: ShortTerm2(codes).losses(columns)
    case 3: ShortTerm3(codes).losses(columns)
    default: ShortTerm4(codes).losses(columns)
    }
  }

  /// The same for a fuzzy term of two characters or more.
  ///
  /// An offset is added to all losses, so that those of more than `limit` are saturated. Alignments are
  /// dropped as soon as they lose more, and columns without other alignments are skipped.
  private func fuzzyLosses(
    _ columns: Columns, _ codes: UnsafeBufferPointer<Vector>,
    _ state: UnsafeMutableBufferPointer<Reached>, limit: UInt8, among: UInt16, hasMembers: Bool
  ) -> (losses: LeastLosses, steps: Int) {
    // The least loss of the characters after the first is added at the end.
    let top = limit == Self.mostLoss ? Int(limit) : Int(limit) - leastLoss
    guard top >= 0 else { return (LeastLosses(), 0) }
    let allowance = Vector(repeating: Self.mostLoss - UInt8(top))
    let starts = RunStarts(code: codes[0], mostLoss: UInt8(top), among: among)
    // `Scratch` has at least as many states as the term has characters; `reached` is below that.
    for index in 0..<count { state[index] = Reached() }
    let end = count - 1
    // The last column in which an alignment can start, if rows have one member.
    let lastStart = columns.count - (hasMembers ? 0 : count)
    var best = LeastLosses()
    var steps = 0
    // The last character before the end that an alignment has reached, -1 if there is none.
    var reached = -1
    var column = 0
    while true {
      if reached < 0 { column = starts.next(columns, from: column) }
      guard column < columns.count else { break }
      let bytes = columns.bytes(column)
      let losses = ColumnLosses(details: columns.details(column), relief: relief)
      // The states of characters from which the end cannot be reached any more are not updated.
      let needed = max(0, column - lastStart)
      if reached + 1 < needed { break }
      if reached == end - 1 {
        let other = otherBits(bytes .== codes[end])
        let found = state[reached].last(losses, other: other)
        if best.insert(found, column, tracksColumns: hasMembers),
          best.areLeast(allowance, butFor: starts.excluded)
        {
          break
        }
      }
      var index = min(reached + 1, end - 1)
      steps += index + 1
      // The state that is read as the previous one is the next to be written.
      var own = state[index]
      while index > 0, index >= needed {
        let previous = state[index - 1]
        own.advance(losses, other: otherBits(bytes .== codes[index]), after: previous)
        state[index] = own
        own = previous
        index -= 1
      }
      if needed == 0 {
        let start = saturatingSum(losses.start &+ losses.start, allowance)
        own.begin(losses, start | otherBits(bytes .== codes[0]) | starts.excluded)
        state[0] = own
      }
      if hasMembers {
        let ends = bits(bytes .== Vector(repeating: Alphabet.separator))
        if isAnyBelowTop(~ends) {
          for index in 0..<end { state[index].forget(ends) }
        }
      }
      reached = min(reached + 1, end - 1)
      while reached >= 0, !state[reached].isAnyAlive { reached -= 1 }
      column += 1
    }
    let none = bits(best.losses .== Vector(repeating: 255))
    let counted = Vector(repeating: UInt8(clamping: leastLoss))
    best.losses = saturatingSum(best.losses &- allowance, counted) | none
    return (best, steps)
  }

  /// The same for a whole word that begins and ends with letters or numbers.
  private func wordLosses(
    _ columns: Columns, _ codes: UnsafeBufferPointer<Vector>,
    _ state: UnsafeMutableBufferPointer<Vector>, among: UInt16, hasMembers: Bool
  ) -> LeastLosses {
    let underscore = Vector(repeating: UInt8(ascii: "_"))
    var best = LeastLosses()
    forEachRun(columns, codes, state, among: among, hasMembers: hasMembers) { rows, column in
      let (start, end) = (column + 1 - count, column + 1)
      // The bonus of the first character: 8 or more. Beside underscores 5 to 7.
      var loss = columns.details(start) & Vector(repeating: 7)
      let before = start > 0 ? bits(columns.bytes(start - 1) .== underscore) : .zero
      let after = end < columns.count ? bits(columns.bytes(end) .== underscore) : .zero
      let beside =
        Vector(repeating: 2) &+ (before & Vector(repeating: 2)) &+ (after & Vector(repeating: 1))
      loss = loss.replacing(with: beside, where: (before | after) .!= Vector.zero)
      _ = best.insert(loss | ~rows, column, tracksColumns: hasMembers)
    }
    return best
  }

  /// The same for a term whose characters must be adjacent.
  private func runLosses(
    _ columns: Columns, _ codes: UnsafeBufferPointer<Vector>,
    _ state: UnsafeMutableBufferPointer<Vector>, limit: UInt8, among: UInt16, hasMembers: Bool
  ) -> LeastLosses {
    // As in `fuzzyLosses`.
    let allowance = Vector(repeating: Self.mostLoss - limit)
    let starts = RunStarts(code: codes[0], mostLoss: limit, among: among)
    // For each character the loss of the run that ends with it, then the loss that the run carries.
    // `Scratch` has at least twice as many vectors as the term has characters.
    let carried = count
    for index in 0..<count { state[index] = Vector(repeating: 255) }
    var anchors = RunAnchors(self)
    var best = LeastLosses()
    var alive = 0
    let least = Vector(repeating: UInt8(clamping: leastLoss))
    let range = columnsOfRun(columns, among: among, hasMembers: hasMembers)
    var column = range.lowerBound
    while true {
      if alive == 0, !anchors.isAtStart { column = starts.next(columns, from: column) }
      guard column < range.upperBound else { break }
      let bytes = columns.bytes(column)
      let losses = ColumnLosses(details: columns.details(column), relief: 0)
      // The most that a character after this column loses in a run because of it: 6, 2 or 1.
      let two = (Vector(repeating: 1) & losses.notHigh) &+ Vector(repeating: 1)
      let level = two &+ (Vector(repeating: 4) & losses.notMiddle)
      var stillAlive = 0
      var index = alive
      while index > 0 {
        let before = state[carried + index - 1]
        let run =
          saturatingSum(state[index - 1], smaller(losses.start, before))
          | otherBits(bytes .== codes[index])
        state[index] = run
        state[carried + index] = smaller(before, level)
        if stillAlive == 0, isAnyBelowTop(run) { stillAlive = index + 1 }
        index -= 1
      }
      let first =
        saturatingSum(losses.start &+ losses.start, allowance) | ~anchors.starts
        | otherBits(bytes .== codes[0]) | starts.excluded
      state[0] = first
      state[carried] = level
      if stillAlive == 0, isAnyBelowTop(first) { stillAlive = 1 }
      if alive == count - 1 {
        let rows = otherBits(state[count - 1] .== Vector(repeating: 255))
        let found = state[count - 1] | ~anchors.ends(columns, column, among: rows)
        if best.insert(found, column, tracksColumns: hasMembers),
          best.areLeast(allowance &+ least, butFor: starts.excluded)
        {
          break
        }
      }
      anchors.pass(bytes)
      if stillAlive == 0, anchors.isAtStart, !hasMembers, !isAny(anchors.starts) { break }
      alive = min(stillAlive, count - 1)
      column += 1
    }
    best.losses = (best.losses &- allowance) | bits(best.losses .== Vector(repeating: 255))
    return best
  }
}

/// The least losses of a term in the rows of a block.
struct LeastLosses {
  /// The least loss in each row, 255 if there is none.
  var losses = Vector(repeating: 255)

  /// The lower and the higher byte of the column in which the first alignment with that loss ends.
  private var low = Vector.zero
  private var high = Vector.zero

  init() {}

  /// Creates losses in rows of one member, in which columns need not be tracked.
  init(_ losses: Vector) { self.losses = losses }

  /// The column in which the first alignment with that loss ends, if columns are tracked.
  var columns: SIMD16<UInt16> {
    SIMD16(truncatingIfNeeded: low) | SIMD16(truncatingIfNeeded: high) &<< 8
  }

  /// Adds the losses of alignments that end in a column. Reports whether any row then loses less, if columns
  /// are tracked.
  @_transparent
  mutating func insert(_ others: Vector, _ column: Int, tracksColumns: Bool) -> Bool {
    let least = smaller(losses, others)
    let isLess = tracksColumns && isAny(least ^ losses)
    if isLess {
      let rows = least .!= losses
      low.replace(with: UInt8(truncatingIfNeeded: column), where: rows)
      high.replace(with: UInt8(truncatingIfNeeded: column >> 8), where: rows)
    }
    losses = least
    return isLess
  }

  /// Reports whether all rows, but for those whose bits are all set, lose as little as possible.
  @_transparent
  func areLeast(_ least: Vector, butFor excluded: Vector) -> Bool {
    !isAny(losses & ~excluded & otherBits(losses .== least))
  }
}

/// Finds the columns in which an alignment can start.
private struct RunStarts {
  private let code: Vector
  /// The worst `BonusCode` of a first character.
  private let worst: Vector
  /// All bits of the rows in which none starts.
  let excluded: Vector

  /// - Parameters:
  ///   - mostLoss: The most that the first character may lose.
  ///   - among: The rows in which alignments may start.
  init(code: Vector, mostLoss: UInt8, among: UInt16) {
    self.code = code
    excluded = ~bits(ofRows: among)
    worst = Vector(repeating: mostLoss >= 20 ? 4 : min(3, mostLoss / 2))
  }

  /// Returns the first column, at or after one, in which an alignment of any row can start, or the
  /// number of columns.
  func next(_ columns: Columns, from column: Int) -> Int {
    var column = column
    if column & 1 == 1 {
      if isAnyBelowTop(others(columns.bytes(column), columns.details(column))) { return column }
      column += 1
    }
    while column < columns.count {
      let details = columns.details(ofPair: column >> 1)
      let bytes = columns.bytes(ofPair: column >> 1)
      let first = others(bytes.first, details)
      let second = others(bytes.second, details &>> Vector(repeating: 4))
      if isAnyBelowTop(first & second) { return isAnyBelowTop(first) ? column : column + 1 }
      column += 2
    }
    return columns.count
  }

  /// Returns all bits of the rows in which no alignment can start in a column.
  @_transparent
  private func others(_ bytes: Vector, _ details: Vector) -> Vector {
    let bonus = details & Vector(repeating: 7)
    return excluded | otherBits(bytes .== code) | otherBits(smaller(bonus, worst) .== bonus)
  }
}
