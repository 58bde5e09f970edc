/// The score and the matched ranges of a row that matches a query.
public struct Match: Sendable, Equatable {
  /// The score, by the formula that `Query` has: higher is better.
  public let score: Int
  /// The matched ranges of each member, in code points from its start, ascending and not adjacent.
  public let ranges: [[Range<Int>]]

  /// Returns the matched ranges of a member as ranges of the text that it was made of.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public func ranges(in text: String, member: Int = 0) -> [Range<String.Index>] {
    let points = text.unicodeScalars
    var index = points.startIndex
    var offset = 0
    func advance(to end: Int) -> String.Index {
      index = points.index(index, offsetBy: end - offset)
      offset = end
      return index
    }
    return ranges[member].map { range in
      let lower = advance(to: range.lowerBound)
      return lower..<advance(to: range.upperBound)
    }
  }

  /// Returns the number of code points of the members that have ranges. Of rows with equal scores the
  /// shortest is ranked first.
  func length(in text: RowText) -> Int {
    zip(ranges, text.members).reduce(0) { $0 + ($1.0.isEmpty ? 0 : $1.1.count) }
  }
}

extension Query {
  /// Returns the match of a text, or `nil` if it does not match.
  ///
  /// - Complexity: O(*n* · *m*), where *n* is the length of the text and *m* of the query.
  public func match(in text: some StringProtocol) -> Match? { match(in: RowText(text)) }

  /// Returns the match of a row, or `nil` if it does not match.
  ///
  /// - Complexity: O(*n* · *m*), where *n* is the length of the row and *m* of the query.
  public func match(in text: RowText) -> Match? {
    let characters = Characters(text)
    var score = 0
    var positions: [[Int]] = characters.members.map { _ in [] }
    for set in sets {
      var best: Alignment?
      var bestMember = 0
      for (member, range) in characters.members.enumerated() {
        for term in set where !term.isNegated {
          let found = term.alignment(in: characters, range, withPositions: true)
          if let found, found.score > best?.score ?? .min { (best, bestMember) = (found, member) }
        }
      }
      if best?.score ?? -1 < 0, characters.lacksAny(of: set) { best = Alignment(score: 0) }
      guard let best else { return nil }
      score += Int(best.score)
      positions[bestMember] += best.positions
    }
    let ranges = zip(positions, characters.members).map { positions, member in
      Self.ranges(of: positions, from: member.lowerBound)
    }
    return Match(score: score, ranges: ranges)
  }

  /// Returns the score of a row, or `nil` if it does not match.
  func score(of characters: Characters) -> Int? {
    var score = 0
    for set in sets {
      var best: Int32?
      for term in set where !term.isNegated {
        guard let found = term.score(in: characters) else { continue }
        best = max(best ?? found, found)
      }
      if best ?? -1 < 0, characters.lacksAny(of: set) { best = 0 }
      guard let best else { return nil }
      score += Int(best)
    }
    return score
  }

  /// Returns the fewest ranges of offsets that cover positions.
  private static func ranges(of positions: [Int], from start: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for position in positions.sorted() {
      let offset = position - start
      if let last = ranges.last, last.upperBound >= offset {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, offset + 1)
      } else {
        ranges.append(offset..<offset + 1)
      }
    }
    return ranges
  }
}

extension Characters {
  /// Reports whether a negated term of a set matches.
  func lacksAny(of set: [Term]) -> Bool {
    set.contains { term in
      term.isNegated && !members.contains { term.occurs(in: self, $0) }
    }
  }
}

extension Term {
  /// Returns the score of the best alignment with any member, or `nil` if there is none.
  func score(in characters: Characters) -> Int32? {
    var best: Int32?
    for range in characters.members {
      let found = alignment(in: characters, range, withPositions: false)
      if let found { best = max(best ?? found.score, found.score) }
    }
    return best
  }

  /// Reports whether the term, ignoring its negation, matches any member.
  func occurs(in characters: Characters) -> Bool {
    characters.members.contains { occurs(in: characters, $0) }
  }
}
