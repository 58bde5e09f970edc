/// For each level of a run the most that the rest of a term can add.
private struct Levels {
  var first: Int32
  var second: Int32
  var third: Int32

  @inline(__always)
  subscript(level: Int) -> Int32 { level == 0 ? first : level == 1 ? second : third }
}

/// Less than any score, but large enough for sums not to overflow.
private let impossible: Int32 = -1 << 29

extension Term {
  /// Returns the alignment of a fuzzy term with the highest score.
  func fuzzyAlignment(
    in characters: Characters, _ range: Range<Int>, withPositions: Bool
  ) -> Alignment? {
    let text = characters.compared(with: self)
    guard let end = firstEnd(in: text, range),
      let start = text[range].firstIndex(of: points[0])
    else { return nil }
    let last = text[range].lastIndex(of: points[count - 1]) ?? end - 1
    if range.count * count > Alignment.cellLimit {
      let positions = shortest(in: text, endingAt: end)
      return Alignment(
        score: characters.score(positions), positions: withPositions ? positions : [])
    }
    var plan = AlignmentPlan(term: self, text: text, window: start..<last + 1)
    return plan.best(in: characters, withPositions: withPositions)
  }

  /// Returns the alignment that begins last of those that end at an offset.
  private func shortest(in text: [UInt32], endingAt end: Int) -> [Int] {
    var positions: [Int] = []
    var rest = count - 1
    for index in stride(from: end - 1, through: 0, by: -1) where text[index] == points[rest] {
      positions.append(index)
      if rest == 0 { break }
      rest -= 1
    }
    return positions.reversed()
  }
}

/// Compares all alignments of a fuzzy term, from its last character to its first.
///
/// For a character of the term that is matched at an offset, `rest` is the most that the characters
/// after it can add, which depends on the level of the run at this character. Because it is computed
/// from the end, following it from the start leads to the first of the best alignments.
private struct AlignmentPlan {
  let term: Term
  let text: [UInt32]
  /// The offsets between which the term is aligned.
  let window: Range<Int>

  /// The most that the characters after the current one can add, by the offset of the current one.
  private var rest: [Levels]
  /// The same for the character after the current one.
  private var nextRest: [Levels]
  /// The most that the character after the current one and those after it can add if it starts a run at
  /// an offset or later, less the growth of the gap.
  private var nextStart: [Int32]
  /// The values of `rest` for each character of the term, the last character first.
  private var all: [[Levels]] = []

  init(term: Term, text: [UInt32], window: Range<Int>) {
    self.term = term
    self.text = text
    self.window = window
    let none = Levels(first: impossible, second: impossible, third: impossible)
    rest = Array(repeating: none, count: window.count)
    nextRest = rest
    nextStart = Array(repeating: impossible, count: window.count + 2)
  }

  mutating func best(in characters: Characters, withPositions: Bool) -> Alignment {
    for index in stride(from: term.count - 1, through: 0, by: -1) {
      swap(&rest, &nextRest)
      fillRest(index, characters)
      if withPositions { all.append(rest) }
      guard index > 0 else { break }
      fillStart(index, characters)
    }
    var best = impossible
    var first = window.lowerBound
    for offset in rest.indices where text[window.lowerBound + offset] == term.points[0] {
      let position = window.lowerBound + offset
      let score =
        Alignment.matched + 2 * characters.bonus(position)
        + rest[offset][characters.level(position)]
      if score > best { (best, first) = (score, position) }
    }
    guard withPositions else { return Alignment(score: best) }
    return Alignment(score: best, positions: positions(from: first, characters))
  }

  /// Fills `rest` for a character of the term.
  private mutating func fillRest(_ index: Int, _ characters: Characters) {
    guard index + 1 < term.count else {
      for offset in rest.indices { rest[offset] = Levels(first: 0, second: 0, third: 0) }
      return
    }
    for offset in rest.indices where text[window.lowerBound + offset] == term.points[index] {
      let afterGap = nextStart[offset + 2] - Alignment.gap
      rest[offset] = Levels(
        first: max(afterGap, continued(index, offset, 0, characters)),
        second: max(afterGap, continued(index, offset, 1, characters)),
        third: max(afterGap, continued(index, offset, 2, characters)))
    }
  }

  /// Returns the most that the next character, matched directly after this one, and those after it can
  /// add.
  private func continued(
    _ index: Int, _ offset: Int, _ level: Int, _ characters: Characters
  ) -> Int32 {
    let next = window.lowerBound + offset + 1
    guard next < window.upperBound, text[next] == term.points[index + 1] else { return impossible }
    return Alignment.matched + max(characters.bonus(next), BonusCode.carried[level])
      + nextRest[offset + 1][max(level, characters.level(next))]
  }

  /// Fills `nextStart` for a character of the term that starts a run.
  private mutating func fillStart(_ index: Int, _ characters: Characters) {
    var best = impossible
    for offset in rest.indices.reversed() {
      best = max(best - 1, impossible)
      let position = window.lowerBound + offset
      if text[position] == term.points[index] {
        best = max(best, started(position, rest[offset], characters))
      }
      nextStart[offset] = best
    }
  }

  /// Returns the most that a character that starts a run other than the first, and those after it, can
  /// add.
  private func started(_ position: Int, _ rest: Levels, _ characters: Characters) -> Int32 {
    Alignment.matched + characters.bonus(position) + rest[characters.level(position)]
  }

  /// Returns the positions of the best alignment whose first character is matched at a position. Of
  /// equal ones each further character is matched as early as possible.
  private func positions(from first: Int, _ characters: Characters) -> [Int] {
    var result = [first]
    var level = characters.level(first)
    for index in 1..<max(1, term.count) {
      let position = result[index - 1]
      let offset = position - window.lowerBound
      let wanted = all[term.count - index][offset][level]
      let rests = all[term.count - 1 - index]
      var next = position + 1
      if text[next] == term.points[index],
        Alignment.matched + max(characters.bonus(next), BonusCode.carried[level])
          + rests[offset + 1][max(level, characters.level(next))] == wanted
      {
        level = max(level, characters.level(next))
      } else {
        var cost = Alignment.gap
        next += 1
        while text[next] != term.points[index]
          || started(next, rests[next - window.lowerBound], characters) - cost != wanted
        {
          next += 1
          cost += 1
        }
        level = characters.level(next)
      }
      result.append(next)
    }
    return result
  }
}
