import ListServer

/// Two lists that are applied, edited and removed, and views and outlines of them that are composed,
/// expanded, collapsed and removed as the bytes say: each view is at every moment what a plain model makes
/// of the lists, rows of old revisions are the items that they were, and all comes back from the journal.
///
/// Promise: Views and outlines of lists that are edited, composed, expanded and collapsed in any
///   order always equal plain functions of the lists, and are restored from the journal.
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

  /// The items of the rows that lists showed, by list and revision.
  private var past: [String: [Int: [[ModelViews.Name]]]] = [:]

  init() {
    session = SessionTarget.session(journal: written)
    for list in ["a", "b"] {
      apply(list, 0)
    }
    for name in Self.names { compose(name, 0) }
    // The texts that subscribers are sent are checked by the session.
    let templates = "{\"Cell\":\"{text:#A}{n:>3#B}\",\"Header\":\"{text}\"}"
    _ = ask("registerTemplates", "{\"templates\":\(templates)}")
    for name in Self.names + ["a"] {
      let options = name < "v" ? ",\"format\":\"textEdits\",\"spans\":true" : ""
      _ = ask("subscribe", "{\"list\":\"\(name)\"\(options)}")
    }
  }

  mutating func step(_ action: UInt8, _ argument: Int) {
    let list = action & 8 > 0 ? "b" : "a"
    let name = Self.names[Int(action >> 4) % 3]
    switch (action & 7, action >> 6) {
    case (4...5, 1): refer(name, argument, isView: true)
    case (6...7, 1): refer(list, argument, isView: false)
    case (4...5, 2): remove(name, argument, isView: true)
    case (6...7, 2): remove(list, argument, isView: false)
    case (4...5, 3): compose(name, argument, sharesSelection: true)
    case (6...7, 3): select(action & 8 > 0 ? list : name, argument)
    default: change(list, name, action & 7, argument)
    }
    model.forgetStates()
    for name in Self.names + ["a", "b"] { checkRows(of: name) }
    stepCount += 1
    // A request for the whole snapshot ends that a view is kept as trees.
    if stepCount % 8 == 0 { for name in Self.names { check(name) } }
  }

  private mutating func change(
    _ list: String, _ name: String, _ action: UInt8, _ argument: Int
  ) {
    switch action {
    case 0: apply(list, argument)
    case 1: put(list, argument)
    case 2: delete(list, argument)
    case 3: move(list, argument)
    case 4, 5: compose(name, argument)
    default: expand(name, argument)
    }
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
    let reply = edit(list, "{\"edit\":\"putItems\",\"items\":[\(item.text)]}")
    guard model.lists[list] != nil else { return expect("listNotFound", reply) }
    expect(nil, reply)
    if let index = model.lists[list]!.firstIndex(where: { $0.id == item.id }) {
      model.lists[list]![index] = item
    } else {
      model.lists[list]!.append(item)
    }
  }

  private mutating func delete(_ list: String, _ argument: Int) {
    let id = argument & 7
    let reply = edit(list, "{\"edit\":\"deleteItems\",\"items\":[\(id)]}")
    guard model.lists[list] != nil else { return expect("listNotFound", reply) }
    guard let index = model.lists[list]!.firstIndex(where: { $0.id == id }) else {
      return expect("itemNotFound", reply)
    }
    expect(nil, reply)
    model.lists[list]!.remove(at: index)
  }

  private mutating func move(_ list: String, _ argument: Int) {
    let (id, other) = (argument & 7, argument >> 3 & 7)
    guard id != other, let index = model.lists[list]?.firstIndex(where: { $0.id == id }),
      model.lists[list]!.contains(where: { $0.id == other })
    else { return }
    expect(nil, edit(list, "{\"edit\":\"moveItems\",\"items\":[\(id)],\"before\":\(other)}"))
    let item = model.lists[list]!.remove(at: index)
    model.lists[list]!.insert(item, at: model.lists[list]!.firstIndex { $0.id == other }!)
  }

  private func definition(_ argument: Int) -> ModelViews.Definition {
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
    return view
  }

  private mutating func compose(_ name: String, _ argument: Int, sharesSelection: Bool = false) {
    var view = definition(argument)
    view.sharesSelection = sharesSelection
    expect(nil, compose(name, view, ""))
    model.definitions[name] = view
  }

  /// Sends a definition with other members.
  private mutating func compose(
    _ name: String, _ view: ModelViews.Definition, _ members: String
  ) -> String {
    let sources = ModelViews.sources[name]!.map { "\"\($0)\"" }.joined(separator: ",")
    return ask(
      "compose",
      "{\"list\":\"\(name)\",\"sources\":[\(sources)],\"view\":\(view.text)\(members)}")
  }

  /// Gives the cursor to the item of a row of an old revision, alone or with a change.
  private mutating func refer(_ name: String, _ argument: Int, isView: Bool) {
    let revisions = (past[name] ?? [:]).keys.sorted()
    guard !revisions.isEmpty else { return }
    let revision = revisions[max(0, revisions.count - 1 - argument % 8)]
    let rows = past[name]![revision]!
    guard !rows.isEmpty else { return }
    let section = argument >> 3 & 3
    let row = argument >> 5 & 3
    let wanted =
      section < rows.count && row < rows[section].count ? rows[section][row] : nil
    let cursor = "\"cursor\":{\"path\":[\(section),\(row)],\"revision\":\(revision)}"
    let reply: String
    var after = model
    if !isView {
      let edit = "{\"edit\":\"deleteItems\",\"items\":[\(argument >> 7 & 7)]}"
      let isThere = model.lists[name]?.contains { $0.id == argument >> 7 & 7 } == true
      after.lists[name]?.removeAll { $0.id == argument >> 7 & 7 }
      let edits = isThere ? edit : ""
      reply = ask("editSnapshot", "{\"list\":\"\(name)\",\"edits\":[\(edits)],\(cursor)}")
    } else if argument & 1 > 0 {
      reply = ask("select", "{\"list\":\"\(name)\",\(cursor)}")
    } else {
      after.definitions[name] = definition(argument)
      reply = compose(name, definition(argument), ",\(cursor)")
    }
    // The history is short.
    if reply.utf8.contains("\"reason\":\"revisionNotFound\"".utf8) { return }
    var at: (section: Int, row: Int)?
    for (section, shown) in after.sections(of: name).enumerated() {
      for (row, shown) in shown.rows.enumerated() where shown.name == wanted { at = (section, row) }
    }
    guard let at else { return expect("itemNotFound", reply) }
    expect(nil, reply)
    let isRight = reply.utf8.contains("\"cursor\":[\(at.section),\(at.row)]".utf8)
    precondition(isRight, "\(reply) has the cursor on another item than \(cursor)")
    model = after
  }

  /// Removes a list, and makes it again, perhaps later.
  private mutating func remove(_ name: String, _ argument: Int, isView: Bool) {
    let exists = isView ? model.definitions[name] != nil : model.lists[name] != nil
    expect(exists ? nil : "listNotFound", ask("removeList", "{\"list\":\"\(name)\"}"))
    model.lists[name] = nil
    model.definitions[name] = nil
    past[name] = nil
    // The states of items end with them.
    if isView { model.states[name] = [:] }
    model.forgetStates()
    if argument & 1 > 0, isView { compose(name, argument) }
    if argument & 1 > 0, !isView { apply(name, argument) }
  }

  /// Selects items of a list, which a view may have from its sources.
  private mutating func select(_ name: String, _ argument: Int) {
    let action = ["all", "none", "invert", "toggle"][argument & 3]
    let items = argument & 3 == 3 ? ",\"items\":[\(argument >> 2 & 7)]" : ""
    let reply = ask("select", "{\"list\":\"\(name)\",\"action\":\"\(action)\"\(items)}")
    precondition(!reply.utf8.contains("\"code\":-32603".utf8), "an invariant is violated: \(reply)")
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
    guard model.definitions[name] != nil else { return expect("listNotFound", reply) }
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
    guard model.definitions[name] != nil || model.lists[name] != nil else { return }
    let rows = model.sections(of: name).enumerated().flatMap { section, shown in
      shown.rows.enumerated().map { "{\"at\":[\(section),\($0)],\"content\":\($1.text)}" }
    }.joined(separator: ",")
    let window = "{\"start\":0,\"count\":1000}"
    let reply = ask("getSnapshot", "{\"list\":\"\(name)\",\"window\":\(window)}")
    let isRight = reply.utf8.contains(",\"rows\":[\(rows)],".utf8)
    precondition(isRight, "\(reply) is not \(rows) of \(model.definitions[name]?.text ?? name)")
    if let revision = reply.revision {
      past[name, default: [:]][revision] = model.sections(of: name).map { $0.rows.map(\.name) }
    }
    guard model.definitions[name] != nil else { return }
    let numbers = model.numbers(of: name)
    precondition(reply.utf8.contains(numbers.utf8), "\(reply) has not \(numbers)")
  }

  private mutating func check(_ name: String) {
    guard model.definitions[name] != nil else { return }
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

extension String {
  /// The number after the first member `revision`.
  fileprivate var revision: Int? {
    let name = Array("\"revision\":".utf8)
    let bytes = Array(utf8)
    let start = bytes.indices.first { bytes[$0...].starts(with: name) }
    return start.flatMap { start in
      Int(
        String(
          decoding: bytes[(start + name.count)...].prefix { $0 > 47 && $0 < 58 }, as: UTF8.self))
    }
  }
}
