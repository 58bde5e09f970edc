/// A term prepared for the blocks of a store.
final class TermProgram: Sendable {
  let term: Term
  /// For each character its byte in every lane; empty if the term is longer than any row of a block.
  let codes: [Vector]
  /// The flags of rows whose matches have to be verified.
  let verified: UInt32
  /// Whether only rows that are kept as text can match.
  let needsText: Bool
  /// Whether the bytes of a block do not suffice to decide if a row matches.
  ///
  /// Whether the characters around a whole word are letters or numbers is known from their bonus only if
  /// the word begins and ends with letters or numbers.
  let verifiesAll: Bool
  /// The white space that the term skips.
  let space: SkippedSpace
  /// The score of an alignment without losses.
  let ideal: Int32
  /// The least that each character after the first loses: 1, unless the term has white space.
  ///
  /// In a run only a character with a bonus of 10 loses less. It is white space, or directly follows
  /// white space, which the term would have to match, too. After a gap a character loses at least 3.
  let relief: UInt8

  /// The least loss of any alignment. The bonus of a whole word is that of its first character.
  let leastLoss: Int

  /// The length of the longest term that blocks are scored with. A longer one may exceed the limit of
  /// cells with a row of a block.
  static let longestScored = Alignment.cellLimit / LengthClass.longest

  init(_ term: Term, _ alphabet: Alphabet) {
    self.term = term
    let table = CharacterTable.shared
    let points = term.count > LengthClass.longest ? [] : term.points
    let found = points.map { alphabet.code(of: $0, foldedTo: table.fold($0)) }
    codes = found.map {
      Vector(repeating: $0.isChanged ? $0.byte ^ Alphabet.changedBit : $0.byte)
    }
    let mayShare = found.contains { $0.byte >= 0x80 || $0.byte == Alphabet.sharedSpace }
    let shares = mayShare ? Alphabet.foldShares : 0
    verified = term.ignoresCase ? shares : shares | Alphabet.formShares
    needsText = found.contains { $0.flags != 0 }
    verifiesAll =
      term.kind == .word
      && [0, term.count - 1].contains { !table.characterClass(term.points[$0]).isWord }
    space = SkippedSpace(term, alphabet)
    ideal = term.ideal
    relief = points.contains { table.characterClass($0) == .white } ? 0 : 1
    leastLoss = term.kind == .word ? 0 : Int(relief) * (term.count - 1)
  }

  var count: Int { term.count }

  /// Reports whether a loss in a block of some columns may be more than a byte holds.
  func mayOverflow(columns: Int) -> Bool {
    switch term.kind {
    case .fuzzy: 10 * (count + 1) + 2 * (count - 1) + columns - count >= 255
    case .word: false
    case .substring, .prefix, .suffix, .equal: 20 + 6 * (count - 1) >= 255
    }
  }
}

/// The white space that a term skips at the ends of a text.
struct SkippedSpace {
  let isBefore: Bool
  let isAfter: Bool
  /// The bytes of white space that is not ASCII, in every lane.
  private let others: [Vector]

  init(_ term: Term, _ alphabet: Alphabet) {
    isBefore = term.skipsSpaceBefore
    isAfter = term.skipsSpaceAfter
    others = isBefore || isAfter ? alphabet.spaces.map { Vector(repeating: $0) } : []
  }

  /// Returns all bits of the rows that have white space in a column.
  func rows(_ bytes: Vector) -> Vector {
    var rows = bits((bytes &- Vector(repeating: 9)) .< Vector(repeating: 5))
    rows |= bits(bytes .== Vector(repeating: UInt8(ascii: " ")))
    for other in others { rows |= bits(bytes .== other) }
    return rows
  }
}

/// Memory that kernels reuse.
struct Scratch {
  var vectors: [Vector] = []
  var reached: [Reached] = []
  /// The number of pairs of a column and a character that the last kernel has compared.
  var steps = 0

  /// Reserves memory for a term.
  mutating func reserve(_ program: TermProgram) {
    let count = program.codes.count
    while vectors.count < 2 * count { vectors.append(.zero) }
    while reached.count < count { reached.append(Reached()) }
  }
}
