/// Splits the text of a query into terms, as fzf does.
struct QueryParser {
  let rule: CaseRule
  /// Whether terms are found as they are, unless they are quoted.
  let isExact: Bool
  private(set) var sets: [[Term]] = []
  private var set: [Term] = []
  /// Whether the next term starts a new set.
  private var startsSet = false
  private var isAfterBar = false

  init(rule: CaseRule, isExact: Bool) {
    self.rule = rule
    self.isExact = isExact
  }

  private static let space = UInt32(UInt8(ascii: " "))
  private static let tab = UInt32(UInt8(ascii: "\t"))
  private static let backslash = UInt32(UInt8(ascii: "\\"))
  private static let bar = UInt32(UInt8(ascii: "|"))
  private static let exclamation = UInt32(UInt8(ascii: "!"))
  private static let dollar = UInt32(UInt8(ascii: "$"))
  private static let quote = UInt32(UInt8(ascii: "'"))
  private static let caret = UInt32(UInt8(ascii: "^"))

  mutating func parse(_ text: some StringProtocol) {
    var token: [UInt32] = []
    var isEscaped = false
    for scalar in text.unicodeScalars {
      let point = scalar.value
      if point == Self.space, !isEscaped {
        if !token.isEmpty { append(token) }
        token.removeAll(keepingCapacity: true)
      } else {
        if point == Self.space { token.removeLast() }
        token.append(point == Self.tab ? Self.space : point)
      }
      isEscaped = point == Self.backslash
    }
    if !token.isEmpty { append(token) }
    if !set.isEmpty { sets.append(set) }
  }

  private mutating func append(_ token: [UInt32]) {
    if !set.isEmpty, !isAfterBar, token == [Self.bar] {
      startsSet = false
      isAfterBar = true
      return
    }
    isAfterBar = false
    guard let term = term(token[...]) else { return }
    if startsSet {
      sets.append(set)
      set = []
    }
    set.append(term)
    startsSet = true
  }

  /// Returns the term of a word, or `nil` if it has no characters.
  private func term(_ word: ArraySlice<UInt32>) -> Term? {
    var text = word
    var kind = isExact ? Term.Kind.substring : .fuzzy
    let isNegated = text.first == Self.exclamation
    if isNegated {
      kind = .substring
      text.removeFirst()
    }
    if text.count > 1, text.last == Self.dollar {
      kind = .suffix
      text.removeLast()
    }
    if text.count > 2, text.first == Self.quote, text.last == Self.quote {
      kind = .word
      text = text.dropFirst().dropLast()
    } else if text.first == Self.quote {
      kind = isNegated || isExact ? .fuzzy : .substring
      text.removeFirst()
    } else if text.first == Self.caret {
      kind = kind == .suffix ? .equal : .prefix
      text.removeFirst()
    }
    guard !text.isEmpty else { return nil }
    let table = CharacterTable.shared
    let ignoresCase =
      switch rule {
      case .ignore: true
      case .respect: false
      case .smart: !text.contains { table.characterClass($0) == .upper }
      }
    return Term(
      kind: kind, isNegated: isNegated, ignoresCase: ignoresCase,
      points: ignoresCase ? text.map(table.fold) : Array(text))
  }
}
