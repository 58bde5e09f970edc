import ListDiff
import ListSources
import Testing

private struct Document: Identifiable, Equatable, Sendable {
  let path: String
  var title: String
  var owner: String
  var state: String
  var date: Int
  var isOpen = true
  var id: String { path }
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  var folder: String? {
    path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}

private struct Documents: ListSection {
  var id = 0
  var items: [Document]
}

struct StoryPart: Identifiable, Equatable, Sendable {
  let id: String
  var text: String
}

struct Poll: Widget {
  let id: Int
  var parts: [Row] { [Row(id: id, text: "yes")] }
}

struct Story: Widget {
  let id: Int
  var parts: [StoryPart]
}

/// The examples of the documentation, and four example screens as an app would write them.
@MainActor @Suite struct ExampleTests {
  let inbox = [Section(id: "inbox", items: [Row(id: 1), Row(id: 2)])]
  let sorted = [
    Section(id: "inbox", items: [Row(id: 2)]), Section(id: "done", items: [Row(id: 1)]),
  ]

  @Test func snapshots() throws {
    let earlier = ListSnapshot<String, Int>()
    var snapshot = ListSnapshot<String, Int>()
    try snapshot.appendSections(["inbox", "done"])
    try snapshot.appendItems([1, 2, 3], toSection: "inbox")
    try snapshot.moveItem(3, beforeItem: 1)
    let changes = snapshot.changes(from: earlier)
    #expect(changes.sectionCounts.inserts == 2)
    #expect(snapshot.itemIdentifiers == [3, 1, 2])
    var next = snapshot
    try next.reloadItems([2])
    let update = next.changes(from: snapshot)
    #expect(update.rowCounts == Changes.Counts(updates: 1))
  }

  @Test func sources() throws {
    let source = ListSource(sections: inbox)
    try source.select([2], .replace)
    source.apply(sorted)
    try source.moveItem(2, afterItem: 1)
    #expect(source.selectedPaths == [ListPath(section: 1, row: 1)])
  }

  private let documents = [
    Document(path: "Sources", title: "B", owner: "Ben", state: "new", date: 1),
    Document(path: "Sources/main", title: "A", owner: "Ann", state: "new", date: 2, isOpen: false),
    Document(path: "Sources/all", title: "C", owner: "Ann", state: "old", date: 3),
  ]

  @Test func listsOfLists() {
    let source = ListSource(sections: [Documents(items: documents)])
    do {
      let open = source.filtered { $0.isOpen }
      open.filter { $0.isOpen && $0.owner == "Ann" }
      #expect(open.sections[0].items.map(\.name) == ["all"])
    }
    do {
      let open = source.filtered { $0.isOpen }.sorted(by: \.title)
      #expect(open.sections[0].items.map(\.title) == ["B", "C"])
    }
    let byName = source.sorted(by: \.name)
    byName.sort(by: \.date, >)
    #expect(byName.sections[0].items.map(\.date) == [3, 2, 1])
    let byOwner = source.sorted(by: \.owner).grouped(by: \.owner)
    byOwner.group(by: \.state)
    #expect(byOwner.sections.map(\.id) == ["new", "old"])
    let found = source.searched(in: \.path)
    found.query = "srcmain"
    #expect(found.sections[0].items.map(\.name) == ["main"])
    let page = source.window(0..<50)
    page.range = 50..<100
    #expect(page.itemCount == 0)
    let files = source.sorted(by: \.name).outline { $0.folder }
    files.expand("Sources")
    #expect(files.itemCount == 3)
  }

  @Test func views() throws {
    let source = ListSource(sections: inbox)
    let open = source.filtered { $0.text != "done" }
    let byText = open.sorted(by: \.text)
    let groups = byText.grouped(by: \.text)
    let found = open.searched("ann", in: \.text)
    let page = byText.window(0..<50)
    #expect(found.itemCount == 0 && groups.sections.map(\.id) == [""] && page.itemCount == 2)
    open.filter { $0.text.isEmpty }
    found.query = ""
    byText.sort(by: \.id, >)
    page.range = 50..<100
    #expect(
      found.itemCount == 2 && byText.sections[0].items.map(\.id) == [2, 1] && page.sections == [])
    let files = source.sorted(by: \.text).outline { $0.id > 1 ? 1 : nil }
    files.expand(1)
    let folds = files.expansion
    #expect(files.sections[0].items.map(\.level) == [0, 1] && folds.exceptions == [1])
    try byText.select([2])
    #expect(source.selected == [2])
  }

  private struct Reply: Identifiable, Equatable {
    var id: Int
    var replies: [Reply] = []
  }

  @Test func itemsInItems() {
    let items = [Reply(id: 1, replies: [Reply(id: 2)]), Reply(id: 3)]
    let threads = ListSource(sections: [HeadedSection(id: 0, header: "", items: items)])
    let comments = threads.outline(children: \.replies)
    comments.expand(1)
    #expect(comments.sections[0].items.map(\.level) == [0, 1, 0])
  }

  @Test func values() throws {
    let source = ListSource(sections: inbox)
    try source.select([2, 1])
    let saved = source.value
    source.apply([])
    source.apply(saved)
    #expect(source.choices == [2, 1] && source.sections == inbox)
    var edited = source.value
    try edited.updateItems([Row(id: 1, text: "read")])
    source.apply(edited)
    #expect(source.value.item(1)?.text == "read")
    let read = Row(id: 1, text: "read")
    var list = EditableList(sections: inbox)
    try list.updateItems([read])
    let shown = list
    try list.moveItem(2, afterItem: 1)
    let changes = list.changes(from: shown)
    #expect(changes.opCount <= 1 && list.item(1) == read)
    try list.batch { list throws(EditableList<Section>.Failure) in
      try list.appendItems([Row(id: 3)])
      try list.moveItem(2, beforeItem: 1)
    }
    #expect(list.contains(3))
  }

  /// A view that shows a source, and reads what its data source has.
  @Test func observers() async throws {
    let source = ListSource(sections: inbox)
    var shown: [Section] = []
    let tableView = StageView { shown }
    let task = Task { @MainActor in
      shown = source.sections
      tableView.reloadData()
      for await change in source.changes {
        for step in change.list.steps {
          tableView.performBatchUpdates(step.stage) { shown = step.data }
        }
      }
    }
    await Task.yield()
    for sections in [sorted, [], inbox] {
      source.apply(sections)
      if sections.isEmpty { try source.appendSections([Section(id: "x", items: [Row(id: 9)])]) }
      for _ in 0..<100 where shown != source.sections { await Task.yield() }
      #expect(tableView.rows == source.sections)
    }
    task.cancel()
  }

  @Test func selectionModes() throws {
    let source = ListSource(sections: inbox)
    try source.setSelectionMode(.single(allowsEmpty: false), ofSection: "inbox", initially: [2])
    #expect(source.choices == [2])
  }

  @Test func batches() throws {
    let source = ListSource(sections: [
      Section(id: "inbox", items: [Row(id: 1), Row(id: 2), Row(id: 3)])
    ])
    try source.batch {
      try source.deleteItems([3])
      try source.moveItem(2, beforeItem: 1)
    }
    #expect(source.sections[0].items.map(\.id) == [2, 1])
  }

  @Test func compositions() async throws {
    let contacts = ListSource(sections: inbox)
    let found = contacts.searched(in: \.text)
    let banners = ListSource(sections: [
      Changes.Section(id: 1, items: [StoryPart(id: "a", text: "")])
    ])
    let home = Composed {
      contacts
      found
      banners
    }
    try home.batch {
      try contacts.deleteItems([1])
      try banners.deleteSections([1])
    }
    #expect(home.sections.map { $0.items.count } == [1, 1])
  }

  @Test func widgets() {
    let stories = [
      Story(id: 1, parts: [StoryPart(id: "title", text: "One"), StoryPart(id: "likes", text: "0")])
    ]
    let rows = stories.widgetRows
    #expect(rows.map(\.id.part) == ["title", "likes"])
    let (story, poll) = (stories[0], Poll(id: 1))
    do {
      let widgets: [any Widget] = [story, poll]
      let rows = widgets.widgetRows
      #expect(rows.count == 3 && rows == [AnyWidget(story), AnyWidget(poll)].widgetRows)
    }
  }

  /// Settings: radio buttons in one section, check boxes in another.
  @Test func settings() throws {
    let screen = ListSource(sections: [
      Section(
        id: "theme", header: "Theme", items: [Row(id: 1, text: "Light"), Row(id: 2, text: "Dark")]),
      Section(
        id: "alerts", header: "Alerts", footer: "Quiet at night.",
        items: [Row(id: 3, text: "Mail"), Row(id: 4, text: "News")]),
    ])
    try screen.setSelectionMode(.single(allowsEmpty: false), ofSection: "theme")
    try screen.select([1, 3])
    try screen.select([2])
    try screen.select([3, 4], .toggle)
    #expect(screen.selected == [2, 4])
    // A theme is added; the selection does not change.
    var sections = screen.sections
    sections[0].items.insert(Row(id: 5, text: "Sepia"), at: 0)
    sections[1].footer = "Quiet from ten to six."
    let changes = screen.apply(sections)
    #expect(changes.rowCounts == Changes.Counts(inserts: 1))
    #expect(changes.sectionCounts == Changes.Counts(updates: 1))
    #expect(screen.selectedPaths == [ListPath(section: 0, row: 2), ListPath(section: 1, row: 1)])
  }

  /// Contacts: a section with a header for each letter.
  @Test func contacts() throws {
    func screen(_ names: [String]) -> [Section] {
      Dictionary(grouping: names.sorted(), by: { String($0.prefix(1)) }).sorted { $0.key < $1.key }
        .map { letter, names in
          Section(
            id: letter, header: letter,
            items: names.map { Row(id: $0.utf8.reduce(7) { $0 &* 31 &+ Int($1) }, text: $0) })
        }
    }
    let source = ListSource(sections: screen(["Ann", "Ben", "Bob", "Cleo"]))
    let ben = source.sections[1].items[0]
    try source.moveCursor(to: ben.id)
    let changes = source.apply(screen(["Abe", "Ann", "Ben", "Cleo", "Dan"]))
    #expect(changes.sectionCounts == Changes.Counts(inserts: 1))
    #expect(changes.rowCounts == Changes.Counts(deletes: 1, inserts: 2))
    #expect(source.path(of: ben.id) == ListPath(section: 1, row: 0))
    source.apply(screen(["Ann", "Cleo"]))
    #expect(source.cursor.flatMap { source.path(of: $0) } == ListPath(section: 1, row: 0))
  }

  /// A feed: stories are split into rows, so that a new number of likes updates one row.
  @Test func feed() {
    func story(_ id: Int, likes: Int, hasPicture: Bool = false) -> Story {
      var parts = [StoryPart(id: "title", text: "Story \(id)")]
      if hasPicture { parts.append(StoryPart(id: "picture", text: "picture")) }
      return Story(id: id, parts: parts + [StoryPart(id: "likes", text: "\(likes)")])
    }
    let old = [story(1, likes: 0), story(2, likes: 5)]
    let new = [story(3, likes: 0), story(2, likes: 6, hasPicture: true), story(1, likes: 0)]
    let changes = Changes(from: old.widgetRows, to: new.widgetRows)
    #expect(changes.rowCounts == Changes.Counts(inserts: 3, moves: 2, updates: 1))
    #expect(changes.updates.map(\.new.row) == [4])
  }

  /// A home screen: independent lists, one below the other.
  @Test func homeScreen() async throws {
    let banners = ListSource(sections: [Section(id: "banners", items: [Row(id: 1)])])
    let continues = ListSource<Section>()
    let shelves = ListSource(sections: [Section(id: "new", items: [Row(id: 7), Row(id: 8)])])
    let home = Composed {
      banners
      continues
      shelves
    }
    var iterator = home.changes.makeAsyncIterator()
    continues.apply([Section(id: "continue", header: "Continue", items: [Row(id: 4)])])
    shelves.apply([Section(id: "new", items: [Row(id: 8), Row(id: 7), Row(id: 9)])])
    let change = try #require(await iterator.next())
    #expect(change.list.changes.rowCounts == Changes.Counts(inserts: 2, moves: 1))
    #expect(change.list.new.map(\.header) == [nil, "Continue", nil])
    try shelves.select([8])
    banners.apply([])
    #expect(home.selectedPaths == [ListPath(section: 1, row: 0)])
    #expect(home.path(shelves.selectedPaths[0], ofSource: 2) == ListPath(section: 1, row: 0))
  }
}
