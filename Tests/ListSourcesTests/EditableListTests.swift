import Foundation
import ListDiff
import Testing

@testable import ListSources

/// Lists as values: copies, changes between them, batches, and lists that are sent to another actor and back.
///
/// Promise: A list of a Swift source can be edited as a value on any actor; its copies stay as they are, and the
///   change between two of them leads from one to the other, with no more operations than if all is compared.
/// Promise: A Swift source that is encoded, decoded and restored has its items, selection, order of choice,
///   selection modes and cursor.
@MainActor @Suite struct EditableListTests {
  private typealias List = EditableList<Section>
  private typealias Failure = EditError<String, Int>

  private func section(_ id: String, _ rows: Int...) -> Section {
    Section(id: id, header: id, items: rows.map { Row(id: $0) })
  }

  private func check(_ list: List, from other: List, _ story: String) {
    let changes = list.changes(from: other)
    let (old, new) = (other.sections, list.sections)
    let plain = Changes(fromSections: old, to: new)
    #expect(changes.rowCounts == plain.rowCounts, "\(story)")
    #expect(changes.sectionCounts == plain.sectionCounts, "\(story)")
    let result = try? changes.steps(fromSections: old, to: new).last?.data ?? old
    #expect(result == new, "\(story)")
    #expect((list == other) == (changes.isEmpty && list.choices == other.choices), "\(story)")
  }

  /// Copies of a source's list, some of which are edited by themselves and given back, each compared with
  /// several others.
  @Test(arguments: 1...30 as ClosedRange<UInt64>) func randomCopies(_ seed: UInt64) throws {
    let edited = EditedSource(seed: seed, count: [3, 30, 300][Int(seed) % 3])
    let source = edited.source
    let long = source.filtered { $0.text < "4" }
    var observed = ListMirror(of: source)
    var copies = [(source.value, source.sections), (long.value, long.sections)]
    for round in 0..<60 {
      edited.edit()
      let item = edited.item
      _ = try? source.select([item], .toggle)
      if round % 4 == 1 { copies.append((long.value, long.sections)) }
      if round % 3 == 0 {
        var copy = source.value
        edited.edit()
        _ = try? copy.deleteItems([edited.item])
        _ = try? copy.moveItem(edited.item, beforeItem: item)
        copies.append((copy, copy.sections))
        if round % 2 == 0 {
          let before = source.sections
          let change = source.apply(copy)
          #expect(change == copy.changes(from: List(sections: before)))
          #expect(source.value == copy && source.choices == copy.choices)
        }
      }
      copies.append((source.value, source.sections))
      let list = source.value
      for _ in 0..<3 {
        check(list, from: copies[edited.below(copies.count)].0, "\(seed) \(round)")
      }
      list.tree.checkInvariants()
      let change = observed.change(of: source) { Changes(fromSections: $0, to: $1) }
      let plain = Changes(fromSections: observed.sections, to: list.sections)
      #expect(change.changes.rowCounts == plain.rowCounts, "\(seed) \(round)")
      #expect(change.changes.sectionCounts == plain.sectionCounts, "\(seed) \(round)")
      observed.adopt(change)
      #expect(observed.sections == list.sections)
      #expect(long.sections == source.map { $0.filter { $0.text < "4" } })
    }
    for (copy, sections) in copies { #expect(copy.sections == sections && copy == copy) }
  }

  @Test func batches() throws {
    var list = List(sections: [section("a", 1, 2, 3)])
    let before = list
    #expect(throws: Failure.noItem(9)) {
      try list.batch { list throws(Failure) in
        try list.deleteItems([1])
        list.selectAll()
        try list.deleteItems([9])
      }
    }
    #expect(list == before && list.selected == [])
    list.tree.checkInvariants()
    var copy = list
    let changes = try list.batch { list throws(Failure) in
      #expect(try list.deleteItems([1]).isEmpty, "the change is that of the batch")
      try list.batch { list throws(Failure) in try list.appendItems([Row(id: 4)]) }
      copy = list
      try list.moveItem(2, afterItem: 4)
    }
    #expect(list.map(\.id) == [3, 4, 2] && copy.map(\.id) == [2, 3, 4])
    #expect(changes == list.changes(from: before) && changes.rowCounts.moves == 1)
    #expect(copy.changes(from: before).rowCounts == Changes.Counts(deletes: 1, inserts: 1))
    #expect(list.changes(from: copy).rowCounts == Changes.Counts(moves: 1))
    #expect(try copy.deleteItems([3]).rowCounts.deletes == 1, "the batch of the copy has ended")
    copy.tree.checkInvariants()
  }

  /// A source whose value is read in a batch that then fails.
  @Test func aCopyOfAFailedBatch() throws {
    let source = ListSource(sections: [section("a", 1, 2, 3)])
    var copy = List()
    _ = try? source.batch {
      try source.deleteItems([1])
      copy = source.value
      try source.deleteItems([9])
    }
    #expect(source.itemCount == 3 && copy.map(\.id) == [2, 3])
    #expect(source.apply(copy).rowCounts == Changes.Counts(deletes: 1))
    #expect(source.value == copy)
    source.value.tree.checkInvariants()
  }

  private actor Editor {
    var list: List

    init(_ list: List) { self.list = list }

    func add(_ rows: [Row]) throws -> List {
      try list.appendItems(rows)
      return list
    }
  }

  @Test func anotherActor() async throws {
    let source = ListSource(sections: [section("a", 1, 2, 3)])
    try source.select([2])
    try source.moveCursor(to: 2)
    let sorted = source.sorted(by: \.id, >)
    #expect(sorted.value.map(\.id) == [3, 2, 1] && sorted.value.selected == [2])
    let editor = Editor(source.value)
    for id in 4..<8 {
      let change = source.apply(try await editor.add([Row(id: id)]))
      #expect(change.rowCounts == Changes.Counts(inserts: 1))
      #expect(sorted.value.first?.id == id && sorted.value.cursor == 2)
    }
    #expect(source.selected == [2] && source.cursorPath == ListPath(section: 0, row: 1))
    let other = ListSource(source.value)
    try other.deleteItems([2])
    #expect(other.cursor == 3 && source.cursor == 2)
  }

  @Test func changesThatWereComputedElsewhere() async throws {
    let source = ListSource(sections: [section("a", 1, 2, 3)])
    let (old, new) = (source.sections, [section("b", 4), section("a", 3, 1)])
    let changes = await Task.detached { Changes(fromSections: old, to: new) }.value
    #expect(try source.apply(new, changes: changes) == changes && source.sections == new)
    #expect(throws: ShapeMismatch(expected: [3], found: [1, 2])) {
      try source.apply(old, changes: changes)
    }
    #expect(throws: ShapeMismatch(expected: [3], found: [1, 2])) {
      try source.apply(new, changes: Changes(fromSections: new, to: old))
    }
    #expect(source.sections == new)
  }

  @Test func items() throws {
    let rows = (0..<500).map { Row(id: $0) }
    var list = List(sections: [
      section("empty"), Section(id: "a", items: rows), section("none"), section("b", 900, 901),
    ])
    let ids = Array(0..<500) + [900, 901]
    #expect(list.map(\.id) == ids && list.indices.map { list[$0].id } == ids)
    #expect(list.count == 502 && !list.isEmpty && list.last?.id == 901)
    #expect(list[3..<6].map(\.id) == [3, 4, 5] && list.reversed().first?.id == 901)
    #expect(list.contains(900) && !list.contains(902) && list.item(901) == Row(id: 901))
    #expect(list.itemCount(inSection: 3) == 2 && list.section(at: 1)?.items == [])
    #expect(list.path(of: 901) == ListPath(section: 3, row: 1))
    #expect("\(list)" == "EditableList(sections: 4, items: 502, selected: 0)")
    try list.deleteSections(["a", "b"])
    #expect(list.isEmpty && list.map(\.id) == [] && List().first == nil)
  }

  // MARK: Files

  private typealias Group = HeadedSection<String, String, Setting>

  private struct Setting: Identifiable, Codable, Hashable {
    var id: Int
    var text = ""
  }

  private func group(_ id: String, _ items: Int...) -> Group {
    Group(id: id, header: id, items: items.map { Setting(id: $0) })
  }

  @Test func aSourceIsRestored() throws {
    let source = ListSource(sections: [group("a", 1, 2, 3), group("b", 4, 5)])
    try source.setSelectionMode(.multiple(maximum: 2), ofSection: "a")
    try source.setSelectionMode(.single(allowsEmpty: false), ofSection: "b", initially: [5])
    try source.select([3, 1])
    try source.moveCursor(to: 2)
    let saved = source.value
    let data = try JSONEncoder().encode(saved)
    var decoded = try JSONDecoder().decode(EditableList<Group>.self, from: data)
    #expect(decoded == saved && saved.choices == [5, 3, 1] && saved.cursor == 2)
    let others = [ListSource<Group>(), ListSource(sections: [group("x", 3, 9), group("b", 4)])]
    try others[1].setSelectionMode(.disabled, ofSection: "x")
    try others[1].select([4])
    for other in others + [source] {
      other.apply(decoded)
      #expect(other.value == saved && other.choices == [5, 3, 1] && other.cursor == 2)
      try other.select([2])
      #expect(other.choices == [5, 3, 1], "at most two")
      try other.select([5], .deselect)
      #expect(other.isSelected(5))
    }
    try decoded.deleteSections(["a"])
    try decoded.moveCursor(to: nil)
    source.apply(decoded)
    #expect(source.sections == [group("b", 4, 5)] && source.choices == [5] && source.cursor == nil)
  }

  /// A file that has ids which its sections do not have.
  @Test func unknownIDsAreIgnored() throws {
    let text = """
      {"sections": [{"id": "a", "items": [{"id": 1, "text": ""}, {"id": 2, "text": ""}]}],
      "choices": [9, 2, 1], "cursor": 7, "modes": {"a": {"single": {"allowsEmpty": true}}, "z":
      {"disabled": {}}}, "initialChoices": {}}
      """
    let list = try JSONDecoder().decode(EditableList<Group>.self, from: Data(text.utf8))
    #expect(list.choices == [1] && list.cursor == nil && list.selectionModes.count == 2)
  }
}
