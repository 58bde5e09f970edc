import ListDiff

/// A list while many edits are made of it: its items one by one, in blocks.
///
/// Items and sections are known by numbers: items by their index in the list as it was, or behind
/// these in what the edits bring.
struct ItemBlocks: EditableList {
  let name: [UInt8]
  let sources: [Snapshot]
  let broughtSource: Int
  var touchedItems: [Draft.Handle: ContentChange]
  var touchedSections: [UInt32: ContentChange]

  /// The items of each section.
  private var items: BlockLists

  /// All sections, in one list.
  private var order: BlockLists

  /// By number of a section; those behind the list's are the brought ones.
  private var sections: [Draft.Section]
  private var sectionsByKey: [UInt32: Int] = [:]

  private var keys: ItemsByKey

  /// Items that have the same key, in the order of the list.
  private var repeated: BlockLists

  /// Whether `repeated` is in order no more.
  private var isShuffled = false

  /// A draft whose first source is the list as it is, which edits are to be made of.
  ///
  /// - Complexity: O(*n* + *u*), where *n* is the number of items and *u* that of keys if it is not
  ///   much larger than *n*.
  init(_ draft: Draft, universe: Int) {
    name = draft.name
    sources = draft.sources
    broughtSource = draft.broughtSource
    touchedItems = draft.touchedItems
    touchedSections = draft.touchedSections
    sections = draft.sections
    precondition(sources.count <= 2, "a draft that was edited before")
    let count = sources.reduce(0) { $0 + $1.itemCount }
    var weights: [Int32] = []
    if sources.contains(where: { $0.parts != nil }) {
      for source in sources {
        weights += (0..<source.itemCount).map { Int32(source.rows(ofItem: $0).count) }
      }
    }
    let brought = broughtSource > 0 ? sources[broughtSource].sections.count : 0
    items = BlockLists(lists: sections.count, universe: count, weights: weights)
    order = BlockLists(lists: 1, universe: sections.count + brought)
    keys = ItemsByKey(count, universe: universe)
    repeated = BlockLists(lists: 0, universe: count)
    for (section, content) in sections.enumerated() {
      order.append(section, to: 0)
      sectionsByKey[content.key] = section
      sections[section].pieces = []
      for piece in content.pieces {
        for item in piece.range {
          items.append(item, to: section)
          noteLast(item)
        }
      }
    }
  }

  /// The list as pieces.
  var draftSections: [Draft.Section] {
    var result: [Draft.Section] = []
    order.forEach(in: 0) { section in
      var content = sections[section]
      items.forEach(in: section) { number in
        let item = item(number)
        let last = content.pieces.count - 1
        if last >= 0, content.pieces[last].source == item.source,
          content.pieces[last].range.upperBound == item.item
        {
          content.pieces[last].range = content.pieces[last].range.lowerBound..<item.item + 1
        } else {
          content.pieces.append(Draft.piece(item))
        }
      }
      result.append(content)
    }
    return result
  }

  // MARK: Items

  private func number(of item: Draft.Handle) -> Int {
    item.source == 0 ? item.item : sources[0].itemCount + item.item
  }

  private func item(_ number: Int) -> Draft.Handle {
    let count = sources[0].itemCount
    return number < count
      ? Draft.Handle(source: 0, item: number) : Draft.Handle(source: 1, item: number - count)
  }

  private func key(ofNumber number: Int) -> UInt32 { key(of: item(number)) }

  func items(withKeys keys: ArraySlice<UInt32>, first limit: Int) -> [SameItems] {
    keys.map { key in
      switch self.keys[key] {
      case .none: return SameItems()
      case .one(let number): return SameItems(count: 1, first: [item(number)])
      case .several(let list):
        let count = repeated.weight(of: list)
        return SameItems(
          count: count,
          first: (0..<min(limit, count)).map { item(repeated.number(at: $0, in: list)!) })
      }
    }
  }

  func item(withKey key: UInt32, occurrence: Int) -> Draft.Handle? {
    switch keys[key] {
    case .none: nil
    case .one(let number): occurrence == 0 ? item(number) : nil
    case .several(let list): repeated.number(at: occurrence, in: list).map(item)
    }
  }

  func item(section: Int, row: Int) -> Draft.Handle? {
    order.number(at: section, in: 0).flatMap { items.number(at: row, in: $0) }.map(item)
  }

  func contains(_ item: Draft.Handle) -> Bool { items.contains(number(of: item)) }

  mutating func remove(_ items: [Draft.Handle]) { for item in items { remove(number(of: item)) } }

  mutating func replace(_ changes: [(old: Draft.Handle, new: Draft.Handle)]) {
    for (old, new) in changes {
      items.insert(number(of: new), at: number(of: old), isAfter: true)
      remove(number(of: old))
      note(number(of: new))
    }
  }

  mutating func insert(_ pieces: [Draft.Piece], at anchor: Draft.Handle, isAfter: Bool) {
    var last = number(of: anchor)
    var isBehind = isAfter
    for number in numbers(of: pieces) {
      items.insert(number, at: last, isAfter: isBehind)
      note(number)
      last = number
      isBehind = true
    }
  }

  mutating func append(_ pieces: [Draft.Piece], to section: Int) {
    for number in numbers(of: pieces) {
      items.append(number, to: section)
      note(number)
    }
  }

  private func numbers(of pieces: [Draft.Piece]) -> [Int] {
    pieces.flatMap { piece in
      piece.range.map { number(of: Draft.Handle(source: piece.source, item: $0)) }
    }
  }

  /// Notes an item that was put in under its key.
  private mutating func note(_ number: Int) {
    guard let list = list(forRepeated: number) else { return }
    let (items, order) = (items, order)
    func position(_ number: Int) -> (BlockLists.Position, BlockLists.Position) {
      (order.position(of: items.list(of: number)), items.position(of: number))
    }
    let place = position(number)
    repeated.insert(number, in: list) { position($0) < place }
  }

  /// Notes an item that was put in behind all others.
  private mutating func noteLast(_ number: Int) {
    if let list = list(forRepeated: number) { repeated.append(number, to: list) }
  }

  /// The list of the items that have the same key as one that was put in; `nil` if there are no
  /// others.
  private mutating func list(forRepeated number: Int) -> Int? {
    let key = key(ofNumber: number)
    switch keys[key] {
    case .none:
      keys[key] = .one(number)
      return nil
    case .one(let other):
      let list = repeated.addList()
      keys[key] = .several(list)
      repeated.append(other, to: list)
      return list
    case .several(let list): return list
    }
  }

  private mutating func remove(_ number: Int) {
    guard items.contains(number) else { return }
    items.remove(number)
    let key = key(ofNumber: number)
    if case .several = keys[key] { repeated.remove(number) } else { keys[key] = .none }
  }

  // MARK: Sections

  var lastSection: Int? { order.last(in: 0) }

  func section(withKey key: UInt32) -> Int? { sectionsByKey[key] }

  func key(of section: Int) -> UInt32 { sections[section].key }

  mutating func insert(_ added: Given, at place: SectionPlace<Int>) {
    var place = place
    let brought = sources[broughtSource]
    for index in added.sections {
      let section = items.addList()
      sections.append(
        Draft.Section(
          key: brought.arrangement.sections[index], source: broughtSource, index: index))
      sectionsByKey[sections[section].key] = section
      put(section, at: place)
      place = .after(section)
      let range = brought.arrangement.range(ofSection: index)
      append(range.isEmpty ? [] : [Draft.Piece(source: broughtSource, range: range)], to: section)
    }
  }

  mutating func remove(_ sections: [Int]) {
    for section in sections {
      var gone: [Int] = []
      items.forEach(in: section) { gone.append($0) }
      for number in gone { remove(number) }
      order.remove(section)
      sectionsByKey[key(of: section)] = nil
    }
  }

  mutating func removeAll() {
    var all: [Int] = []
    order.forEach(in: 0) { all.append($0) }
    remove(all)
  }

  mutating func move(_ section: Int, to place: SectionPlace<Int>) {
    order.remove(section)
    put(section, at: place)
    isShuffled = true
  }

  mutating func settleOrder() {
    guard isShuffled else { return }
    isShuffled = false
    guard !repeated.isEmpty else { return }
    repeated.removeAll()
    var all: [Int] = []
    order.forEach(in: 0) { section in items.forEach(in: section) { all.append($0) } }
    for number in all {
      if case .several(let list) = keys[key(ofNumber: number)] { repeated.append(number, to: list) }
    }
  }

  mutating func update(_ section: Int, from brought: Int) {
    sections[section].source = broughtSource
    sections[section].index = brought
  }

  private mutating func put(_ section: Int, at place: SectionPlace<Int>) {
    switch place {
    case .end: order.append(section, to: 0)
    case .before(let other): order.insert(section, at: other, isAfter: false)
    case .after(let other): order.insert(section, at: other, isAfter: true)
    }
  }
}

/// The items that are in a list by their keys.
private struct ItemsByKey {
  enum Entry {
    case none
    case one(Int)
    /// A list of those that have the same key.
    case several(Int)
  }

  /// By key the item; below -1 a list; -1 for none. Empty if few of the keys are the list's.
  private var entries: [Int32] = []
  private var fewEntries: [UInt32: Int32] = [:]

  /// No items, of about `count` that there will be.
  init(_ count: Int, universe: Int) {
    if universe <= count * 4 + 4096 { entries = Array(repeating: -1, count: universe) }
  }

  subscript(key: UInt32) -> Entry {
    get {
      let entry = entries.isEmpty ? fewEntries[key] ?? -1 : entries[Int(key)]
      return entry >= 0 ? .one(Int(entry)) : entry == -1 ? .none : .several(-2 - Int(entry))
    }
    set {
      let entry: Int32 =
        switch newValue {
        case .none: -1
        case .one(let item): Int32(item)
        case .several(let list): -2 - Int32(list)
        }
      if entries.isEmpty { fewEntries[key] = entry } else { entries[Int(key)] = entry }
    }
  }
}
