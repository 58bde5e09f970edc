/// The best way to match a term with one member of a row.
struct Alignment: Equatable {
  var score: Int32
  /// The offsets of the matched characters, ascending; empty unless requested.
  var positions: [Int] = []

  /// The points for each matched character.
  static let matched: Int32 = 16
  /// The cost of the first character of a gap. Each further one costs 1.
  static let gap: Int32 = 3
  /// The product of the lengths of term and text up to which all alignments are compared.
  static let cellLimit = 1 << 20

  /// Returns the highest score of a number of characters: the bonus of the first one counts twice.
  static func highest(_ count: Int) -> Int32 {
    (matched + BonusCode.highest) * Int32(clamping: count) + BonusCode.highest
  }
}

extension Term {
  /// Reports whether the term, ignoring its negation, matches within a range of a row.
  ///
  /// - Complexity: O(*n* + *m*), where *n* is the length of the range and *m* of the term.
  func occurs(in characters: Characters, _ range: Range<Int>) -> Bool {
    if kind == .fuzzy { return firstEnd(in: characters.compared(with: self), range) != nil }
    var found = false
    forEachOccurrence(in: characters, range) { _ in
      found = true
      return false
    }
    return found
  }

  /// Returns the best alignment within a range of a row, the first of equal ones, or `nil` if there is
  /// none.
  ///
  /// - Complexity: O(*n* · *m*), where *n* is the length of the range and *m* of the term.
  func alignment(
    in characters: Characters, _ range: Range<Int>, withPositions: Bool
  ) -> Alignment? {
    guard count <= range.count else { return nil }
    if kind == .fuzzy {
      return fuzzyAlignment(in: characters, range, withPositions: withPositions)
    }
    let isLarge = range.count * count > Alignment.cellLimit
    var best: Alignment?
    var start = 0
    forEachOccurrence(in: characters, range) { occurrence in
      let found = occurrence..<occurrence + count
      let score =
        kind == .word ? characters.wordScore(found, in: range) : characters.score(found)
      if score > best?.score ?? .min {
        best = Alignment(score: score)
        start = occurrence
      }
      return !isLarge
    }
    if withPositions { best?.positions = Array(start..<start + count) }
    return best
  }

  /// Calls `body` with the offset of each occurrence of the whole term, ascending, until it returns
  /// false (Knuth, Morris and Pratt, "Fast pattern matching in strings", 1977).
  private func forEachOccurrence(
    in characters: Characters, _ member: Range<Int>, _ body: (Int) -> Bool
  ) {
    let text = characters.compared(with: self)
    let range = characters.withoutSkippedSpace(member, self)
    guard count <= range.count else { return }
    switch kind {
    case .prefix, .suffix, .equal:
      let start = kind == .suffix ? range.upperBound - count : range.lowerBound
      guard kind != .equal || count == range.count else { return }
      if text[start..<start + count].elementsEqual(points) { _ = body(start) }
    case .fuzzy, .substring, .word:
      let borders = borders
      var matched = 0
      for index in range {
        while matched > 0, points[matched] != text[index] { matched = borders[matched - 1] }
        if points[matched] == text[index] { matched += 1 }
        guard matched == count else { continue }
        let start = index + 1 - count
        if kind != .word || characters.isWord(start...index, in: range) {
          guard body(start) else { return }
        }
        matched = borders[matched - 1]
      }
    }
  }

  /// For each prefix of the term, by its length less one, the length of its longest border: the
  /// longest proper prefix that is also a suffix.
  private var borders: [Int] {
    var result = [Int](repeating: 0, count: count)
    for index in points.indices.dropFirst() {
      var length = result[index - 1]
      while length > 0, points[length] != points[index] { length = result[length - 1] }
      result[index] = points[length] == points[index] ? length + 1 : 0
    }
    return result
  }

  /// Returns the least end offset by which all characters of the term have occurred in order.
  func firstEnd(in text: [UInt32], _ range: Range<Int>) -> Int? {
    var matched = 0
    for index in range where text[index] == points[matched] {
      matched += 1
      if matched == count { return index + 1 }
    }
    return nil
  }
}

extension Characters {
  /// Returns the range of a member without the white space that a term skips at its ends.
  func withoutSkippedSpace(_ range: Range<Int>, _ term: Term) -> Range<Int> {
    let table = CharacterTable.shared
    var (start, end) = (range.lowerBound, range.upperBound)
    if term.skipsSpaceBefore { while start < end, table.isWhite(points[start]) { start += 1 } }
    if term.skipsSpaceAfter { while end > start, table.isWhite(points[end - 1]) { end -= 1 } }
    return start..<end
  }

  /// Reports whether there is no letter or number directly before and after a part of a member.
  func isWord(_ part: ClosedRange<Int>, in member: Range<Int>) -> Bool {
    func isWord(_ index: Int) -> Bool {
      member.contains(index) && CharacterTable.shared.characterClass(points[index]).isWord
    }
    return !isWord(part.lowerBound - 1) && !isWord(part.upperBound + 1)
  }

  /// Returns the score of a whole word in a member.
  func wordScore(_ word: Range<Int>, in member: Range<Int>) -> Int32 {
    func isUnderscore(_ index: Int) -> Bool {
      member.contains(index) && points[index] == UInt32(UInt8(ascii: "_"))
    }
    let bonus: Int32 =
      switch (isUnderscore(word.lowerBound - 1), isUnderscore(word.upperBound)) {
      case (true, true): 5
      case (true, false): 6
      case (false, true): 7
      case (false, false): bonus(word.lowerBound)
      }
    return Alignment.highest(word.count) + bonus
  }

  /// Returns the score of a run of adjacent matched characters.
  func score(_ range: Range<Int>) -> Int32 { score(Array(range)) }

  /// Returns the score of an alignment, by the formula of `Query`.
  func score(_ positions: [Int]) -> Int32 {
    var score: Int32 = 0
    var level = 0
    var previous = -1
    for position in positions {
      let own = bonus(position)
      if previous < 0 {
        score += Alignment.matched + 2 * own
        level = self.level(position)
      } else if position == previous + 1 {
        score += Alignment.matched + max(own, BonusCode.carried[level])
        level = max(level, self.level(position))
      } else {
        score -= Alignment.gap + Int32(position - previous - 2)
        score += Alignment.matched + own
        level = self.level(position)
      }
      previous = position
    }
    return score
  }
}
