import ListDiff
import ListSources
import Testing

struct StoryPart: Identifiable, Equatable, Sendable {
  let id: String
  var text: String
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
          shown = step.data
          tableView.performBatchUpdates(step.stage)
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

  @Test func compositions() {
    var shown: [Changes.Stage] = []
    func show(_ step: Changes.Step<[Section]>) { shown.append(step.stage) }
    let promotions = ListSource(sections: inbox)
    let news = ListSource<Section>()
    let home = ComposedSource([promotions, news])
    home.whenChanged = { change in
      for step in change.steps { show(step) }
    }
    news.apply([sorted[0]])
    #expect(shown.map(\.ops) == [[.insertSections(at: 1, count: 1)]])
    #expect(home.sections.count == 2)
  }

  @Test func widgets() {
    let stories = [
      Story(id: 1, parts: [StoryPart(id: "title", text: "One"), StoryPart(id: "likes", text: "0")])
    ]
    let rows = stories.widgetRows
    #expect(rows.map(\.id.part) == ["title", "likes"])
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
  @Test func homeScreen() throws {
    let banners = ListSource(sections: [Section(id: "banners", items: [Row(id: 1)])])
    let continues = ListSource<Section>()
    let shelves = ListSource(sections: [Section(id: "new", items: [Row(id: 7), Row(id: 8)])])
    let home = ComposedSource([banners, continues, shelves])
    var shown = home.sections
    let view = StageView { shown }
    home.whenChanged = { change in
      for step in change.steps {
        shown = step.data
        view.performBatchUpdates(step.stage)
      }
    }
    continues.apply([Section(id: "continue", header: "Continue", items: [Row(id: 4)])])
    shelves.apply([Section(id: "new", items: [Row(id: 8), Row(id: 7), Row(id: 9)])])
    #expect(view.rows == home.sections && shown.map(\.id) == ["banners", "continue", "new"])
    try shelves.select([8])
    banners.apply([])
    #expect(view.rows == home.sections)
    #expect(shelves.selectedPaths == [ListPath(section: 0, row: 0)])
    #expect(home.path(shelves.selectedPaths[0], ofSource: 2) == ListPath(section: 1, row: 0))
    // Rows move to a new section, which another row is inserted into.
    continues.apply([
      Section(id: "old", items: [Row(id: 2), Row(id: 4)]), Section(id: "done", items: [Row(id: 3)]),
    ])
    continues.apply([
      Section(id: "new", items: [Row(id: 4), Row(id: 3), Row(id: 9)]),
      Section(id: "old", items: [Row(id: 2)]),
    ])
    #expect(view.rows == home.sections)
  }
}
