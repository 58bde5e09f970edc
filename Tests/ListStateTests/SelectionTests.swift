import ListDiff
import Testing

@testable import ListState

/// Promise: The selection equals that of plain sets, after any requests. Also `test_select.py`,
///   `test_selection_follows.py`.
@Suite struct SelectionTests {
  static let modes = ["/s", "/S", "/m", "/M", "/n"]

  private func randomPicture(_ random: inout SeededGenerator) -> String {
    var letter = UInt8(ascii: "a")
    let sections = (0..<Int.random(in: 1...4, using: &random)).map { section in
      let items = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        defer { letter += 1 }
        return String(UnicodeScalar(letter))
          + (Int.random(in: 0..<6, using: &random) == 0 ? "!" : "")
      }
      return (["S\(section)\(Self.modes.randomElement(using: &random)!):"] + items)
        .joined(separator: " ")
    }
    return sections.joined(separator: "|")
  }

  @Test func randomActionsMatchTheModel() {
    var random = SeededGenerator(seed: 4)
    for round in 0..<400 {
      var lists = Lists()
      let picture = randomPicture(&random)
      let snapshot = lists.snapshot(picture)
      var tree = ListTree(snapshot, of: [], universe: lists.store.ids.universe)
      tree.indexKeys()
      var model = ModelSelection(snapshot)
      for step in 0..<30 {
        let action = SelectionAction.allCases.randomElement(using: &random)!
        let section =
          action == .extend || Bool.random(using: &random)
          ? nil : Int.random(in: 0..<snapshot.sections.count, using: &random)
        let choice = model.selectable.filter { item in
          section == nil || snapshot.arrangement.range(ofSection: section!).contains(item)
        }
        let named =
          action.namesItems
          ? choice.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)) : []
        tree.apply(
          action, to: named.map { tree.location(at: $0)! }, in: section.flatMap(tree.section(at:)))
        tree.checkSelection()
        model.apply(action, to: Array(named), section: section)
        guard tree.selectedIndices == model.selected.sorted() else {
          Issue.record(
            """
            round \(round), step \(step): \(picture)
            \(action) \(named) in \(String(describing: section))
            is \(tree.selectedIndices), not \(model.selected.sorted())
            """)
          return
        }
      }
    }
  }

  @Test func selectionFollowsItems() throws {
    var lists = Lists()
    try lists.apply("A/m: a b c | B/m: d")
    try lists.select(.select, ["a", "c", "d"].map { lists.reference($0) })
    let change = try lists.apply("B/m: d! a* | A/n: c")
    #expect(try lists.marks() == "a*")
    #expect(
      change.deselected.map(\.at) == [Path(section: 0, row: 2), Path(section: 1, row: 0)])
    #expect(change.deselected.map(\.isDeleted) == [false, false])
    #expect(try lists.apply("B/m: d").deselected.map(\.isDeleted) == [true])
  }

  @Test func singleSectionKeepsTheFirstSelectedItem() throws {
    var lists = Lists()
    try lists.apply("A/m: a b c | B/s: d e")
    try lists.select(.select, ["b", "c", "e"].map { lists.reference($0) })
    try lists.apply("A/s: a b c | B/s: d e")
    #expect(try lists.marks() == "b e")
    try lists.apply("A/s: a c | B/s: d b e")
    #expect(try lists.marks() == "b")
  }

  @Test func deletedAnchorEndsExtension() throws {
    var lists = Lists()
    try lists.apply("A/m: a b c d e")
    try lists.select(.toggle, [lists.reference("b")])
    try lists.select(.extend, [lists.reference("d")])
    #expect(try lists.marks() == "b c d")
    try lists.apply("A/m: x c d e")
    try lists.select(.extend, [lists.reference("e")])
    #expect(try lists.marks() == "e")
  }

  @Test func failuresNameAllItems() throws {
    var lists = Lists()
    try lists.apply("A/m: a b! | B/n: c")
    let items = ["a", "q", "b", "r", "c"].map { lists.reference($0) }
    #expect(throws: ListFailure.itemsNotFound([1, 3])) {
      try lists.select(.select, items)
    }
    #expect(throws: ListFailure.notSelectable([1, 2])) {
      try lists.select(.select, [items[0], items[2], items[4]])
    }
    #expect(try lists.marks() == "")
  }
}

/// A reference model of selections: sets, and actions as the protocol describes them.
private struct ModelSelection {
  struct Section {
    var mode: SelectionMode
    var allowsNone: Bool
    var items: Range<Int>
    var selectable: [Int]
  }

  var sections: [Section] = []
  var selected = Set<Int>()
  var anchor: Int?
  var added = Set<Int>()
  var selectable: [Int] { sections.flatMap(\.selectable) }

  init(_ snapshot: Snapshot) {
    for (index, traits) in snapshot.sections.enumerated() {
      let items = snapshot.arrangement.range(ofSection: index)
      sections.append(
        Section(
          mode: traits.selectionMode, allowsNone: traits.allowsEmptySelection, items: items,
          selectable: items.filter {
            traits.selectionMode != .none && !snapshot.traits[$0].contains(.notSelectable)
          }))
    }
  }

  func section(_ item: Int) -> Section { sections.first { $0.items.contains(item) }! }

  mutating func apply(_ action: SelectionAction, to items: [Int], section: Int?) {
    let scope = section.map { [sections[$0]] } ?? sections
    let many = scope.filter { $0.mode == .multiple }.flatMap(\.selectable)
    if action != .extend { added = [] }
    switch action {
    case .toggle: for item in items { toggle(item) }
    case .select: for item in items { add(item) }
    case .deselect: for item in items { drop(item) }
    case .replace:
      for section in scope { selected.subtract(section.items) }
      for item in items { add(item) }
    case .extend: if let item = items.last { extend(to: item) }
    case .all: selected.formUnion(many)
    case .none: for section in scope { selected.subtract(section.items) }
    case .invert: selected.formSymmetricDifference(many)
    }
    if [.toggle, .select, .replace].contains(action) { anchor = items.last ?? anchor }
  }

  private mutating func add(_ item: Int) {
    let section = section(item)
    if section.mode == .single { selected.subtract(section.items) }
    selected.insert(item)
  }

  private mutating func drop(_ item: Int) {
    let section = section(item)
    if section.allowsNone || selected.intersection(section.items) != [item] {
      selected.remove(item)
    }
  }

  private mutating func toggle(_ item: Int) {
    if !selected.contains(item) {
      add(item)
    } else if section(item).mode == .multiple || section(item).allowsNone {
      drop(item)
    }
  }

  private mutating func extend(to item: Int) {
    guard let anchor else {
      selected = []
      add(item)
      self.anchor = item
      return
    }
    selected.subtract(added)
    added = []
    var wanted: Set = [item]
    if section(item).mode == .multiple {
      let between = min(anchor, item)...max(anchor, item)
      wanted = Set(
        sections.filter { $0.mode == .multiple }.flatMap(\.selectable).filter(between.contains))
    }
    added = wanted.subtracting(selected)
    for item in wanted { add(item) }
  }
}
