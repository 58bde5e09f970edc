import FuzzyMatch
import ListDiff
import Testing

@testable import ListSources

/// Lists that follow a source are as if they were made anew after each edit.
///
/// Promise: Filtered, sorted, grouped and searched sources, windows and outlines, also of each other, equal
///   what is made of the list at once; an edit costs hardly more in a long list than in a short one.
///   Also `ViewCostTests`, `Tests/ListAdaptersTests/ViewScreenTests.swift`.
@MainActor @Suite struct ViewTests {
  /// Checks a list, and the answers that its tree gives.
  private func check<Section: ListSection>(
    _ view: SectionSource<Section>, _ expected: [Section], _ story: String
  ) where Section: Equatable, Section.Item: Equatable & Identifiable, Section.Item.ID: Sendable {
    #expect(view.sections == expected, "\(story)")
    view.tree.checkInvariants()
    #expect(view.itemCount == expected.reduce(0) { $0 + $1.items.count })
    for (index, section) in expected.enumerated() {
      #expect(view.itemCount(inSection: index) == section.items.count)
      guard let row = section.items.indices.last else { continue }
      let path = ListPath(section: index, row: row)
      #expect(view.item(at: path) == section.items[row])
      #expect(view.path(of: section.items[row].id) == path)
    }
  }

  private nonisolated static let seeds: [UInt64] = Array(1...24)

  private func list(_ seed: UInt64) -> EditedSource {
    EditedSource(seed: seed, count: [2, 8, 100, 1_000][Int(seed) % 4])
  }

  @Test(arguments: seeds) func filtered(_ seed: UInt64) {
    let list = list(seed)
    var limit = "3"
    let view = list.source.filtered { $0.text < limit }
    let again = view.filtered { $0.id % 2 == 0 }
    for round in 0..<60 {
      if round % 20 == 19 {
        limit = "\(list.below(7))"
        let present = limit
        view.filter { $0.text < present }
      }
      let present = limit
      if round % 3 == 0 {
        check(view, list.source.map { $0.filter { $0.text < present } }, "\(seed) \(round)")
      }
      check(
        again, list.source.map { $0.filter { $0.text < present && $0.id % 2 == 0 } },
        "\(seed) \(round)")
      list.edit()
    }
  }

  @Test(arguments: seeds) func sorted(_ seed: UInt64) {
    let list = list(seed)
    let view = list.source.sorted(by: \.text)
    let descending = view.filtered { $0.text != "2" }.sorted(by: \.text, >)
    for round in 0..<60 {
      if round == 40 { view.sort { $0.id % 7 < $1.id % 7 } }
      let expected = list.source.map { rows in
        round < 40
          ? rows.sorted { $0.text < $1.text } : rows.sorted { $0.id % 7 < $1.id % 7 }
      }
      if round % 3 != 1 { check(view, expected, "\(seed) \(round)") }
      check(
        descending,
        expected.map { section in
          var section = section
          section.items = section.items.filter { $0.text != "2" }.sorted { $0.text > $1.text }
          return section
        }, "\(seed) \(round)")
      list.edit()
    }
  }

  /// Returns the items in sections by their texts, in the order of their first items.
  private func groups(_ items: [Row]) -> [Section] {
    var keys: [String] = []
    for item in items where !keys.contains(item.text) { keys.append(item.text) }
    let groups = Dictionary(grouping: items) { $0.text }
    return keys.map { Section(id: $0, header: $0, items: groups[$0] ?? []) }
  }

  @Test(arguments: seeds) func grouped(_ seed: UInt64) {
    let list = list(seed)
    let view = list.source.grouped(by: \.text)
    let ordered = list.source.filtered { $0.id % 3 > 0 }.sorted(by: \.text).grouped(by: \.text)
    for round in 0..<60 {
      let items = list.source.sections.flatMap { $0.items }
      if round % 3 != 1 { check(view, groups(items), "\(seed) \(round)") }
      let expected = list.source.map { rows in
        rows.filter { $0.id % 3 > 0 }.sorted { $0.text < $1.text }
      }
      check(ordered, groups(expected.flatMap { $0.items }), "\(seed) \(round)")
      list.edit()
    }
    view.group { $0.text.isEmpty ? "" : "all" }
    let items = list.source.sections.flatMap { $0.items }
    check(view, items.isEmpty ? [] : [Section(id: "all", header: "all", items: items)], "\(seed)")
  }

  @Test(arguments: seeds) func windows(_ seed: UInt64) {
    let list = list(seed)
    let size = [2, 8, 100, 1_000][Int(seed) % 4]
    let window = list.source.window(0..<size)
    let page = list.source.grouped(by: \.text).window(size / 2..<size)
    func rows(_ list: [Section], _ range: Range<Int>) -> [Section] {
      var index = 0
      return list.compactMap { section in
        var section = section
        section.items = section.items.filter { _ in
          defer { index += 1 }
          return range.contains(index)
        }
        return section.items.isEmpty ? nil : section
      }
    }
    for round in 0..<60 {
      if round % 4 == 3 {
        let start = list.below(size * 2)
        window.range = start..<start + list.below(size)
      }
      if round % 3 != 1 {
        check(window, rows(list.source.sections, window.range), "\(seed) \(round)")
      }
      let items = list.source.sections.flatMap { $0.items }
      check(page, rows(groups(items), page.range), "\(seed) \(round)")
      list.edit()
    }
  }

  @Test(arguments: seeds) func searched(_ seed: UInt64) {
    let list = list(seed)
    let view = list.source.searched("l", in: { text($0) })
    let both = view.searched("i", in: { [text($0), "\($0.id)"] })
    for round in 0..<60 {
      if round % 8 == 7 {
        view.query = ["", "l", "li", "lis", "!m", "list$", "l3 | a", "x"][list.below(8)]
      }
      let expected = list.source.map { rows in
        let query = Query(view.query)
        let found = rows.compactMap { row in query.match(in: text(row)).map { (row, $0) } }
        if query.isEmpty { return found.map { $0.0 } }
        // The length that counts is 0 if no characters are matched.
        func length(_ found: (Row, Match)) -> Int {
          found.1.ranges[0].isEmpty ? 0 : text(found.0).unicodeScalars.count
        }
        return found.sorted {
          $0.1.score == $1.1.score ? length($0) < length($1) : $0.1.score > $1.1.score
        }.map { $0.0 }
      }
      if round % 3 != 1 { check(view, expected, "\(seed) \(round) \(view.query)") }
      let more = expected.flatMap { $0.items }.filter { row in
        Query("i").match(in: RowText(members: [text(row), "\(row.id)"])) != nil
      }
      #expect(Set(both.sections.flatMap { $0.items.map { $0.id } }) == Set(more.map { $0.id }))
      if let item = expected.first?.items.first {
        #expect(view.match(of: item.id) == Query(view.query).match(in: text(item)))
      }
      #expect(view.match(of: -5) == nil)
      list.edit()
    }
  }

  /// A view that is read while edits are made that are undone.
  @Test func aBatchThatFailsIsFollowed() throws {
    let source = ListSource(sections: [Section(id: "a", items: (0..<9).map { Row(id: $0) })])
    let view = source.filtered { $0.id % 2 == 0 }
    #expect(view.itemCount == 5)
    #expect(throws: ListSource<Section>.Failure.noItem(99)) {
      try source.batch {
        try source.deleteItems([2, 4])
        try source.updateSections([Section(id: "a", header: "new")])
        #expect(view.itemCount == 3 && view.sections[0].header == "new")
        try source.deleteItems([99])
      }
    }
    check(view, source.map { $0.filter { $0.id % 2 == 0 } }, "undone")
  }

  // MARK: Selection

  @Test func selectionBelongsToTheSource() throws {
    let source = ListSource(sections: [Section(id: "a", items: (0..<9).map { Row(id: $0) })])
    let view = source.filtered { $0.id % 2 == 0 }.sorted(by: \.id, >)
    try source.select([1, 4])
    #expect(view.selected == [4] && view.selectedPaths == [ListPath(section: 0, row: 2)])
    #expect(view.isSelected(4) && !view.isSelected(1) && !view.isSelected(6))
    try view.select([6], .toggle)
    #expect(source.selected == [1, 4, 6] && view.selectedPaths.map(\.row) == [1, 2])
    try view.select([0], .extend)
    #expect(source.selected == [0, 1, 2, 4, 6])
    try view.select([4], .extend)
    #expect(source.selected == [1, 4, 6])
    #expect(throws: MissingItem(item: 3)) { try view.select([3]) }
    #expect(throws: MissingItem(item: 3)) { try view.moveCursor(to: 3) }
    try view.moveCursor(to: 2)
    #expect(source.cursor == 2 && view.cursor == 2)
    try source.moveCursor(to: 3)
    #expect(view.cursor == nil)
    try view.select([8], .replace)
    #expect(source.selected == [8])
    try source.deleteItems([8])
    #expect(view.selected == [])
  }

  // MARK: Observers

  /// An observer receives what follows from edits of the source, and what does not change the view is not
  /// received.
  @Test func changesAreObserved() async throws {
    let source = ListSource(sections: [
      Section(id: "a", items: (0..<9).map { Row(id: $0, text: "x") })
    ])
    let view = source.filtered { $0.id % 2 == 0 }.sorted(by: \.id, >)
    var iterator = view.changes.makeAsyncIterator()
    try source.deleteItems([1])
    try source.updateItems([Row(id: 4, text: "y")])
    try source.deleteItems([2, 3])
    let change = try #require(await iterator.next())
    #expect(change.list.changes.rowCounts == Changes.Counts(deletes: 1, updates: 1))
    #expect(change.list.new == view.sections)
    try source.select([5, 6])
    let selection = try #require(await iterator.next())
    #expect(selection.list.changes.isEmpty && selection.newlySelected == [6])
    view.sort(by: \.id)
    let order = try #require(await iterator.next())
    #expect(order.list.changes.rowCounts == Changes.Counts(moves: 3))
  }

  @Test func theSequenceEndsWithItsView() async throws {
    let source = ListSource(sections: [Section(id: "a", items: [Row(id: 1)])])
    var view: FilteredSource<Section>? = source.filtered { $0.id > 0 }
    var iterator = try #require(view?.changes).makeAsyncIterator()
    try source.appendItems([Row(id: 2)])
    #expect(await iterator.next()?.list.changes.rowCounts.inserts == 1)
    try source.select([2])
    view = nil
    #expect(await iterator.next() == nil)
    try source.appendItems([Row(id: 3)])
  }
}

/// Returns a text to search.
private func text(_ row: Row) -> String {
  ["list", "lists", "my list", "LiSt", "last", ""][Int(row.text) ?? 5] + String(row.id % 4)
}
