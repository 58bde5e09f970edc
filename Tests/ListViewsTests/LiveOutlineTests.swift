import ByteBuffers
import FuzzyMatch
import Testing

@testable import ListState
@testable import ListViews

/// Outlines that follow edits beside what their definitions make of the same items anew.
///
/// Promise: An outline that follows edits equals the one that its definition makes of the same
///   items; what is undone leaves no trace.
@Suite struct LiveOutlineTests {
  @Test(arguments: 0..<32)
  func theyAreWhatTheirDefinitionsMake(seed: Int) throws {
    var outlines = Outlines(seed: seed)
    for _ in 0..<60 {
      outlines.store.begin()
      let before = outlines.state()
      let isMade = try outlines.edit()
      try outlines.check()
      if !isMade || outlines.random(4) == 0 {
        outlines.store.rollBack()
        let after = outlines.state()
        #expect(after == before)
        try outlines.check()
      }
    }
  }
}

/// Texts are equal if their bytes are.
private struct ByteRules: ContentRules {
  func isSameItem(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.elementsEqual(b)
  }

  func isSameSection(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.elementsEqual(b)
  }

  func isSameBesideParts(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.elementsEqual(b)
  }

  func sectionName(_ list: [UInt8], _ ids: borrowing IDTable, _ key: UInt32) -> [UInt8] {
    list + [0x2E] + ids.bytes(of: key)
  }

  func renamed(_ own: UnsafeRawBufferPointer, _ id: [UInt8]) -> [UInt8] { Array(own) }
}

/// Two lists, an outline of them, and an outline of that.
private struct Outlines: ~Copyable {
  private static let sources = ["v": ["a", "b"], "w": ["v"]]
  private static let ids = 10

  var store: ListStore
  private var seed: UInt64

  /// Whether several items may have the same identifier.
  private let hasRepeats: Bool

  init(seed: Int) {
    hasRepeats = seed % 2 == 1
    self.seed = 0x9E37_79B9_7F4A_7C15 &* UInt64(seed + 1)
    store = ListStore(rules: ByteRules(), historyBytes: 1 << 20)
    store.recordsModifications = true
    for name in ["a", "b"] {
      let snapshot = self.snapshot(["S", "T"].map { ($0, items(random(5))) })
      _ = try! store.replace(Array(name.utf8), with: snapshot, ChangeRequest())
    }
    for name in ["v", "w"] {
      let sources = Self.sources[name]!.map { Array($0.utf8) }
      _ = try! store.compose(
        Array(name.utf8), of: sources, as: ViewRequest(definition()), ChangeRequest())
    }
  }

  mutating func random(_ bound: Int) -> Int {
    seed ^= seed << 13
    seed ^= seed >> 7
    seed ^= seed << 17
    return Int(seed >> 11) % bound
  }

  // MARK: Content

  private mutating func item(_ id: Int) -> String {
    let parent = random(Self.ids + 4)
    let up = parent < Self.ids ? ",\"up\":\(parent)" : ""
    let lazy = random(4) == 0 ? ",\"lazy\":true" : ""
    return "{\"id\":\(id),\"n\":\(random(4)),\"g\":\(random(3))\(up)\(lazy)}"
  }

  /// Some items, with identifiers of their own unless items repeat.
  private mutating func items(_ count: Int) -> [String] {
    (0..<count).map { item(hasRepeats ? random(6) : ($0 * 3 + random(2) * 10) % (2 * Self.ids)) }
  }

  private mutating func snapshot(_ sections: [(name: String, items: [String])]) -> Snapshot {
    let text = sections.map { $0.name + $0.items.joined() }.joined()
    var builder = SnapshotBuilder(buffers: [SharedBytes(copying: Array(text.utf8))])
    var start = 0
    var seen: Set<String> = []
    for (name, items) in sections {
      let own = Payload(start: start, length: name.utf8.count, buffer: 0)
      builder.beginSection(key(name, .string), SectionTraits(own: own))
      start += name.utf8.count
      for item in items {
        let id = String(item.dropFirst(6).prefix { $0 != "," })
        if seen.insert(id).inserted || hasRepeats {
          builder.addItem(
            key(id, .integer), Payload(start: start, length: item.utf8.count, buffer: 0), [],
            template: 0)
        }
        start += item.utf8.count
      }
    }
    builder.finish(using: &store.keyIndices)
    return builder.snapshot
  }

  private mutating func key(_ word: String, _ kind: IDKind) -> UInt32 {
    Array(word.utf8).withUnsafeBytes { store.ids.intern(kind, $0) }
  }

  private mutating func definition() -> ViewDefinition {
    var definition = ViewDefinition(source: [UInt8(random(250))])
    definition.outline = OutlineRules(
      parent: Array("up".utf8), openLevels: [0, 1, 2, .max][random(4)])
    let member = { (name: String, definition: inout ViewDefinition) in
      definition.members.index(of: Array(name.utf8))
    }
    if random(2) == 0 {
      let number = Array("\(random(3))".utf8)
      let values = number.withUnsafeBytes { ValueSet([$0]) }
      var condition = Condition()
      condition.add(.isOne(of: values), of: member("n", &definition))
      definition.condition = condition
    }
    if random(2) == 0 {
      definition.match = ViewMatch(
        Query(["", "0", "1", "!2"][random(4)]), in: [Array("g".utf8), Array("n".utf8)])
    }
    let number = member("n", &definition)
    var subjects: [SortKey.Subject] = random(2) == 0 ? [.member(number)] : []
    if definition.match != nil {
      definition.sortsByScore = random(3) == 0
      if random(2) == 0 {
        subjects.insert([.score, .length][random(2)], at: random(subjects.count + 1))
      }
    }
    for subject in definition.sortsByScore ? [] : subjects {
      var key = SortKey(subject)
      key.isDescending = random(2) == 0
      definition.sort.append(key)
    }
    switch random(3) {
    case 0: definition.sections = .keep
    case 1: definition.sections = .merge
    default: definition.sections = .by(member("g", &definition))
    }
    if random(3) == 0 { definition.window = ViewWindow(start: random(4), count: 3) }
    return definition
  }

  // MARK: Edits

  /// Makes a random change; returns false if it cannot be made.
  mutating func edit() throws -> Bool {
    let outline = Array(["v", "w"][random(2)].utf8)
    guard random(3) > 0 else { return try expand(outline) }
    let name = Array(["a", "b"][random(2)].utf8)
    var edits = Edits()
    var brought: [String] = []
    for _ in 0...random(3) {
      let (item, other) = (reference(), reference())
      let anchor = AnchoredItem(item: other, isAfter: random(2) == 0)
      let section = SectionReference(key: key(["S", "T"][random(2)], .string))
      switch random(6) {
      case 0: edits.edits.append(.deleteItems([item]))
      case 1: edits.edits.append(.moveItems([item], anchor))
      case 2: edits.edits.append(.moveItemsToSection([item], section))
      default:
        // Each item that is brought has an identifier of its own, so that none is left out.
        let id = (brought.count * 7 + random(6)) % (2 * Self.ids)
        guard !brought.contains(where: { $0.hasPrefix("{\"id\":\(id),") }) else { continue }
        let given = EditContent(items: brought.count..<brought.count + 1, sections: 0..<0)
        brought.append(self.item(id))
        let isInserted = hasRepeats && random(2) == 0
        edits.edits.append(
          isInserted ? .insertItems(given, anchor) : .putItems(given, section: section))
      }
    }
    edits.newContent = snapshot([("S", brought)])
    do { return try store.edit(name, &edits, ChangeRequest()) != nil } catch { return false }
  }

  /// A reference to an item that a list may have.
  private mutating func reference() -> ItemReference {
    let id = random(hasRepeats ? 6 : 2 * Self.ids)
    return .id(
      key("\(id)", .integer), occurrence: hasRepeats ? random(2) : 0, source: nil)
  }

  private mutating func expand(_ name: [UInt8]) throws -> Bool {
    var edits: [Edit] = []
    for _ in 0...random(2) {
      let rows = store.peek(name)!.live!.sources.snapshot().arrangement.rows
      let items = rows.isEmpty ? [] : [store.ids.original(rows[random(rows.count)])]
      let occurrence = hasRepeats ? random(2) : 0
      let references = items.map { ItemReference.id($0, occurrence: occurrence, source: nil) }
      let isDeep = random(3) == 0
      switch random(8) {
      case 0...2: edits.append(.outline(.expandItems(references, deep: isDeep)))
      case 3, 4: edits.append(.outline(.collapseItems(references, deep: isDeep)))
      case 5: edits.append(.outline(.revealItems(references)))
      case 6: edits.append(.outline(.expandAll))
      default: edits.append(.outline(.collapseAll))
      }
    }
    do { _ = try store.editOutline(name, edits, ChangeRequest()) } catch { return false }
    return true
  }

  // MARK: Checks

  /// Compares each outline that follows edits with what its definition makes of its sources.
  mutating func check() throws {
    for name in ["v", "w"] {
      let list = store.peek(Array(name.utf8))!
      guard var live = list.live, var tree = list.tree, let view = list.view else { continue }
      for part in [\LiveView.all, \LiveView.sourcesIfAny] {
        live[keyPath: part]?.finishChange()
        live[keyPath: part]?.checkInvariants()
      }
      tree.finishChange()
      tree.checkInvariants()
      live.outline!.link()
      let made = store.evaluatedAnew(list, view.rules, list.sourceStates)
      let (outline, wanted) = (live.outline!, made.arrangement.outline!)
      let keys = Array(live.sources.keys)
      var indices = LastKeyIndices()
      indices.record(keys) { _, _ in }
      let links = outline.links(of: keys, indices)
      #expect(live.sources.snapshot().arrangement.rows == made.items.snapshot.arrangement.rows)
      #expect(links.parents == made.items.links!.parents)
      #expect(links.areLazy == made.items.links!.areLazy)
      #expect(links.withMissingParents == made.items.links!.withMissingParents)
      let order = live.all!.keys.map { live.sources.index(ofKey: $0)! }
      let nodes = live.all!.keys.map { outline.node(of: $0)! }
      #expect(order == made.arrangement.order.map { Int($0) })
      #expect(nodes.map { outline.nodes[$0].level } == wanted.levels)
      #expect(nodes.map { outline.childCount(of: $0) } == wanted.childCounts.map { Int($0) })
      #expect(nodes.map { outline.has(.lazy, $0) } == wanted.traits.map { $0.contains(.lazy) })
      #expect(
        nodes.map { outline.has(.accepted, $0) } == wanted.traits.map { $0.contains(.matched) })
      #expect(nodes.map(outline.isExpanded) == nodes.indices.map(wanted.isExpanded))
      if outline.isRanked {
        #expect(nodes.map { outline.ranks[$0].score } == wanted.ranks.map(\.score))
      }
      let shown = nodes.indices.filter { !live.all!.isHidden(live.all!.location(at: $0)!) }
      #expect(shown == wanted.shown.map { Int($0) })
      let cyclic = outline.cyclicKeys.map { live.sources.index(ofKey: $0)! }
      #expect(cyclic.sorted() == wanted.cyclic.map { Int($0) }.sorted())
      let composed = store.composedAnew(list)
      #expect(view.numbers == composed.numbers)
      #expect(rows(list.shownItems) == rows(composed.snapshot))
    }
  }

  /// What all lists show, and what is expanded.
  mutating func state() -> [String] {
    ["a", "b", "v", "w"].map { name in
      let list = store.peek(Array(name.utf8))!
      let states = list.sourceStates.sorted { $0.key < $1.key }
      return "\(list.revision) \(rows(list.shownItems)) \(states) "
        + "\(list.viewNumbers ?? ViewNumbers()) \(list.allItems.arrangement.rows)"
    }
  }

  private func rows(_ snapshot: Snapshot) -> [String] {
    func text(_ payload: Payload) -> String {
      String(decoding: snapshot.bytes(of: payload), as: UTF8.self)
    }
    return snapshot.sections.indices.flatMap { section in
      [text(snapshot.sections[section].own)]
        + snapshot.arrangement.range(ofSection: section).map { text(snapshot.payloads[$0]) }
    }
  }
}

extension LiveView {
  /// The items of the sources.
  fileprivate var sourcesIfAny: ListTree? {
    get { sources }
    set { if let newValue { sources = newValue } }
  }
}
