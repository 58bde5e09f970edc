import ListDiff
import Testing

@testable import listd_fuzz

/// Changes of few rows, which the public initializers compute without tables, are those of the
/// engine. If ids repeat, they have as many deletes, inserts and moves.
@Suite struct FewRowsTests {
  private struct Item: Identifiable, Equatable {
    var id: Int
    var content = 0
  }

  private struct Group: ListSection {
    var id: Int
    var header: Int
    var items: [Item]

    func hasSameContent(as other: Group) -> Bool { header == other.header }
  }

  @Test func everyPairOfShortFlatLists() {
    var engine = DiffEngine()
    for count in 0...5 {
      for new in arrangements(of: Array(0..<count + 2), upTo: 5) {
        let pair = (ReferenceList(flat: 0..<count), ReferenceList(flat: new))
        if !check(pair, &engine) { return }
      }
    }
  }

  @Test func everyPairOfTwoShortSections() {
    var engine = DiffEngine()
    for before in 0...4 {
      for rows in arrangements(of: Array(0..<5), upTo: 5) where rows.count >= 3 {
        for after in 0...rows.count {
          let old = list([Array(0..<before), Array(before..<4)])
          let new = list([Array(rows[..<after]), Array(rows[after...])])
          if !check((old, new), &engine) { return }
        }
      }
    }
  }

  @Test func randomLists() {
    var engine = DiffEngine()
    var random = SplitMix(seed: 81)
    var inserted = 1_000
    for _ in 0..<LawTests.rounds / 4 {
      let ids = Int.random(in: 1...60, using: &random)
      let old = ReferenceList.random(ids: ids, repeats: false, using: &random)
      var new = old
      for _ in 0..<Int.random(in: 1...9, using: &random) where !new.sections.isEmpty {
        let from = Int.random(in: 0..<new.sections.count, using: &random)
        let to = Int.random(in: 0..<new.sections.count, using: &random)
        switch Int.random(in: 0...20, using: &random) {
        case 0: new.sections.remove(at: from)
        case 1:
          inserted += 1
          new.sections.insert(ReferenceList.Section(id: inserted, rows: []), at: from)
        case 2: new.sections.swapAt(from, to)
        default: break
        }
        if from >= new.sections.count || to >= new.sections.count { continue }
        let rows = new.sections[from].rows
        guard let row = rows.indices.randomElement(using: &random) else { continue }
        let moved = new.sections[from].rows.remove(at: row)
        let count = new.sections[to].rows.count
        if Int.random(in: 0...3, using: &random) == 0 { continue }
        let content = moved.content + (Bool.random(using: &random) ? 1 : 0)
        new.sections[to].rows.insert(
          ReferenceList.Row(id: moved.id, content: content),
          at: Int.random(in: 0...count, using: &random))
      }
      if !check((old, new), &engine) || !check((new, old), &engine) { return }
    }
  }

  @Test(arguments: [(2, 5), (3, 3)]) func everyPairOfShortListsThatRepeat(ids: Int, length: Int) {
    var engine = DiffEngine()
    let words = words(of: ids, upTo: length)
    for old in words {
      for new in words {
        let pair = (ReferenceList(flat: old), ReferenceList(flat: new))
        if !checkCounts(pair, &engine) { return }
      }
    }
  }

  @Test func randomListsThatRepeat() {
    var engine = DiffEngine()
    var random = SplitMix(seed: 82)
    for _ in 0..<LawTests.rounds / 4 {
      let ids = Int.random(in: 1...12, using: &random)
      let sections = Int.random(in: 1...4, using: &random)
      let length = [18, 18, 72].randomElement(using: &random)! / sections
      func rows() -> [ReferenceList.Row] {
        (0..<Int.random(in: 0...length, using: &random)).map { _ in
          ReferenceList.Row(
            id: Int.random(in: 0..<ids, using: &random),
            content: Int.random(in: 0...2, using: &random) / 2)
        }
      }
      func list(_ sections: [Int]) -> ReferenceList {
        ReferenceList(sections: sections.map { ReferenceList.Section(id: $0, rows: rows()) })
      }
      let old = list(Array(0..<sections))
      let inOrder = list(Array(0..<sections))
      let shuffled = list((0..<sections).shuffled(using: &random))
      if !checkCounts((old, inOrder), &engine) || !checkCounts((old, shuffled), &engine) { return }
    }
  }

  private func words(of ids: Int, upTo length: Int) -> [[Int]] {
    guard length > 0 else { return [[]] }
    return [[]] + (0..<ids).flatMap { id in words(of: ids, upTo: length - 1).map { [id] + $0 } }
  }

  private func list(_ rows: [[Int]]) -> ReferenceList {
    ReferenceList(
      sections: rows.enumerated().map { id, rows in
        ReferenceList.Section(id: id, rows: rows.map { ReferenceList.Row(id: $0) })
      })
  }

  private func groups(_ list: ReferenceList) -> [Group] {
    list.sections.map { section in
      Group(
        id: section.id, header: section.header,
        items: section.rows.map { Item(id: $0.id, content: $0.content) })
    }
  }

  /// Compares the public change of two lists with that of the engine.
  private func check(
    _ pair: (old: ReferenceList, new: ReferenceList), _ engine: inout DiffEngine
  ) -> Bool {
    guard let expected = try? ChangeInvariants(pair.old, pair.new, using: &engine) else {
      Issue.record("the engine's change from \(pair.old) to \(pair.new) is wrong")
      return false
    }
    let (old, new) = (groups(pair.old), groups(pair.new))
    for change in changes(old, new)
    where change.stages != expected.stages || change.rowCounts != expected.rowCounts
      || change.sectionCounts != expected.sectionCounts
    {
      Issue.record("\(change.stages), not \(expected.stages), from \(pair.old) to \(pair.new)")
      return false
    }
    return true
  }

  /// Compares the numbers of operations with those of the engine, and applies the stages.
  private func checkCounts(
    _ pair: (old: ReferenceList, new: ReferenceList), _ engine: inout DiffEngine
  ) -> Bool {
    let expected = try? ChangeInvariants(pair.old, pair.new, using: &engine)
    for change in changes(groups(pair.old), groups(pair.new)) {
      var counts = change.rowCounts
      counts.updates = expected?.rowCounts.updates ?? -1
      if let list = try? change.stages.reduce(pair.old, { try $0.applying($1, target: pair.new) }),
        counts == expected?.rowCounts, change.sectionCounts == expected?.sectionCounts,
        zip(list.rows, pair.new.rows).allSatisfy({ $0.id == -1 || $0 == $1 }),
        list.sections.map(\.rows.count) == pair.new.sections.map(\.rows.count)
      {
        continue
      }
      Issue.record("\(change) from \(pair.old) to \(pair.new), not \(expected?.stages ?? [])")
      return false
    }
    return true
  }

  /// Returns the changes of each way to call the library.
  private func changes(_ old: [Group], _ new: [Group]) -> [Changes] {
    var changes = [Changes(fromSections: old, to: new)]
    if old.count == 1, new.count == 1, old[0].id == new[0].id, old[0].header == new[0].header {
      changes.append(Changes(from: old[0].items, to: new[0].items))
    }
    return changes
  }

  /// Returns all ordered choices of up to `count` of the values.
  private func arrangements(of values: [Int], upTo count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return [[]]
      + values.flatMap { first in
        arrangements(of: values.filter { $0 != first }, upTo: count - 1).map { [first] + $0 }
      }
  }
}
