import FuzzyMatch
import JSONBytes
import ListState
import ListViews

/// Reads the definition of a view.
struct ViewReader {
  private var definition: ViewDefinition

  /// The reference to the item that the window is anchored to.
  private var anchor: Value?

  /// The first place that names ``level``.
  private var levels: Value?

  /// The names that begin with `$` and have a meaning everywhere: none. `nil` if any are accepted, because
  /// the definition was accepted before, maybe by an earlier version.
  private let words: [String]?

  /// The member that rows of outlines have, and by which a view of them may filter and sort.
  static let level = "$level"

  /// Reads a definition. Returns also the reference to the item that the window is anchored to, and the
  /// first place that names ``level``, which only views of outlines may.
  ///
  /// - Throws: -32602 with a pointer to the member that is unknown or of the wrong kind.
  static func read(
    _ value: Value, isRestored: Bool = false
  ) throws(Failure) -> (definition: ViewDefinition, anchor: Value?, levels: Value?) {
    let definition = ViewDefinition(source: Array(value.bytes))
    var reader = ViewReader(definition, words: isRestored ? nil : [])
    try reader.read(value)
    return (reader.definition, reader.anchor, reader.levels)
  }

  private init(_ definition: ViewDefinition, words: [String]?) {
    self.definition = definition
    self.words = words
  }

  private static let members: ParamNames = [
    .where, .match, .distinct, .tree, .sort, .sections, .window, .selection, .selectionMode,
    .allowsEmptySelection,
  ]

  private mutating func read(_ value: Value) throws(Failure) {
    let params = try Params(value, known: Self.members)
    for name in Self.members.names where name != .window {
      guard let member = params[name] else { continue }
      definition.sourceWithoutWindow +=
        Array(name.rawValue.utf8) + [0x3A] + Array(member.bytes) + [0x2C]
    }
    if let value = params[.where] {
      var condition = Condition()
      try read(value, into: &condition)
      definition.condition = condition
    }
    definition.match = try params[.match].map { [words] value throws(Failure) in
      try ViewMatch(value, words: words)
    }
    definition.sortsByScore = definition.match != nil && params[.sort] == nil
    if let value = params[.distinct] {
      if params[.tree] != nil { throw value.failure(expected: "nothing beside \"tree\"") }
      definition.distinct = try member(value)
    }
    if let value = params[.tree] { definition.outline = try outline(value) }
    if let value = params[.sort] {
      for key in try value.requireElements() { definition.sort.append(try sortKey(key)) }
    }
    if let value = params[.sections] { definition.sections = try sections(value) }
    if let value = params[.window] { definition.window = try window(value) }
    if let value = params[.selection] {
      definition.selectsInSources = try value.requireWord("own", "source") == 1
    }
    definition.selectionMode = try params[.selectionMode]?.requireSelectionMode()
    definition.allowsEmptySelection = try params[.allowsEmptySelection]?.requireBoolean()
  }

  /// Returns the index of the member that a value names. `own` are the names that begin with `$` and have
  /// a meaning there.
  private mutating func member(_ value: Value, own: [String] = []) throws(Failure) -> Int {
    let name = try value.requireMember(words: words.map { $0 + own })
    if name.elementsEqual(Self.level.utf8) { levels = levels ?? value }
    return definition.members.index(of: name)
  }

  private func outline(_ value: Value) throws(Failure) -> OutlineRules {
    let params = try Params(value, known: [.parent, .open])
    let parent = try params.require(.parent, expected: "the name of a member")
    var outline = OutlineRules(parent: try parent.requireMember(words: words))
    guard let open = params[.open] else { return outline }
    switch (open.integer, open.text) {
    case (let levels?, _) where levels >= 0: outline.openLevels = levels
    case (_, "none"): break
    case (_, "all"): outline.openLevels = .max
    default:
      throw open.failure(expected: "\"none\", \"all\" or an integer that is 0 or more")
    }
    return outline
  }

  private mutating func sortKey(_ value: Value) throws(Failure) -> SortKey {
    let params = try Params(value, known: [.by, .order, .as])
    let by = try params.require(.by, expected: "the name of a member, or \"$source\"")
    var key: SortKey
    switch try by.requireText() {
    case "$source": key = SortKey(.source)
    case "$score", "$length":
      guard definition.match != nil else { throw by.failure(expected: "a view with \"match\"") }
      key = SortKey(try by.requireText() == "$score" ? .score : .length)
      key.isDescending = try by.requireText() == "$score"
    default:
      let ranks = definition.match == nil ? [] : ["$score", "$length"]
      key = SortKey(.member(try member(by, own: ["$source"] + ranks + [Self.level])))
    }
    if let order = params[.order] {
      key.isDescending = try order.requireWord("ascending", "descending") == 1
    }
    key.isNatural = try params[.as]?.requireWord("value", "natural") == 1
    return key
  }

  private mutating func sections(_ value: Value) throws(Failure) -> ViewDefinition.Sections {
    guard value.kind == .object else {
      guard value.kind == .string else {
        throw value.failure(expected: "\"keep\", \"merge\" or {by}")
      }
      return try value.requireWord("keep", "merge") == 1 ? .merge : .keep
    }
    let params = try Params(value, known: [.by])
    return .by(try member(try params.require(.by, expected: "the name of a member")))
  }

  private mutating func window(_ value: Value) throws(Failure) -> ViewWindow {
    let params = try Params(value, known: [.start, .count])
    let count = try params.requireCount(.count)
    guard let start = params[.start] else { return ViewWindow(start: 0, count: count) }
    guard start.kind == .object else {
      guard start.kind == .number else {
        throw start.failure(expected: "an integer that is 0 or more, or {item}")
      }
      return ViewWindow(start: try start.requireCount(), count: count)
    }
    let anchored = try Params(start, known: [.item, .before])
    anchor = try anchored.require(.item, expected: "a reference to an item")
    return ViewWindow(before: try anchored[.before]?.requireCount() ?? 0, count: count)
  }

  // MARK: Conditions

  private static let kinds = ["all", "any", "not", "member"]
  private static let tests = ["is", "in", "from", "to", "contains", "exists"]

  private mutating func read(_ value: Value, into condition: inout Condition) throws(Failure) {
    guard let members = value.members else { throw value.failure(expected: "a condition") }
    var given: [String: Value] = [:]
    var order: [String] = []
    for (name, value) in members {
      guard Self.kinds.contains(name) || Self.tests.contains(name) else {
        if name.hasPrefix("_") || name.hasPrefix("$") { continue }
        throw Params.unknown(name, value, Self.kinds + Self.tests)
      }
      // Null is a value to compare with; any other member that is null is absent.
      if value.kind == .null, !["is", "contains"].contains(name) {
        given[name] = nil
      } else {
        if given[name] == nil { order.append(name) }
        given[name] = value
      }
    }
    order.removeAll { given[$0] == nil }
    func kindOf(_ name: String) -> String { Self.tests.contains(name) ? "member" : name }
    guard let kind = order.first.map(kindOf) else {
      throw .missing(value.pointer, expected: "one of " + Self.kinds.joined(separator: ", "))
    }
    if let other = order.first(where: { kindOf($0) != kind }) {
      throw given[other]!.failure(expected: "nothing beside \"\(kind)\"")
    }
    guard let first = given[kind] else {
      throw .missing(
        value.pointer.appending(member: "member"), expected: "the name of a member")
    }
    switch kind {
    case "all", "any":
      let elements = try first.requireElements()
      func readAll(_ condition: inout Condition) throws(Failure) {
        for element in elements { try read(element, into: &condition) }
      }
      if kind == "all" { try condition.addAll(readAll) } else { try condition.addAny(readAll) }
    case "not":
      try condition.addNot { condition throws(Failure) in try read(first, into: &condition) }
    default:
      let test = try test(given, order.filter { $0 != "member" }, value)
      condition.add(test, of: try member(first, own: [Self.level]))
    }
  }

  /// Returns the test of a condition whose members are `given`, in the order `order`.
  private func test(
    _ given: [String: Value], _ order: [String], _ value: Value
  ) throws(Failure) -> Condition.Test {
    guard let kind = order.first else {
      throw .missing(
        value.pointer,
        expected: "one of is, in, from, to, contains and exists beside \"member\"")
    }
    let isRange = ["from", "to"].contains(kind)
    if let other = order.dropFirst().first(where: { !isRange || !["from", "to"].contains($0) }) {
      throw given[other]!.failure(expected: "nothing beside \"member\" and \"\(kind)\"")
    }
    let operand = given[kind]!
    switch kind {
    case "is": return .isOne(of: ValueSet([operand.bytes]))
    case "in": return .isOne(of: ValueSet(try operand.requireElements().map(\.bytes)))
    case "exists": return .exists(try operand.requireBoolean())
    case "contains":
      return .contains(
        substring: operand.string.map(Substring.init), element: ValueSet([operand.bytes]))
    default:
      for bound in [given["from"], given["to"]] {
        guard let bound, [.null, .object, .array].contains(bound.kind) else { continue }
        throw bound.failure(expected: "a string, a number or a boolean")
      }
      return .isBetween(ValueBounds(from: given["from"]?.bytes, to: given["to"]?.bytes))
    }
  }
}

extension Value {
  /// Returns the names of members in an array, as ``requireMember(words:)``.
  func requireMembers(words: [String]?) throws(Failure) -> [[UInt8]] {
    try requireElements { name throws(Failure) in try name.requireMember(words: words) }
  }

  /// Returns the name of a member. If it begins with `$`, it must be one of `words`, if these are given.
  func requireMember(words: [String]?) throws(Failure) -> [UInt8] {
    let name = try requireString()
    guard let words, name.first == 0x24 else { return name }
    let word = String(decoding: name, as: UTF8.self)
    guard words.contains(word) else { throw .unknownMember(word, words, at: pointer) }
    return name
  }
}

extension ViewMatch {
  /// Reads a query and the members that it is matched against.
  ///
  /// - Parameter words: The names that may begin with `$`; `nil` if any may.
  init(_ value: Value, words: [String]? = []) throws(Failure) {
    let params = try Params(value, known: [.query, .members, .case])
    let query = try params.require(.query).requireText()
    var names = [Array("text".utf8)]
    if let members = params[.members] {
      names = try members.requireMembers(words: words)
      guard !names.isEmpty else { throw members.failure(expected: "the names of members") }
    }
    let rule = try params[.case]?.requireChoice(of: CaseRule.self) ?? .smart
    self.init(Query(query, case: rule), in: names)
  }
}
