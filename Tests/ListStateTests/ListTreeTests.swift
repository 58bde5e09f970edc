import ByteBuffers
import ListDiff
import ListStages
import Testing

@testable import ListState

/// Compares trees with arrays of sections of items.
///
/// Promise: An edited list equals edited arrays, and its steps can be undone and redone. Also
///   `SumForestTests`.
@Suite struct ListTreeTests {
  /// A section of the model: its key and its items. An item is a key and a version of its text.
  private struct ModelSection: Equatable {
    var key: UInt32
    var own = 0
    var items: [ModelItem] = []
  }

  private struct ModelItem: Equatable {
    var key: UInt32
    var version = 0

    /// The number of parts; `nil` for an item that is a row. Some items have parts, others none.
    var partCount: Int? { key % 3 == 0 ? (Int(key) / 3 + version) % 4 : nil }

    var rowCount: Int { partCount ?? 1 }

    var text: String { "\(key).\(version)." + String("pqr".prefix(partCount ?? 0)) }
  }

  private struct Model {
    var sections: [ModelSection] = []
    var nextKey: UInt32 = 1000

    /// The distance of new keys, 3 if no item has parts.
    var keyStep: UInt32 = 1

    var all: [UInt32] { sections.flatMap { $0.items.map(\.key) } }

    mutating func newItems(_ count: Int) -> [ModelItem] {
      defer { nextKey += UInt32(count) * keyStep }
      return (0..<count).map { ModelItem(key: nextKey + UInt32($0) * keyStep) }
    }

    mutating func remove(_ keys: [UInt32]) {
      let keys = Set(keys)
      for index in sections.indices { sections[index].items.removeAll { keys.contains($0.key) } }
    }

    mutating func insert(_ items: [ModelItem], beside key: UInt32, isAfter: Bool) {
      for index in sections.indices {
        guard let row = sections[index].items.firstIndex(where: { $0.key == key }) else {
          continue
        }
        sections[index].items.insert(contentsOf: items, at: row + (isAfter ? 1 : 0))
        return
      }
    }

    func items(_ keys: [UInt32]) -> [ModelItem] {
      keys.compactMap { key in sections.lazy.flatMap(\.items).first { $0.key == key } }
    }
  }

  @Test(arguments: 0..<6)
  func randomEditsMatchArrays(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = Model()
    model.keyStep = seed < 3 ? 3 : 1
    for key in 0..<UInt32(1 + random.below(4)) {
      let items = model.newItems(random.below(600))
      model.sections.append(ModelSection(key: key, items: items))
    }
    var tree = ListTree(snapshot(model.sections), of: Array("l".utf8), universe: 20_000)
    let head = ModelSection(key: 100, items: model.newItems(3))
    let tail = ModelSection(key: 101, items: model.newItems(3))
    var composite = ListTree(
      snapshot([head] + model.sections + [tail]), of: Array("w".utf8), universe: 20_000)
    var ids = IDTable()
    for _ in 0..<25 {
      let before = model
      let list = tree.snapshot()
      #expect(sections(of: composite.snapshot()) == [head] + before.sections + [tail])
      for _ in 0...random.below(4) {
        guard let (edit, newContent) = edit(&model, random.below(6) == 0, &random) else { continue }
        tree.change.newContent = snapshot(newContent)
        try tree.make(edit, &ids) { (_, _, _) throws(EditFailure) in nil }
      }
      #expect(sections(of: tree.snapshot()) == model.sections)
      let delta = checkSteps(tree, from: list, before.sections, to: model.sections)
      composite.make(delta, behindSections: 1)
      #expect(sections(of: composite.snapshot()) == [head] + model.sections + [tail])
      if random.below(4) == 0 {
        tree.undoChange()
        composite.undoChange()
        model = before
        #expect(sections(of: tree.snapshot()) == model.sections)
      } else {
        tree.finishChange()
        composite.finishChange()
      }
      tree.checkInvariants()
      tree.snapshot().checkInvariants()
      composite.checkInvariants()
      checkPositions(tree, model)
    }
  }

  /// Checks the steps between the lists before and after an edit, in both directions. Returns the
  /// change by value.
  private func checkSteps(
    _ tree: ListTree, from list: Snapshot, _ before: [ModelSection], to after: [ModelSection]
  ) -> TreeDelta {
    var engine = DiffEngine()
    let comparison = TreeComparison(tree, universe: 50_000)
    let (old, new) = (comparison.old, comparison.new)
    engine.match(
      old.arrangement, new.arrangement, universe: comparison.universe)
    engine.findMoves(oldStarts: old.starts, newStarts: new.starts)
    let pairs = EntryPairs(matching: engine.matching, moved: engine.movement.movedRows)
    _ = engine.matchRows(of: old.shown, new.shown)
    let rowsToNew = engine.matching.rowsToNew
    func applied(toOld: Bool) -> [ModelSection]? {
      let step =
        toOld
        ? PackedStep(comparison, pairs.matching, tree).step
        : EditStep(comparison, pairs.matching, toOld: false, tree)
      step.checkInvariants()
      var list = PastList(toOld ? tree.snapshot() : list)
      list.goBack(step)
      return list.snapshot { false }.map(sections(of:))
    }
    #expect(applied(toOld: true) == before)
    #expect(applied(toOld: false) == after)
    let map = TreeMap(
      comparison, rowsToNew: rowsToNew, itemsToNew: pairs.matching.rowsToNew, count: tree.rowCount)
    let flat = rows(of: after)
    for (index, row) in rows(of: before).enumerated() {
      // A row that was deleted leads to the first row of its item.
      let partner = flat.firstIndex { $0 == row } ?? flat.firstIndex { $0.key == row.key }
      #expect(map.index(of: index) == partner)
      if index > 300 { break }
    }
    return TreeDelta(comparison, pairs, tree)
  }

  private struct ModelRow: Equatable {
    var key: UInt32

    /// The part; `nil` if the item is the row.
    var part: Int?
  }

  private func rows(of sections: [ModelSection]) -> [ModelRow] {
    sections.flatMap(\.items).flatMap { item in
      (0..<item.rowCount).map { ModelRow(key: item.key, part: item.partCount == nil ? nil : $0) }
    }
  }

  private func checkPositions(_ tree: ListTree, _ model: Model) {
    #expect(tree.itemCount == model.all.count)
    #expect(tree.rowCount == rows(of: model.sections).count)
    #expect(tree.sectionCount == model.sections.count)
    var index = 0
    var flat = 0
    for (number, section) in model.sections.enumerated() {
      var row = 0
      for item in section.items {
        let location = tree.location(of: item.key)
        #expect(location == tree.location(at: index))
        if index % 7 == 0, let location {
          #expect(tree.path(of: location) == Path(section: number, row: row))
          #expect(tree.index(of: location) == index)
          #expect(tree.rows(of: location) == flat..<flat + item.rowCount)
          for part in 0..<item.rowCount {
            #expect(tree.path(ofRow: flat + part) == Path(section: number, row: row + part))
            let found = tree.location(ofRow: flat + part)
            #expect(found?.item == location)
            #expect(found?.row == part)
          }
        }
        index += 1
        row += item.rowCount
        flat += item.rowCount
      }
    }
  }

  // MARK: Edits

  /// Makes a random edit of a model, if one is possible, and returns it with its new content.
  private func edit(
    _ model: inout Model, _ isLarge: Bool, _ random: inout SeededGenerator
  ) -> (Edit, newContent: [ModelSection])? {
    let all = model.all
    let count = 1 + random.below(isLarge ? 700 : 4)
    func some(_ random: inout SeededGenerator) -> [UInt32] {
      let first = random.below(all.count)
      if random.below(2) == 0 { return Array(all[first..<min(all.count, first + count)]) }
      return Array(Set((0..<count).map { _ in all[random.below(all.count)] })).sorted()
    }
    func reference(_ key: UInt32) -> ItemReference { .id(key, occurrence: 0, source: nil) }
    let isAfter = random.below(2) == 0
    switch random.below(12) {
    case 0 where !model.sections.isEmpty:
      let section = random.below(model.sections.count)
      let items = model.newItems(count)
      model.sections[section].items += items
      return (
        .appendItems(content(items), section: SectionReference(key: model.sections[section].key)),
        [ModelSection(key: 0, items: items)]
      )
    case 1 where !all.isEmpty, 2 where !all.isEmpty:
      let anchor = all[random.below(all.count)]
      let items = model.newItems(count)
      model.insert(items, beside: anchor, isAfter: isAfter)
      return (
        .insertItems(content(items), AnchoredItem(item: reference(anchor), isAfter: isAfter)),
        [ModelSection(key: 0, items: items)]
      )
    case 3 where !all.isEmpty, 4 where !all.isEmpty:
      let keys = some(&random)
      model.remove(keys)
      return (.deleteItems(keys.map(reference)), [])
    case 5 where !all.isEmpty, 6 where !all.isEmpty:
      let anchor = all[random.below(all.count)]
      let keys = some(&random).filter { $0 != anchor }
      let moved = model.items(keys)
      model.remove(keys)
      model.insert(moved, beside: anchor, isAfter: isAfter)
      return (
        .moveItems(
          keys.map(reference), AnchoredItem(item: reference(anchor), isAfter: isAfter)), []
      )
    case 7 where !all.isEmpty:
      let items = model.items(some(&random)).map { ModelItem(key: $0.key, version: $0.version + 1) }
      for item in items {
        for section in model.sections.indices {
          guard let row = model.sections[section].items.firstIndex(where: { $0.key == item.key })
          else { continue }
          model.sections[section].items[row] = item
        }
      }
      return (.updateItems(content(items)), [ModelSection(key: 0, items: items)])
    case 8:
      let section = ModelSection(key: UInt32(random.below(9)), items: model.newItems(count))
      guard !model.sections.contains(where: { $0.key == section.key }) else { return nil }
      model.sections.append(section)
      return (.appendSections(content(section)), [section])
    case 9 where model.sections.count > 2:
      let deleted = model.sections.remove(at: random.below(model.sections.count))
      return (.deleteSections([SectionReference(key: deleted.key)]), [])
    case 10 where model.sections.count > 1:
      let moved = model.sections.remove(at: random.below(model.sections.count))
      let index = random.below(model.sections.count)
      let anchor = model.sections[index].key
      model.sections.insert(moved, at: index + (isAfter ? 1 : 0))
      return (
        .moveSection(
          SectionReference(key: moved.key),
          AnchoredSection(section: SectionReference(key: anchor), isAfter: isAfter)), []
      )
    case 11 where !model.sections.isEmpty:
      let section = random.below(model.sections.count)
      model.sections[section].own += 1
      return (.updateSections(content(model.sections[section])), [model.sections[section]])
    default: return nil
    }
  }

  // MARK: Snapshots

  /// The new content of an edit that is the only one of its request.
  private func content(_ items: [ModelItem]) -> EditContent {
    EditContent(items: 0..<items.count, sections: 0..<0)
  }

  private func content(_ section: ModelSection) -> EditContent {
    EditContent(items: 0..<section.items.count, sections: 0..<1)
  }

  private func snapshot(_ sections: [ModelSection]) -> Snapshot {
    var text: [UInt8] = []
    func add(_ word: String) -> Payload {
      defer { text += word.utf8 }
      return Payload(start: text.count, length: word.utf8.count, buffer: 0)
    }
    let sections = sections.map { section in
      (
        section.key, add("s\(section.own)"),
        section.items.map { ($0, add($0.text)) }
      )
    }
    var builder = SnapshotBuilder(buffers: [SharedBytes(copying: text)])
    for (key, own, items) in sections {
      builder.beginSection(key, SectionTraits(own: own))
      for (item, payload) in items {
        builder.addItem(item.key, payload, .hasExplicitID, template: template(ofKey: item.key))
        guard let count = item.partCount else { continue }
        let end = Int(payload.start + payload.length)
        builder.addParts(
          (0..<count).map { part in
            Part(
              key: UInt32(part), payload: Payload(start: end - count + part, length: 1, buffer: 0),
              template: UInt32(part))
          })
      }
    }
    var keyIndices = LastKeyIndices()
    builder.finish(using: &keyIndices)
    return builder.snapshot
  }

  /// One item in fifty has a template.
  private func template(ofKey key: UInt32) -> UInt32 { key % 50 == 0 ? 7 : 0 }

  private func sections(of snapshot: Snapshot) -> [ModelSection] {
    snapshot.sections.indices.map { section in
      let own = String(decoding: snapshot.bytes(of: snapshot.sections[section].own), as: UTF8.self)
      return ModelSection(
        key: snapshot.arrangement.sections[section], own: Int(own.dropFirst())!,
        items: snapshot.arrangement.range(ofSection: section).map { item in
          let text = String(decoding: snapshot.bytes(of: snapshot.payloads[item]), as: UTF8.self)
          let words = text.split(separator: ".")
          let key = snapshot.arrangement.rows[item]
          #expect(snapshot.template(ofItem: item) == template(ofKey: key))
          let found = ModelItem(key: key, version: Int(words[1])!)
          #expect(text == found.text)
          checkRows(of: found, item, in: snapshot)
          return found
        })
    }
  }

  private func checkRows(of item: ModelItem, _ index: Int, in snapshot: Snapshot) {
    let rows = snapshot.rows(ofItem: index)
    #expect(rows.count == item.rowCount)
    for (part, row) in rows.enumerated() where item.partCount != nil {
      #expect(snapshot.isPart(row))
      let text = snapshot.bytes(of: snapshot.payload(ofRow: row))
      #expect(text.elementsEqual("pqr".utf8.dropFirst(part).prefix(1)))
      #expect(snapshot.template(ofRow: row) == part)
    }
  }
}
