import ListDiff
import Testing

@testable import ListSources

/// Edits of a source have the same effect as plain arrays that are edited and applied.
///
/// Promise: Sources after edits, alone or in batches, equal plain arrays, and their changes,
///   selections and cursors are those of `apply`; a batch that throws changes nothing.
/// Promise: No text edit replaces a line that can be kept. Also `GapTests`, `test_every_format.py`.
@MainActor @Suite struct EditTests {
  typealias Failure = EditError<String, Int>

  /// An edit, which a source and plain arrays can make.
  enum Edit: Equatable {
    case append([Row], String?)
    case insert([Row], Int, isAfter: Bool)
    case delete([Int])
    case move(Int, Int, isAfter: Bool)
    case moveToEnd([Int], String)
    case update([Row])
    case appendSections([Section])
    case insertSections([Section], String, isAfter: Bool)
    case deleteSections([String])
    case moveSection(String, String, isAfter: Bool)
    case updateSections([Section])
  }

  private func make(_ edit: Edit, in source: ListSource<Section>) throws(Failure) -> Changes {
    switch edit {
    case .append(let rows, let section): try source.appendItems(rows, toSection: section)
    case .insert(let rows, let other, false): try source.insertItems(rows, beforeItem: other)
    case .insert(let rows, let other, true): try source.insertItems(rows, afterItem: other)
    case .delete(let items): try source.deleteItems(items)
    case .move(let item, let other, false): try source.moveItem(item, beforeItem: other)
    case .move(let item, let other, true): try source.moveItem(item, afterItem: other)
    case .moveToEnd(let items, let section): try source.moveItems(items, toSection: section)
    case .update(let rows): try source.updateItems(rows)
    case .appendSections(let added): try source.appendSections(added)
    case .insertSections(let added, let other, false):
      try source.insertSections(added, beforeSection: other)
    case .insertSections(let added, let other, true):
      try source.insertSections(added, afterSection: other)
    case .deleteSections(let removed): try source.deleteSections(removed)
    case .moveSection(let section, let other, false):
      try source.moveSection(section, beforeSection: other)
    case .moveSection(let section, let other, true):
      try source.moveSection(section, afterSection: other)
    case .updateSections(let updated): try source.updateSections(updated)
    }
  }

  private func path(_ item: Int, in list: [Section]) throws(Failure) -> (section: Int, row: Int) {
    for (index, section) in list.enumerated() {
      if let row = section.items.firstIndex(where: { $0.id == item }) { return (index, row) }
    }
    throw .noItem(item)
  }

  private func index(_ id: String, in list: [Section]) throws(Failure) -> Int {
    guard let index = list.firstIndex(where: { $0.id == id }) else { throw .noSection(id) }
    return index
  }

  private func checkNew(_ rows: [Row], in list: [Section]) throws(Failure) {
    var ids = Set(list.flatMap { $0.items.map(\.id) })
    for row in rows where !ids.insert(row.id).inserted { throw .duplicateItem(row.id) }
  }

  /// Makes an edit in arrays. If it throws, the arrays may have been changed.
  private func make(_ edit: Edit, in list: inout [Section]) throws(Failure) {
    switch edit {
    case .append(let rows, let section):
      if section == nil, list.isEmpty { throw .noSections }
      let index = try section.map { id throws(Failure) in try self.index(id, in: list) }
      try checkNew(rows, in: list)
      list[index ?? list.count - 1].items += rows
    case .insert(let rows, let other, let isAfter):
      let (section, row) = try path(other, in: list)
      try checkNew(rows, in: list)
      list[section].items.insert(contentsOf: rows, at: row + (isAfter ? 1 : 0))
    case .delete(let items):
      for item in items { _ = try path(item, in: list) }
      for index in list.indices { list[index].items.removeAll { items.contains($0.id) } }
    case .move(let item, let other, let isAfter):
      let from = try path(item, in: list)
      _ = try path(other, in: list)
      if item == other { return }
      let moved = list[from.section].items.remove(at: from.row)
      let (section, row) = try path(other, in: list)
      list[section].items.insert(moved, at: row + (isAfter ? 1 : 0))
    case .moveToEnd(let items, let section):
      let target = try index(section, in: list)
      for item in items { _ = try path(item, in: list) }
      for item in items {
        let from = try path(item, in: list)
        list[target].items.append(list[from.section].items.remove(at: from.row))
      }
    case .update(let rows):
      for row in rows { _ = try path(row.id, in: list) }
      for row in rows {
        let (section, index) = try path(row.id, in: list)
        list[section].items[index] = row
      }
    case .appendSections(let added): try insert(added, at: list.count, in: &list)
    case .insertSections(let added, let other, let isAfter):
      try insert(added, at: index(other, in: list) + (isAfter ? 1 : 0), in: &list)
    case .deleteSections(let removed):
      for id in removed { _ = try index(id, in: list) }
      list.removeAll { removed.contains($0.id) }
    case .moveSection(let id, let other, let isAfter):
      let from = try index(id, in: list)
      _ = try index(other, in: list)
      if id == other { return }
      let moved = list.remove(at: from)
      list.insert(moved, at: try index(other, in: list) + (isAfter ? 1 : 0))
    case .updateSections(let updated):
      for section in updated { _ = try index(section.id, in: list) }
      for section in updated {
        let index = try index(section.id, in: list)
        list[index] = Section(id: section.id, header: section.header, items: list[index].items)
      }
    }
  }

  private func insert(
    _ added: [Section], at index: Int, in list: inout [Section]
  ) throws(Failure) {
    var ids = Set(list.map(\.id))
    for section in added where !ids.insert(section.id).inserted {
      throw .duplicateSection(section.id)
    }
    try checkNew(added.flatMap(\.items), in: list)
    list.insert(contentsOf: added, at: index)
  }

  /// A source that is edited, and one to which the same lists are applied.
  @MainActor struct Pair {
    var list: [Section]
    let edited: ListSource<Section>
    let applied: ListSource<Section>

    init(_ list: [Section]) {
      self.list = list
      edited = ListSource(sections: list)
      applied = ListSource(sections: list)
    }
  }

  /// Makes edits as a batch, and compares the change and what follows it with those of `apply`.
  private func check(_ edits: [Edit], _ pair: inout Pair, _ story: @autoclosure () -> String) throws
  {
    let old = pair.list
    var failure: Failure?
    var list = old
    do { for edit in edits { try make(edit, in: &list) } } catch { failure = error }
    var changes: Changes?
    do {
      changes =
        if edits.count == 1 {
          try make(edits[0], in: pair.edited)
        } else {
          try pair.edited.batch { () throws(Failure) in
            for edit in edits { _ = try make(edit, in: pair.edited) }
          }
        }
    } catch { #expect(error == failure, "\(story())") }
    if failure == nil { pair.list = list }
    let expected = pair.applied.apply(pair.list)
    #expect(pair.edited.sections == pair.list, "\(story())")
    #expect(pair.edited.selected == pair.applied.selected, "\(story())")
    #expect(pair.edited.selectedPaths == pair.applied.selectedPaths, "\(story())")
    #expect(pair.edited.cursor == pair.applied.cursor, "\(story())")
    pair.edited.tree.checkInvariants()
    pair.applied.tree.checkInvariants()
    guard let changes, failure == nil else { return }
    #expect(changes.rowCounts == expected.rowCounts, "\(story())\n\(changes)\n\(expected)")
    #expect(changes.sectionCounts == expected.sectionCounts, "\(story())\n\(changes)\n\(expected)")
    #expect(changes.oldShape == expected.oldShape && changes.newShape == expected.newShape)
    let steps = try changes.steps(fromSections: old, to: pair.list)
    #expect((steps.last?.data ?? old) == pair.list, "\(story())\n\(changes)")
  }

  private func section(_ id: String, _ rows: [Int], header: String? = nil) -> Section {
    Section(id: id, header: header, items: rows.map { Row(id: $0) })
  }

  /// All pairs of edits of lists with up to three rows in two sections.
  @Test func allPairsOfEdits() throws {
    for rows in [[[1, 2, 3], []], [[1], [2, 3]], [[1, 2], [3]], [[], [1]]] {
      let list = [section("a", rows[0]), section("b", rows[1])]
      let edits = edits(of: rows.flatMap(\.self) + [7])
      for first in edits {
        for second in edits {
          var pair = Pair(list)
          try pair.edited.select([1])
          try pair.applied.select([1])
          try pair.edited.moveCursor(to: 1)
          try pair.applied.moveCursor(to: 1)
          try check([first, second], &pair, "\(rows) \(first) \(second)")
        }
      }
    }
  }

  private func edits(of ids: [Int]) -> [Edit] {
    var edits: [Edit] = [
      .append([Row(id: 8)], nil), .append([Row(id: 1), Row(id: 9)], "a"),
      .append([Row(id: 8)], "c"), .moveToEnd([1], "b"), .moveToEnd([2, 1], "a"),
      .appendSections([section("c", [7])]), .appendSections([section("a", [5], header: "A")]),
      .insertSections([section("c", []), section("d", [8])], "b", isAfter: false),
      .insertSections([section("c", [1])], "a", isAfter: true), .deleteSections(["a"]),
      .deleteSections(["b", "a"]), .moveSection("b", "a", isAfter: false),
      .moveSection("a", "b", isAfter: true), .moveSection("a", "c", isAfter: true),
      .updateSections([section("a", [9], header: "new")]), .update([Row(id: 1, text: "one")]),
    ]
    for id in ids {
      edits += [.delete([id]), .insert([Row(id: 8)], id, isAfter: id == 1)]
      for other in ids { edits.append(.move(id, other, isAfter: id < other)) }
    }
    return edits
  }

  /// Batches of random edits of lists of all sizes, so that leaves are filled, split and merged.
  @Test(arguments: 1...12 as ClosedRange<UInt64>) func randomEdits(_ seed: UInt64) throws {
    var random = Numbers(state: seed)
    var next = 0
    func rows(_ count: Int) -> [Row] {
      defer { next += count }
      return (next..<next + count).map { Row(id: $0) }
    }
    let size = [3, 40, 400, 2_000][Int(seed) % 4]
    var pair = Pair(
      ["a", "b", "c"].prefix(Int(seed) % 3 + 1).map { Section(id: $0, items: rows(size)) })
    if seed > 4 {
      for source in [pair.edited, pair.applied] {
        try source.setSelectionMode(.single, ofSection: "a")
        if seed % 3 > 0 { try source.setSelectionMode(.disabled, ofSection: "b") }
      }
    }
    for round in 0..<120 {
      var edits: [Edit] = []
      var list = pair.list
      for _ in 0..<[1, 1, 2, 6, 30][random.next(below: 5)] {
        let edit = randomEdit(of: list, rows, &random)
        var copy = list
        // One batch in eight fails.
        guard random.next(below: 8) == 0 || (try? make(edit, in: &copy)) != nil else { continue }
        list = copy
        edits.append(edit)
      }
      try check(edits, &pair, "\(seed) \(round) \(edits)")
      try select(in: pair, &random)
    }
  }

  private func select(in pair: Pair, _ random: inout Numbers) throws {
    let ids = pair.list.flatMap { $0.items.map(\.id) }
    guard !ids.isEmpty else { return }
    let items = (0..<3).map { _ in ids[random.next(below: ids.count)] }
    let action: SelectionAction = [.select, .extend, .toggle, .replace][random.next(below: 4)]
    for source in [pair.edited, pair.applied] {
      try source.select(items, action)
      try source.moveCursor(to: items[0])
    }
  }

  private func randomEdit(
    of list: [Section], _ rows: (Int) -> [Row], _ random: inout Numbers
  ) -> Edit {
    let ids = list.flatMap { $0.items.map(\.id) }
    func id() -> Int { ids.isEmpty ? -1 : ids[random.next(below: ids.count)] }
    func name() -> String { ["a", "b", "c", "d", "e"][random.next(below: 5)] }
    let isAfter = random.next(below: 2) == 0
    let count = random.next(below: 40) == 0 ? 150 : 1 + random.next(below: 3)
    switch random.next(below: 20) {
    case 0: return .append(rows(count), isAfter ? name() : nil)
    case 1, 2: return .insert(rows(count), id(), isAfter: isAfter)
    case 3: return .insert([Row(id: id())], id(), isAfter: isAfter)
    case 4, 5, 6: return .delete((0..<count).map { _ in id() })
    case 7, 8, 9, 10: return .move(id(), id(), isAfter: isAfter)
    case 11: return .moveToEnd(Array(Set((0..<count).map { _ in id() })), name())
    case 12, 13: return .update([Row(id: id(), text: "\(random.next(below: 3))")])
    case 14: return .appendSections([Section(id: name(), header: "\(count)", items: rows(count))])
    case 15:
      return .insertSections([Section(id: name(), items: rows(count))], name(), isAfter: isAfter)
    case 16: return random.next(below: 4) == 0 ? .deleteSections([name()]) : .delete([id()])
    case 17, 18: return .moveSection(name(), name(), isAfter: isAfter)
    default:
      return .updateSections([Section(id: name(), header: "\(random.next(below: 3))", items: [])])
    }
  }

  @Test func aBatchIsOneChange() async throws {
    let source = ListSource(sections: [section("a", [1, 2, 3])])
    let news = source.changes
    let home = Composed { source }
    let revision = home.listRevision
    let changes = try source.batch {
      try source.deleteItems([3])
      try source.moveItem(2, beforeItem: 1)
      try source.select([2])
      try source.moveCursor(to: 1)
      #expect(source.itemCount == 2 && source.isSelected(2))
    }
    #expect(changes.rowCounts == Changes.Counts(deletes: 1, moves: 1))
    var iterator = news.makeAsyncIterator()
    let change = await iterator.next()
    #expect(change?.list.changes.rowCounts == changes.rowCounts)
    #expect(change?.newlySelected == [2] && change?.cursor == 1)
    #expect(home.listRevision == revision + 1)
  }

  @Test func aBatchThatThrowsChangesNothing() throws {
    let source = ListSource(sections: [section("a", [1, 2, 3]), section("b", [])])
    try source.select([1, 2])
    try source.moveCursor(to: 2)
    let before = source.sections
    let home = Composed { source }
    #expect(throws: Failure.noItem(9)) {
      try source.batch {
        try source.deleteItems([1])
        try source.setSelectionMode(.single, ofSection: "b")
        try source.select([3])
        try source.moveCursor(to: 3)
        try source.deleteSections(["a"])
        try source.appendItems([Row(id: 1)])
        try source.deleteItems([9])
      }
    }
    #expect(source.sections == before && source.selected == [1, 2] && source.cursor == 2)
    #expect(source.selectionModes.isEmpty && home.sections[0].items.count == 3)
    try source.select([3], .extend)
    #expect(source.selected == [1, 2, 3])
  }

  @Test func onlyTheFirstWithAnIDIsKept() {
    let source = ListSource(sections: [section("a", [1, 2, 1]), section("b", [2, 3])])
    #expect(source.sections == [section("a", [1, 2]), section("b", [3])])
    let changes = source.apply([
      section("a", [3, 3]), section("a", [4]), section("b", [3]), section("c", [5, 5]),
    ])
    #expect(source.sections == [section("a", [3]), section("b", []), section("c", [5])])
    #expect(changes.newShape == [1, 0, 1])
    source.tree.checkInvariants()
  }
}
