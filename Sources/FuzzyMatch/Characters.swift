/// The bonus of a character for its position, as a small number: 0 is the highest bonus.
enum BonusCode {
  /// The highest bonus.
  static let highest: Int32 = 10
  /// The bonus of each code: the highest, less the code of all but the last, which the kernels rely on.
  static let points: [Int32] = [highest, 9, 8, 7, 0]
  /// The level of a run after a character with each code, as an index of `carried`.
  static let levels: [Int] = [2, 2, 1, 1, 0]
  /// The least bonus of the next character in a run of each level.
  static let carried: [Int32] = [4, 8, 9]
  /// The code of a character without a bonus.
  static let none: UInt8 = 4

  static func code(after previous: CharacterClass, of current: CharacterClass) -> UInt8 {
    if previous == .white || current == .white { return 0 }
    switch previous {
    case .delimiter: return 1
    case .nonWord: return 2
    default: break
    }
    switch current {
    case .nonWord, .delimiter: return 2
    case .upper where previous == .lower: return 3
    case .number where previous != .number: return 3
    default: return none
    }
  }

  /// The code of the second of two adjacent characters, by eight times the class of the first plus that
  /// of the second.
  static let table: [UInt8] = (0..<64).map { index in
    guard let previous = CharacterClass(rawValue: UInt16(index >> 3)),
      let current = CharacterClass(rawValue: UInt16(index & 7))
    else { return none }
    return code(after: previous, of: current)
  }
}

/// A row as scalar code matches it: the folded form and the bonus of each code point.
struct Characters {
  /// The code points, with separators between members.
  let points: [UInt32]
  /// The folded code points.
  let folded: [UInt32]
  /// The `BonusCode` of each code point.
  let bonuses: [UInt8]
  let members: [Range<Int>]

  init(_ text: RowText) {
    let table = CharacterTable.shared
    points = text.points
    members = text.members
    var folded: [UInt32] = []
    var bonuses: [UInt8] = []
    folded.reserveCapacity(points.count)
    bonuses.reserveCapacity(points.count)
    var previous = CharacterClass.white
    for point in points {
      guard point != RowText.separator else {
        folded.append(point)
        bonuses.append(BonusCode.none)
        previous = .white
        continue
      }
      let current = table.characterClass(point)
      folded.append(table.fold(point))
      bonuses.append(BonusCode.code(after: previous, of: current))
      previous = current
    }
    self.folded = folded
    self.bonuses = bonuses
  }

  /// Returns the code points that a term is compared with.
  func compared(with term: Term) -> [UInt32] { term.ignoresCase ? folded : points }

  /// Returns the bonus of a character.
  func bonus(_ index: Int) -> Int32 { BonusCode.points[Int(bonuses[index])] }

  /// Returns the level of a run after a character.
  func level(_ index: Int) -> Int { BonusCode.levels[Int(bonuses[index])] }
}
