import ListDiff
import ListSources
import Testing

/// Edits of snapshots have the same effect as on plain arrays.
///
/// Promise: Snapshots after edits equal plain arrays after the same edits; an edit that throws
///   changes nothing.
@Suite struct SnapshotTests {
  typealias Snapshot = ListSnapshot<String, Int>

  /// A snapshot as arrays.
  private struct PlainSnapshot {
    var sections: [(id: String, items: [Int])] = []

    func path(_ item: Int) -> (Int, Int)? {
      for (index, section) in sections.enumerated() {
        if let row = section.items.firstIndex(of: item) { return (index, row) }
      }
      return nil
    }
  }

  @Test func editsOfEachKind() throws {
    var snapshot = Snapshot()
    try snapshot.appendSections(["a", "b"])
    try snapshot.appendItems([1, 2, 3], toSection: "a")
    try snapshot.appendItems([4])
    try snapshot.insertItems([5, 6], beforeItem: 2)
    try snapshot.insertItems([7], afterItem: 3)
    try snapshot.moveItem(4, beforeItem: 1)
    try snapshot.deleteItems([6])
    try snapshot.insertSections(["c"], beforeSection: "b")
    try snapshot.moveSection("a", afterSection: "b")
    #expect(snapshot.sectionIdentifiers == ["c", "b", "a"])
    #expect(snapshot.itemIdentifiers(inSection: "a") == [4, 1, 5, 2, 3, 7])
    #expect(snapshot.numberOfItems == 6 && snapshot.numberOfItems(inSection: "b") == 0)
    #expect(snapshot.path(of: 2) == ListPath(section: 2, row: 3))
    #expect(snapshot.indexOfItem(2) == 3 && snapshot.indexOfItem(9) == nil)
    #expect(snapshot.sectionIdentifier(containingItem: 5) == "a")
    try snapshot.deleteSections(["a"])
    #expect(snapshot.numberOfItems == 0 && snapshot.sectionIdentifier(containingItem: 5) == nil)
    snapshot.deleteAllItems()
    #expect(snapshot == Snapshot())
  }

  @Test func anEditThatThrowsChangesNothing() throws {
    var snapshot = Snapshot()
    #expect(throws: EditError<String, Int>.noSections) { try snapshot.appendItems([1]) }
    try snapshot.appendSections(["a"])
    try snapshot.appendItems([1, 2])
    let before = snapshot
    #expect(throws: EditError<String, Int>.duplicateItem(1)) {
      try snapshot.appendItems([3, 1])
    }
    #expect(throws: EditError<String, Int>.duplicateItem(3)) {
      try snapshot.appendItems([3, 3])
    }
    #expect(throws: EditError<String, Int>.noItem(9)) { try snapshot.deleteItems([1, 9]) }
    #expect(throws: EditError<String, Int>.noItem(9)) {
      try snapshot.insertItems([3], beforeItem: 9)
    }
    #expect(throws: EditError<String, Int>.noItem(9)) { try snapshot.moveItem(1, afterItem: 9) }
    #expect(throws: EditError<String, Int>.noItem(9)) { try snapshot.reloadItems([9]) }
    #expect(throws: EditError<String, Int>.noSection("b")) {
      try snapshot.appendItems([3], toSection: "b")
    }
    #expect(throws: EditError<String, Int>.noSection("b")) {
      try snapshot.deleteSections(["a", "b"])
    }
    #expect(throws: EditError<String, Int>.duplicateSection("a")) {
      try snapshot.insertSections(["c", "a"], afterSection: "a")
    }
    #expect(throws: EditError<String, Int>.noSection("b")) {
      try snapshot.moveSection("a", beforeSection: "b")
    }
    #expect(snapshot == before)
    try snapshot.moveItem(1, beforeItem: 1)
    try snapshot.moveSection("a", afterSection: "a")
    #expect(snapshot == before)
  }

  @Test func markedItemsAreUpdated() throws {
    var old = Snapshot()
    try old.appendSections(["a", "b"])
    try old.appendItems([1, 2, 3, 4], toSection: "a")
    var new = old
    try new.reconfigureItems([2, 3])
    try new.reloadItems([3, 4])
    try new.reloadSections(["b"])
    try new.moveItem(1, afterItem: 2)
    let changes = new.changes(from: old)
    #expect(changes.rowCounts == Changes.Counts(moves: 1, updates: 3))
    #expect(changes.sectionCounts == Changes.Counts(updates: 1))
    #expect(
      changes.stages.last?.ops == [
        .reloadSections(at: 1, count: 1),
        .reloadItems(at: ListPath(section: 0, row: 2), count: 2),
        .reconfigureItems(at: ListPath(section: 0, row: 0), count: 1),
      ])
    #expect(old.changes(from: old).isEmpty)
  }

  /// A copy of a snapshot is shown after it, so that what was marked in it is up to date.
  @Test func marksCountForOneChange() throws {
    var first = Snapshot()
    try first.appendSections(["a"])
    try first.appendItems([1, 2, 3])
    var second = first
    try second.reloadItems([1])
    try second.reconfigureItems([2])
    try second.reloadSections(["a"])
    var third = second
    try third.deleteItems([3])
    let path = ListPath(section: 0, row: 2)
    #expect(
      third.changes(from: second).stages == [.init(ops: [.deleteItems(at: path, count: 1)])])
    #expect(third.changes(from: first).rowCounts == Changes.Counts(deletes: 1, updates: 2))
    #expect(second.changes(from: second).isEmpty)
    // What is marked again is updated again, also in a copy that another one has followed.
    for _ in 0..<2 {
      var other = second
      try other.reconfigureItems([1])
      try other.reloadSections(["a"])
      let top = ListPath(section: 0, row: 0)
      let ops: [Changes.Op] = [
        .reloadSections(at: 0, count: 1), .reconfigureItems(at: top, count: 1),
      ]
      #expect(other.changes(from: second).stages == [.init(ops: ops)])
      #expect(other.changes(from: third).rowCounts.updates == 1)
      third = other
    }
  }

  /// Thousands of edits, so that chunks are filled, split and emptied.
  @Test(arguments: [1, 2, 3] as [UInt64]) func randomEditsGiveTheSameAsArrays(_ seed: UInt64) throws
  {
    var random = Numbers(state: seed)
    var snapshot = Snapshot()
    var plain = PlainSnapshot()
    for id in ["a", "b", "c"] {
      try snapshot.appendSections([id])
      plain.sections.append((id, []))
    }
    var next = 0
    for round in 0..<1_500 {
      let all = plain.sections.flatMap(\.items)
      let verb = random.next(below: 8)
      if all.isEmpty || verb < 2 {
        let section = random.next(below: plain.sections.count)
        let count = random.next(below: round % 300 == 0 ? 900 : 6)
        let items = Array(next..<next + count)
        next += count
        try snapshot.appendItems(items, toSection: plain.sections[section].id)
        plain.sections[section].items += items
        continue
      }
      let item = all[random.next(below: all.count)]
      let other = all[random.next(below: all.count)]
      switch verb {
      case 2, 3:
        let (section, row) = try #require(plain.path(item))
        let items = Array(next..<next + random.next(below: 4))
        next += items.count
        if verb == 2 {
          try snapshot.insertItems(items, beforeItem: item)
        } else {
          try snapshot.insertItems(items, afterItem: item)
        }
        plain.sections[section].items.insert(contentsOf: items, at: row + verb - 2)
      case 4, 5:
        if item == other { continue }
        let (section, row) = try #require(plain.path(item))
        plain.sections[section].items.remove(at: row)
        let (target, path) = try #require(plain.path(other))
        plain.sections[target].items.insert(item, at: path + verb - 4)
        if verb == 4 {
          try snapshot.moveItem(item, beforeItem: other)
        } else {
          try snapshot.moveItem(item, afterItem: other)
        }
      default:
        let (section, row) = try #require(plain.path(item))
        plain.sections[section].items.remove(at: row)
        try snapshot.deleteItems([item])
      }
      if round % 50 == 0 {
        for section in plain.sections {
          #expect(snapshot.itemIdentifiers(inSection: section.id) == section.items)
        }
        for item in plain.sections.flatMap(\.items) {
          let path = try #require(plain.path(item))
          #expect(snapshot.path(of: item) == ListPath(section: path.0, row: path.1))
        }
      }
    }
    #expect(snapshot.numberOfItems == plain.sections.reduce(0) { $0 + $1.items.count })
  }
}

extension SnapshotTests {
  /// Snapshots of which one is a copy of the other are compared without the items that both share.
  @Test(arguments: [1, 2, 3] as [UInt64], [true, false])
  func changesAreThoseBetweenWholeLists(_ seed: UInt64, _ moves: Bool) throws {
    var random = Numbers(state: seed)
    var snapshot = Snapshot()
    for section in 0..<6 {
      try snapshot.appendSections(["\(section)"])
      try snapshot.appendItems(Array(section * 1_000..<section * 1_000 + 90 * section))
    }
    var earlier = snapshot
    var marked: Set<Int> = []
    var next = 10_000
    for round in 0..<300 {
      for _ in 0..<random.next(below: 6) {
        let items = snapshot.itemIdentifiers
        let (item, other) = (
          items[random.next(below: items.count)], items[random.next(below: items.count)]
        )
        switch random.next(below: 8) {
        case 0:
          try snapshot.insertItems([next], afterItem: item)
          next += 1
        case 1: try snapshot.deleteItems([item])
        case 2, 3: if item != other { try snapshot.moveItem(item, beforeItem: other) }
        case 4:
          try snapshot.reconfigureItems([item])
          marked.insert(item)
        case 5:
          try snapshot.reloadItems([item])
          marked.insert(item)
        case 6:
          let sections = snapshot.sectionIdentifiers
          if sections[0] != "3" { try snapshot.moveSection(sections[0], afterSection: "3") }
        default: if item != other { try snapshot.moveItem(item, afterItem: other) }
        }
      }
      // A branch is compared with what was made since as well as the other way round.
      let (old, new) = round % 7 == 6 ? (snapshot, earlier) : (earlier, snapshot)
      let (before, after) = (sections(old), sections(new))
      let changes = new.changes(from: old, moves: moves)
      let whole = Changes(fromSections: before, to: after, moves: moves)
      #expect(changes.rowCounts.deletes == whole.rowCounts.deletes)
      #expect(changes.rowCounts.inserts == whole.rowCounts.inserts)
      #expect(changes.rowCounts.moves == whole.rowCounts.moves)
      #expect(changes.sectionCounts == whole.sectionCounts)
      if moves, round % 7 != 6 {
        #expect(
          changes.rowCounts.updates
            == marked.filter { old.path(of: $0) != nil && new.path(of: $0) != nil }.count)
      }
      let result = try changes.applying(toSections: before) {
        after[$0]
      } inserting: {
        after[$0.section].items[$0.row]
      }
      #expect(result == after)
      if random.next(below: 3) == 0 { (earlier, marked) = (snapshot, []) }
    }
  }

  private func sections(_ snapshot: Snapshot) -> [Changes.Section<String, Row>] {
    snapshot.sectionIdentifiers.map { section in
      .init(id: section, items: snapshot.itemIdentifiers(inSection: section).map { Row(id: $0) })
    }
  }

  private struct Row: Identifiable, Equatable { let id: Int }
}

/// Reproducible random numbers.
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 32
  }

  mutating func next(below bound: Int) -> Int { Int((next() >> 33) % UInt64(max(1, bound))) }
}
