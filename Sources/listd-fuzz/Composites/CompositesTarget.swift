import JSONBytes
import ListServer

/// Lists that the input applies, edits, composes and removes. After each step every list must have
/// the content that a simple model computes, items must be found at their positions in it, and at
/// the end all lists must be restored from the journal.
///
/// Promise: Lists that are composed, changed and removed in any order always equal plain arrays,
///   and their items are found.
enum CompositesTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    var lists = ComposedLists()
    // A step is two bytes: the operation with its list, and the argument.
    for step in stride(from: 0, to: bytes.count - 1, by: 2) {
      lists.step(bytes[step], Int(bytes[step + 1]))
    }
    lists.finish()
  }
}

private struct ComposedLists: ~Copyable {
  private static let names = ["a", "b", "c", "d", "e", "f"]
  private var session: Session
  private var model = ModelLists()
  private var written = JournalLines()

  init() {
    session = SessionTarget.session(journal: written)
    for name in Self.names { _ = ask("subscribe", "{\"list\":\"\(name)\"}") }
  }

  mutating func step(_ action: UInt8, _ argument: Int) {
    let name = Self.names[Int(action & 7) % Self.names.count]
    switch action >> 3 & 3 {
    case 0: apply(name, argument)
    case 1: edit(name, argument)
    case 2: compose(name, argument)
    default: remove(name)
    }
    for name in model.names { check(name, argument) }
  }

  mutating func finish() {
    let state = SessionTarget.state(of: &session)
    SessionTarget.restore(written.bytes, and: state)
  }

  // MARK: Changes

  /// Applies up to three sections with up to three of eight items.
  private mutating func apply(_ name: String, _ argument: Int) {
    var sections: [ModelLists.Section] = []
    for number in 0..<argument & 3 {
      let first = argument >> 2 & 7
      let count = (argument >> 5 + number) & 3
      sections.append(
        ModelLists.Section(
          id: "\((number + first) % 4)", header: argument >> 6,
          items: (0..<count).map { ModelLists.Item(id: (first + number + $0) % 8) }))
    }
    let text = sections.map(\.text).joined(separator: ",")
    let reply = ask("applySnapshot", "{\"list\":\"\(name)\",\"sections\":[\(text)]}")
    if model.sources(of: name) != nil { return expect("readOnlyList", reply) }
    expect(nil, reply)
    model.apply(sections, to: name)
  }

  /// Appends an item to the first section, or deletes the first item.
  private mutating func edit(_ name: String, _ argument: Int) {
    guard var sections = model.sections(of: name) else { return }
    let item = argument & 7
    let edit: String
    if argument & 8 > 0 {
      edit = "{\"edit\":\"deleteItems\",\"items\":[{\"path\":[0,0]}]}"
    } else {
      let id = sections.first?.id ?? "9"
      edit = "{\"edit\":\"appendItems\",\"items\":[\(item)],\"section\":\(id)}"
    }
    let reply = ask("editSnapshot", "{\"list\":\"\(name)\",\"edits\":[\(edit)]}")
    if !model.contains(name) { return expect("listNotFound", reply) }
    if model.sources(of: name) != nil { return expect("readOnlyList", reply) }
    if argument & 8 > 0 {
      guard sections.first?.items.isEmpty == false else { return expect("itemNotFound", reply) }
      sections[0].items.removeFirst()
    } else {
      guard !sections.isEmpty else { return expect("sectionNotFound", reply) }
      sections[0].items.append(ModelLists.Item(id: item))
    }
    expect(nil, reply)
    model.apply(sections, to: name)
  }

  private mutating func compose(_ name: String, _ argument: Int) {
    var sources = Self.names.indices.filter { argument >> $0 & 1 > 0 }.map { Self.names[$0] }
    if argument & 64 > 0 { sources.reverse() }
    if argument & 128 > 0, let first = sources.first { sources = sources.dropFirst() + [first] }
    let list = sources.map { "\"\($0)\"" }.joined(separator: ",")
    let params = "{\"list\":\"\(name)\",\"sources\":[\(list)]}"
    if model.contains(name), model.sources(of: name) == nil {
      return expect("invalidParams", ask("compose", params))
    }
    if model.leads(from: sources, to: name) {
      return expect("compositionCycle", ask("compose", params))
    }
    var composed = model
    composed.compose(name, of: sources)
    // Larger lists are slow and find no additional errors.
    guard composed.names.allSatisfy({ composed.sections(of: $0) != nil }) else { return }
    expect(nil, ask("compose", params))
    model = composed
  }

  private mutating func remove(_ name: String) {
    let reply = ask("removeList", "{\"list\":\"\(name)\"}")
    expect(model.contains(name) ? nil : "listNotFound", reply)
    model.remove(name)
  }

  // MARK: Checks

  private mutating func check(_ name: String, _ argument: Int) {
    guard let sections = model.sections(of: name) else { return }
    let text = sections.map(\.text).joined(separator: ",")
    let reply = ask("getSnapshot", "{\"list\":\"\(name)\"}")
    precondition(reply.utf8.contains(",\"sections\":[\(text)],".utf8), "\(reply) is not \(text)")
    var rows: [(at: String, item: ModelLists.Item)] = []
    for (section, content) in sections.enumerated() {
      for (row, item) in content.items.enumerated() { rows.append(("[\(section),\(row)]", item)) }
    }
    checkItems(of: name, rows, argument)
    checkPaths(of: name, rows)
  }

  /// Checks that references are found, both one by one and together.
  private mutating func checkItems(
    of name: String, _ rows: [(at: String, item: ModelLists.Item)], _ argument: Int
  ) {
    var references: [String] = []
    var wanted: [String] = []
    for id in [argument & 7, argument >> 2 & 7] {
      for source in [nil, name] + Self.names.map(Optional.some) {
        for occurrence in 0..<3 {
          let named = source.map { ",\"source\":\"\($0)\"" } ?? ""
          references.append("{\"id\":\(id),\"occurrence\":\(occurrence)\(named)}")
          let found = rows.filter { row in
            guard let source, source != name else { return row.item.id == id }
            return row.item.id == id && row.item.sources.contains(source)
          }
          wanted.append(occurrence < found.count ? "{\"at\":\(found[occurrence].at)}" : "null")
        }
      }
    }
    let one = argument % references.count
    for range in [references.indices, one..<one + 1] {
      let asked = references[range].joined(separator: ",")
      let reply = Self.withoutSectionIDs(
        ask("locate", "{\"list\":\"\(name)\",\"items\":[\(asked)]}"))
      let wanted = wanted[range].joined(separator: ",")
      precondition(reply.utf8.contains("\"items\":[\(wanted)]".utf8), "\(reply) is not \(wanted)")
    }
  }

  /// A reply without the ids of sections, which the model does not compute.
  private static func withoutSectionIDs(_ answer: String) -> String {
    let parts = answer.split(separator: ",\"sectionId\":", omittingEmptySubsequences: false)
    let rest = parts.dropFirst().map { $0.drop { $0 != "," && $0 != "}" } }
    return ([parts[0]] + rest).joined()
  }

  private mutating func checkPaths(
    of name: String, _ rows: [(at: String, item: ModelLists.Item)]
  ) {
    var counts: [Int: Int] = [:]
    let wanted = rows.map { row in
      let count = counts[row.item.id, default: 0]
      counts[row.item.id] = count + 1
      return "{\"id\":\(row.item.id),\"occurrence\":\(count),\"content\":\(row.item.id)}"
    }.joined(separator: ",")
    let paths = rows.map(\.at).joined(separator: ",")
    let reply = Self.withoutSectionIDs(
      ask("locate", "{\"list\":\"\(name)\",\"paths\":[\(paths)]}"))
    precondition(reply.utf8.contains("\"paths\":[\(wanted)]".utf8), "\(reply) is not \(wanted)")
  }

  private mutating func ask(_ method: String, _ params: String) -> String {
    SessionTarget.ask(method, params, &session)
  }
}
