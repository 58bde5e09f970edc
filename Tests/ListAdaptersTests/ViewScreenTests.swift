import ListAdapters
import ListDiff
import ListSources
import Testing

/// Lists that follow a source, shown by presenters in displays that are as strict as views, while the source,
/// the conditions and the selection change.
///
/// Promise: A presenter undoes edits, and makes them again, in the sources of a filtered, sorted, grouped or
///   composed list, with the selection that they had.
@MainActor @Suite struct ViewScreenTests {
  private func show(
    _ list: SectionSource<Group>, _ screen: ListPresenter<SectionSource<Group>, StrictDisplay>
  ) {
    screen.update()
    #expect(screen.display.sections == list.sections && screen.sections == list.sections)
    #expect(screen.display.selected == list.selectedPaths)
    #expect(screen.cursorPath == list.cursorPath)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func randomEdits(_ seed: UInt64) {
    var random = Numbers(state: seed)
    let source = ListSource<Group>(sections: [])
    source.apply(random.next([]))
    let filtered = source.filtered { $0.id % 3 > 0 }
    let sorted = filtered.sorted(by: \.text)
    let grouped = source.grouped(by: \.text)
    let window = sorted.window(2..<9)
    let searched = source.searched(in: \.text)
    let views: [SectionSource<Group>] = [
      filtered, sorted, window, grouped.window(0..<12), grouped.filtered { $0.id > 4 }, searched,
    ]
    let screens = views.map { ListPresenter($0, display: StrictDisplay()) }
    for round in 0..<120 {
      source.apply(random.next(source.sections))
      if round % 10 == 0 {
        let rest = random.below(3)
        filtered.filter { $0.id % 3 != rest }
      }
      if round % 15 == 0 {
        let modulus = 1 + random.below(9)
        sorted.sort { $0.id % modulus < $1.id % modulus }
      }
      if round % 5 == 0 { searched.query = ["", "n", "ne", "!1", "1 | 2", "w 3"][random.below(6)] }
      if round % 7 == 0 { window.range = random.below(5)..<5 + random.below(9) }
      let tapped = random.below(screens.count)
      let row = ListPath(section: random.below(3), row: random.below(4))
      screens[tapped].choose([row], [.select, .toggle, .replace, .extend][random.below(4)])
      for (view, screen) in zip(views, screens) where random.below(2) == 0 { show(view, screen) }
    }
    for (view, screen) in zip(views, screens) {
      show(view, screen)
      #expect(!screen.undo(), "nothing is kept")
    }
    #expect(screens.contains { !$0.display.stages.isEmpty })
  }

  /// Edits of sources, some of which the list does not show, are undone and made again through the list.
  @Test(arguments: 1...6 as ClosedRange<UInt64>) func editsAreUndone(_ seed: UInt64) {
    var random = Numbers(state: seed)
    let (first, second) = (ListSource<Group>(sections: []), ListSource<Group>(sections: []))
    let view = first.filtered { $0.id % 3 > 0 }.sorted(by: \.text)
    let both = Composed {
      view
      second
      first.window(2..<4).filtered { $0.id % 2 == 0 }
    }
    let screen = ListPresenter(both, display: StrictDisplay())
    let filtered = ListPresenter(view, display: StrictDisplay())
    func rows(_ sections: [AnySection]) -> [[AnyItem]] { sections.map { $0.items } }
    func seen() -> [[Group]] { [first.sections, second.sections] }
    func selected() -> [[Int]] { [first.choices, second.choices] }
    (screen.undoLimit, filtered.undoLimit) = (4, 4)
    var undone = 0
    // What there was before edits that are not shown.
    var hidden: [[Group]]?
    for round in 0..<150 {
      screen.update()
      filtered.update()
      let before = (seen(), selected(), rows(both.sections))
      let stages = screen.display.stages.count
      first.apply(random.below(3) == 0 ? hiddenChange(first.sections) : random.next(first.sections))
      if random.below(2) == 0 { second.apply(random.next(second.sections)) }
      _ = try? first.select([random.below(20)], .toggle)
      let filteredBefore = filtered.sections
      screen.update()
      filtered.update()
      #expect(rows(screen.sections) == rows(both.sections))
      if screen.display.stages.count == stages {
        if seen() != before.0 { hidden = hidden ?? before.0 }
        continue
      }
      if random.below(2) == 0 {
        let after = (seen(), selected())
        #expect(screen.undo() && seen() == hidden ?? before.0, "round \(round)")
        #expect(hidden != nil || selected() == before.1, "round \(round)")
        #expect(rows(screen.sections) == before.2)
        #expect(screen.redo() && seen() == after.0 && selected() == after.1, "round \(round)")
        undone += 1
      } else if filteredBefore != view.sections {
        #expect(filtered.undo() && filtered.sections == filteredBefore, "round \(round)")
        #expect(filtered.display.sections == view.sections)
      }
      hidden = nil
    }
    #expect(undone > 10)
  }

  /// Returns a list in which items are updated that are not in lists of those with other ids.
  private func hiddenChange(_ list: [Group]) -> [Group] {
    list.map { section in
      var section = section
      section.items = section.items.map {
        $0.id % 3 == 0 ? Row(id: $0.id, text: $0.text + ".") : $0
      }
      return section
    }
  }

  /// An edit that a list does not show is undone with the next edit that it shows.
  @Test func hiddenEditsAreUndoneWithOthers() throws {
    let source = ListSource(sections: [
      Group(id: "a", items: [Row(id: 1), Row(id: 2), Row(id: 3)])
    ])
    let odd = source.filtered { $0.id % 2 == 1 }
    let screen = ListPresenter(odd, display: StrictDisplay())
    screen.undoLimit = 5
    screen.update()
    let lists = [source.sections]
    try source.deleteItems([2])
    screen.update()
    #expect(!screen.canUndo, "nothing that is shown has changed")
    try source.moveItem(3, beforeItem: 1)
    screen.update()
    try source.appendItems([Row(id: 4)])
    #expect(screen.undo() && source.sections == lists[0] && screen.display.sections == odd.sections)
    #expect(!screen.canUndo && screen.redo())
    #expect(source.sections[0].items.map { $0.id } == [3, 1, 4])
  }
}
