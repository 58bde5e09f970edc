/// A query, implemented step by step from its description, without optimizations: the reference for
/// `FuzzyMatch`.
struct ReferenceQuery {
  struct Term: Equatable {
    var text: [Unicode.Scalar]
    var isFuzzy = true
    var atStart = false
    var atEnd = false
    var isWord = false
    var isNegated = false
    var ignoresCase: Bool
  }

  /// The match of a row.
  struct Found: Equatable {
    var score: Int
    /// For each member, the offsets of matched characters.
    var positions: [Set<Int>]
  }

  var sets: [[Term]] = []

  /// - Parameter rule: `smart`, `ignore` or `respect`.
  init(_ text: String, rule: String) {
    // An escaped space is a tab until the words are separated.
    var words: [String] = [""]
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", rest.first == " " {
        rest.removeFirst()
        words[words.count - 1].unicodeScalars.append("\t")
      } else if scalar == " " {
        words.append("")
      } else {
        words[words.count - 1].unicodeScalars.append(scalar)
      }
    }
    var isAlternative = false
    var mayTakeBar = false
    for word in words where !word.unicodeScalars.isEmpty {
      if Array(word.unicodeScalars) == ["|"], mayTakeBar {
        isAlternative = true
        mayTakeBar = false
        continue
      }
      guard let term = Self.term(word, rule) else {
        mayTakeBar = !sets.isEmpty
        continue
      }
      if isAlternative { sets[sets.count - 1].append(term) } else { sets.append([term]) }
      isAlternative = false
      mayTakeBar = true
    }
  }

  private static func term(_ word: String, _ rule: String) -> Term? {
    var text = word.unicodeScalars.map { $0 == "\t" ? " " : $0 }
    var term = Term(text: [], ignoresCase: true)
    if text.first == "!" {
      text.removeFirst()
      term.isNegated = true
      term.isFuzzy = false
    }
    if text.last == "$", text != ["$"] {
      text.removeLast()
      term.isFuzzy = false
      term.atEnd = true
    }
    if text.count > 2, text.first == "'", text.last == "'" {
      text = Array(text.dropFirst().dropLast())
      term.isFuzzy = false
      term.atEnd = false
      term.isWord = true
    } else if text.first == "'" {
      text.removeFirst()
      term.isFuzzy = term.isNegated
      term.atEnd = false
    } else if text.first == "^" {
      text.removeFirst()
      term.isFuzzy = false
      term.atStart = true
    }
    if text.isEmpty { return nil }
    let hasCapital = text.contains {
      [.uppercaseLetter, .titlecaseLetter].contains($0.properties.generalCategory)
    }
    term.ignoresCase = rule == "ignore" || rule == "smart" && !hasCapital
    term.text = text
    return term
  }

  /// Returns the match of a row with these members; `nil` if it does not match.
  func find(in members: [[Unicode.Scalar]]) -> Found? {
    var result = Found(score: 0, positions: members.map { _ in [] })
    for set in sets {
      var best: (score: Int, member: Int, positions: [Int])?
      for (member, text) in members.enumerated() {
        for term in set where !term.isNegated {
          guard let found = term.best(in: text) else { continue }
          if found.score > best?.score ?? .min { best = (found.score, member, found.positions) }
        }
      }
      let isAbsent = set.contains { term in
        term.isNegated && members.allSatisfy { term.best(in: $0) == nil }
      }
      if isAbsent, best?.score ?? -1 < 0 { best = (0, 0, []) }
      guard let best else { return nil }
      result.score += best.score
      result.positions[best.member].formUnion(best.positions)
    }
    return result
  }
}

extension ReferenceQuery.Term {
  /// The highest score, and the first positions that reach it.
  func best(in text: [Unicode.Scalar]) -> (score: Int, positions: [Int])? {
    if isFuzzy {
      var plan = ReferencePlan(term: self, text: text)
      return plan.best()
    }
    var best: (score: Int, positions: [Int])?
    for start in text.indices where start + self.text.count <= text.count {
      let end = start + self.text.count
      let (before, after) = (text[..<start], text[end...])
      if atStart, !before.allSatisfy({ skips($0, beside: self.text.first) }) { continue }
      if atEnd, !after.allSatisfy({ skips($0, beside: self.text.last) }) { continue }
      if isWord, (before.suffix(1) + after.prefix(1)).contains(where: Self.isWord) { continue }
      guard zip(text[start..<end], self.text).allSatisfy({ isSame($0, $1) }) else { continue }
      let score =
        isWord
        ? Self.wordScore(start..<end, in: text) : Self.score(Array(start..<end), in: text)
      if score > best?.score ?? .min { best = (score, Array(start..<end)) }
    }
    return best
  }

  /// Reports whether a character is skipped at an end of a text, where the term has another one.
  private func skips(_ scalar: Unicode.Scalar, beside own: Unicode.Scalar?) -> Bool {
    scalar.properties.isWhitespace && own?.properties.isWhitespace == false
  }

  /// The score of a whole word.
  private static func wordScore(_ word: Range<Int>, in text: [Unicode.Scalar]) -> Int {
    let isBefore = text[..<word.lowerBound].last == "_"
    let isAfter = text[word.upperBound...].first == "_"
    let bonus = bonus(word.lowerBound, in: text)
    return 26 * word.count + 10 + (isBefore ? isAfter ? 5 : 6 : isAfter ? 7 : bonus)
  }

  func isSame(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
    first == second || ignoresCase && Self.fold(first) == Self.fold(second)
  }

  /// The score of an alignment.
  static func score(_ positions: [Int], in text: [Unicode.Scalar]) -> Int {
    var score = 0
    var carried = 4
    for (index, position) in positions.enumerated() {
      let bonus = bonus(position, in: text)
      score += 16
      if index == 0 {
        score += 2 * bonus
        carried = max(4, level(bonus))
      } else if position == positions[index - 1] + 1 {
        score += max(bonus, carried)
        carried = max(carried, level(bonus))
      } else {
        score += bonus - 3 - (position - positions[index - 1] - 2)
        carried = max(4, level(bonus))
      }
    }
    return score
  }

  static func level(_ bonus: Int) -> Int { bonus >= 9 ? 9 : bonus >= 7 ? 8 : 4 }

  static func bonus(_ position: Int, in text: [Unicode.Scalar]) -> Int {
    let own = text[position]
    guard position > 0 else { return 10 }
    let previous = text[position - 1]
    if own.properties.isWhitespace || previous.properties.isWhitespace { return 10 }
    if "/,:;|".unicodeScalars.contains(previous) { return 9 }
    if !isWord(previous) || !isWord(own) { return 8 }
    if isUpper(own), previous.properties.generalCategory == .lowercaseLetter { return 7 }
    return isNumber(own) && !isNumber(previous) ? 7 : 0
  }

  private static func isUpper(_ scalar: Unicode.Scalar) -> Bool {
    [.uppercaseLetter, .titlecaseLetter].contains(scalar.properties.generalCategory)
  }

  private static func isNumber(_ scalar: Unicode.Scalar) -> Bool {
    [.decimalNumber, .letterNumber, .otherNumber].contains(scalar.properties.generalCategory)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    isUpper(scalar) || isNumber(scalar)
      || [.lowercaseLetter, .modifierLetter, .otherLetter].contains(
        scalar.properties.generalCategory)
  }

  /// Simple case folding: the lowercase letter, with exceptions.
  static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "ς": return "σ"
    case "ſ": return "s"
    case "ϑ": return "θ"
    case "µ": return "μ"
    case "İ": return "İ"
    default:
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      return lower.count == 1 ? lower.first! : scalar
    }
  }
}

/// Searches all alignments of a fuzzy term, with memoization.
private struct ReferencePlan {
  struct State: Hashable {
    var index: Int
    var position: Int
    var carried: Int
  }

  let term: ReferenceQuery.Term
  let text: [Unicode.Scalar]
  private var known: [State: (score: Int, positions: [Int])?] = [:]

  init(term: ReferenceQuery.Term, text: [Unicode.Scalar]) {
    self.term = term
    self.text = text
  }

  mutating func best() -> (score: Int, positions: [Int])? {
    best(from: State(index: 0, position: -1, carried: 0))
  }

  /// The best continuation from a state: what the remaining characters add after the last position.
  private mutating func best(from state: State) -> (score: Int, positions: [Int])? {
    if state.index == term.text.count { return (0, []) }
    if let found = known[state] { return found }
    var best: (score: Int, positions: [Int])?
    for position in text.indices.dropFirst(state.position + 1)
    where term.isSame(text[position], term.text[state.index]) {
      let bonus = ReferenceQuery.Term.bonus(position, in: text)
      let level = max(4, ReferenceQuery.Term.level(bonus))
      var score = 16 + bonus
      var carried = level
      if state.index == 0 {
        score += bonus
      } else if position == state.position + 1 {
        score = 16 + max(bonus, state.carried)
        carried = max(level, state.carried)
      } else {
        score -= 3 + position - state.position - 2
      }
      let next = State(index: state.index + 1, position: position, carried: carried)
      guard let rest = self.best(from: next) else { continue }
      if score + rest.score > best?.score ?? .min {
        best = (score + rest.score, [position] + rest.positions)
      }
    }
    known[state] = .some(best)
    return best
  }
}
