import ListAdapters
import ListDiff
import ListSources
import Testing

/// What a presenter shows of its source, in a display that is as strict as a view.
@MainActor @Suite struct PresenterTests {
  private typealias Presenter = ListPresenter<ListSource<Group>, StrictDisplay>

  private func group(_ id: String, _ rows: Int...) -> Group {
    Group(id: id, items: rows.map { Row(id: $0) })
  }

  private func path(_ section: Int, _ row: Int) -> ListPath { ListPath(section: section, row: row) }

  @Test func editsOfOneTurnAreShownAtOnce() async throws {
    let source = ListSource(sections: [group("a", 1, 2, 3)])
    let screen = Presenter(source, display: StrictDisplay())
    try await wait { screen.display.reloads > 0 }
    #expect(screen.display.sections == source.sections && screen.display.reloads == 1)
    try source.appendItems([Row(id: 4)])
    try source.appendItems([Row(id: 5)])
    try source.moveItem(1, afterItem: 3)
    #expect(screen.sections[0].items.count == 3, "nothing is shown in this turn")
    try await wait { screen.sections == source.sections }
    #expect(screen.display.sections == source.sections)
    #expect(screen.display.stages.count == 1 && screen.display.reloads == 1)
  }

  @Test func edits() throws {
    let source = ListSource(sections: [group("a", 1, 2), group("b", 3)])
    let screen = Presenter(source, display: StrictDisplay())
    screen.update()
    // Rows move to a new section, which another row is inserted into.
    source.apply([group("n", 2, 3, 9), group("a", 1)])
    screen.update()
    #expect(screen.display.sections == source.sections && screen.display.stages.count > 1)
    screen.display.showsStages = false
    source.apply([group("a", 1)])
    screen.update()
    #expect(screen.display.reloads == 2 && screen.display.sections == source.sections)
    screen.display.showsStages = true
    screen.reloadLimit = 0
    source.apply([group("a", 2)])
    screen.update()
    #expect(screen.display.reloads == 3 && screen.display.sections == source.sections)
  }

  /// A row that edits the source when it is made, and updates the screen.
  @Test func editsWhileAChangeIsShown() throws {
    let source = ListSource(sections: [group("a", 1)])
    let screen = Presenter(source, display: StrictDisplay())
    screen.update()
    screen.display.whenRead = { [unowned screen] row in
      guard row.id < 9 else { return }
      _ = try? source.insertItems([Row(id: row.id + 1)], beforeItem: 1)
      #expect(!screen.undo(), "not while a change is shown")
      screen.update()
    }
    try source.appendItems([Row(id: 5)])
    screen.update()
    #expect(source.sections[0].items.map { $0.id } == [6, 7, 8, 9, 1, 5])
    #expect(screen.display.sections == source.sections)
    screen.display.whenRead = { _ in
      if let last = source.sections[0].items.last?.id {
        _ = try? source.appendItems([Row(id: last + 10)])
      }
    }
    try source.appendItems([Row(id: 10)])
    screen.update()
    #expect(source.itemCount > 9, "a row that always edits does not block")
    screen.display.whenRead = { _ in }
    screen.update()
    #expect(screen.display.sections == source.sections)
  }

  @Test func updatedItemsThatNeedOtherViewsAreReloaded() throws {
    let source = ListSource(sections: [group("a", 1, 2)])
    let screen = Presenter(source, display: StrictDisplay())
    screen.update()
    try source.updateItems([Row(id: 1, text: "x")])
    screen.update()
    screen.display.needsNewViews = true
    try source.updateItems([Row(id: 2, text: "x")])
    screen.update()
    #expect(
      screen.display.stages.flatMap { $0.ops } == [
        .reconfigureItems(at: path(0, 0), count: 1), .reloadItems(at: path(0, 1), count: 1),
      ])
  }

  @Test func theSelectionIsThatOfTheSource() throws {
    let source = ListSource(sections: [group("radio", 1, 2), group("boxes", 3, 4)])
    try source.setSelectionMode(.single(allowsEmpty: false), ofSection: "radio")
    try source.select([1])
    let screen = Presenter(source, display: StrictDisplay())
    var chosen: [Int] = []
    screen.didSelect(Row.self) { chosen.append($0.id) }
    screen.didSelect(String.self) { _ in chosen.append(-1) }
    screen.update()
    #expect(screen.display.selected == [path(0, 0)])
    screen.choose([path(0, 1)], .select)
    screen.choose([path(1, 0)], .select)
    screen.choose([path(0, 1)], .deselect)
    #expect(source.selected == [2, 3] && chosen == [2, 3])
    #expect(screen.display.selected == [path(0, 1), path(1, 0)])
    #expect(source.cursor == 2 && screen.display.revealed == path(0, 1))
    try source.select([4])
    try source.moveCursor(to: 4)
    screen.update()
    #expect(screen.display.selected.count == 3 && screen.display.revealed == path(1, 1))
  }

  /// A choice in a list that the source has changed since.
  @Test func aChoiceFollowsItsRow() throws {
    let source = ListSource(sections: [group("a", 1, 2, 3)])
    let screen = Presenter(source, display: StrictDisplay())
    screen.update()
    try source.moveItem(3, beforeItem: 1)
    try source.deleteItems([2])
    screen.choose([path(0, 0), path(0, 1), path(0, 7)], .select)
    #expect(source.selected == [1] && screen.display.selected == [path(0, 1)])
    #expect(screen.item(at: path(0, 9)) == nil && screen.item(at: path(9, 0)) == nil)
  }

  @Test func changesAreUndone() throws {
    let source = ListSource(sections: [group("a", 1, 2, 3)])
    let screen = Presenter(source, display: StrictDisplay())
    screen.update()
    #expect(!screen.undo() && !screen.canUndo)
    screen.undoLimit = 2
    var lists = [source.sections]
    try source.select([2])
    for id in 4...6 {
      try source.deleteItems([id - 3])
      try source.appendSections([group("\(id)", id)])
      screen.update()
      lists.append(source.sections)
    }
    #expect(source.selected == [])
    #expect(screen.undo() && screen.display.sections == lists[2])
    #expect(screen.undo() && screen.display.sections == lists[1] && source.selected == [2])
    #expect(!screen.undo() && source.sections == lists[1], "two changes are kept")
    #expect(screen.redo() && screen.display.sections == lists[2] && screen.canRedo)
    try source.appendItems([Row(id: 9)])
    #expect(!screen.redo() && !screen.canRedo)
    #expect(screen.undo() && source.sections == lists[2])
    screen.undoLimit = 0
    #expect(!screen.canUndo && !screen.canRedo)
  }

  @Test func aCompositionIsShown() throws {
    let first = ListSource(sections: [group("a", 1, 2)])
    let second = ListSource(sections: [group("b", 3)])
    let both = Composed {
      first
      second
    }
    let screen = ListPresenter(both, display: StrictDisplay())
    screen.undoLimit = 1
    screen.update()
    try second.appendItems([Row(id: 4)])
    try first.deleteItems([1])
    screen.update()
    let shown = screen.display.sections
    #expect(shown == first.sections + second.sections)
    #expect(screen.undo() && first.itemCount == 2 && second.itemCount == 1)
    #expect(screen.display.sections == first.sections + second.sections)
    #expect(screen.redo() && screen.display.sections == shown)
    screen.choose([path(0, 0)], .select)
    screen.choose([path(1, 1)], .replace)
    #expect(first.selected == [] && second.selected == [4])
    #expect(first.cursor == nil && screen.cursorPath == path(1, 1))
    #expect(screen.display.selected == [path(1, 1)])
  }

  @Test func aPresenterDoesNotLiveOnInItsSource() async throws {
    let source = ListSource(sections: [group("a", 1)])
    var screen: Presenter? = Presenter(source, display: StrictDisplay())
    let isReleased = { [weak screen] in screen == nil }
    screen?.update()
    try await wait { true }
    screen = nil
    #expect(isReleased())
    try source.appendItems([Row(id: 2)])
  }

  /// A sample of what `Tests/library` does with the views of UIKit and AppKit.
  @Test func randomChangesInEachTurn() {
    var random = Numbers(state: 3)
    let source = ListSource<Group>()
    let screen = Presenter(source, display: StrictDisplay())
    screen.undoLimit = 3
    screen.update()
    for round in 0..<2_000 {
      let before = (source.sections, source.selectedPaths)
      for _ in 0..<2 + random.below(4) {
        switch random.below(4) {
        case 0: _ = try? source.select([random.below(40)], .toggle)
        case 1: _ = try? source.moveItem(random.below(40), beforeItem: random.below(40))
        default: source.apply(random.next(source.sections))
        }
      }
      screen.update()
      if before.0 != source.sections, random.below(3) == 0 {
        let after = source.sections
        #expect(screen.undo() && source.sections == before.0 && source.selectedPaths == before.1)
        #expect(screen.redo() && source.sections == after)
      }
      #expect(screen.display.sections == source.sections, "round \(round)")
      #expect(screen.display.selected == source.selectedPaths, "round \(round)")
    }
    #expect(screen.display.reloads == 1)
  }
}
