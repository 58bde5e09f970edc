extension TermProgram {
  /// Returns the rows of a block whose bytes the term matches, ignoring its negation.
  func find(_ block: Block, _ scratch: inout Scratch, hasMembers: Bool) -> UInt16 {
    block.withColumns(tellingCase: !term.ignoresCase) { columns in
      guard count <= columns.count else { return 0 }
      return codes.withUnsafeBufferPointer { codes in
        let found: Vector
        switch term.kind {
        case .fuzzy where count <= 4 && !hasMembers:
          found = ShortSearch4(codes).findInOrder(columns)
        case .fuzzy where count <= 8 && !hasMembers:
          found = ShortSearch8(codes).findInOrder(columns)
        case .substring where count <= 4:
          found = ShortSearch4(codes).findSideBySide(columns)
        case .substring where count <= 8:
          found = ShortSearch8(codes).findSideBySide(columns)
        case .fuzzy:
          found = scratch.vectors.withUnsafeMutableBufferPointer {
            findFuzzy(columns, codes, $0)
          }
        default:
          found = scratch.vectors.withUnsafeMutableBufferPointer {
            findRun(columns, codes, $0, hasMembers: hasMembers)
          }
        }
        return rows(found)
      }
    }
  }

  /// Returns all bits of the rows that have the characters in order, in one member.
  private func findFuzzy(
    _ columns: Columns, _ codes: UnsafeBufferPointer<Vector>,
    _ state: UnsafeMutableBufferPointer<Vector>
  ) -> Vector {
    // For each character all bits of the rows that have it and all before it in order. `Scratch` has
    // at least twice as many vectors as the term has characters.
    for index in 0..<count { state[index] = .zero }
    var found = Vector.zero
    var reached = 0
    for column in 0..<columns.count {
      let bytes = columns.bytes(column)
      var index = reached
      while index > 0 {
        state[index] |= state[index - 1] & bits(bytes .== codes[index])
        index -= 1
      }
      state[0] |= bits(bytes .== codes[0])
      if reached + 1 < count, isAnyBelowTop(~state[reached]) { reached += 1 }
      let ends = bits(bytes .== Vector(repeating: Alphabet.separator))
      if isAnyBelowTop(~ends) {
        found |= state[count - 1]
        for index in 0...reached { state[index] &= ~ends }
      }
    }
    return found | state[count - 1]
  }

  /// Returns all bits of the rows that have the characters adjacent to each other.
  private func findRun(
    _ columns: Columns, _ codes: UnsafeBufferPointer<Vector>,
    _ state: UnsafeMutableBufferPointer<Vector>, hasMembers: Bool
  ) -> Vector {
    // For each character all bits of the rows that have it in this column, directly after those before
    // it. `Scratch` has at least twice as many vectors as the term has characters.
    for index in 0..<count { state[index] = .zero }
    var anchors = RunAnchors(term.kind)
    var found = Vector.zero
    var alive = 0
    for column in 0..<columns.count {
      let bytes = columns.bytes(column)
      var stillAlive = 0
      var index = alive
      while index > 0 {
        let run = state[index - 1] & bits(bytes .== codes[index])
        state[index] = run
        if stillAlive == 0, isAnyBelowTop(~run) { stillAlive = index + 1 }
        index -= 1
      }
      let first = anchors.starts & bits(bytes .== codes[0])
      state[0] = first
      if stillAlive == 0, isAnyBelowTop(~first) { stillAlive = 1 }
      if alive == count - 1 { found |= state[count - 1] & anchors.ends(columns, column) }
      if stillAlive == 0, anchors.isAtStart, !hasMembers { break }
      alive = min(stillAlive, count - 1)
      anchors.pass(bytes)
    }
    return found
  }
}

/// The columns in which a run may start and end.
struct RunAnchors {
  let isAtStart: Bool
  private let isAtEnd: Bool
  /// All bits of the rows in which it may start in the current column.
  private(set) var starts = Vector(repeating: 255)

  init(_ kind: Term.Kind) {
    isAtStart = kind == .prefix || kind == .equal
    isAtEnd = kind == .suffix || kind == .equal
  }

  /// Returns all bits of the rows in which a run may end in a column.
  @_transparent
  func ends(_ columns: Columns, _ column: Int) -> Vector {
    guard isAtEnd, column + 1 < columns.count else { return Vector(repeating: 255) }
    let next = columns.bytes(column + 1)
    return bits(next .== Vector(repeating: Alphabet.padding))
      | bits(next .== Vector(repeating: Alphabet.separator))
  }

  /// Advances to the next column.
  @_transparent
  mutating func pass(_ bytes: Vector) {
    if isAtStart { starts = bits(bytes .== Vector(repeating: Alphabet.separator)) }
  }
}
