import ByteBuffers
import ListDiff
import ListSources
import Testing

@testable import ListState

/// A source selects items by the same rules as the daemon, except in sections that must not be empty or
/// have a maximum.
@MainActor @Suite struct SelectionRulesTests {
  private let modes: [ListSources.SelectionMode] = [
    .multiple, .single, .disabled,
  ]

  /// The rows of sections that are named after their modes.
  private func sections(_ rows: [[Int]]) -> [Section] {
    rows.enumerated().map { index, rows in
      Section(id: "\(index)", items: rows.map { Row(id: $0) })
    }
  }

  /// The same list as the daemon keeps it.
  private func snapshot(_ rows: [[Int]]) -> Snapshot {
    var builder = SnapshotBuilder(buffers: [SharedBytes(copying: [])])
    let nothing = Payload(start: 0, length: 0, buffer: 0)
    for (index, rows) in rows.enumerated() {
      var traits = SectionTraits(own: nothing)
      switch modes[index % modes.count] {
      case .disabled: traits.selectionMode = .none
      case .single: traits.selectionMode = .single
      case .multiple: traits.selectionMode = .multiple
      }
      traits.allowsEmptySelection = true
      builder.beginSection(UInt32(index), traits)
      for row in rows { builder.addItem(UInt32(row), nothing, [], template: 0) }
    }
    builder.finishDistinct()
    return builder.snapshot
  }

  private func tree(_ list: Snapshot, _ marks: SourceMarks = SourceMarks()) -> ListTree {
    var tree = ListTree(list, of: [], universe: 12)
    tree.indexKeys()
    tree.mark(marks)
    return tree
  }

  @Test func selectionsAreThoseOfTheDaemon() throws {
    var random = Numbers(state: 5)
    for _ in 0..<200 {
      let count = Int.random(in: 1...5, using: &random)
      var rows = split(Array(0..<12), count, &random)
      let list = snapshot(rows)
      let source = ListSource(sections: sections(rows))
      for index in 0..<count {
        try source.setSelectionMode(modes[index % modes.count], ofSection: "\(index)")
      }
      var expected = tree(list)
      var story = "\(rows)"
      for _ in 0..<12 {
        let ids = rows.flatMap(\.self)
        let section = Bool.random(using: &random) ? nil : Int.random(in: 0..<count, using: &random)
        let selectable = ids.indices.filter { expected.isSelectable(expected.location(at: $0)!) }
        let items = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
          selectable.randomElement(using: &random)
        }
        let names = items.map { ids[$0] }
        let number = Int.random(in: 0...8, using: &random)
        story += "\n\(number) \(names) \(section.map(String.init) ?? "")"
        switch number {
        case 0...4 where items.isEmpty: break
        case 0...4:
          let action: (ListState.SelectionAction, ListSources.SelectionAction) =
            [
              (.toggle, .toggle), (.select, .select), (.deselect, .deselect), (.replace, .replace),
              (.extend, .extend),
            ][number]
          expected.apply(action.0, to: items.map { expected.location(at: $0)! }, in: nil)
          try source.select(names, action.1)
        case 5:
          expected.apply(.all, to: [], in: section.flatMap(expected.section(at:)))
          if let section {
            try source.selectAll(inSection: "\(section)")
          } else {
            source.selectAll()
          }
        case 6:
          expected.apply(.invert, to: [], in: section.flatMap(expected.section(at:)))
          if let section {
            try source.invertSelection(inSection: "\(section)")
          } else {
            source.invertSelection()
          }
        case 7:
          expected.apply(.none, to: [], in: section.flatMap(expected.section(at:)))
          if let section {
            try source.deselectAll(inSection: "\(section)")
          } else {
            source.deselectAll()
          }
        default:
          let kept = ids.filter { _ in Int.random(in: 0...5, using: &random) > 0 }
          let next = split(kept.shuffled(using: &random), count, &random)
          let newIDs = next.flatMap(\.self)
          let toNew = ids.map { id in Int32(newIDs.firstIndex(of: id) ?? -1) }
          rows = next
          let list = snapshot(rows)
          expected = tree(list, expected.marksByIndex.mapped(by: toNew))
          source.apply(sections(rows))
        }
        let now = rows.flatMap(\.self)
        #expect(source.selected == Set(expected.selectedIndices.map { now[$0] }), "\(story)")
      }
    }
  }

  /// Splits ids into `count` sections at random.
  private func split(
    _ ids: [Int], _ count: Int, _ random: inout Numbers
  ) -> [[Int]] {
    var rows = [[Int]](repeating: [], count: count)
    for id in ids { rows[Int.random(in: 0..<count, using: &random)].append(id) }
    return rows
  }
}
