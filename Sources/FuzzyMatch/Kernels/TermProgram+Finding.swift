extension TermProgram {
  /// Returns the rows of a slab, among some, whose bytes the term matches, ignoring its negation.
  func find(
    _ group: BlockGroup, _ slab: Int, _ scratch: inout Scratch, among: SlabRows, hasMembers: Bool
  ) -> SlabRows {
    var found = SlabRows.zero
    guard count <= 2 * group.pairs else { return found }
    group.withSlab(slab, distinguishingCase: !term.ignoresCase) { blocks in
      codes.withUnsafeBufferPointer { codes in
        scratch.vectors.withUnsafeMutableBufferPointer { state in
          for block in among.indices where among[block] != 0 {
            let rows = find(
              blocks[block], codes, state, among: among[block], hasMembers: hasMembers)
            found[block] = rows & among[block]
          }
        }
      }
    }
    return found
  }

  /// Returns the rows of a block that the term matches. Rows that are not `among` some may be missing.
  private func find(
    _ columns: Columns, _ codes: UnsafeBufferPointer<Vector>,
    _ state: UnsafeMutableBufferPointer<Vector>, among: UInt16, hasMembers: Bool
  ) -> UInt16 {
    let excluded = ~bits(ofRows: among)
    let found =
      switch term.kind {
      case .fuzzy where count == 1, .substring where count == 1:
        ShortSearch1(codes).find(columns, excluded: excluded)
      case .fuzzy where count <= 4 && !hasMembers:
        ShortSearch4(codes).findInOrder(columns, excluded: excluded)
      case .fuzzy where count <= 8 && !hasMembers:
        ShortSearch8(codes).findInOrder(columns, excluded: excluded)
      case .substring where count <= 4: ShortSearch4(codes).findSideBySide(columns)
      case .substring where count <= 8: ShortSearch8(codes).findSideBySide(columns)
      case .fuzzy: findFuzzy(columns, codes, state)
      default: findRun(columns, codes, state, hasMembers: hasMembers)
      }
    return rows(found)
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
    for column in columnsOfRun(in: columns.count, hasMembers: hasMembers) {
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

  /// Returns the columns in which the characters of a term can be that have to be adjacent, in a block
  /// of some columns.
  func columnsOfRun(in columns: Int, hasMembers: Bool) -> Range<Int> {
    guard !hasMembers else { return 0..<columns }
    switch term.kind {
    case .prefix, .equal: return 0..<count
    case .suffix:
      let shortest = LengthClass.shortest(LengthClass.index(columns))
      return max(0, shortest - count)..<columns
    case .fuzzy, .substring: return 0..<columns
    }
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
