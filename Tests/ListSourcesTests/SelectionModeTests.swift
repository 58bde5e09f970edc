import ListDiff
import Testing

@testable import ListSources

/// The selection modes of sections, whatever is selected, edited or applied.
///
/// Promise: A section of a Swift source that must not be empty keeps a selected item, and no section
///   has more than its maximum, after any action, edit or new list.
@MainActor @Suite struct SelectionModeTests {
  private func section(_ id: String, _ rows: Int...) -> Section {
    Section(id: id, items: rows.map { Row(id: $0) })
  }

  @Test func aSectionThatMustNotBeEmptyStaysSo() throws {
    let source = ListSource(sections: [section("radio", 1, 2, 3), section("letters", 4, 5)])
    try source.setSelectionMode(.single(allowsEmpty: false), ofSection: "radio", initially: [3])
    #expect(source.selected == [3], "the initial choice")
    try source.select([4, 5])
    try source.select([5], .replace)
    #expect(source.choices == [3, 5], "the radio button stays, in its place")
    try source.select([3], .toggle)
    try source.select([3], .deselect)
    source.deselectAll()
    #expect(source.selected == [3])
    try source.select([1])
    try source.deselectAll(inSection: "radio")
    #expect(source.selected == [1])
    try source.deleteItems([1])
    #expect(source.selected == [3], "the initial choice again")
    try source.moveItems([3], toSection: "letters")
    #expect(source.selected == [3, 2], "the first item")
    source.apply([section("radio", 7, 8), section("letters", 2, 3)])
    #expect(source.selectedPaths.first == ListPath(section: 0, row: 0))
    source.apply([section("radio"), section("letters", 2, 3)])
    try source.insertItems([Row(id: 9)], beforeItem: 2)
    try source.moveItems([9], toSection: "radio")
    #expect(source.isSelected(9))
  }

  @Test func checkBoxesThatMustNotBeEmpty() throws {
    let source = ListSource(sections: [section("a", 1, 2, 3)])
    try source.setSelectionMode(.multiple(allowsEmpty: false, maximum: 2), ofSection: "a")
    #expect(source.choices == [1])
    try source.select([3, 2])
    #expect(source.choices == [1, 3], "no more than two")
    try source.select([2, 1, 3], .replace)
    #expect(source.choices == [2, 1])
    try source.select([2, 1], .deselect)
    #expect(source.choices == [1])
    source.invertSelection()
    #expect(source.choices == [2, 3])
    source.selectAll()
    #expect(source.choices == [2, 3], "the first two that were chosen")
    source.deselectAll()
    #expect(source.choices == [3], "the last one that was chosen")
    try source.setSelectionMode(.multiple(maximum: 0), ofSection: "a")
    #expect(source.choices == [])
  }

  @Test func choicesAreInTheirOrder() throws {
    let source = ListSource(sections: [section("a", 1, 2, 3), section("b", 4, 5)])
    try source.select([3])
    try source.select([5, 1])
    #expect(source.choices == [3, 5, 1])
    source.apply([section("b", 1, 5), section("a", 3, 2)])
    try source.select([3, 3], .toggle)
    #expect(source.choices == [5, 1, 3])
    try source.deleteItems([1])
    try source.appendItems([Row(id: 1)])
    #expect(source.choices == [5, 3])
    try source.batch {
      try source.deleteItems([5])
      try source.appendItems([Row(id: 5)])
    }
    #expect(source.choices == [5, 3], "an item that is deleted and inserted is kept")
    #expect(throws: MissingItem<Int>.self) {
      try source.batch {
        source.deselectAll()
        try source.select([9])
      }
    }
    #expect(source.choices == [5, 3])
    source.selectAll()
    #expect(source.choices == [5, 3, 2, 1])
  }

  @Test func unknownSectionsAreRefused() {
    let source = ListSource(sections: [section("a", 1)])
    #expect(throws: EditError<String, Int>.noSection("b")) {
      try source.setSelectionMode(.single, ofSection: "b")
    }
    #expect(throws: EditError<String, Int>.noItem(2)) {
      try source.setSelectionMode(.single, ofSection: "a", initially: [2])
    }
    #expect(throws: EditError<String, Int>.noSection("b")) { try source.selectAll(inSection: "b") }
    #expect(throws: EditError<String, Int>.noSection("b")) {
      try source.invertSelection(inSection: "b")
    }
    #expect(throws: EditError<String, Int>.noSection("b")) {
      try source.deselectAll(inSection: "b")
    }
    #expect(source.selectionModes.isEmpty)
  }

  /// Random actions, edits and lists: each mode holds, and what is selected was chosen.
  @Test func modesHoldAfterAnything() throws {
    var random = Numbers(state: 8)
    let ids = ["a", "b", "c", "d"]
    let modes: [SelectionMode] = [
      .single(allowsEmpty: false), .multiple(allowsEmpty: false, maximum: 2), .single,
      .multiple(maximum: 3),
    ]
    func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    func list() -> [Section] {
      var items = Array(0..<12).shuffled(using: &random)
      return ids.shuffled(using: &random).map { id in
        let rows = (0..<next(4)).map { _ in Row(id: items.removeLast()) }
        return Section(id: id, items: rows)
      }
    }
    let source = ListSource(sections: list())
    for (id, mode) in zip(ids, modes) { try source.setSelectionMode(mode, ofSection: id) }
    for round in 0..<3_000 {
      let items = (0..<1 + next(3)).map { _ in next(12) }
      let actions: [SelectionAction] = [.select, .deselect, .toggle, .replace, .extend]
      switch next(9) {
      case 0: source.selectAll()
      case 1: source.deselectAll()
      case 2: source.invertSelection()
      case 3: source.apply(list())
      case 4: _ = try? source.deleteItems([items[0]])
      case 5: _ = try? source.moveItems([items[0]], toSection: ids[next(4)])
      default: _ = try? source.select(items, actions[next(5)])
      }
      source.tree.checkInvariants()
      #expect(Set(source.choices) == source.selected, "round \(round)")
      for section in source.sections {
        let chosen = section.items.map { $0.id }.filter { source.isSelected($0) }
        let isRequired = (section.id == "a" || section.id == "b") && !section.items.isEmpty
        let most = ["a": 1, "b": 2, "c": 1, "d": 3][section.id] ?? 0
        #expect((isRequired ? 1 : 0)...most ~= chosen.count, "round \(round): \(section.id)")
      }
    }
  }
}
