import ListDiff
import Testing

@testable import ListSources

/// Outlines that follow a source are as if they were made anew after each edit.
@MainActor @Suite struct OutlineTests {
  private typealias Outline = OutlineSource<Section>

  /// An item's parent is its text, which is the id of another item, of itself, or of none.
  private func parent(_ row: Row) -> Int? { row.text.isEmpty ? nil : Int(row.text) }

  /// The rows of a list, level by level, by the most obvious implementation.
  private func rows(
    _ list: [Section], _ isExpanded: (Int) -> Bool
  ) -> [[OutlineRow<Row>]] {
    let items = list.flatMap { $0.items }
    let byID = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
    func parent(_ row: Row) -> Int? { self.parent(row).flatMap { byID[$0]?.id } }
    func isCyclic(_ row: Row) -> Bool {
      var next = parent(row)
      for _ in items {
        if next == row.id { return true }
        next = next.flatMap { byID[$0] }.flatMap(parent)
      }
      return false
    }
    let parents = Dictionary(
      uniqueKeysWithValues: items.map { ($0.id, isCyclic($0) ? nil : parent($0)) })
    func rows(_ siblings: [Row], _ level: Int) -> [OutlineRow<Row>] {
      siblings.flatMap { row in
        let children = items.filter { parents[$0.id] == row.id }
        let isShown = !children.isEmpty && isExpanded(row.id)
        return [
          OutlineRow(
            item: row, level: level, hasChildren: !children.isEmpty, isExpanded: isShown)
        ] + (isShown ? rows(children, level + 1) : [])
      }
    }
    return list.map { section in rows(section.items.filter { parents[$0.id] == .some(nil) }, 0) }
  }

  private func check(_ outline: Outline, _ source: SectionSource<Section>, _ story: String) {
    let expected = rows(source.sections) { outline.isExpanded($0) }
    #expect(outline.sections.map { $0.items } == expected, "\(story)")
    #expect(outline.sections.map { $0.id } == source.sections.map { $0.id })
    outline.tree.checkInvariants()
  }

  /// Edits that move items below others, their own ancestors among them, and below items that come later.
  @Test(arguments: 1...40 as ClosedRange<UInt64>) func randomEdits(_ seed: UInt64) {
    var random = Numbers(state: seed)
    let size = [4, 8, 20, 60][Int(seed) % 4]
    func item() -> Int { random.next(below: size) }
    func row() -> Row {
      let parent = random.next(below: 4) == 0 ? "" : "\(item())"
      return Row(id: item(), text: parent)
    }
    let list = EditedSource(seed: seed, count: 0)
    let source = list.source
    let outline = source.outline(isExpanded: seed % 2 == 0) { parent($0) }
    let sorted = source.sorted(by: \.id, >)
    let other = sorted.outline(isExpanded: true) { parent($0) }
    for round in 0..<150 {
      for _ in 0..<[1, 1, 2, 8][random.next(below: 4)] {
        let section = source.section(at: random.next(below: source.sectionCount))?.id ?? ""
        switch random.next(below: 12) {
        case 0, 1, 2, 3: _ = try? source.appendItems([row()], toSection: section)
        case 4: _ = try? source.insertItems([row()], beforeItem: item())
        case 5, 6, 7: _ = try? source.updateItems([row()])
        case 8: _ = try? source.moveItem(item(), beforeItem: item())
        case 9: _ = try? source.moveItems([item(), item()], toSection: section)
        case 10: _ = try? source.deleteItems([item()])
        default: if random.next(below: 6) == 0 { list.edit() }
        }
      }
      if random.next(below: 3) == 0 {
        let item = item()
        if outline.isExpanded(item) { outline.collapse(item) } else { outline.expand(item) }
      }
      if round % 50 == 30 { outline.expansion = Expansion(exceptions: [item(), item()]) }
      if random.next(below: 2) == 0 { check(outline, source, "\(seed) \(round)") }
      if random.next(below: 2) == 0 { check(other, sorted, "\(seed) \(round) sorted") }
    }
  }

  /// All parents of up to four items, and all changes of one parent.
  @Test func allSmallForests() throws {
    for count in 1...4 {
      var parents = Array(repeating: 0, count: count)
      func row(_ id: Int, _ parent: Int) -> Row {
        Row(id: id, text: parent == 0 ? "" : "\(parent - 1)")
      }
      var isDone = false
      while !isDone {
        let rows = parents.enumerated().map { row($0, $1) }
        for changed in 0..<count {
          let source = ListSource(sections: [Section(id: "a", items: rows)])
          let outline = source.outline(isExpanded: true) { parent($0) }
          check(outline, source, "\(parents)")
          for parent in 0...count {
            try source.updateItems([row(changed, parent)])
            check(outline, source, "\(parents) \(changed) to \(parent)")
          }
        }
        var digit = 0
        while digit < count, parents[digit] == count {
          parents[digit] = 0
          digit += 1
        }
        if digit == count { isDone = true } else { parents[digit] += 1 }
      }
    }
  }

  @Test func folders() throws {
    let source = ListSource(sections: [
      Section(
        id: "files",
        items: [
          Row(id: 1), Row(id: 2, text: "1"), Row(id: 3, text: "2"), Row(id: 4, text: "1"),
          Row(id: 5),
        ])
    ])
    let files = source.outline { Int($0.text) }
    func shown() -> [[Int]] { files.sections[0].items.map { [$0.level, $0.id] } }
    #expect(shown() == [[0, 1], [0, 5]])
    files.expand(1)
    files.expand(2)
    #expect(shown() == [[0, 1], [1, 2], [2, 3], [1, 4], [0, 5]])
    files.collapse(1)
    try source.select([3])
    #expect(shown() == [[0, 1], [0, 5]] && files.selected == [] && files.isExpanded(2))
    files.expand(1)
    #expect(files.selectedPaths == [ListPath(section: 0, row: 2)])
    try source.deleteItems([2])
    #expect(shown() == [[0, 1], [1, 4], [0, 3], [0, 5]])
    let folds = files.expansion
    files.expansion = Expansion()
    #expect(shown() == [[0, 1], [0, 3], [0, 5]])
    files.expansion = folds
    try source.insertItems([Row(id: 2, text: "1")], afterItem: 1)
    #expect(shown() == [[0, 1], [1, 2], [2, 3], [1, 4], [0, 5]])
  }

  @Test func aLongChain() throws {
    let count = 5_000
    let source = ListSource(sections: [
      Section(id: "a", items: (0..<count).map { Row(id: $0, text: $0 == 0 ? "" : "\($0 - 1)") })
    ])
    let outline = source.outline(isExpanded: true) { Int($0.text) }
    #expect(outline.itemCount == count)
    try source.updateItems([Row(id: count / 2, text: "")])
    #expect(outline.item(at: ListPath(section: 0, row: count / 2))?.level == 0)
    try source.updateItems([Row(id: 0, text: "\(count / 2 - 1)")])
    #expect(outline.sections[0].items.allSatisfy { $0.id < count / 2 ? $0.level == 0 : true })
  }
}
