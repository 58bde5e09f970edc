/// The best way to match a term with one member of a row.
struct Alignment: Equatable {
  var score: Int32
  /// Where the term's characters are matched, ascending; empty if nobody asked.
  var positions: [Int] = []

  /// What each matched character counts.
  static let matched: Int32 = 16
  /// What the first character of a gap costs; each further one costs 1.
  static let gap: Int32 = 3
  /// The product of the lengths of term and text up to which all alignments are compared.
  static let cellLimit = 1 << 20
}

extension Term {
  /// Whether the term, if it were not negated, matches within a range of a row.
  ///
  /// - Complexity: O(*n* + *m*), where *n* is the length of the range and *m* of the term.
  func occurs(in characters: Characters, _ range: Range<Int>) -> Bool {
    if kind == .fuzzy { return firstEnd(in: characters.compared(with: self), range) != nil }
    var found = false
    forEachOccurrence(in: characters.compared(with: self), range) { _ in
      found = true
      return false
    }
    return found
  }

  /// The best alignment within a range of a row, the first of equals; `nil` if there is none.
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
    forEachOccurrence(in: characters.compared(with: self), range) { occurrence in
      let score = characters.score(occurrence..<occurrence + count)
      if score > best?.score ?? .min {
        best = Alignment(score: score)
        start = occurrence
      }
      return !isLarge
    }
    if withPositions { best?.positions = Array(start..<start + count) }
    return best
  }

  /// Calls `body` with where the term occurs as a whole, ascending, until it returns false
  /// (Knuth, Morris and Pratt, "Fast pattern matching in strings", 1977).
  private func forEachOccurrence(
    in text: [UInt32], _ range: Range<Int>, _ body: (Int) -> Bool
  ) {
    guard count <= range.count else { return }
    switch kind {
    case .prefix, .suffix, .equal:
      let start = kind == .suffix ? range.upperBound - count : range.lowerBound
      guard kind != .equal || count == range.count else { return }
      if text[start..<start + count].elementsEqual(points) { _ = body(start) }
    case .fuzzy, .substring:
      let borders = borders
      var matched = 0
      for index in range {
        while matched > 0, points[matched] != text[index] { matched = borders[matched - 1] }
        if points[matched] == text[index] { matched += 1 }
        guard matched == count else { continue }
        guard body(index + 1 - count) else { return }
        matched = borders[matched - 1]
      }
    }
  }

  /// By the length of each start of the term, less one, the length of the longest shorter start
  /// that it ends with.
  private var borders: [Int] {
    var result = [Int](repeating: 0, count: count)
    for index in points.indices.dropFirst() {
      var length = result[index - 1]
      while length > 0, points[length] != points[index] { length = result[length - 1] }
      result[index] = points[length] == points[index] ? length + 1 : 0
    }
    return result
  }

  /// Behind the first place where the term's characters have all occurred in order.
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
  /// The score of adjacent characters that are matched.
  func score(_ range: Range<Int>) -> Int32 { score(Array(range)) }

  /// The score of an alignment, by the formula.
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
