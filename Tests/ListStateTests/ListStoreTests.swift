import ListDiff
import ListState
import Testing

/// Promise: Revisions increase and are never reused; histories use all of the budgets of a list and
///   of all lists, and no more; an edit keeps few bytes.
@Suite struct RevisionTests {
  @Test func revisionsGrowAndAreNotReused() throws {
    var lists = Lists()
    #expect(try lists.apply("A: a").revision == 1)
    #expect(try lists.apply("A: a").revision == 1)
    let change = try lists.apply("A: a*")
    #expect(change.baseRevision == 1 && change.revision == 2)
    _ = try lists.store.remove(Array("l".utf8))
    #expect(throws: ListFailure.listNotFound(Array("l".utf8))) { try lists.list() }
    let again = try lists.apply("A: a")
    #expect(again.baseRevision == 0 && again.revision == 3)
    #expect(try lists.apply("A: b", to: "other").revision == 1)
    #expect(lists.store.names.map { String(decoding: $0, as: UTF8.self) } == ["l", "other"])
  }

  @Test func firstSnapshotIsARevisionEvenIfEmpty() throws {
    var lists = Lists()
    #expect(try lists.apply("").revision == 1)
    #expect(try lists.apply("").revision == 1)
  }

  @Test func staleBaseRevisionChangesNothing() throws {
    var lists = Lists()
    let name = Array("l".utf8)
    #expect(throws: ListFailure.staleRevision(name, base: 1, current: 0)) {
      try lists.apply("A: a", base: 1)
    }
    #expect(lists.store.names == [])
    try lists.apply("A: a", base: 0)
    try lists.apply("A: b", base: 1)
    #expect(throws: ListFailure.staleRevision(name, base: 1, current: 2)) {
      try lists.apply("A: c", base: 1)
    }
    #expect(try lists.list().revision == 2)
  }

  /// Promise: A request that fails has changed nothing. Also `Tests/conformance`.
  @Test func aFailingRequestChangesNothing() throws {
    var lists = Lists()
    try lists.apply("A/m: a b")
    try lists.select(.select, [lists.reference("a")], cursor: lists.reference("b"))
    #expect(throws: ListFailure.itemsNotFound([0])) {
      try lists.apply("A/m: b c", selected: [lists.reference("a")])
    }
    #expect(throws: ListFailure.itemsNotFound([], cursor: true)) {
      try lists.apply("A/m: b c", cursor: .path(section: 0, row: 2, revision: nil))
    }
    #expect(throws: ListFailure.itemsNotFound([], cursor: true)) {
      try lists.select(SelectionAction.none, cursor: .path(section: 3, row: 0, revision: nil))
    }
    #expect(try lists.marks() == "a @b")
    #expect(try lists.list().revision == 1)
  }

  @Test func previousRevisionIsAlwaysKept() throws {
    var lists = Lists(historyBytes: 0)
    for word in ["a", "b", "c"] { try lists.apply("A: \(word)") }
    let list = try lists.list()
    #expect(list.oldestRevision == 2 && list.revision == 3)
    #expect(
      throws: ListFailure.revisionNotFound(list.name, revision: 1, oldest: 2, current: 3)
    ) { try list.snapshot(of: 1) }
  }

  /// The text before a shuffle is that after it, so that its memory is free when the answer is made.
  @Test func aShuffleReleasesTheTextBefore() throws {
    var random = SeededGenerator(seed: 4)
    var lists = Lists(historyBytes: 0)
    let padding = String(repeating: "*", count: 1 << 10)
    let words = (0..<1200).map { number in
      String(String(number).map { Character(UnicodeScalar($0.asciiValue! + 49)) }) + padding
    }
    try lists.apply("A/m: \(words.joined(separator: " "))")
    weak let before = try lists.list().shownItems.buffers[0]
    let shuffled = words.shuffled(using: &random)
    let change = try lists.apply("A/M: \(shuffled.joined(separator: " "))")
    #expect(change.old == nil && before == nil)
  }

  /// If all histories exceed their common budget, the largest ones lose their oldest revisions.
  @Test func historiesStayWithinTheirCommonBudget() throws {
    let total = 64_000
    var lists = Lists(historyBytes: 1 << 20, totalHistoryBytes: total)
    let word = String(repeating: "x", count: 400)
    for round in 0..<3 { try lists.apply("A: a\(round % 2 == 0 ? "*" : "")", to: "small") }
    for round in 0..<200 {
      let name = ["p", "q", "r"][round % 3]
      try lists.apply(
        "A: \(word) b\(round % 2 == 0 ? "*" : "") c\(round / 3 % 2 == 0 ? "*" : "")", to: name)
      let sum = try ["small", "p", "q", "r"].filter { lists.store.contains(Array($0.utf8)) }
        .reduce(0) { try $0 + lists.list($1).older.footprint }
      #expect(sum <= total)
      let list = try lists.list(name)
      #expect(list.revision == 1 || list.oldestRevision < list.revision)
    }
    #expect(try lists.list("small").oldestRevision == 1)
    #expect(try lists.list("p").oldestRevision > 1)
  }

  /// A step of one item takes little memory beside its text.
  @Test func stepsOfEditsAreSmall() throws {
    var lists = Lists()
    let words = (0..<1000).map { String($0, radix: 26) }.map { word in
      String(
        word.map {
          Character(
            UnicodeScalar(
              UInt8(ascii: "a") + UInt8($0.wholeNumberValue ?? Int($0.asciiValue!) - 87)))
        })
    }
    try lists.apply("A: " + words.joined(separator: " "))
    let name = Array("l".utf8)
    for round in 0..<100 {
      var edits = Edits([.updateItems(EditContent(items: 0..<1, sections: 0..<0))])
      edits.newContent = lists.snapshot(
        "Z: \(words[round * 7])\(String(repeating: "*", count: 1 + round % 3))")
      _ = try lists.store.edit(name, &edits, ChangeRequest())
    }
    let list = try lists.list()
    #expect(list.revision == 101)
    #expect(list.older.footprint / 100 <= 200)
    lists.store.checkInvariants()
  }

  /// The history keeps as many revisions as the budget allows.
  @Test func historyStaysWithinItsBudget() throws {
    var random = SeededGenerator(seed: 5)
    for budget in [1_000, 4_000, 16_000] {
      var lists = Lists(historyBytes: budget)
      var footprints: [Int] = []
      for round in 0..<60 {
        let count = Int.random(in: 0..<12, using: &random)
        let items = (0..<count).map { _ in String(repeating: "x", count: 1 + round % 20) }
        try lists.apply("A: a\(round % 2 == 0 ? "*" : "") " + items.joined(separator: " "))
        let list = try lists.list()
        footprints.append(list.shownItems.footprint + PastRevision.overhead)
        let kept = list.older.footprint
        #expect(list.revision - list.oldestRevision <= 1 || kept <= budget)
        let dropped = list.oldestRevision - 2
        if dropped >= 0 { #expect(kept + footprints[dropped] > budget) }
      }
      lists.store.checkInvariants()
    }
  }
}

/// Promise: The cursor follows its policy, also if parts are deleted.
@Suite struct CursorTests {
  private func marks(
    from old: String, cursor: String, to new: String, _ policy: CursorPolicy
  ) throws -> String {
    var lists = Lists()
    try lists.apply(old)
    try lists.select(cursor: lists.reference(cursor))
    try lists.apply(new, policy: policy)
    return try lists.marks()
  }

  @Test func followPolicy() throws {
    #expect(try marks(from: "A: a b c", cursor: "b", to: "A: c | B: b*", .follow) == "@b*")
    #expect(try marks(from: "A: a b c", cursor: "b", to: "A: c a", .follow) == "@c")
    #expect(try marks(from: "A: a b c", cursor: "c", to: "A: b a", .follow) == "@b")
    #expect(try marks(from: "A: a b c", cursor: "b", to: "A: x y z", .follow) == "@y")
    #expect(try marks(from: "A: a b c", cursor: "c", to: "A: x", .follow) == "@x")
    #expect(try marks(from: "A: a b", cursor: "b", to: "A:", .follow) == "")
  }

  @Test func stayAndFirstPolicies() throws {
    #expect(try marks(from: "A: a b | B: c d", cursor: "c", to: "A: d c | B: b a", .stay) == "@b")
    #expect(try marks(from: "A: a b | B: c d", cursor: "d", to: "A: x", .stay) == "@x")
    #expect(try marks(from: "A: a b", cursor: "b", to: "B: | A: c b", .first) == "@c")
    #expect(try marks(from: "A: a b", cursor: "b", to: "", .stay) == "")
    var lists = Lists()
    try lists.apply("A: a b", policy: .first)
    #expect(try lists.marks() == "@a")
    try lists.apply("A:")
    try lists.apply("A: a b")
    #expect(try lists.marks() == "")
  }

  @Test func staysOnTheItemIfItsPartIsDeleted() throws {
    var lists = Lists()
    try lists.apply("A: a p(x,y,z) b")
    try lists.select(cursor: .path(section: 0, row: 2, revision: nil))
    #expect(try lists.marks() == "@y")
    try lists.apply("A: p(z,y*) b a")
    #expect(try lists.marks() == "@y*")
    try lists.apply("A: a p(z,x) b")
    #expect(try lists.marks() == "@z")
    try lists.apply("A: a p() b")
    #expect(try lists.marks() == "@b")
  }

  @Test func pathsOfOlderRevisionsAreMapped() throws {
    var lists = Lists()
    try lists.apply("A: a b c")
    try lists.apply("A: c | B: a d")
    try lists.select(
      .select, [.path(section: 0, row: 0, revision: 1)],
      cursor: .path(section: 0, row: 2, revision: 1))
    #expect(try lists.marks() == "a @c")
    #expect(throws: ListFailure.itemsNotFound([0])) {
      try lists.select(.select, [.path(section: 0, row: 1, revision: 1)])
    }
    let list = try lists.list()
    let marks = try lists.store.marks(of: list, in: list.snapshot(of: 1))
    #expect(marks.selected == [0] && marks.cursor == 2)
  }
}

@Suite struct SnapshotTests {
  @Test func rowsOfParts() {
    var lists = Lists()
    let snapshot = lists.snapshot("A: a p(x,y) | B: | C: q() b r(z)")
    #expect(snapshot.itemCount == 5 && snapshot.rowCount == 5)
    #expect(snapshot.rowStarts == [0, 3, 3, 5])
    #expect((0..<5).map { snapshot.rows(ofItem: $0) } == [0..<1, 1..<3, 3..<3, 3..<4, 4..<5])
    #expect((0..<5).map { snapshot.item(ofRow: $0) } == [0, 1, 1, 3, 4])
    #expect((0..<5).map { snapshot.isPart($0) } == [false, true, true, false, true])
    #expect(snapshot.path(ofRow: 2) == Path(section: 0, row: 2))
    #expect(snapshot.path(ofItem: 2) == Path(section: 2, row: 0))
    #expect(snapshot.path(ofItem: 3) == Path(section: 2, row: 0))
    #expect(snapshot.row(section: 2, 1) == 4 && snapshot.row(section: 1, 0) == nil)
    #expect(snapshot.row(section: -1, 0) == nil && snapshot.row(section: 3, 0) == nil)
    #expect(snapshot.row(section: 0, -1) == nil)
  }

  @Test func pathsAndRowsAgree() {
    var random = SeededGenerator(seed: 6)
    var lists = Lists()
    let words = ["a", "b", "p()", "p(x)", "p(x,y,z)"]
    for _ in 0..<200 {
      let sections = (0..<Int.random(in: 1...4, using: &random)).map { section in
        "S\(section): "
          + (0..<Int.random(in: 0...4, using: &random))
          .map { _ in words.randomElement(using: &random)! }.joined(separator: " ")
      }
      let snapshot = lists.snapshot(sections.joined(separator: "|"))
      for row in 0..<snapshot.rowCount {
        let path = snapshot.path(ofRow: row)
        #expect(snapshot.row(section: path.section, path.row) == row)
        let item = snapshot.item(ofRow: row)
        #expect(snapshot.rows(ofItem: item).contains(row))
        #expect(snapshot.section(ofItem: item) == path.section)
      }
    }
  }

  @Test func duplicatesAreFound() {
    var lists = Lists()
    #expect(!lists.built("A: a b | B: a").hasDuplicates)
    #expect(lists.built("A: a b | B: a").snapshot.arrangement.hasRepeats)
    #expect(lists.built("A: a= b | B: a").hasDuplicates)
    #expect(lists.built("A: a b | B: a=").hasDuplicates)
    #expect(lists.built("A: a | A: b").hasDuplicates)
    #expect(!lists.built("A: a= b= | B: c=").hasDuplicates)
  }

  /// A change of content that no row shows makes a revision, too.
  @Test func hiddenContentsAreCompared() throws {
    var lists = Lists()
    try lists.apply("A: p()")
    #expect(try lists.apply("A: p()").revision == 1)
    let change = try lists.apply("A: p*()")
    #expect(change.revision == 2 && change.operations.stages.isEmpty)
  }

  @Test func contentChangesAreReloadsOrReconfigures() throws {
    var lists = Lists()
    try lists.apply("A: a b p(x,y)")
    let change = try lists.apply("A: a* b^ p(x*,y)")
    #expect(
      change.operations.stages.map(\.ops) == [
        [
          .reloadItems(at: Path(section: 0, row: 1), count: 1),
          .reconfigureItems(at: Path(section: 0, row: 0), count: 1),
          .reconfigureItems(at: Path(section: 0, row: 2), count: 1),
        ]
      ])
    // The members of an item beside its parts are content of each part.
    #expect(try lists.apply("A: a* b^ p*(x*,y)").operations.rows.updates == 2)
  }
}
