/// A term as the blocks of a store are matched with it.
struct TermProgram {
  let term: Term
  /// The byte of each character in every lane; none if the term is longer than any row of a block.
  let codes: [Vector]
  /// The flags of rows for which blocks may be wrong.
  let verified: UInt32
  /// Whether only rows that are kept as text can match.
  let needsText: Bool
  /// The score of an alignment without losses.
  let ideal: Int32

  /// The longest term that blocks are scored with: the alignment of a longer one may be too much
  /// to compute.
  static let longestScored = Alignment.cellLimit / LengthClass.longest

  init(_ term: Term, _ alphabet: Alphabet) {
    self.term = term
    let table = CharacterTable.shared
    let points = term.count > LengthClass.longest ? [] : term.points
    let found = points.map { alphabet.code(of: $0, foldedTo: table.fold($0)) }
    codes = found.map {
      Vector(repeating: $0.isChanged ? $0.byte ^ Alphabet.changedBit : $0.byte)
    }
    let shares = found.contains { $0.byte >= 0x80 } ? Alphabet.foldShares : 0
    verified = term.ignoresCase ? shares : shares | Alphabet.formShares
    needsText = found.contains { $0.flags != 0 }
    ideal = 26 * Int32(clamping: term.count) + 10
  }

  var count: Int { term.count }

  /// Whether a loss in a block of so many columns may be more than a byte holds.
  func mayOverflow(columns: Int) -> Bool {
    if term.kind == .fuzzy {
      return 10 * (count + 1) + 2 * (count - 1) + columns - count >= 255
    }
    return 20 + 6 * (count - 1) >= 255
  }
}

/// Memory that kernels use and do not keep.
struct Scratch {
  var vectors: [Vector] = []
  var reached: [Reached] = []

  /// Makes room for a term.
  mutating func reserve(_ program: TermProgram) {
    let count = program.codes.count
    while vectors.count < 2 * count { vectors.append(.zero) }
    while reached.count < count { reached.append(Reached()) }
  }
}
