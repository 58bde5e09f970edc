import ListDiff
import ListState
import Testing

@Suite struct RevisionTests {
  @Test func growAndNeverComeAgain() throws {
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

  @Test func anEmptyFirstSnapshotIsARevision() throws {
    var lists = Lists()
    #expect(try lists.apply("").revision == 1)
    #expect(try lists.apply("").revision == 1)
  }

  @Test func aStaleOneChangesNothing() throws {
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

  @Test func thePreviousIsAlwaysKept() throws {
    var lists = Lists(historyBytes: 0)
    for word in ["a", "b", "c"] { try lists.apply("A: \(word)") }
    let list = try lists.list()
    #expect(list.oldestRevision == 2 && list.revision == 3)
    #expect(
      throws: ListFailure.revisionNotFound(list.name, revision: 1, oldest: 2, current: 3)
    ) { try list.snapshot(of: 1) }
  }

  /// Past the budget for all lists, those with the largest histories lose the oldest revisions.
  @Test func historiesKeepToTheirCommonBudget() throws {
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

  /// A step of one item takes little beside its text.
  @Test func anEditIsASmallStep() throws {
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
      var edits = Edits([.updateItems(Given(items: 0..<1, sections: 0..<0))])
      edits.brought = lists.snapshot(
        "Z: \(words[round * 7])\(String(repeating: "*", count: 1 + round % 3))")
      _ = try lists.store.editTree(name, &edits, ChangeRequest())
    }
    let list = try lists.list()
    #expect(list.revision == 101)
    #expect(list.older.footprint / 100 <= 200)
  }

  /// As many older revisions as the budget allows, and not one fewer.
  @Test func historyKeepsToItsBudget() throws {
    var random = SeededGenerator(seed: 5)
    for budget in [1_000, 4_000, 16_000] {
      var lists = Lists(historyBytes: budget)
      var footprints: [Int] = []
      for round in 0..<60 {
        let count = Int.random(in: 0..<12, using: &random)
        let items = (0..<count).map { _ in String(repeating: "x", count: 1 + round % 20) }
        try lists.apply("A: a\(round % 2 == 0 ? "*" : "") " + items.joined(separator: " "))
        let list = try lists.list()
        footprints.append(list.snapshot.footprint + PastRevision.overhead)
        let kept = list.older.footprint
        #expect(list.revision - list.oldestRevision <= 1 || kept <= budget)
        let dropped = list.oldestRevision - 2
        if dropped >= 0 { #expect(kept + footprints[dropped] > budget) }
      }
    }
  }
}

@Suite struct CursorTests {
  private func after(
    _ old: String, _ cursor: String, _ new: String, _ policy: CursorPolicy
  ) throws -> String {
    var lists = Lists()
    try lists.apply(old)
    try lists.select(cursor: lists.reference(cursor))
    try lists.apply(new, policy: policy)
    return try lists.marks()
  }

  @Test func follows() throws {
    #expect(try after("A: a b c", "b", "A: c | B: b*", .follow) == "@b*")
    #expect(try after("A: a b c", "b", "A: c a", .follow) == "@c")
    #expect(try after("A: a b c", "c", "A: b a", .follow) == "@b")
    #expect(try after("A: a b c", "b", "A: x y z", .follow) == "@y")
    #expect(try after("A: a b c", "c", "A: x", .follow) == "@x")
    #expect(try after("A: a b", "b", "A:", .follow) == "")
  }

  @Test func staysOrGoesFirst() throws {
    #expect(try after("A: a b | B: c d", "c", "A: d c | B: b a", .stay) == "@b")
    #expect(try after("A: a b | B: c d", "d", "A: x", .stay) == "@x")
    #expect(try after("A: a b", "b", "B: | A: c b", .first) == "@c")
    #expect(try after("A: a b", "b", "", .stay) == "")
    var lists = Lists()
    try lists.apply("A: a b", policy: .first)
    #expect(try lists.marks() == "@a")
    try lists.apply("A:")
    try lists.apply("A: a b")
    #expect(try lists.marks() == "")
  }

  @Test func staysWithTheItemWhereItsPartGoes() throws {
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

  @Test func pathsAreCarried() throws {
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
    #expect(Array(marks.selection.members) == [0] && marks.cursor == 2)
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

  /// Contents that no row shows make a revision, too.
  @Test func hiddenContentsCount() throws {
    var lists = Lists()
    try lists.apply("A: p()")
    #expect(try lists.apply("A: p()").revision == 1)
    let change = try lists.apply("A: p*()")
    #expect(change.revision == 2 && change.changes.stages.isEmpty)
  }

  @Test func contentsAreToldByKind() throws {
    var lists = Lists()
    try lists.apply("A: a b p(x,y)")
    let change = try lists.apply("A: a* b^ p(x*,y)")
    #expect(
      change.changes.stages.map(\.ops) == [
        [
          .reloadItems(at: Path(section: 0, row: 1), count: 1),
          .reconfigureItems(at: Path(section: 0, row: 0), count: 1),
          .reconfigureItems(at: Path(section: 0, row: 2), count: 1),
        ]
      ])
    // What an item has beside its parts is content of each of them.
    #expect(try lists.apply("A: a* b^ p*(x*,y)").changes.movement.rowCounts.updates == 2)
  }
}
