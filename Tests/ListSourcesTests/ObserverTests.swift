import ListDiff
import ListSources
import Testing

/// What observers of sources and compositions receive, and what a view of theirs shows.
///
/// Promise: An observer of a source receives what leads from its list to the present one;
///   compositions receive changes in the order in which they were made.
@MainActor @Suite struct ObserverTests {
  private func section(_ id: String, _ rows: Int...) -> Section {
    Section(id: id, items: rows.map { Row(id: $0) })
  }

  /// An observer whose view shows what it has received.
  private struct Observer {
    private var changes: SourceChanges<Section>.Iterator
    private var shown: [Section]
    private(set) var count = 0

    @MainActor init(_ source: ListSource<Section>) {
      changes = source.changes.makeAsyncIterator()
      shown = source.sections
    }

    /// Receives a change, shows it, and compares the view with the source.
    @MainActor mutating func receive(_ source: ListSource<Section>) async throws {
      var data = shown
      let view = StageView { data }
      let change = try #require(await changes.next())
      #expect(change.list.old == shown && change.list.new == source.sections)
      for step in change.list.steps {
        data = step.data
        view.performBatchUpdates(step.stage)
      }
      #expect(view.rows == source.sections)
      shown = data
      count += 1
    }
  }

  @Test func severalEditsInOneTurn() async throws {
    let source = ListSource(sections: [section("a", 1, 2, 3)])
    var observer = Observer(source)
    try source.appendItems([Row(id: 4)])
    try source.appendItems([Row(id: 5)])
    try await observer.receive(source)
    try source.moveItem(1, afterItem: 3)
    try source.moveItem(2, afterItem: 1)
    try await observer.receive(source)
    try source.insertItems([Row(id: 6)], afterItem: 5)
    try source.deleteItems([4])
    try source.updateItems([Row(id: 1, text: "one")])
    try await observer.receive(source)
    #expect(observer.count == 3)
  }

  @Test func aChangeOfSeveralStages() async throws {
    let source = ListSource(sections: [section("a", 1, 2), section("b", 3)])
    var observer = Observer(source)
    source.apply([section("n", 2, 3, 9), section("a", 1)])
    try await observer.receive(source)
    var sections = source.sections
    sections[0].header = "new"
    sections[0].items[1].text = "three"
    sections.append(section("z", 1, 8))
    sections[1].items = []
    source.apply(sections)
    try await observer.receive(source)
  }

  @Test func editsThatWereNotReceivedAreOneChange() async throws {
    let source = ListSource(sections: [section("a", 1)])
    var observer = Observer(source)
    for id in 2..<3_000 {
      try source.appendItems([Row(id: id)])
      try source.moveItem(id, beforeItem: 1)
      if id % 2 == 0 { try source.deleteItems([id]) }
      try source.select([1], .toggle)
    }
    try await observer.receive(source)
    var others = source.changes.makeAsyncIterator()
    try source.appendItems([Row(id: 9_999)])
    try source.deleteItems([9_999])
    try source.select([3, 5])
    try source.moveCursor(to: 3)
    try source.select([5], .deselect)
    let change = try #require(await others.next())
    #expect(change.list.changes.isEmpty && change.list.old == source.sections)
    #expect(change.newlySelected == [3] && change.deselected == [] && change.cursor == 3)
    try source.deleteItems([3])
    let deleted = try #require(await others.next())
    #expect(deleted.deselected == [3] && deleted.list.changes.rowCounts.deletes == 1)
    #expect(deleted.cursor == source.cursor && deleted.cursor != 3)
  }

  @Test func observersReceiveChangesInOrder() async throws {
    let source = ListSource(sections: [section("a", 1, 2)])
    var observers = [Observer(source), Observer(source)]
    source.apply([section("a", 2, 1, 3)])
    try await observers[0].receive(source)
    try source.select([3])
    source.apply([section("a", 2, 1)])
    source.apply([section("a", 2, 1)])
    for index in observers.indices { try await observers[index].receive(source) }
    #expect(observers.map { $0.count } == [2, 1])
  }

  /// A sequence that was created in a batch begins with the list of that time, also if the batch
  /// fails.
  @Test func aSequenceOfABatch() async throws {
    let source = ListSource(sections: [section("a", 1, 2)])
    for isUndone in [false, true] {
      var changes: SourceChanges<Section>?
      var before: [Section] = []
      _ = try? source.batch {
        try source.deleteItems([1])
        changes = source.changes
        before = source.sections
        try source.appendItems([Row(id: 3)])
        if isUndone { try source.deleteItems([9]) }
      }
      var iterator = try #require(changes).makeAsyncIterator()
      let change = try #require(await iterator.next())
      #expect(change.list.old == before && change.list.new == source.sections)
      source.apply([section("a", 1, 2)])
    }
  }

  @Test func theSequenceEndsWithItsSource() async throws {
    var source: ListSource<Section>? = ListSource(sections: [section("a", 1)])
    let changes = try #require(source).changes
    let isReleased = { [weak source] in source == nil }
    source?.apply([])
    source = nil
    #expect(isReleased(), "an observer does not keep the source")
    var received: [ListChange<Section>] = []
    for await change in changes { received.append(change.list) }
    #expect(received.map { $0.new } == [[]] && received.map { $0.old.count } == [1])
  }

  @Test func theSequenceEndsWithItsTask() async throws {
    let source = ListSource(sections: [section("a", 1)])
    let task = Task { @MainActor in
      var count = 0
      for await _ in source.changes { count += 1 }
      return count
    }
    await Task.yield()
    source.apply([])
    await Task.yield()
    task.cancel()
    #expect(await task.value <= 1)
  }

  // MARK: Compositions

  @Test func aCompositionFollowsItsSources() throws {
    let first = ListSource(sections: [section("a", 1)])
    let second = ListSource(sections: [section("b", 2), section("c", 3)])
    let both = ComposedSource([first, second, ListSource(sections: [section("d", 9)])])
    let log = Log(both)
    second.apply([section("c", 3, 4), section("x", 2)])
    #expect(log.view.rows == both.sections)
    first.apply([])
    second.apply([section("c", 4, 3)])
    #expect(log.view.rows == both.sections)
    #expect(log.view.rows.map { $0.id } == ["c", "d"])
    let path = try #require(both.locate(ListPath(section: 1, row: 0)))
    #expect(path.source == 2 && both.path(path.path, ofSource: 2) == ListPath(section: 1, row: 0))
    #expect(both.locate(ListPath(section: 2, row: 0)) == nil)
  }

  /// The changes of a composition, and a view that shows them.
  @MainActor private final class Log {
    private(set) var lists: [[[Int]]]
    let view: StageView
    var edit: () throws -> Void = {}

    init(_ list: ComposedSource<Section>) {
      var shown = list.sections
      let view = StageView { shown }
      self.view = view
      lists = [Self.ids(shown)]
      list.whenChanged = { [weak self] change in
        guard let self else { return }
        #expect(change.old == shown)
        for (index, step) in change.steps.enumerated() {
          // Edits in the middle of a change are sent after it.
          if index == 0 { #expect(throws: Never.self) { try self.edit() } }
          shown = step.data
          view.performBatchUpdates(step.stage)
        }
        #expect(shown == change.new && view.rows == shown)
        lists.append(Self.ids(shown))
      }
    }

    private static func ids(_ list: [Section]) -> [[Int]] { list.map { $0.items.map { $0.id } } }
  }

  @Test func aClosureMayEditItsSource() throws {
    let source = ListSource(sections: [section("a", 1, 2)])
    let logs = [ComposedSource([source]), ComposedSource([source])].map { ($0, Log($0)) }
    logs[0].1.edit = {
      if source.itemCount == 3 { try source.deleteItems([1]) }
      if source.itemCount == 2 { try source.appendItems([Row(id: 4), Row(id: 5)]) }
    }
    try source.appendItems([Row(id: 3)])
    for (_, log) in logs {
      #expect(log.lists == [[[1, 2]], [[1, 2, 3]], [[2, 3]], [[2, 3, 4, 5]]])
      #expect(log.view.rows == source.sections)
    }
  }

  /// The other sources of a composition are as they were when a change was made.
  @Test func aClosureMayEditAnotherSource() throws {
    let first = ListSource(sections: [section("a", 1)])
    let second = ListSource(sections: [section("b", 2), section("c")])
    let logs = [ComposedSource([first, second]), ComposedSource([second, first, second])]
      .map { ($0, Log($0)) }
    logs[0].1.edit = {
      if second.sectionCount == 2 { second.apply([self.section("x", 7, 2)]) }
    }
    first.apply([section("a", 1, 5), section("z", 6)])
    #expect(
      logs[0].1.lists == [[[1], [2], []], [[1, 5], [6], [2], []], [[1, 5], [6], [7, 2]]])
    #expect(
      logs[1].1.lists == [
        [[2], [], [1], [2], []], [[2], [], [1, 5], [6], [2], []], [[7, 2], [1, 5], [6], [2], []],
        [[7, 2], [1, 5], [6], [7, 2]],
      ])
  }

  /// A composition of the time between two changes begins with the present list.
  @Test func aClosureMayCompose() throws {
    let source = ListSource(sections: [section("a", 1)])
    let list = ComposedSource([source])
    let log = Log(list)
    var made: [(ComposedSource<Section>, Log)] = []
    log.edit = {
      if !made.isEmpty { return }
      try source.appendItems([Row(id: 3)])
      let other = ComposedSource([source])
      made.append((other, Log(other)))
    }
    try source.appendItems([Row(id: 2)])
    try source.appendItems([Row(id: 4)])
    #expect(log.lists == [[[1]], [[1, 2]], [[1, 2, 3]], [[1, 2, 3, 4]]])
    #expect(made[0].1.lists == [[[1, 2, 3]], [[1, 2, 3, 4]]])
    list.whenChanged = nil
    try source.deleteItems([1])
    #expect(log.lists.count == 4 && made[0].1.view.rows == source.sections)
  }
}
