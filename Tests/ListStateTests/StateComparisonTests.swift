import ListDiff
import Testing

@testable import ListState

/// Compares the changes between states of a list, computed by its tree, with those between whole
/// snapshots.
@Suite struct StateComparisonTests {
  private static let name = Array("l".utf8)

  /// Promise: The change between two states of a list by its tree is that between their snapshots.
  @Test(arguments: 0..<12)
  func changesEqualThoseOfSnapshots(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let wordCount = [8, 30, 900][Int(seed) % 3]
    var lists = Lists()
    try lists.apply(picture(wordCount, &random))
    var compared = 0
    for _ in 0..<60 {
      lists.store.begin()
      if random.below(3) == 0 {
        try replace(&lists, wordCount, &random)
      } else {
        var edits = edits(&lists, wordCount, &random)
        _ = try? lists.store.edit(Self.name, &edits, ChangeRequest())
      }
      let before = try lists.list()
      let states = [state(&lists, wordCount, &random), state(&lists, wordCount, &random)]
      if try compare(states[0], states[1], &lists) { compared += 1 }
      let after = try lists.list()
      #expect(texts(after.shownItems) == texts(before.shownItems))
      #expect(after.marks == before.marks)
      var tree = lists.store.peek(Self.name)?.tree
      tree?.finishChange()
      tree?.checkInvariants()
      if random.below(3) == 0 {
        let row = random.below(max(1, after.shownItems.itemCount))
        let path =
          after.shownItems.itemCount == 0
          ? Path(section: 0, row: 0) : after.shownItems.path(ofRow: row)
        _ = try? lists.select(.toggle, [.path(section: path.section, row: path.row, revision: nil)])
      }
    }
    #expect(compared > 5)
  }

  /// Compares two states both ways. Returns false if the tree cannot hold them.
  private func compare(
    _ old: EditedRevision, _ new: EditedRevision, _ lists: inout Lists
  ) throws -> Bool {
    var snapshots: [Snapshot] = []
    let list = try lists.list()
    for state in [old, new] {
      var snapshot = try list.snapshot(of: state.revision)
      if let edits = state.edits {
        guard let edited = try? lists.store.edited(snapshot, of: list, edits) else {
          // Errors are those of the edits, unless no steps lead to the revision.
          let made = try? lists.store.beginComparison(of: Self.name, from: old, to: new)
          #expect(made == nil)
          return false
        }
        snapshot = edited
      }
      snapshots.append(snapshot)
    }
    guard let made = try lists.store.beginComparison(of: Self.name, from: old, to: new) else {
      return false
    }
    defer { lists.store.endComparison() }
    let expected = lists.store.compare(snapshots[0], snapshots[1])
    let operations = made.operations
    #expect(operations.rows == expected.movement.rowCounts)
    #expect(operations.sections == expected.movement.sectionCounts)
    // Of several moves that are equally good, either may be chosen.
    if operations.rows.moves == 0, operations.sections.moves == 0 {
      #expect(operations.stages == expected.stages)
    }
    let rows = (0..<snapshots[1].rowCount).map {
      let row = made.new.row($0)
      return String(decoding: row.part ?? row.item, as: UTF8.self)
    }
    #expect(rows == texts(snapshots[1]).flatMap(\.rows))
    return true
  }

  // MARK: Random lists

  private func word(_ count: Int, _ random: inout SeededGenerator) -> String {
    var rest = random.below(count)
    var word = ""
    for _ in 0..<2 {
      word.append(Character(UnicodeScalar(UInt8(97 + rest % 26))))
      rest /= 26
    }
    return word
  }

  private func item(_ count: Int, _ random: inout SeededGenerator) -> String {
    word(count, &random) + ["", "", "", "*", "^"][random.below(5)]
  }

  private func section(_ random: inout SeededGenerator) -> String {
    ["A", "B", "C", "D"][random.below(4)]
  }

  private func picture(_ count: Int, _ random: inout SeededGenerator) -> String {
    var seen = Set<String>()
    var sections: [String] = []
    for name in ["A", "B", "C"] where random.below(4) > 0 {
      var items: [String] = []
      for _ in 0..<random.below(count) {
        let item = item(count, &random)
        if seen.insert(String(item.prefix(2))).inserted { items.append(item) }
      }
      sections.append("\(name)/m: " + items.joined(separator: " "))
    }
    return sections.joined(separator: " | ")
  }

  /// Replaces the list by one that is similar, or by another one.
  private func replace(
    _ lists: inout Lists, _ count: Int, _ random: inout SeededGenerator
  ) throws {
    let old = try lists.list().shownItems
    var sections = texts(old)
    if random.below(8) == 0 {
      try lists.apply(picture(count, &random))
      return
    }
    for _ in 0..<random.below(4) where !sections.isEmpty {
      let from = random.below(sections.count)
      let to = random.below(sections.count)
      let rows = sections[from].rows
      switch random.below(5) {
      case 0 where !rows.isEmpty:
        let row = sections[from].rows.remove(at: random.below(rows.count))
        sections[to].rows.insert(row, at: random.below(sections[to].rows.count + 1))
      case 1 where !rows.isEmpty: sections[from].rows.remove(at: random.below(rows.count))
      case 2 where !rows.isEmpty:
        let row = random.below(rows.count)
        sections[from].rows[row] = rows[row].prefix(2) + ["", "*"][random.below(2)]
      case 3: sections.swapAt(from, to)
      default:
        let item = item(count, &random)
        let isNew = sections.allSatisfy { $0.rows.allSatisfy { $0.prefix(2) != item.prefix(2) } }
        if isNew { sections[to].rows.insert(item, at: random.below(sections[to].rows.count + 1)) }
      }
    }
    let new = lists.snapshot(
      sections.map { "\($0.own) " + $0.rows.joined(separator: " ") }.joined(separator: " | "))
    let flat = texts(old).flatMap(\.rows)
    var same: [MatchedRun] = []
    for (index, text) in texts(new).flatMap(\.rows).enumerated() {
      guard let partner = flat.firstIndex(of: text) else { continue }
      if let last = same.last, Int(last.old + last.count) == partner,
        Int(last.new + last.count) == index
      {
        same[same.count - 1].count += 1
      } else {
        same.append(MatchedRun(old: partner, new: index, count: 1))
      }
    }
    _ = try lists.store.replace(Self.name, with: new, ChangeRequest(), same: same)
  }

  private func state(
    _ lists: inout Lists, _ count: Int, _ random: inout SeededGenerator
  ) -> EditedRevision {
    let current = lists.store.peek(Self.name)?.revision ?? 0
    let revision = random.below(3) == 0 ? current : max(1, current - random.below(6))
    return EditedRevision(
      revision: revision, edits: random.below(2) == 0 ? nil : edits(&lists, count, &random))
  }

  private func edits(
    _ lists: inout Lists, _ count: Int, _ random: inout SeededGenerator
  ) -> Edits {
    var edits = Edits()
    var picture = "Z:"
    var items = 0
    for _ in 0..<random.below(4) {
      let item = lists.reference(word(count, &random))
      let key = lists.key(section(&random).utf8)
      let anchor = AnchoredItem(
        item: lists.reference(word(count, &random)), isAfter: random.below(2) == 0)
      switch random.below(8) {
      case 0: edits.edits.append(.deleteItems([item]))
      case 1: edits.edits.append(.moveItems([item], anchor))
      case 2: edits.edits.append(.moveItemsToSection([item], SectionReference(key: key)))
      case 3: edits.edits.append(.touchItems([item], .reload))
      case 4: edits.edits.append(.deleteSections([SectionReference(key: key)]))
      case 5:
        let other = AnchoredSection(
          section: SectionReference(key: lists.key(section(&random).utf8)),
          isAfter: random.below(2) == 0)
        edits.edits.append(.moveSection(SectionReference(key: key), other))
      default:
        picture += " \(self.item(count, &random))"
        let content = EditContent(items: items..<items + 1, sections: 0..<0)
        edits.edits.append(.putItems(content, section: nil))
        items += 1
      }
    }
    edits.newContent = lists.snapshot(picture)
    return edits
  }

  private struct Section: Equatable {
    var own: String
    var rows: [String]
  }

  private func texts(_ snapshot: Snapshot) -> [Section] {
    func text(_ payload: Payload) -> String {
      String(decoding: snapshot.bytes(of: payload), as: UTF8.self)
    }
    return snapshot.sections.indices.map { section in
      Section(
        own: text(snapshot.sections[section].own),
        rows: snapshot.arrangement.range(ofSection: section).map { text(snapshot.payloads[$0]) })
    }
  }
}
