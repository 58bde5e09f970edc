import ListDiff
import Testing

@testable import ListSources

/// Compositions of sources of different types, and of each other.
///
/// Promise: A composition has the sections of its sources, whatever is edited; its selection is theirs, and a
///   batch of it that fails changes none of them.
@MainActor @Suite struct ComposedTests {
  /// Checks a composition against the sections of its sources, as typed values.
  private func check(_ home: Composed, _ parts: [[Section]], _ story: String) {
    let expected = parts.flatMap { $0 }
    let sections = home.sections
    #expect(
      sections.map { $0.items.map { $0.base as? Row } } == expected.map { $0.items }, "\(story)")
    #expect(sections.map { ($0.base as? Section)?.id } == expected.map { $0.id }, "\(story)")
    #expect(sections.map(\.header) == expected.map(\.header), "\(story)")
    home.tree.checkInvariants()
    var start = 0
    for (index, part) in parts.enumerated() {
      for section in part.indices {
        let path = ListPath(section: start + section, row: 0)
        #expect(home.locate(path)?.source == index && home.locate(path)?.path.section == section)
        #expect(home.path(ListPath(section: section, row: 0), ofSource: index) == path)
      }
      start += part.count
    }
    #expect(home.locate(ListPath(section: start, row: 0)) == nil)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func randomEdits(_ seed: UInt64) {
    let lists = (0..<3).map {
      EditedSource(seed: seed * 3 + UInt64($0), count: [3, 20, 200][Int(seed) % 3])
    }
    let sources = lists.map { $0.source }
    let found = sources[0].filtered { $0.id % 2 == 0 }.sorted(by: \.text)
    // A source may be in a composition more than once.
    let home = Composed {
      found
      sources[1]
      sources[0]
      for source in sources { source }
    }
    let outer = Composed {
      home
      sources[2]
    }
    for round in 0..<60 {
      lists[lists[0].below(3)].edit()
      if round % 3 == 2 { continue }
      let all = sources.map { $0.sections }
      check(home, [found.sections, all[1], all[0]] + all, "\(seed) \(round)")
      let shown = outer.sections.map { $0.items.map { ($0.base as? AnyItem)?.base as? Row } }
      let inner = home.sections.map { $0.items.map { $0.base as? Row } }
      #expect(Array(shown.prefix(inner.count)) == inner, "\(seed) \(round)")
      #expect(shown.count == inner.count + all[2].count)
    }
  }

  @Test func selection() throws {
    let numbers = ListSource(sections: [Section(id: "a", items: (1...4).map { Row(id: $0) })])
    let even = numbers.filtered { $0.id % 2 == 0 }
    let other = ListSource(sections: [
      Changes.Section(id: 1, items: [StoryPart(id: "x", text: ""), StoryPart(id: "y", text: "")])
    ])
    let home = Composed {
      even
      other
      numbers
    }
    func path(_ section: Int, _ row: Int) -> ListPath { ListPath(section: section, row: row) }
    func select(_ paths: [ListPath], _ action: SelectionAction = .select) throws {
      try home.select(paths.compactMap { home.item(at: $0)?.id }, action)
    }
    try select([path(0, 1), path(1, 0)])
    #expect(numbers.selected == [4] && other.selected == ["x"] && even.selected == [4])
    #expect(home.selectedPaths == [path(0, 1), path(1, 0), path(2, 3)])
    try select([path(0, 0)], .replace)
    #expect(numbers.selected == [2] && other.selected == [])
    try select([path(2, 0)], .extend)
    #expect(numbers.selected == [1, 2, 4] && other.selected == ["x", "y"])
    try select([path(1, 0)], .extend)
    #expect(numbers.selected == [2, 4] && other.selected == ["x"])
    try select([], .replace)
    #expect(home.selected == [])
    try home.moveCursor(to: home.item(at: path(0, 1))?.id)
    #expect(numbers.cursor == 4 && home.cursor == home.item(at: path(0, 1))?.id)
    try home.moveCursor(to: home.item(at: path(1, 1))?.id)
    #expect(numbers.cursor == nil && other.cursor == "y")
    #expect(home.isSelected(try #require(home.cursor)) == false)
    try numbers.setSelectionMode(.single(allowsEmpty: false), ofSection: "a", initially: [1])
    try select([path(2, 2)], .replace)
    #expect(numbers.selected == [3])
    try select([path(1, 1)], .replace)
    #expect(numbers.selected == [3] && other.selected == ["y"])
  }

  @Test func aBatchThatFailsChangesNoSource() throws {
    let first = ListSource(sections: [Section(id: "a", items: [Row(id: 1), Row(id: 2)])])
    let second = ListSource(sections: [Section(id: "a", items: [Row(id: 1)])])
    let inner = Composed { second.filtered { $0.id < 5 } }
    let home = Composed {
      first
      inner
    }
    #expect(home.itemCount == 3)
    #expect(throws: ListSource<Section>.Failure.noItem(9)) {
      try home.batch {
        try first.deleteItems([1])
        try second.appendItems([Row(id: 3)])
        try second.select([3])
        #expect(home.itemCount == 3)
        try first.deleteItems([9])
      }
    }
    #expect(home.itemCount == 3 && first.itemCount == 2 && second.itemCount == 1)
    #expect(home.selected == [] && home.sections[1].items.map { $0.base as? AnyItem } != [])
  }

  /// An observer receives a batch, and what several sources have changed since, as one change.
  @Test func changesAreObserved() async throws {
    let first = ListSource(sections: [Section(id: "a", items: [Row(id: 1), Row(id: 2)])])
    let second = ListSource(sections: [Section(id: "a", items: [Row(id: 1)])])
    let home = Composed {
      first
      second
    }
    var iterator = home.changes.makeAsyncIterator()
    try home.batch {
      try first.deleteItems([1])
      try second.deleteItems([1])
    }
    try first.select([2])
    let change = try #require(await iterator.next())
    #expect(change.list.changes.rowCounts == Changes.Counts(deletes: 2))
    #expect(change.newlySelected.count == 1 && change.list.new.map { $0.items.count } == [1, 0])
  }
}
