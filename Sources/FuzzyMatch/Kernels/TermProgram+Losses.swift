extension TermProgram {
  /// The least loss of an alignment of each row of a block, 255 if there is none or it is larger.
  func losses(_ block: Block, _ scratch: inout Scratch, hasMembers: Bool) -> Vector {
    block.withColumns(tellingCase: !term.ignoresCase) { columns in
      guard count <= columns.count else { return Vector(repeating: 255) }
      return codes.withUnsafeBufferPointer { codes in
        if term.kind != .fuzzy {
          return scratch.vectors.withUnsafeMutableBufferPointer {
            runLosses(columns, codes, $0, hasMembers: hasMembers)
          }
        }
        if count <= 4, !hasMembers { return shortLosses(columns, codes) }
        return scratch.reached.withUnsafeMutableBufferPointer {
          fuzzyLosses(columns, codes, $0, hasMembers: hasMembers)
        }
      }
    }
  }

  /// The same for a term of one to four characters, if rows have one member.
  private func shortLosses(_ columns: Columns, _ codes: UnsafeBufferPointer<Vector>) -> Vector {
    switch count {
    case 1: ShortTerm1(codes).losses(columns)
    case 2: ShortTerm2(codes).losses(columns)
    case 3: ShortTerm3(codes).losses(columns)
    default: ShortTerm4(codes).losses(columns)
    }
  }

  private func fuzzyLosses(
    _ columns: Columns, _ codes: UnsafeBufferPointer<Vector>,
    _ state: UnsafeMutableBufferPointer<Reached>, hasMembers: Bool
  ) -> Vector {
    // `Scratch` has at least as many states as the term has characters; `reached` is below that.
    for index in 0..<count { state[index] = Reached() }
    let end = count - 1
    var best = Vector(repeating: 255)
    var reached = 0
    for column in 0..<columns.count {
      let bytes = columns.bytes(column)
      let losses = ColumnLosses(details: columns.details(column))
      // Characters from which the end cannot be reached any more are left as they are.
      let needed = hasMembers ? 0 : max(0, count - (columns.count - column))
      if reached == end, end > 0 {
        let other = otherBits(bytes .== codes[end])
        best = smaller(best, state[end - 1].last(losses, other: other))
      }
      var index = max(0, min(reached, end - 1))
      // What is read as the character before is written next.
      var own = state[index]
      while index > 0, index >= needed {
        let previous = state[index - 1]
        own.advance(losses, other: otherBits(bytes .== codes[index]), after: previous)
        state[index] = own
        own = previous
        index -= 1
      }
      if needed == 0 {
        own.begin(losses, other: otherBits(bytes .== codes[0]))
        state[0] = own
        if end == 0 { best = smaller(best, own.low) }
      }
      if reached < end, isAnyBelowTop(state[reached].low) { reached += 1 }
      guard hasMembers else { continue }
      let ends = bits(bytes .== Vector(repeating: Alphabet.separator))
      if isAnyBelowTop(~ends) {
        for index in 0...reached { state[index].forget(ends) }
      }
    }
    return best
  }

  /// The same for a term whose characters are side by side.
  private func runLosses(
    _ columns: Columns, _ codes: UnsafeBufferPointer<Vector>,
    _ state: UnsafeMutableBufferPointer<Vector>, hasMembers: Bool
  ) -> Vector {
    // By character the loss of the run that it ends, then the loss that the run carries; `Scratch`
    // has at least twice as many vectors as the term has characters.
    let carried = count
    for index in 0..<count { state[index] = Vector(repeating: 255) }
    var anchors = RunAnchors(term.kind)
    var best = Vector(repeating: 255)
    var alive = 0
    for column in 0..<columns.count {
      let bytes = columns.bytes(column)
      let losses = ColumnLosses(details: columns.details(column))
      // The loss that a run has at most from here on, by this column alone: 6, 2 or 1.
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
        losses.start &+ losses.start | ~anchors.starts
        | otherBits(bytes .== codes[0])
      state[0] = first
      state[carried] = level
      if stillAlive == 0, isAnyBelowTop(first) { stillAlive = 1 }
      if alive == count - 1 {
        best = smaller(best, state[count - 1] | ~anchors.ends(columns, column))
      }
      if stillAlive == 0, anchors.isAtStart, !hasMembers { break }
      alive = min(stillAlive, count - 1)
      anchors.pass(bytes)
    }
    return best
  }
}
