/// Views of two lists as plain functions of these, evaluated anew for each question.
struct ModelViews {
  /// An item of an ordinary list.
  struct Item: Hashable {
    var id: Int
    var n: Int
    var g: Int
    var parent: Int?

    var isMatch: Bool { n % 2 == 0 }

    var text: String {
      let up = parent.map { ",\"up\":\($0)" } ?? ""
      return "{\"id\":\(id),\"n\":\(n),\"g\":\(g),\"text\":\"\(isMatch ? "a" : "b")\"\(up)}"
    }
  }

  /// The identity of an item: the ordinary list and its identifier there.
  struct Name: Hashable {
    var list: String
    var id: Int
  }

  /// A row that a list shows.
  struct Row {
    var name: Name
    var item: Item
    var text: String
    var source = 0
    var section = 0
  }

  struct Section {
    /// Own members as JSON, without braces.
    var own: String
    var rows: [Row] = []
  }

  enum Division { case keep, merge, groups }

  struct Definition {
    var least = 0
    var hasMatch = false
    var isDistinct = false
    /// The number of levels that are open at first; `nil` without a tree.
    var openLevels: Int?
    /// The member that the items are sorted by, and whether that is descending.
    var sort: (member: String, isDescending: Bool)?
    var division = Division.keep
    var window: Range<Int>?
    var sharesSelection = false

    var text: String {
      var members: [String] = []
      if least > 0 { members.append("\"where\":{\"member\":\"n\",\"from\":\(least)}") }
      if hasMatch { members.append("\"match\":{\"query\":\"a\"}") }
      if isDistinct { members.append("\"distinct\":\"g\"") }
      if let openLevels { members.append("\"tree\":{\"parent\":\"up\",\"open\":\(openLevels)}") }
      let sorts = sort.map {
        "{\"by\":\"\($0.member)\",\"order\":\"\($0.isDescending ? "descending" : "ascending")\"}"
      }
      if sort != nil || hasMatch { members.append("\"sort\":[\(sorts ?? "")]") }
      switch division {
      case .keep: break
      case .merge: members.append("\"sections\":\"merge\"")
      case .groups: members.append("\"sections\":{\"by\":\"g\"}")
      }
      if let window {
        members.append("\"window\":{\"start\":\(window.lowerBound),\"count\":\(window.count)}")
      }
      if sharesSelection { members.append("\"selection\":\"source\"") }
      return "{\(members.joined(separator: ","))}"
    }
  }

  static let sources = ["u": ["a"], "v": ["a", "b"], "w": ["v"]]

  /// The ordinary lists that exist.
  var lists: [String: [Item]] = ["a": [], "b": []]
  var definitions: [String: Definition] = [:]

  /// By view what somebody has expanded and collapsed.
  var states: [String: [Name: Bool]] = ["u": [:], "v": [:], "w": [:]]

  /// What a list shows.
  func sections(of name: String) -> [Section] {
    guard let definition = definitions[name] else {
      guard let items = lists[name] else { return [] }
      let rows = items.map {
        Row(name: Name(list: name, id: $0.id), item: $0, text: $0.text)
      }
      return [Section(own: "\"id\":\"main\"", rows: rows)]
    }
    let all = shown(name)
    guard let window = definition.window else { return all }
    let start = self.start(window, of: all)
    var index = 0
    var result: [Section] = []
    for var section in all {
      let end = index + section.rows.count
      section.rows = section.rows.enumerated().filter {
        (start..<start + window.count).contains(index + $0.offset)
      }.map(\.element)
      index = end
      if !section.rows.isEmpty { result.append(section) }
    }
    return result
  }

  /// The numbers of a view as JSON.
  func numbers(of name: String) -> String {
    let definition = definitions[name]!
    let all = shown(name)
    let start = definition.window.map { self.start($0, of: all) } ?? 0
    let base = base(of: name).flatMap(\.rows)
    let matched = kept(base, definition).count
    var text = "\"start\":\(start),\"matched\":\(matched),\"total\":\(base.count)"
    if definition.openLevels != nil { text += ",\"shown\":\(all.reduce(0) { $0 + $1.rows.count })" }
    return "\"view\":{\(text)}"
  }

  /// The tree of a view; `nil` if it is not an outline.
  func outline(of name: String) -> ModelOutline? {
    guard let definition = definitions[name], definition.openLevels != nil else { return nil }
    let rows = base(of: name).flatMap(\.rows)
    return ModelOutline(rows, kept(rows, definition), definition, states[name]!)
  }

  /// Forgets the states of items that views do not have any more.
  mutating func forgetStates() {
    for name in ["u", "v", "w"] {
      let names = Set(base(of: name).flatMap(\.rows).map(\.name))
      let isOutline = definitions[name]?.openLevels != nil
      states[name] = states[name]!.filter { isOutline && names.contains($0.key) }
    }
  }

  private func start(_ window: Range<Int>, of all: [Section]) -> Int {
    let count = all.reduce(0) { $0 + $1.rows.count }
    return min(window.lowerBound, max(0, count - window.count))
  }

  /// The sections of a view's sources.
  private func base(of name: String) -> [Section] {
    if definitions[name] == nil { return [] }
    var result: [Section] = []
    for (number, source) in Self.sources[name]!.enumerated() {
      for var section in sections(of: source) {
        for row in section.rows.indices {
          section.rows[row].source = number
          section.rows[row].section = result.count
        }
        section.own = Self.renamed(section.own, source)
        result.append(section)
      }
    }
    return result
  }

  /// Own members with an identifier that begins with the name of the source.
  private static func renamed(_ own: String, _ source: String) -> String {
    let rest = own.utf8.dropFirst("\"id\":".utf8.count)
    let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
    let id = String(decoding: rest[..<end].filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    return "\"id\":\"\(source)/\(id)\"" + String(decoding: rest[end...], as: UTF8.self)
  }

  private func kept(_ rows: [Row], _ definition: Definition) -> [Row] {
    var rows = rows.filter {
      $0.item.n >= definition.least && (!definition.hasMatch || $0.item.isMatch)
    }
    var seen: Set<Int> = []
    if definition.isDistinct { rows.removeAll { !seen.insert($0.item.g).inserted } }
    return rows
  }

  /// A view without its window.
  private func shown(_ name: String) -> [Section] {
    let (definition, base) = (definitions[name]!, base(of: name))
    if let outline = outline(of: name) { return outline.sections(base) }
    let kept = self.kept(base.flatMap(\.rows), definition)
    return Self.divided(Self.sorted(kept, definition), base, definition)
  }

  static func sorted(_ rows: [Row], _ definition: Definition) -> [Row] {
    guard let sort = definition.sort else { return rows }
    func key(_ row: Row) -> Int { sort.member == "n" ? row.item.n : row.source }
    return rows.enumerated().sorted { a, b in
      let (one, other) = (key(a.element), key(b.element))
      if one != other { return sort.isDescending ? one > other : one < other }
      return a.offset < b.offset
    }.map(\.element)
  }

  /// Sorted rows in sections; those without rows only if nothing hides them.
  static func divided(_ rows: [Row], _ base: [Section], _ definition: Definition) -> [Section] {
    var result: [Section] = []
    switch definition.division {
    case .keep:
      result = base.enumerated().map { number, section in
        Section(own: section.own, rows: rows.filter { $0.section == number })
      }
    case .merge: result = [Section(own: "\"id\":\"main\"", rows: rows)]
    case .groups:
      for row in rows where !result.contains(where: { $0.rows[0].item.g == row.item.g }) {
        result.append(Section(own: "", rows: rows.filter { $0.item.g == row.item.g }))
      }
    }
    let hides =
      definition.least > 0 || definition.hasMatch || definition.isDistinct
      || definition.window != nil
    if hides { result.removeAll(where: \.rows.isEmpty) }
    return describe(result, definition)
  }

  /// Describes groups by what they show.
  static func describe(_ sections: [Section], _ definition: Definition) -> [Section] {
    guard case .groups = definition.division else { return sections }
    return sections.map { section in
      let g = section.rows[0].item.g
      let header = "{\"text\":\"\(g)\",\"value\":\(g),\"count\":\(section.rows.count)}"
      return Section(own: "\"id\":\(g),\"header\":\(header)", rows: section.rows)
    }
  }
}
