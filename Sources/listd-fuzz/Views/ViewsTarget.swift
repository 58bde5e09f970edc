import ListServer

/// Two lists that are applied and edited, and views and outlines of them that are composed, expanded and
/// collapsed as the bytes say: each view is at every moment what a plain model makes of the lists, and
/// all comes back from the journal.
enum ViewsTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    var views = WatchedViews()
    // Each step is three bytes: what is done to which list, and with what.
    for step in stride(from: 0, to: bytes.count - 2, by: 3) {
      views.step(bytes[step], Int(bytes[step + 1]) | Int(bytes[step + 2]) << 8)
    }
    views.finish()
  }
}

private struct WatchedViews: ~Copyable {
  private static let names = ["u", "v", "w"]
  private var session: Session
  private var model = ModelViews()
  private var written = JournalLines()
  private var stepCount = 0

  init() {
    session = SessionTarget.session(journal: written)
    for list in ["a", "b"] {
      apply(list, 0)
    }
    for name in Self.names { compose(name, 0) }
    for name in Self.names { _ = ask("subscribe", "{\"list\":\"\(name)\"}") }
  }

  mutating func step(_ action: UInt8, _ argument: Int) {
    let list = action & 8 > 0 ? "b" : "a"
    let name = Self.names[Int(action >> 4) % 3]
    switch action & 7 {
    case 0: apply(list, argument)
    case 1: put(list, argument)
    case 2: delete(list, argument)
    case 3: move(list, argument)
    case 4, 5: compose(name, argument)
    default: expand(name, argument)
    }
    model.forgetStates()
    for name in Self.names { checkRows(of: name) }
    stepCount += 1
    // A request for the whole snapshot ends that a view is kept as trees.
    if stepCount % 8 == 0 { for name in Self.names { check(name) } }
  }

  mutating func finish() {
    for name in Self.names { check(name) }
    let state = SessionTarget.state(of: &session)
    SessionTarget.restore(written.bytes, and: state)
  }

  // MARK: Changes

  private func item(_ id: Int, _ argument: Int) -> ModelViews.Item {
    let parent = argument >> 4 & 15
    return ModelViews.Item(
      id: id, n: argument & 3, g: argument >> 2 & 3, parent: parent < 8 ? parent : nil)
  }

  /// Up to eight items, in an order that the argument says.
  private mutating func apply(_ list: String, _ argument: Int) {
    let ids = (0..<8).filter { argument >> $0 & 1 > 0 }.map { $0 * (argument >> 8 | 1) % 8 }
    var items: [ModelViews.Item] = []
    for id in ids where !items.contains(where: { $0.id == id }) {
      items.append(item(id, argument >> (id & 7)))
    }
    let text = items.map(\.text).joined(separator: ",")
    let params = "{\"list\":\"\(list)\",\"sections\":[{\"id\":\"main\",\"items\":[\(text)]}]}"
    expect(nil, ask("applySnapshot", params))
    model.lists[list] = items
  }

  private mutating func put(_ list: String, _ argument: Int) {
    let item = self.item(argument >> 8 & 7, argument)
    expect(nil, edit(list, "{\"edit\":\"putItems\",\"items\":[\(item.text)]}"))
    if let index = model.lists[list]!.firstIndex(where: { $0.id == item.id }) {
      model.lists[list]![index] = item
    } else {
      model.lists[list]!.append(item)
    }
  }

  private mutating func delete(_ list: String, _ argument: Int) {
    let id = argument & 7
    let reply = edit(list, "{\"edit\":\"deleteItems\",\"items\":[\(id)]}")
    guard let index = model.lists[list]!.firstIndex(where: { $0.id == id }) else {
      return expect("itemNotFound", reply)
    }
    expect(nil, reply)
    model.lists[list]!.remove(at: index)
  }

  private mutating func move(_ list: String, _ argument: Int) {
    let (id, other) = (argument & 7, argument >> 3 & 7)
    guard id != other, let index = model.lists[list]!.firstIndex(where: { $0.id == id }),
      model.lists[list]!.contains(where: { $0.id == other })
    else { return }
    expect(nil, edit(list, "{\"edit\":\"moveItems\",\"items\":[\(id)],\"before\":\(other)}"))
    let item = model.lists[list]!.remove(at: index)
    model.lists[list]!.insert(item, at: model.lists[list]!.firstIndex { $0.id == other }!)
  }

  private mutating func compose(_ name: String, _ argument: Int) {
    var view = ModelViews.Definition()
    view.least = max(0, (argument & 7) - 4)
    view.hasMatch = argument >> 3 & 3 == 3
    view.openLevels = argument >> 5 & 1 > 0 ? argument >> 6 & 3 : nil
    view.isDistinct = view.openLevels == nil && argument >> 6 & 3 == 3
    switch argument >> 8 & 3 {
    case 0: view.sort = nil
    case 1: view.sort = ("n", false)
    case 2: view.sort = ("n", true)
    default: view.sort = ("$source", true)
    }
    view.division = [.keep, .keep, .merge, .groups][argument >> 10 & 3]
    let start = argument >> 12 & 7
    if argument >> 15 > 0 { view.window = start..<start + 3 }
    let sources = ModelViews.sources[name]!.map { "\"\($0)\"" }.joined(separator: ",")
    let params = "{\"list\":\"\(name)\",\"sources\":[\(sources)],\"view\":\(view.text)}"
    expect(nil, ask("compose", params))
    model.definitions[name] = view
  }

  private mutating func expand(_ name: String, _ argument: Int) {
    let item = ModelViews.Name(list: argument & 1 > 0 ? "b" : "a", id: argument >> 1 & 7)
    let kind = ["expand", "collapse"][argument >> 4 & 1]
    let isDeep = argument >> 5 & 1 > 0
    let isAll = argument >> 6 & 3 == 0
    let isReveal = argument >> 6 & 3 == 1
    let reference = "[{\"id\":\(item.id),\"source\":\"\(item.list)\"}]"
    let reply =
      isAll
      ? edit(name, "{\"edit\":\"\(kind)All\"}")
      : isReveal
        ? edit(name, "{\"edit\":\"revealItems\",\"items\":\(reference)}")
        : edit(name, "{\"edit\":\"\(kind)Items\",\"items\":\(reference),\"deep\":\(isDeep)}")
    guard let outline = model.outline(of: name) else { return expect("readOnlyList", reply) }
    let members = outline.members
    guard isAll || members.contains(where: { $0.name == item }) else {
      return expect("itemNotFound", reply)
    }
    expect(nil, reply)
    var states = model.states[name]!
    if isReveal {
      for ancestor in outline.ancestors(of: item) { states[ancestor] = true }
    } else {
      if !isAll { states[item] = kind == "expand" }
      for member in members where member.isBranch {
        let isBelow = isDeep && outline.ancestors(of: member.name).contains(item)
        if isAll || isBelow { states[member.name] = kind == "expand" }
      }
    }
    model.states[name] = states
  }

  // MARK: Checks

  private mutating func checkRows(of name: String) {
    let rows = model.sections(of: name).enumerated().flatMap { section, shown in
      shown.rows.enumerated().map { "{\"at\":[\(section),\($0)],\"content\":\($1.text)}" }
    }.joined(separator: ",")
    let window = "{\"start\":0,\"count\":1000}"
    let reply = ask("getSnapshot", "{\"list\":\"\(name)\",\"window\":\(window)}")
    let isRight = reply.utf8.contains(",\"rows\":[\(rows)],".utf8)
    precondition(isRight, "\(reply) is not \(rows) of \(model.definitions[name]!.text)")
    let numbers = model.numbers(of: name)
    precondition(reply.utf8.contains(numbers.utf8), "\(reply) has not \(numbers)")
  }

  private mutating func check(_ name: String) {
    let sections = model.sections(of: name).map { section in
      "{\(section.own),\"items\":[\(section.rows.map(\.text).joined(separator: ","))]}"
    }.joined(separator: ",")
    let reply = ask("getSnapshot", "{\"list\":\"\(name)\"}")
    let isRight = reply.utf8.contains(",\"sections\":[\(sections)],".utf8)
    precondition(isRight, "\(reply) is not \(sections) of \(model.definitions[name]!.text)")
    let numbers = model.numbers(of: name)
    precondition(reply.utf8.contains(numbers.utf8), "\(reply) has not \(numbers)")
  }

  private mutating func edit(_ list: String, _ edit: String) -> String {
    ask("editSnapshot", "{\"list\":\"\(list)\",\"edits\":[\(edit)]}")
  }

  private mutating func ask(_ method: String, _ params: String) -> String {
    SessionTarget.ask(method, params, &session)
  }
}
