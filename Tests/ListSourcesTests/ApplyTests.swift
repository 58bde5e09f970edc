import ListDiff
import Testing

@testable import ListSources

/// New sections that are applied as a change have the same effect as a new source that begins with them.
@MainActor @Suite struct ApplyTests {
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 33
    }
  }

  /// Changes some rows, and seldom sections, of a list in which some ids may repeat.
  private func mutated(_ list: [Section], _ numbers: inout Numbers) -> [Section] {
    var list = list
    for _ in 0..<Int.random(in: 0...6, using: &numbers) where !list.isEmpty {
      let section = Int.random(in: 0..<list.count, using: &numbers)
      let other = Int.random(in: 0..<list.count, using: &numbers)
      let count = list[section].items.count
      let row = Int.random(in: 0...count, using: &numbers)
      switch Int.random(in: 0..<40, using: &numbers) {
      case 0: list.swapAt(section, other)
      case 1: list[section].header = "\(Int.random(in: 0..<9, using: &numbers))"
      case 2: list[section].items.shuffle(using: &numbers)
      case 3..<12:
        list[section].items.insert(Row(id: .random(in: 0..<9_999, using: &numbers)), at: row)
      case 12..<20 where row < count: list[section].items.remove(at: row)
      case 20..<30 where row < count: list[section].items[row].text += "+"
      case 30... where row < count:
        let moved = list[section].items.remove(at: row)
        let end = list[other].items.count
        list[other].items.insert(moved, at: .random(in: 0...end, using: &numbers))
      default: break
      }
    }
    return list
  }

  @Test(arguments: 1...12) func changesOfRandomLists(_ seed: Int) throws {
    var numbers = Numbers(state: UInt64(seed))
    var list = ["a", "b", "c"].enumerated().map { index, id in
      Section(id: id, items: (0..<60 * seed).map { Row(id: 3 * $0 + index) })
    }
    let source = ListSource(sections: list)
    try source.setSelectionMode(.single, ofSection: "c")
    for round in 0..<60 {
      let before = source.sections
      let ids = before.flatMap { $0.items.map(\.id) }
      try source.select([ids.randomElement(using: &numbers) ?? 0], .toggle)
      try source.moveCursor(to: ids.randomElement(using: &numbers))
      let (selected, cursor) = (source.selected, source.cursor)
      list = mutated(before, &numbers)
      if round % 7 == 0, let row = list[0].items.first { list[1].items.append(row) }
      let changes = source.apply(list)
      source.tree.checkInvariants()
      let expected = ListSource(sections: list)
      #expect(source.sections == expected.sections && source.tree.list == expected.sections)
      #expect(changes == Changes(fromSections: before, to: expected.sections))
      let kept = Set(source.sections.flatMap { $0.items.map(\.id) })
      let radio = source.sections.first { $0.id == "c" }?.items.filter {
        selected.contains($0.id)
      }
      let lost = Set((radio ?? []).dropFirst().map(\.id))
      #expect(source.selected == selected.intersection(kept).subtracting(lost))
      let at = cursor.flatMap(ids.firstIndex) ?? 0
      let next = ids[at...].first { kept.contains($0) } ?? ids[..<at].last { kept.contains($0) }
      #expect(source.cursor == next)
    }
  }

  @Test func aFailedBatchRestoresTheSections() throws {
    let source = ListSource(sections: [Section(id: "a", items: [Row(id: 1), Row(id: 2)])])
    let before = source.sections
    #expect(throws: EditError<String, Int>.noItem(9)) {
      try source.batch {
        try source.deleteItems([1])
        #expect(source.sections[0].items.map(\.id) == [2])
        try source.deleteItems([9])
      }
    }
    #expect(source.sections == before)
  }
}
