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
      case .fuzzy where count <= 4:
        ShortSearch4(codes).findInOrder(columns, excluded: excluded, hasMembers: hasMembers)
      case .fuzzy where count <= 8:
        ShortSearch8(codes).findInOrder(columns, excluded: excluded, hasMembers: hasMembers)
      case .substring where count <= 4: ShortSearch4(codes).findSideBySide(columns)
      case .substring where count <= 8: ShortSearch8(codes).findSideBySide(columns)
      case .fuzzy: findFuzzy(columns, codes, state)
      default: findRun(columns, codes, state, among: among, hasMembers: hasMembers)
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
    _ state: UnsafeMutableBufferPointer<Vector>, among: UInt16, hasMembers: Bool
  ) -> Vector {
    var found = Vector.zero
    forEachRun(columns, codes, state, among: among, hasMembers: hasMembers) { rows, _ in
      found |= rows
    }
    return found
  }

  /// Calls `body` with all bits of the rows that have the characters adjacent to each other, and the
  /// column of the last one.
  @inline(__always)
  func forEachRun(
    _ columns: Columns, _ codes: UnsafeBufferPointer<Vector>,
    _ state: UnsafeMutableBufferPointer<Vector>, among: UInt16, hasMembers: Bool,
    _ body: (Vector, Int) -> Void
  ) {
    // For each character all bits of the rows that have it in this column, directly after those before
    // it. `Scratch` has at least twice as many vectors as the term has characters.
    for index in 0..<count { state[index] = .zero }
    var anchors = RunAnchors(self)
    var alive = 0
    for column in columnsOfRun(columns, among: among, hasMembers: hasMembers) {
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
      if alive == count - 1 {
        let rows = anchors.ends(columns, column, among: state[count - 1])
        if isAny(rows) { body(rows, column) }
      }
      anchors.pass(bytes)
      if stillAlive == 0, anchors.isAtStart, !hasMembers, !isAny(anchors.starts) { break }
      alive = min(stillAlive, count - 1)
    }
  }

  /// Returns the columns in which the characters of a term can be that have to be adjacent, in some rows
  /// of a block.
  func columnsOfRun(_ columns: Columns, among: UInt16, hasMembers: Bool) -> Range<Int> {
    switch term.kind {
    case .prefix where !hasMembers && !space.isBefore, .equal where !hasMembers && !space.isBefore:
      return 0..<count
    case .suffix where !hasMembers:
      // All rows end in the last column that is visited, or later.
      var rows = bits(ofRows: among)
      var last = columns.count
      while last > 0, isAny(rows) {
        last -= 1
        let bytes = columns.bytes(last)
        let padding = bits(bytes .== Vector(repeating: Alphabet.padding))
        rows &= space.isAfter ? padding | space.rows(bytes) : padding
      }
      return max(0, last + 1 - count)..<columns.count
    case .fuzzy, .substring, .word, .prefix, .suffix, .equal: return 0..<columns.count
    }
  }
}

/// The columns in which a run may start and end.
struct RunAnchors {
  let isAtStart: Bool
  private let isAtEnd: Bool
  private let isWord: Bool
  private let count: Int
  private let space: SkippedSpace
  /// All bits of the rows in which it may start in the current column.
  private(set) var starts = Vector(repeating: 255)

  init(_ program: TermProgram) {
    let kind = program.term.kind
    isAtStart = kind == .prefix || kind == .equal
    isAtEnd = kind == .suffix || kind == .equal
    isWord = kind == .word
    count = program.count
    space = program.space
  }

  /// Returns all bits of the rows, among some, in which a run may end in a column.
  @_transparent
  func ends(_ columns: Columns, _ column: Int, among rows: Vector) -> Vector {
    guard isAtEnd || isWord, isAny(rows) else { return rows }
    return isWord ? wordEnds(columns, column) & rows : lastEnds(columns, column, among: rows)
  }

  /// Returns all bits of the rows, among some, that have nothing but skipped white space after a column.
  private func lastEnds(_ columns: Columns, _ column: Int, among rows: Vector) -> Vector {
    var ended = Vector.zero
    var rest = rows
    var next = column + 1
    while next < columns.count, isAny(rest) {
      let bytes = columns.bytes(next)
      ended |= rest & Self.ends(bytes)
      rest = space.isAfter ? rest & space.rows(bytes) : .zero
      next += 1
    }
    return ended | rest
  }

  /// Returns all bits of the rows in which a run that ends in a column is a whole word, if it begins and
  /// ends with letters or numbers.
  private func wordEnds(_ columns: Columns, _ column: Int) -> Vector {
    let start = Self.boundaries(columns.details(column + 1 - count))
    guard column + 1 < columns.count else { return start }
    let next = Self.boundaries(columns.details(column + 1))
    return start & (next | Self.ends(columns.bytes(column + 1)))
  }

  /// Returns all bits of the rows in which a character, or the one before it, is neither a letter nor a
  /// number, or which start with it.
  @_transparent
  private static func boundaries(_ details: Vector) -> Vector {
    bits((details & Vector(repeating: 7)) .< Vector(repeating: 3))
  }

  /// Returns all bits of the rows that have no character of the member in a column after its first one.
  @_transparent
  private static func ends(_ bytes: Vector) -> Vector {
    bits(bytes .== Vector(repeating: Alphabet.padding))
      | bits(bytes .== Vector(repeating: Alphabet.separator))
  }

  /// Advances to the next column.
  @_transparent
  mutating func pass(_ bytes: Vector) {
    guard isAtStart else { return }
    let before = space.isBefore ? starts & space.rows(bytes) : .zero
    starts = bits(bytes .== Vector(repeating: Alphabet.separator)) | before
  }
}
