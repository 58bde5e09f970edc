import ListDiff
import Testing

@testable import ListState

/// Compares composites after edits of their sources with composites that are composed anew.
///
/// Promise: A composite after an edit of a source equals one that is composed anew.
@Suite struct CompositeEditsTests {
  private static let composites = ["c": ["p", "q"], "d": ["c", "r"], "e": ["p", "d"]]

  private struct Row: Equatable {
    var key: UInt32
    var text: String
  }

  private struct Section: Equatable {
    var own: String
    var rows: [Row]
  }

  @Test(arguments: 0..<6, [false, true])
  func editedCompositesEqualNewOnes(seed: UInt64, repeats: Bool) throws {
    var random = SeededGenerator(seed: seed)
    var lists = Lists()
    try lists.apply("A/m: a b c d= | B/s: e f^" + (repeats ? " e b b" : ""), to: "p")
    try lists.apply("A/M: a b | C/m:" + (repeats ? " a a" : ""), to: "q")
    try lists.apply("A/m: a= b", to: "r")
    for name in ["c", "d", "e"] {
      let sources = Self.composites[name]!.map { Array($0.utf8) }
      _ = try lists.store.compose(Array(name.utf8), of: sources, ChangeRequest())
    }
    lists.store.recordsModifications = true
    for _ in 0..<80 {
      lists.store.begin()
      try select(in: "e", &lists, &random)
      lists.store.begin()
      let source = ["p", "q", "r"][random.below(3)]
      if random.below(4) == 0 {
        // The tree of this list is made again, from those of its sources.
        lists.remakeTree(of: Array(["p", "q", "r", "c", "d", "e"][random.below(6)].utf8))
      }
      let before = try state(&lists)
      let isEdited = try edit(source, repeats: repeats, &lists, &random)
      #expect(lists.store.peek(Array(source.utf8))?.tree != nil)
      try check(&lists)
      if !isEdited || random.below(4) == 0 {
        lists.store.rollBack()
        #expect(try state(&lists) == before)
        try check(&lists)
      }
    }
    lists.store.checkInvariants()
  }

  /// Selects a random item of a list.
  private func select(
    in name: String, _ lists: inout Lists, _ random: inout SeededGenerator
  ) throws {
    let list = try lists.list(name)
    guard list.shownItems.itemCount > 0 else { return }
    var request = SelectRequest()
    let path = list.shownItems.path(ofRow: random.below(list.shownItems.rowCount))
    request.items = [.path(section: path.section, row: path.row, revision: nil)]
    _ = try lists.store.select(Array(name.utf8), request)
  }

  /// Makes random edits of a list as one change. Returns false if they cannot be made.
  private func edit(
    _ name: String, repeats: Bool, _ lists: inout Lists, _ random: inout SeededGenerator
  ) throws -> Bool {
    var edits = Edits()
    let words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    func word(_ random: inout SeededGenerator) -> String { words[random.below(words.count)] }
    func section(_ random: inout SeededGenerator) -> String { ["A", "B", "C"][random.below(3)] }
    var picture = "Z:"
    var items = 0
    for _ in 0...random.below(3) {
      let item = lists.reference(word(&random))
      let key = lists.key(section(&random).utf8)
      let anchor = AnchoredItem(
        item: lists.reference(word(&random)), isAfter: random.below(2) == 0)
      switch random.below(7) {
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
        picture += " \(word(&random))\(random.below(2) == 0 ? "*" : "")"
        let content = EditContent(items: items..<items + 1, sections: 0..<0)
        items += 1
        switch repeats ? random.below(3) : 0 {
        case 0: edits.edits.append(.putItems(content, section: nil))
        case 1: edits.edits.append(.insertItems(content, anchor))
        default: edits.edits.append(.appendItems(content, section: nil))
        }
      }
    }
    edits.newContent = lists.snapshot(picture)
    do {
      let changes = try lists.store.edit(Array(name.utf8), &edits, ChangeRequest())
      return changes != nil
    } catch { return false }
  }

  private func check(_ lists: inout Lists) throws {
    for (name, sources) in Self.composites {
      let composed = lists.store.composed(try lists.list(name))
      composed.checkInvariants()
      #expect(sections(try lists.list(name).shownItems) == sections(composed))
      var tree = lists.store.peek(Array(name.utf8))?.tree
      tree?.finishChange()
      tree?.checkInvariants()
      if let tree, tree.hasDistinctKeys { checkKeys(of: Array(tree.keys), sources, &lists) }
    }
  }

  /// Checks that the keys of a composite are those of its sources.
  private func checkKeys(of keys: [UInt32], _ sources: [String], _ lists: inout Lists) {
    var start = 0
    for source in sources {
      let nameKey = lists.key(source.utf8)
      let tree = lists.store.peek(Array(source.utf8))?.tree
      let count = tree?.itemCount ?? lists.store.peek(Array(source.utf8))!.itemCount
      let own = tree?.hasDistinctKeys == true ? Array(tree!.keys) : []
      for (item, key) in own.enumerated() {
        let expected = lists.store.ids.internSourced(
          key, from: nameKey, keepsKeys: source == sources[0])
        #expect(keys[start + item] == expected)
      }
      start += count
    }
  }

  /// Returns the content and the marks of all lists.
  private func state(_ lists: inout Lists) throws -> [String] {
    try ["p", "q", "r", "c", "d", "e"].map { name in
      let list = try lists.list(name)
      return "\(list.revision) \(sections(list.shownItems)) \(list.marks)"
    }
  }

  private func sections(_ snapshot: Snapshot) -> [Section] {
    func text(_ payload: Payload) -> String {
      String(decoding: snapshot.bytes(of: payload), as: UTF8.self)
    }
    return snapshot.sections.indices.map { section in
      Section(
        own: text(snapshot.sections[section].own),
        rows: snapshot.arrangement.range(ofSection: section).map {
          Row(key: snapshot.arrangement.rows[$0], text: text(snapshot.payloads[$0]))
        })
    }
  }
}
