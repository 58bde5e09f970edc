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

  /// Observers that receive at random times, and keep some changes while the source is edited.
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func slowObservers(_ seed: UInt64) async throws {
    let list = EditedSource(seed: seed, count: [5, 200, 2_000][Int(seed) % 3])
    let source = list.source
    let few = source.filtered { $0.text < "3" }
    let grouped = few.grouped(by: \.text)
    var (first, second, third) = (
      source.changes.makeAsyncIterator(), few.changes.makeAsyncIterator(),
      grouped.changes.makeAsyncIterator()
    )
    var (a, b, c) = (source.sections, few.sections, grouped.sections)
    var kept: [(ListChange<Section>, old: [Section], new: [Section])] = []
    for _ in 0..<40 {
      list.edit()
      if list.below(3) == 0 { _ = try? source.select([list.item], .toggle) }
      guard list.below(3) == 0 else { continue }
      // Something always differs.
      try source.appendSections([Section(id: "\(list.below(1 << 60))", items: [])])
      let change = try #require(await first.next())
      check(change.list, a, source.sections)
      (kept, a) = (kept + [(change.list, a, source.sections)], source.sections)
      check(try #require(await second.next()).list, b, few.sections)
      b = few.sections
      if c == grouped.sections { continue }
      check(try #require(await third.next()).list, c, grouped.sections)
      c = grouped.sections
    }
    for (change, old, new) in kept { check(change, old, new) }
  }

  private func check<Group: ListSection & Equatable>(
    _ change: ListChange<Group>, _ old: [Group], _ new: [Group]
  ) where Group.Item == Row {
    #expect(change.old == old && change.new == new)
    #expect(change.changes.rowCounts == Changes(fromSections: old, to: new).rowCounts)
    #expect(change.steps.last?.data ?? old == new)
    for path in change.changes.insertedPaths {
      #expect(change.item(at: path) == new[path.section].items[path.row])
      #expect(change.section(at: path.section)?.id == new[path.section].id)
    }
  }

  @Test func anObserverThatWaitsIsCancelled() async throws {
    let source = ListSource(sections: [section("a", 1)])
    var other = source.changes.makeAsyncIterator()
    let waiting = Task { @MainActor in
      var changes = source.changes.makeAsyncIterator()
      let first = await changes.next()
      return (first, await changes.next())
    }
    await Task.yield()
    try source.appendItems([Row(id: 2)])
    #expect(try #require(await other.next()).list.new == source.sections)
    await Task.yield()
    waiting.cancel()
    let received = await waiting.value
    #expect(received.1 == nil, "it ends, though nothing has changed")
    try source.appendItems([Row(id: 3)])
    #expect(try #require(await other.next()).list.changes.rowCounts == Changes.Counts(inserts: 1))
  }

  // MARK: Compositions
}
