import ListDiff
import Testing

@testable import ListSources

/// What an edit costs in lists that follow a source, and in what shows them: calls of their closures, and
/// comparisons and hashes of ids.
@MainActor @Suite(.serialized) struct ViewCostTests {
  private typealias CountedRow = CostTests.CountedRow
  private typealias CountedID = CostTests.CountedID
  private typealias Group = Changes.Section<Int, CountedRow>

  private final class Calls { var count = 0 }

  /// Makes 50 edits of each kind in a source with `count` items. Returns the calls and the hashes and
  /// comparisons of ids that a view needs to follow them.
  private func costs<Section>(
    _ count: Int, _ calls: Calls, _ view: (SectionSource<Group>) -> SectionSource<Section>
  ) throws -> [String: (calls: Int, ids: Int)] where Section.Item.ID: Sendable {
    func row(_ number: Int) -> CountedRow {
      CountedRow(id: CountedID(number: number), text: "\(number * 7919 % 1000)")
    }
    func id(_ index: Int) -> CountedID { CountedID(number: index * 7919 % count) }
    let source = ListSource(sections: [Group(id: 1, items: (0..<count).map(row))])
    let view = view(source)
    var mirror = ListMirror(of: view)
    func follow() {
      mirror.adopt(mirror.change(of: view) { Changes(fromSections: $0, to: $1) })
    }
    var costs: [String: (calls: Int, ids: Int)] = [:]
    func measure(_ name: String, _ edit: (Int) throws -> Void) rethrows {
      var (total, ids) = (0, 0)
      for index in 0..<50 {
        try edit(index)
        let before = (calls.count, CountedID.count.load(ordering: .relaxed))
        follow()
        total += calls.count - before.0
        ids += CountedID.count.load(ordering: .relaxed) - before.1
      }
      costs[name] = (total, ids)
    }
    try measure("inserts") { try source.insertItems([row(count + $0)], afterItem: id($0)) }
    try measure("moves") { try source.moveItem(id($0), beforeItem: id($0 + 150)) }
    try measure("updates") {
      try source.updateItems([CountedRow(id: id($0), text: "\($0 * 31 % 1000)")])
    }
    try measure("deletes") { try source.deleteItems([id($0 + 200)]) }
    return costs
  }

  private func check<Section>(
    _ view: (SectionSource<Group>, Calls) -> SectionSource<Section>
  ) throws where Section.Item.ID: Sendable {
    let calls = Calls()
    let small = try costs(1_000, calls) { view($0, calls) }
    let large = try costs(50_000, calls) { view($0, calls) }
    for (name, cost) in large {
      let before = try #require(small[name])
      #expect(cost.calls <= before.calls * 2 + 50, "calls in \(name): \(before) and \(cost)")
      #expect(cost.ids <= before.ids * 2 + 100, "ids in \(name): \(before) and \(cost)")
      #expect(cost.calls <= 50 * 64, "calls in \(name): \(cost)")
    }
  }

  /// Many edits that a slow observer receives as one change, of which it reads the new items.
  @Test func changesOfSlowObservers() async throws {
    func cost(_ count: Int) async throws -> Int {
      let rows = (0..<count).map { CountedRow(id: CountedID(number: $0)) }
      let source = ListSource(sections: [Group(id: 1, items: rows)])
      var observer = source.changes.makeAsyncIterator()
      func id(_ index: Int) -> CountedID { CountedID(number: index * 7919 % count) }
      var total = 0
      for round in 0..<6 {
        for index in round * 10..<round * 10 + 10 {
          try source.moveItem(id(index), beforeItem: id(index + 100))
          try source.updateItems([CountedRow(id: id(index + 200), text: "\(round)")])
          try source.appendItems([CountedRow(id: CountedID(number: count + index))])
          try source.select([id(index)])
        }
        let before = CountedID.count.load(ordering: .relaxed)
        let change = try #require(await observer.next())
        #expect(
          change.list.changes.rowCounts == Changes.Counts(inserts: 10, moves: 10, updates: 10))
        let inserted = change.list.changes.insertedPaths.compactMap { change.list.item(at: $0)?.id }
        #expect(inserted.count == 10 && change.newlySelected.count == 10)
        // The first change makes a copy.
        if round > 0 { total += CountedID.count.load(ordering: .relaxed) - before }
      }
      return total
    }
    let (small, large) = (try await cost(2_000), try await cost(50_000))
    #expect(small > 0 && large <= small * 2, "\(small) and \(large)")
  }

  @Test func filtered() throws {
    try check { source, calls in
      source.filtered {
        calls.count += 1
        return $0.text < "5"
      }
    }
  }

  @Test func sorted() throws {
    try check { source, calls in
      source.filtered { $0.text < "5" }.sorted {
        calls.count += 1
        return $0.text
      }
    }
  }

  @Test func grouped() throws {
    try check { source, calls in
      source.grouped {
        calls.count += 1
        return $0.text.utf8.first
      }
    }
  }

  @Test func windows() throws {
    try check { source, _ in source.window(10..<20) }
    try check { source, _ in source.window(100..<900) }
  }

  @Test func searched() throws {
    try check { source, calls in
      source.searched("5") { (row: CountedRow) -> String in
        calls.count += 1
        return row.text
      }
    }
  }

  /// An outline of which each item has up to ten children, and a part is shown.
  @Test func outlines() throws {
    try check { source, calls in
      let outline = source.outline { (row: CountedRow) -> CountedID? in
        calls.count += 1
        return row.id.number == 0 ? nil : CountedID(number: row.id.number / 10)
      }
      for number in 0..<50 { outline.expand(CountedID(number: number)) }
      return outline
    }
  }
}
