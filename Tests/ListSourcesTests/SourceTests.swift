import ListDiff
import ListSources
import Testing

/// Promise: Selection, cursor and compositions follow their rows; the four screens of the tutorials
///   run. Also `Tests/ListSourcesTests/ExampleTests.swift`.
struct Row: Identifiable, Equatable, Sendable {
  var id: Int
  var text = ""
}

typealias Section = HeadedSection<String, String, Row>

/// Selection, cursor and compositions after changes.
@MainActor @Suite struct SourceTests {
  private func section(_ id: String, _ rows: Int...) -> Section {
    Section(id: id, items: rows.map { Row(id: $0) })
  }

  @Test func selectionAndCursorFollowTheirItems() throws {
    let source = ListSource(sections: [section("a", 1, 2, 3), section("b", 4)])
    try source.select([2, 4])
    try source.moveCursor(to: 3)
    source.apply([section("b", 2), section("a", 3, 1)])
    #expect(source.selected == [2])
    #expect(source.selectedPaths == [ListPath(section: 0, row: 0)])
    #expect(source.cursor == 3)
    source.apply([section("a", 1, 2)])
    #expect(source.cursor == 1, "the next item that is kept")
    source.apply([section("a", 2)])
    #expect(source.cursor == 2)
    source.apply([])
    #expect(source.cursor == nil && source.selected.isEmpty && source.itemCount == 0)
  }

  @Test func selectionModes() throws {
    let source = ListSource(sections: [
      section("radio", 1, 2), section("boxes", 3, 4), section("none", 5),
    ])
    try source.setSelectionMode(.single(allowsEmpty: false), ofSection: "radio")
    try source.setSelectionMode(.disabled, ofSection: "none")
    try source.select([1, 3, 5])
    #expect(source.selected == [1, 3])
    try source.select([2, 4])
    #expect(source.selected == [2, 3, 4])
    try source.select([2, 4], .toggle)
    #expect(source.selected == [2, 3])
    try source.select([2], .deselect)
    #expect(source.selected == [2, 3], "one of the radio buttons is always selected")
    #expect(throws: MissingItem(item: 9)) { try source.select([4, 9]) }
    #expect(throws: MissingItem(item: 9)) { try source.moveCursor(to: 9) }
    #expect(source.selected == [2, 3])
    try source.setSelectionMode(.single, ofSection: "boxes")
    source.apply([section("boxes", 2, 3), section("radio", 1)])
    #expect(source.selected == [2, 1], "only the first item stays selected, and a radio button")
    try source.select([3], .replace)
    #expect(source.selected == [3, 1])
  }
}
