import ListDiff
import Testing

@testable import ListState

/// Compares edits of lists whose items repeat with edits of arrays, and their changes with those between
/// snapshots.
@Suite struct RepeatedItemsTests {
  private static let name = Array("l".utf8)

  @Test(arguments: 0..<8)
  func editsEqualThoseOfSnapshots(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let letters = Array("abcdefgh".prefix(1 + Int(seed) % 8)).map(String.init)
    var lists = Lists()
    lists.store.recordsModifications = true
    try lists.apply(picture(letters, [0, 3, 9, 400][Int(seed) % 4], &random))
    var known: [Int: [[String]]] = [:]
    for _ in 0..<40 {
      lists.store.begin()
      known[try lists.list().revision] = try texts(&lists)
      try selectSome(&lists, &random)
      lists.store.begin()
      var edits = edits(&lists, letters, &random)
      if random.below(5) == 0 {
        // A revision that is kept in terms of a snapshot.
        let list = try lists.list()
        if let made = try? lists.store.edited(list.shownItems, of: list, edits) {
          _ = try lists.store.replace(Self.name, with: made, ChangeRequest())
        }
        continue
      }
      let start = random.below(4) == 0 ? try someRevision(&lists, &random) : nil
      try checkEdit(&edits, from: start, &lists, &random)
      try checkReferences(letters, &lists)
      for (revision, expected) in known {
        guard let past = try? lists.list().snapshot(of: revision) else { continue }
        past.checkInvariants()
        #expect(texts(past) == expected)
        #expect(past.arrangement.hasRepeats == repeats(expected))
      }
      lists.store.begin()
      try checkComparison(letters, &lists, &random)
      if random.below(6) == 0 { lists.remakeTree(of: Self.name) }
      if random.below(8) == 0 { lists.store.sweep() }
      if random.below(4) == 0 { lists.store.beginSweep() }
      lists.store.continueSweep(random.below(8))
    }
    lists.store.begin()
    lists.store.checkInvariants()
  }

  @Test func shortListsExhaustively() throws {
    for word in words(of: ["a", "b"], upTo: 4) {
      for one in singleEdits(word.count) {
        let others = word.count > 2 ? [] : singleEdits(one.count(word.count)).map { [one, $0] }
        for pair in [[one]] + others {
          var lists = Lists()
          try lists.apply("A/m: \(word.joined(separator: " "))")
          var edits = Edits()
          var picture = "Z:"
          for edit in pair { edits.edits.append(edit.edit(&picture)) }
          edits.newContent = lists.snapshot(picture)
          var random = SeededGenerator(seed: 0)
          try checkEdit(&edits, from: nil, &lists, &random)
        }
      }
    }
  }

  /// An item has the selection and the forced updates of its position among equal items.
  @Test func equalItemsThatChangePlacesAreTheSameList() throws {
    var lists = Lists()
    let items = Array(repeating: "a", count: 700).joined(separator: " ")
    try lists.apply("A/m: \(items) b")
    try lists.select(.replace, [lists.reference("a"), lists.reference("b")])
    var edits = Edits()
    edits.edits = [
      .deleteItems([lists.reference("a")]),
      .insertItems(
        EditContent(items: 0..<1, sections: 0..<0),
        AnchoredItem(item: lists.reference("a", occurrence: 650), isAfter: false)),
      .touchItems([lists.reference("a", occurrence: 3)], .reload),
    ]
    edits.newContent = lists.snapshot("Z: a")
    let changes = try lists.store.edit(Self.name, &edits, ChangeRequest())
    let change = try #require(changes?.first)
    #expect(change.revision == change.baseRevision)
    #expect(
      change.operations.stages.flatMap(\.ops) == [
        .reloadItems(at: Path(section: 0, row: 3), count: 1)
      ])
    #expect(change.deselected.isEmpty)
    #expect(change.selection.map(\.at.row) == [0, 700])
  }

  // MARK: Checks

  /// Makes edits of the tree and of its snapshot, and compares the results.
  private func checkEdit(
    _ edits: inout Edits, from start: Int?, _ lists: inout Lists, _ random: inout SeededGenerator
  ) throws {
    let before = try lists.list()
    let base = try start.map { try before.snapshot(of: $0) } ?? before.shownItems
    let expected = Result { () throws(ListFailure) in
      try lists.store.edited(base, of: before, edits)
    }
    let keys = keys(base, edits)
    let made = Result { () throws(ListFailure) in
      try lists.store.edit(Self.name, from: start, &edits, ChangeRequest())
    }
    var tree = lists.store.peek(Self.name)?.tree
    tree?.finishChange()
    tree?.checkInvariants()
    switch (made, expected) {
    case (.success(let changes), .success(let expected)):
      guard let change = changes?.first else {
        #expect(start != nil, "no step leads to the revision")
        return
      }
      let after = try lists.list()
      #expect(texts(after.shownItems) == texts(expected))
      if let keys { #expect(ArrayEdits(after.shownItems).keys == (try? keys.get())) }
      #expect(after.shownItems.arrangement.hasRepeats == expected.arrangement.hasRepeats)
      after.tree?.checkSelection()
      try check(change, from: before.shownItems, to: after.shownItems, &lists)
    case (.failure(let failure), .failure(let expected)):
      #expect(failure == expected)
      if let keys { #expect(throws: ArrayEdits.Failure.self) { try keys.get() } }
      let after = try lists.list()
      #expect(texts(after.shownItems) == texts(before.shownItems))
      return
    case (.success(nil), _) where start != nil: return
    default: Issue.record("\(made) but \(expected)")
    }
    guard random.below(3) == 0, lists.store.recordsModifications else { return }
    lists.store.rollBack()
    let after = try lists.list()
    #expect(after.revision == before.revision)
    #expect(after.marks == before.marks)
    #expect(texts(after.shownItems) == texts(before.shownItems))
  }

  /// Makes edits of a list as arrays. Returns `nil` if references are to older revisions.
  private func keys(_ base: Snapshot, _ edits: Edits) -> Result<[[UInt32]], ArrayEdits.Failure>? {
    let areCurrent = edits.edits.allSatisfy { edit in
      edit.referencedItems.allSatisfy(\.isCurrent) && edit.itemAnchor?.item.isCurrent != false
    }
    guard areCurrent else { return nil }
    return Result { () throws(ArrayEdits.Failure) in
      var arrays = ArrayEdits(base)
      try arrays.make(edits)
      return arrays.keys
    }
  }

  /// Compares a change with that between two snapshots.
  private func check(
    _ change: ListChange, from old: Snapshot, to new: Snapshot, _ lists: inout Lists
  ) throws {
    let smallest = lists.store.compare(old, new)
    #expect(smallest.stages.isEmpty || !change.operations.stages.isEmpty)
    let isUnchanged = lists.store.leavesContentUnchanged(smallest, old, new)
    #expect((change.revision == change.baseRevision) == isUnchanged)
    let counts = change.operations.rows
    #expect(old.itemCount + counts.inserts - counts.deletes == new.itemCount)
    #expect(smallest.movement.rowCounts.deletes <= counts.deletes)
    let selected = change.selection.flatMap { range in
      (0..<range.count).map { new.row(section: range.at.section, range.at.row + $0) }
    }
    let members = try lists.list().selectedItems
    #expect(selected == members.map(Optional.init))
  }

  private func checkReferences(_ letters: [String], _ lists: inout Lists) throws {
    guard let list = lists.store.peek(Self.name) else { return }
    let all = try texts(&lists).flatMap { $0.dropFirst() }
    for letter in letters {
      let found = all.indices.filter { all[$0].prefix(1) == letter }
      let references = (0...found.count).map { lists.reference(letter, occurrence: $0) }
      let located = try lists.store.locate(references, of: list)
      #expect(located == found.map(Optional.init) + [nil])
      let occurrences = lists.store.occurrences(ofItems: found, of: list)
      #expect(occurrences == Array(found.indices))
    }
  }

  /// Compares two states of the list.
  private func checkComparison(
    _ letters: [String], _ lists: inout Lists, _ random: inout SeededGenerator
  ) throws {
    let states = try (0..<2).map { _ in
      EditedRevision(
        revision: try someRevision(&lists, &random),
        edits: random.below(2) == 0 ? nil : edits(&lists, letters, &random))
    }
    let list = try lists.list()
    var snapshots: [Snapshot] = []
    for state in states {
      let past = try list.snapshot(of: state.revision)
      guard let edits = state.edits else {
        snapshots.append(past)
        continue
      }
      guard let edited = try? lists.store.edited(past, of: list, edits) else { return }
      snapshots.append(edited)
    }
    let made = try lists.store.beginComparison(of: Self.name, from: states[0], to: states[1])
    if let made {
      let rows = (0..<snapshots[1].rowCount).map {
        String(decoding: made.new.row($0).item, as: UTF8.self)
      }
      #expect(rows == texts(snapshots[1]).flatMap { $0.dropFirst() })
      let smallest = lists.store.compare(snapshots[0], snapshots[1])
      #expect(smallest.stages.isEmpty == made.operations.stages.isEmpty)
      let counts = made.operations.rows
      #expect(snapshots[0].itemCount + counts.inserts - counts.deletes == snapshots[1].itemCount)
    }
    lists.store.endComparison()
    let after = try lists.list()
    #expect(texts(after.shownItems) == texts(list.shownItems))
    #expect(after.marks == list.marks)
    var tree = lists.store.peek(Self.name)?.tree
    tree?.finishChange()
    tree?.checkInvariants()
  }

  private func repeats(_ sections: [[String]]) -> Bool {
    let names = sections.flatMap { $0.dropFirst() }.map { $0.prefix(1) }
    return Set(names).count < names.count
  }

  // MARK: Short lists

  private enum SingleEdit {
    case delete(Int)
    case insert(String, at: Int)
    case move(Int, before: Int)

    /// The number of items after the edit.
    func count(_ before: Int) -> Int {
      switch self {
      case .delete: before - 1
      case .insert: before + 1
      case .move: before
      }
    }

    /// Returns the edit, and adds the item that it inserts to the new content.
    func edit(_ picture: inout String) -> Edit {
      func path(_ row: Int) -> ItemReference { .path(section: 0, row: row, revision: nil) }
      switch self {
      case .delete(let row): return .deleteItems([path(row)])
      case .insert(let item, let row):
        let count = picture.split(separator: " ").count - 1
        picture += " \(item)"
        let content = EditContent(items: count..<count + 1, sections: 0..<0)
        return row == 0
          ? .appendItems(content, section: nil)
          : .insertItems(content, AnchoredItem(item: path(row - 1), isAfter: false))
      case .move(let row, let anchor):
        return .moveItems([path(row)], AnchoredItem(item: path(anchor), isAfter: false))
      }
    }
  }

  private func singleEdits(_ count: Int) -> [SingleEdit] {
    (0..<count).map(SingleEdit.delete)
      + (0...count).flatMap { row in ["a", "b"].map { .insert($0, at: row) } }
      + (0..<count).flatMap { row in
        (0..<count).filter { $0 != row }.map { .move(row, before: $0) }
      }
  }

  private func words(of letters: [String], upTo length: Int) -> [[String]] {
    var words: [[String]] = [[]]
    var last = words
    for _ in 0..<length {
      last = last.flatMap { word in letters.map { word + [$0] } }
      words += last
    }
    return words
  }

  // MARK: Random edits

  private func picture(
    _ letters: [String], _ count: Int, _ random: inout SeededGenerator
  ) -> String {
    ["A/m:", "B/s:", "C/m:"].map { head in
      ([head] + (0..<random.below(count + 1)).map { _ in letters[random.below(letters.count)] })
        .joined(separator: " ")
    }.joined(separator: " | ")
  }

  private func someRevision(
    _ lists: inout Lists, _ random: inout SeededGenerator
  ) throws -> Int {
    let list = try lists.list()
    let oldest = max(1, list.oldestRevision, list.revision - random.below(8))
    return oldest
  }

  private func selectSome(_ lists: inout Lists, _ random: inout SeededGenerator) throws {
    let snapshot = try lists.list().shownItems
    guard snapshot.itemCount > 0 else { return }
    let path = snapshot.path(ofRow: random.below(snapshot.rowCount))
    try lists.select(
      [.toggle, .select, .extend][random.below(3)],
      [.path(section: path.section, row: path.row, revision: nil)])
  }

  private func edits(
    _ lists: inout Lists, _ letters: [String], _ random: inout SeededGenerator
  ) -> Edits {
    var edits = Edits()
    var picture = "Z:"
    var items = 0
    let revision = lists.store.peek(Self.name)?.revision ?? 0
    func item(_ random: inout SeededGenerator) -> ItemReference {
      guard random.below(2) == 0 else {
        let past = random.below(4) == 0 ? revision - random.below(4) : nil
        return .path(section: random.below(3), row: random.below(6), revision: past)
      }
      return lists.reference(letters[random.below(letters.count)], occurrence: random.below(4))
    }
    func content(_ random: inout SeededGenerator) -> EditContent {
      let start = items
      for _ in 0...random.below(3) {
        picture += " \(letters[random.below(letters.count)])"
        items += 1
      }
      return EditContent(items: start..<items, sections: 0..<0)
    }
    for _ in 0...random.below(4) {
      let key = lists.key(["A", "B", "C"][random.below(3)].utf8)
      let section = SectionReference(key: key)
      let anchor = AnchoredItem(item: item(&random), isAfter: random.below(2) == 0)
      switch random.below(12) {
      case 0, 1: edits.edits.append(.deleteItems((0...random.below(2)).map { _ in item(&random) }))
      case 2, 3: edits.edits.append(.moveItems([item(&random), item(&random)], anchor))
      case 4: edits.edits.append(.moveItemsToSection([item(&random)], section))
      case 5: edits.edits.append(.touchItems([item(&random)], .reload))
      case 6: edits.edits.append(.deleteSections([section]))
      case 7: edits.edits.append(.putItems(content(&random), section: nil))
      case 8, 9: edits.edits.append(.appendItems(content(&random), section: section))
      default: edits.edits.append(.insertItems(content(&random), anchor))
      }
    }
    edits.newContent = lists.snapshot(picture)
    return edits
  }

  private func texts(_ lists: inout Lists) throws -> [[String]] {
    texts(try lists.list().shownItems)
  }

  /// The own members and the items of each section.
  private func texts(_ snapshot: Snapshot) -> [[String]] {
    func text(_ payload: Payload) -> String {
      String(decoding: snapshot.bytes(of: payload), as: UTF8.self)
    }
    return snapshot.sections.indices.map { section in
      [text(snapshot.sections[section].own)]
        + snapshot.arrangement.range(ofSection: section).map { text(snapshot.payloads[$0]) }
    }
  }
}
