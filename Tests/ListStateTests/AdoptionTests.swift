import ByteBuffers
import ListDiff
import Testing

@testable import ListState

/// Gives trees the content of snapshots, and compares them with trees that are made of the snapshots.
///
/// Promise: A list that takes the content of a snapshot equals one that is made of it, keeps its
///   selection, and can be undone.
@Suite struct AdoptionTests {
  private struct Item: Hashable {
    var key: UInt32
    var version = 0
  }

  private struct Section {
    var key: UInt32
    var version = 0
    var mode = SelectionMode.multiple
    var items: [Item] = []
  }

  private struct Model {
    var sections: [Section] = []
    var nextKey: UInt32 = 1000

    /// Whether some items have parts, of which there may be none.
    var hasParts = false

    func partCount(_ item: Item) -> Int? {
      hasParts && item.key % 4 == 1 ? (Int(item.key / 4) + item.version) % 4 : nil
    }

    /// The first row of each item, followed by the number of rows.
    var rowStarts: [Int] {
      items.reduce(into: [0]) { $0.append($0.last! + (partCount($1) ?? 1)) }
    }

    var items: [Item] { sections.flatMap(\.items) }

    mutating func newItem() -> Item {
      defer { nextKey += 1 }
      return Item(key: nextKey)
    }

    /// Makes some changes: most often few, sometimes many.
    mutating func change(_ random: inout SeededGenerator) {
      for _ in 0..<[0, 1, 2, 5, 40][random.below(5)] {
        let section = random.below(sections.count)
        let count = sections[section].items.count
        let row = random.below(count + 1)
        // The last kinds need an item at the row.
        switch random.below(row < count ? 12 : 6) {
        case 0...2: sections[section].items.insert(newItem(), at: row)
        case 3: changeSections(&random)
        case 4:
          let more = (0..<random.below(600)).map { _ in newItem() }
          sections[section].items.insert(contentsOf: more, at: row)
        case 6, 7: sections[section].items.remove(at: row)
        case 8, 9: sections[section].items[row].version += 1
        case 10:
          let end = min(count, row + random.below(400))
          sections[section].items.removeSubrange(row..<end)
        case 11:
          let item = sections[section].items.remove(at: row)
          let target = random.below(sections.count)
          let place = random.below(sections[target].items.count + 1)
          sections[target].items.insert(item, at: place)
        default: break
        }
      }
    }

    private mutating func changeSections(_ random: inout SeededGenerator) {
      let section = random.below(sections.count)
      switch random.below(4) {
      case 0:
        sections.insert(Section(key: nextKey, items: [newItem()]), at: section)
        nextKey += 1
      case 1 where sections.count > 1: sections.remove(at: section)
      case 2: sections.swapAt(section, random.below(sections.count))
      default:
        sections[section].version += 1
        sections[section].mode = SelectionMode.allCases[random.below(3)]
      }
    }

    func snapshot() -> Snapshot {
      var texts: [UInt8] = []
      func text(_ word: String) -> Payload {
        defer { texts += word.utf8 }
        return Payload(start: texts.count, length: word.utf8.count, buffer: 0)
      }
      let written = sections.map { section in
        (text("s\(section.version)"), section.items.map { text("\($0.key).\($0.version)") })
      }
      var builder = SnapshotBuilder(buffers: [SharedBytes(copying: texts)])
      for (section, (own, items)) in zip(sections, written) {
        var traits = SectionTraits(own: own)
        traits.selectionMode = section.mode
        traits.allowsEmptySelection = true
        builder.beginSection(section.key, traits)
        for (item, text) in zip(section.items, items) {
          let traits: ItemTraits =
            item.version % 5 == 4 ? [.hasExplicitID, .notSelectable] : .hasExplicitID
          builder.addItem(item.key, text, traits, template: UInt32(item.version % 2))
          if let count = partCount(item) {
            builder.addParts(
              (0..<UInt32(count)).map { Part(key: $0, payload: text, template: $0 % 2) })
          }
        }
      }
      builder.finishDistinct()
      return builder.snapshot
    }

    /// Returns runs of items that are equal in another model, as a reader finds them: not all of them.
    func runs(from old: Model, _ random: inout SeededGenerator) -> [MatchedRun] {
      let places = Dictionary(uniqueKeysWithValues: zip(old.items, old.items.indices))
      var runs: [MatchedRun] = []
      for (new, item) in items.enumerated() {
        guard let old = places[item], random.below(50) > 0 else { continue }
        if let last = runs.last, last.oldEnd == old, last.newEnd == new {
          runs[runs.count - 1].count += 1
        } else {
          runs.append(MatchedRun(old: old, new: new, count: 1))
        }
      }
      return runs
    }
  }

  /// The items and their states, without what depends on where texts are.
  private struct Picture: Equatable {
    var sections: [String] = []
    var items: [String] = []
    var selected: [Int] = []

    init(_ tree: ListTree) {
      let snapshot = tree.snapshot()
      for (index, traits) in snapshot.sections.enumerated() {
        let own = String(decoding: snapshot.bytes(of: traits.own), as: UTF8.self)
        let key = snapshot.arrangement.sections[index]
        sections.append(
          "\(key) \(own) \(traits.selectionMode) \(snapshot.arrangement.starts[index])")
      }
      for item in 0..<snapshot.itemCount {
        let text = String(decoding: snapshot.bytes(of: snapshot.payloads[item]), as: UTF8.self)
        let traits = snapshot.traits[item].rawValue
        let parts = snapshot.parts(ofItem: item)?.map { "\($0.key) \($0.template)" }
        items.append(
          "\(snapshot.arrangement.rows[item]) \(text) \(traits) \(snapshot.template(ofItem: item)) "
            + "\(parts ?? ["whole"]) \(tree.rows(of: tree.location(at: item)!))")
      }
      selected = tree.selectedIndices
    }
  }

  @Test(arguments: 0..<12)
  func aTreeTakesTheContentOfASnapshotAndGivesItBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = Model()
    model.hasParts = seed % 2 == 1
    for key in 0..<UInt32(1 + random.below(5)) {
      model.sections.append(Section(key: key))
      for _ in 0..<random.below(900) {
        let item = model.newItem()
        model.sections[Int(key)].items.append(item)
      }
    }
    var tree = ListTree(model.snapshot(), of: Array("l".utf8), universe: 50_000)
    for round in 0..<30 {
      for _ in 0..<random.below(4) where tree.itemCount > 0 {
        let item = tree.location(at: random.below(tree.itemCount))!
        if tree.isSelectable(item) { tree.apply(.toggle, to: [item], in: nil) }
      }
      tree.finishChange()
      tree.checkInvariants()
      let before = (model: model, picture: Picture(tree))
      let selected = Set(tree.selectedIndices.map { tree.key(at: $0)! })
      model.change(&random)
      let snapshot = model.snapshot()
      let runs = model.runs(from: before.model, &random)
      let cut = try #require(
        runs.cut(
          atSections: tree.starts(of: tree.sectionsInOrder), snapshot.arrangement.starts))
      tree.adopt(snapshot, cut)
      let comparison = TreeComparison(tree, universe: 60_000)
      checkSides(comparison, before.model, model)
      if round % 3 == 0 {
        tree.undoChange()
        tree.checkInvariants()
        #expect(Picture(tree) == before.picture)
        model = before.model
        continue
      }
      tree.applySelectionRules()
      tree.finishChange()
      tree.checkInvariants()
      let fresh = ListTree(snapshot, of: Array("l".utf8), universe: 50_000)
      #expect(Picture(tree).sections == Picture(fresh).sections)
      #expect(Picture(tree).items == Picture(fresh).items)
      // An item stays selected if it may be.
      for item in 0..<tree.itemCount {
        let key = tree.key(at: item)!
        let location = tree.location(of: key)!
        if tree.isSelected(location) { #expect(selected.contains(key)) }
        let mode = tree.sections[tree.section(ofLeaf: location.leaf)].traits.selectionMode
        if selected.contains(key), mode == .multiple, tree.allowsSelection(location) {
          #expect(tree.isSelected(location))
        }
      }
    }
  }

  /// Checks that the entries of a comparison stand for the items of both sides, and that both sides have
  /// the same blocks.
  private func checkSides(_ comparison: TreeComparison, _ old: Model, _ new: Model) {
    var blocks: [[UInt32: [Item]]] = []
    for (side, model) in [(comparison.old, old), (comparison.new, new)] {
      let items = model.items
      var known: [UInt32: [Item]] = [:]
      let rowStarts = model.rowStarts
      for entry in side.entries.indices {
        let range = side.items(ofEntry: entry)
        #expect(side.firstRow(ofEntry: entry) == rowStarts[range.lowerBound])
        if let record = side.entries[entry].record {
          #expect(record.key == items[range.lowerBound].key)
        } else {
          known[side.entries[entry].key] = Array(items[range])
        }
      }
      if comparison.listsAll {
        #expect(side.entries.reduce(0) { $0 + $1.count } == items.count)
        #expect(side.end.row == rowStarts.last)
        #expect(side.sectionCount == model.sections.count)
      }
      blocks.append(known)
    }
    #expect(blocks[0] == blocks[1])
  }
}
