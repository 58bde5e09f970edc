import FuzzyMatch
import ListDiff
import ListSources

private typealias Group = HeadedSection<String, String, Contact>

struct Contact: Identifiable, Equatable, Sendable {
  var id: Int
  var name = ""
}

struct Story: Widget {
  var id: String
  var parts: [Contact]
}

/// Calls everything in `ListSources`.
@MainActor func callSources() async throws {
  try snapshots()
  try await sources()
  try edits()
  try values()
  try compositions()
  try views()
  widgets()
}

private func snapshots() throws {
  var list = ListSnapshot<String, Int>()
  try list.appendSections(["a", "b"])
  try list.appendItems([1, 2], toSection: "a")
  try list.appendItems([3])
  let before = list
  try list.insertItems([4], beforeItem: 1)
  try list.insertItems([5], afterItem: 3)
  try list.moveItem(2, beforeItem: 4)
  try list.moveItem(1, afterItem: 5)
  try list.insertSections(["c"], beforeSection: "a")
  try list.insertSections(["d"], afterSection: "b")
  try list.moveSection("c", afterSection: "d")
  try list.moveSection("d", beforeSection: "a")
  expect(list.sectionIdentifiers == ["d", "a", "b", "c"] && list.numberOfSections == 4, "sections")
  expect(list.itemIdentifiers == [2, 4, 3, 5, 1] && list.numberOfItems == 5, "items")
  expect(list.itemIdentifiers(inSection: "b") == [3, 5, 1], "the items of a section")
  expect(list.numberOfItems(inSection: "a") == 2 && list.indexOfItem(3) == 2, "an index")
  expect(list.indexOfSection("b") == 2 && list.sectionIdentifier(containingItem: 5) == "b", "both")
  expect(list.path(of: 1) == ListPath(section: 2, row: 2), "a path")
  let kept = list.changes(from: before)
  expect(kept.rowCounts.inserts == 2 && kept.sectionCounts.inserts == 2, "changes")
  expect(list.changes(from: before, moves: false).rowCounts.moves == 0, "changes without moves")
  try list.reloadItems([4])
  try list.reconfigureItems([5])
  try list.reloadSections(["a"])
  expect(list.reloadedItems == [4] && list.reconfiguredItems == [5], "updates")
  expect(list.reloadedSections == ["a"], "reloaded sections")
  let marked = list
  try list.deleteItems([3])
  try list.deleteSections(["d"])
  expect(list.changes(from: marked).rowCounts == Changes.Counts(deletes: 1), "marks of one change")
  fails(list, .duplicateItem(4)) { list throws(Failure) in try list.appendItems([4]) }
  fails(list, .duplicateSection("a")) { list throws(Failure) in try list.appendSections(["a"]) }
  fails(list, .noItem(9)) { list throws(Failure) in try list.deleteItems([9]) }
  fails(list, .noSection("x")) { list throws(Failure) in try list.deleteSections(["x"]) }
  fails(ListSnapshot(), .noSections) { list throws(Failure) in try list.appendItems([1]) }
  list.deleteAllItems()
  expect(list.numberOfItems == 0, "no items")
}

private typealias Failure = ListSnapshot<String, Int>.Failure

private func fails(
  _ list: ListSnapshot<String, Int>, _ expected: EditError<String, Int>,
  _ edit: (inout ListSnapshot<String, Int>) throws(Failure) -> Void
) {
  var copy = list
  do {
    try edit(&copy)
    expect(false, "\(expected)")
  } catch {
    expect(error == expected && copy == list, "\(expected)")
  }
}

@MainActor private func sources() async throws {
  let group = Group(id: "a", header: "A", items: [1, 2, 3].map { Contact(id: $0) })
  let source = ListSource(sections: [group])
  let news = source.changes
  try source.setSelectionMode(.multiple, ofSection: "a")
  try source.select([1])
  try source.select([3], .extend)
  expect(source.selected == [1, 2, 3] && source.selectedPaths.count == 3, "an extension")
  try source.select([2], .toggle)
  try source.select([1], .deselect)
  try source.select([1], .replace)
  source.invertSelection()
  source.selectAll()
  try source.invertSelection(inSection: "a")
  source.deselectAll()
  try source.deselectAll(inSection: "a")
  try source.selectAll(inSection: "a")
  expect(source.choices == [1, 2, 3], "the order of choice")
  try source.setSelectionMode(.multiple(maximum: 2), ofSection: "a")
  try source.setSelectionMode(.multiple(allowsEmpty: false, maximum: 3), ofSection: "a")
  try source.setSelectionMode(.single, ofSection: "a", initially: [2])
  expect(source.selected == [1] && source.selectionModes["a"] == .single, "single selection")
  try source.setSelectionMode(.single(allowsEmpty: false), ofSection: "a")
  try source.setSelectionMode(.disabled, ofSection: "a")
  try source.moveCursor(to: 2)
  do {
    try source.select([9], .select)
    expect(false, "an error")
  } catch {
    expect(error == MissingItem(item: 9) && error.item == 9, "the error for a missing item")
  }
  let path = ListPath(section: 0, row: 1)
  expect(source.path(of: 2) == path && source.item(at: path)?.id == 2, "a path")
  expect(source.cursor == 2 && source.cursorPath == path, "a cursor")
  expect(source.itemCount == 3 && source.sections.count == 1, "a source")
  expect(source.sectionCount == 1 && source.itemCount(inSection: 0) == 3, "numbers")
  expect(source.section(at: 0)?.header == "A" && !source.isSelected(2), "single reads")
  let changes = source.apply([Group(id: "a", items: [Contact(id: 2)])])
  expect(changes.rowCounts.deletes == 2, "a change")
  var observer: SourceChanges<Group>.Iterator = news.makeAsyncIterator()
  let change: SourceChange<Group>? = await observer.next()
  expect(change?.cursor == 2 && change?.newlySelected == [] && change?.deselected == [], "news")
  expect(change?.list.changes.rowCounts.deletes == 2, "the change of an observer")
  expect(change?.list.old == [group] && change?.list.new == source.sections, "its lists")
  expect(change?.list.steps.last?.data == source.sections, "its steps")
  let start = ListPath(section: 0, row: 0)
  expect(change?.list.item(at: start)?.id == 2, "an item after the change")
  expect(change?.list.section(at: 0)?.id == "a", "a section after the change")
}

/// Edits lists as values, gives them to sources, and prints them.
@MainActor private func values() throws {
  let group = Group(id: "a", header: "A", items: [Contact(id: 1), Contact(id: 2)])
  let source = ListSource(sections: [group])
  try source.select([2, 1])
  var list = source.value
  expect(list.choices == [2, 1] && list.cursor == nil && list.sections == [group], "a value")
  source.apply([])
  source.apply(list)
  expect(source.value == list && ListSource(list).value == list, "a value that is given back")
  expect(EditableList(sections: [group]) != list, "another selection")
  let copy = list
  try list.appendItems([Contact(id: 3)], toSection: "a")
  try list.insertItems([Contact(id: 4)], beforeItem: 1)
  try list.insertItems([Contact(id: 5)], afterItem: 1)
  try list.moveItem(3, beforeItem: 4)
  try list.moveItem(4, afterItem: 2)
  try list.appendSections([Group(id: "b")])
  try list.insertSections([Group(id: "c")], beforeSection: "a")
  try list.insertSections([Group(id: "d")], afterSection: "c")
  try list.moveSection("a", beforeSection: "d")
  try list.moveSection("c", afterSection: "b")
  try list.moveItems([5], toSection: "b")
  try list.batch { list throws(EditableList<Group>.Failure) in
    try list.updateItems([Contact(id: 1, name: "Ann")])
    try list.updateSections([Group(id: "a", header: "B")])
    try list.deleteItems([2])
    try list.deleteSections(["d"])
  }
  expect(list.changes(from: copy).rowCounts.inserts == 3, "a change between values")
  expect(list.count == 4 && list.itemCount == 4 && list.sectionCount == 3, "numbers")
  expect(list.itemCount(inSection: 0) == 3 && list.section(at: 0)?.header == "B", "a section")
  let path = ListPath(section: 0, row: 1)
  expect(
    list[1].id == 1 && list.item(at: path)?.name == "Ann" && list.path(of: 1) == path, "an item")
  expect(list.contains(1) && list.item(1) == list[1] && list.startIndex < list.endIndex, "ids")
  var items: EditableList<Group>.Iterator = list.makeIterator()
  expect(items.next()?.id == 3, "the first item")
  try list.setSelectionMode(.multiple, ofSection: "a", initially: [])
  try list.select([1])
  list.selectAll()
  try list.selectAll(inSection: "a")
  list.invertSelection()
  try list.invertSelection(inSection: "a")
  list.deselectAll()
  try list.deselectAll(inSection: "a")
  expect(list.selected == [] && list.selectedPaths == [] && !list.isSelected(1), "no selection")
  try list.moveCursor(to: 1)
  expect(list.cursorPath == path && list.selectionModes.count == 1, "a cursor")
  list.apply([group])
  let other = [Group(id: "b")]
  try list.apply(other, changes: Changes(fromSections: list.sections, to: other))
  try source.apply(other, changes: Changes(fromSections: source.sections, to: other))
  expect(list.isEmpty && source.itemCount == 0, "changes that were computed elsewhere")
  let snapshot = ListSnapshot<String, Int>()
  let texts = [
    source.description, list.description, snapshot.description,
    EditError<String, Int>.noSections.description, MissingItem(item: 1).description,
    AnyItem(Contact(id: 1)).description,
  ]
  expect(texts.count == 6, "descriptions")
}

@MainActor private func edits() throws {
  let source = ListSource(sections: [Group(id: "a", items: [Contact(id: 1), Contact(id: 2)])])
  func group(_ id: String) -> Group { Group(id: id) }
  try source.appendItems([Contact(id: 3)], toSection: "a")
  try source.insertItems([Contact(id: 4)], beforeItem: 1)
  try source.insertItems([Contact(id: 5)], afterItem: 1)
  try source.moveItem(3, beforeItem: 4)
  try source.moveItem(4, afterItem: 2)
  try source.appendSections([group("b")])
  try source.insertSections([group("c")], beforeSection: "a")
  try source.insertSections([group("d")], afterSection: "c")
  try source.moveSection("a", beforeSection: "d")
  try source.moveSection("c", afterSection: "b")
  try source.moveItems([5], toSection: "b")
  expect(source.sections.map(\.id) == ["a", "d", "b", "c"], "the sections after edits")
  expect(source.sections[0].items.map(\.id) == [3, 1, 2, 4], "the items after edits")
  let changes = try source.batch {
    try source.updateItems([Contact(id: 1, name: "Ann")])
    try source.updateSections([Group(id: "a", header: "A")])
    try source.deleteItems([2])
    try source.deleteSections(["d"])
  }
  expect(changes.rowCounts.updates == 1 && changes.sectionCounts.deletes == 1, "a batch")
  do throws(ListSource<Group>.Failure) {
    try source.deleteItems([9])
    expect(false, "an error")
  } catch {
    expect(error == .noItem(9), "the error of an edit")
  }
}

@MainActor private func compositions() throws {
  let first = ListSource(sections: [Group(id: "a", header: "A", items: [Contact(id: 1)])])
  let second = ListSource(sections: [Changes.Section(id: 1, items: [Contact(id: 1)])])
  let isShort = Bool.random()
  let both = Composed {
    first
    for source in [second] { source }
    if isShort { first.window(0..<1) } else { first }
    if isShort { second } else { first }
    if isShort { first }
  }
  try both.batch { try second.appendItems([Contact(id: 2)], toSection: 1) }
  try first.filtered { _ in true }.batch { try first.updateItems([Contact(id: 1, name: "new")]) }
  let path = ListPath(section: 1, row: 0)
  let found = both.locate(path)
  expect(found?.source == 1, "the source of a row")
  expect(found.map { both.path($0.path, ofSource: 1) } == path, "a path of a source")
  var section = both.sections[0]
  expect(section.header == "A" && section.footer == nil && section.base is Group, "a section")
  section.items = both.sections[1].items
  expect(section.items.count == 2 && section.id == both.sections[0].id, "items")
  expect(!(section.id == both.sections[1].id), "other sections")
  expect(!section.hasSameContent(as: both.sections[1]), "other content")
}

@MainActor private func views() throws {
  let contacts = (1...4).map { Contact(id: $0, name: "name \($0 % 2)") }
  let source = ListSource(sections: [Group(id: "a", items: contacts)])
  let filtered = source.filtered { $0.id > 1 }
  let sorted = filtered.sorted(by: \.name)
  let byID = source.sorted { $0.id > $1.id }
  let grouped = sorted.grouped(by: \.name)
  let searched = source.searched("name", in: \.name)
  let members = source.searched("name", in: { [$0.name, "\($0.id)"] })
  let window = grouped.window(0..<2)
  expect(sorted.sections[0].items.map(\.id) == [2, 4, 3] && filtered.base === source, "sorted")
  expect(grouped.sections.map(\.header) == ["name 0", "name 1"], "grouped")
  expect(searched.itemCount == 4 && members.itemCount == 4, "searched")
  expect(searched.match(of: 1)?.ranges == [[0..<4]], "a match")
  expect(window.itemCount == 2 && byID.item(at: ListPath(section: 0, row: 0))?.id == 4, "a window")
  let outline = source.outline { $0.id > 2 ? 2 : nil }
  let all = source.outline(isExpanded: true, parent: { $0.id > 2 ? 2 : nil })
  outline.expand(2)
  var row = outline.sections[0].items[1]
  expect(row.level == 0 && row.hasChildren && row.isExpanded && row.item == contacts[1], "a row")
  expect(row.id == 2 && all.itemCount == 4 && outline.isExpanded(2), "an outline")
  row.level += 1
  expect(row != outline.sections[0].items[1], "another row")
  outline.collapse(2)
  var expansion = Expansion(isExpanded: false, exceptions: [9])
  expansion.setExpanded(2, true)
  outline.expansion = expansion
  expect(outline.expansion.exceptions == [2, 9] && !expansion.isExpanded, "an expansion")
  expect(expansion.isExpanded(2) && outline.itemCount == 4, "an expanded item")
  var section = outline.sections[0]
  expect(section.id == "a" && section.base.items.isEmpty && section.items.count == 4, "rows")
  section.base.header = "new"
  expect(!section.hasSameContent(as: outline.sections[0]), "another section")
  let nested = source.outline(children: { $0.id < 5 ? [Contact(id: $0.id + 4)] : nil })
  let open = source.outline(isExpanded: true, children: { $0.id < 3 ? contacts : [] })
  expect(
    nested.itemCount == 4 && nested.base.itemCount == 8 && open.itemCount == 4, "items in items")
  filtered.filter { $0.id > 2 }
  sorted.sort(by: \.id)
  byID.sort { $0.id < $1.id }
  grouped.group { "\($0.id % 3)" }
  searched.query += " 1"
  window.range = 1..<window.range.upperBound
  expect(window.sections.map(\.id) == ["1"] && searched.query == "name 1", "changes of views")
}

private func widgets() {
  func count<W: Widget>(_ widget: W) -> Int where W.Part == Contact { widget.parts.count }
  let story = Story(id: "s", parts: [Contact(id: 1), Contact(id: 2)])
  let rows = [story].widgetRows
  expect(
    rows.count == count(story) && rows[1] == WidgetRow(widget: "s", part: story.parts[1]), "rows")
  expect(rows[0].id == WidgetRow.ID(widget: "s", part: 1), "the identity of a row")
  expect(rows[0].id.widget == "s" && rows[0].id.part == 1, "a row")
  expect(rows[0].widget == "s" && rows[0].part.id == 1, "a part")
  let widget = AnyWidget(story)
  expect(widget.parts.count == 2 && widget.id == AnyWidget(story).id, "a widget of any type")
  let widgets: [any Widget] = [story, Story(id: "t", parts: [])]
  expect(widgets.widgetRows.map { $0.widget } == [widget.id, widget.id], "rows of any type")
  let (any, other) = (AnyItem(story.parts[0]), AnyItem(story.parts[1]))
  expect(!(any == other) && !(any.id == other.id), "items of any type")
  expect(any.base as? Contact == story.parts[0], "an item of any type")
  var section = Group(id: "a", header: "A", footer: "B", items: [])
  section.items = story.parts
  let same = section.hasSameContent(as: Group(id: "a", header: section.header, footer: "B"))
  expect(same && section.footer == "B" && section.id == "a", "a headed section")
}
