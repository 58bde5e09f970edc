import ListDiff

/// A list with its items one by one, in blocks. Used if many edits are made at once.
///
/// Items and sections have numbers. An item of the original list has its index there as its number.
/// The items of the edits' new content follow.
struct ItemBlocks: EditableList {
  let name: [UInt8]
  let sources: [Snapshot]
  let newContentSource: Int
  var forcedItems: [PieceTable.Handle: ContentChange]
  var forcedSections: [UInt32: ContentChange]

  /// The items of each section.
  private var items: BlockLists

  /// All sections, in one list.
  private var order: BlockLists

  /// The sections by number. Those of the new content follow those of the list.
  private var sections: [PieceTable.Section]
  private var sectionsByKey: [UInt32: Int] = [:]

  private var keys: ItemsByKey

  /// The items that share their key with others, in list order, one list for each key.
  private var repeated: BlockLists

  /// Whether `repeated` is out of order.
  private var isShuffled = false

  /// Creates the list from a table whose first source is the original list and which has not been
  /// edited.
  ///
  /// - Complexity: O(*n* + *u*), where *n* is the number of items and *u* the number of keys if it
  ///   is not much larger than *n*.
  init(_ table: PieceTable, universe: Int) {
    name = table.name
    sources = table.sources
    newContentSource = table.newContentSource
    forcedItems = table.forcedItems
    forcedSections = table.forcedSections
    sections = table.sections
    precondition(sources.count <= 2, "the table has not been edited before")
    let count = sources.reduce(0) { $0 + $1.itemCount }
    var weights: [Int32] = []
    if sources.contains(where: { $0.parts != nil }) {
      for source in sources {
        weights += (0..<source.itemCount).map { Int32(source.rows(ofItem: $0).count) }
      }
    }
    let newSectionCount = newContentSource > 0 ? sources[newContentSource].sections.count : 0
    items = BlockLists(lists: sections.count, universe: count, weights: weights)
    order = BlockLists(lists: 1, universe: sections.count + newSectionCount)
    keys = ItemsByKey(count, universe: universe)
    repeated = BlockLists(lists: 0, universe: count)
    for (section, content) in sections.enumerated() {
      order.append(section, to: 0)
      sectionsByKey[content.key] = section
      sections[section].pieces = []
      for piece in content.pieces {
        for item in piece.range {
          items.append(item, to: section)
          recordLast(item)
        }
      }
    }
  }

  /// The list as pieces.
  var pieceSections: [PieceTable.Section] {
    var result: [PieceTable.Section] = []
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
          content.pieces.append(PieceTable.piece(item))
        }
      }
      result.append(content)
    }
    return result
  }

  // MARK: Items

  private func number(of item: PieceTable.Handle) -> Int {
    item.source == 0 ? item.item : sources[0].itemCount + item.item
  }

  private func item(_ number: Int) -> PieceTable.Handle {
    let count = sources[0].itemCount
    return number < count
      ? PieceTable.Handle(source: 0, item: number)
      : PieceTable.Handle(source: 1, item: number - count)
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

  func item(withKey key: UInt32, occurrence: Int) -> PieceTable.Handle? {
    switch keys[key] {
    case .none: nil
    case .one(let number): occurrence == 0 ? item(number) : nil
    case .several(let list): repeated.number(at: occurrence, in: list).map(item)
    }
  }

  func item(section: Int, row: Int) -> PieceTable.Handle? {
    order.number(at: section, in: 0).flatMap { items.number(at: row, in: $0) }.map(item)
  }

  func contains(_ item: PieceTable.Handle) -> Bool { items.contains(number(of: item)) }

  mutating func remove(_ items: [PieceTable.Handle]) {
    for item in items { remove(number(of: item)) }
  }

  mutating func replace(_ changes: [(old: PieceTable.Handle, new: PieceTable.Handle)]) {
    for (old, new) in changes {
      items.insert(number(of: new), at: number(of: old), isAfter: true)
      remove(number(of: old))
      record(number(of: new))
    }
  }

  mutating func insert(_ pieces: [PieceTable.Piece], at anchor: PieceTable.Handle, isAfter: Bool) {
    var last = number(of: anchor)
    var isBehind = isAfter
    for number in numbers(of: pieces) {
      items.insert(number, at: last, isAfter: isBehind)
      record(number)
      last = number
      isBehind = true
    }
  }

  mutating func append(_ pieces: [PieceTable.Piece], to section: Int) {
    for number in numbers(of: pieces) {
      items.append(number, to: section)
      record(number)
    }
  }

  private func numbers(of pieces: [PieceTable.Piece]) -> [Int] {
    pieces.flatMap { piece in
      piece.range.map { number(of: PieceTable.Handle(source: piece.source, item: $0)) }
    }
  }

  /// Records an inserted item under its key.
  private mutating func record(_ number: Int) {
    guard let list = list(forRepeated: number) else { return }
    let (items, order) = (items, order)
    func position(_ number: Int) -> (BlockLists.Position, BlockLists.Position) {
      (order.position(of: items.list(of: number)), items.position(of: number))
    }
    let target = position(number)
    repeated.insert(number, in: list) { position($0) < target }
  }

  /// Records an item that was inserted after all others.
  private mutating func recordLast(_ number: Int) {
    if let list = list(forRepeated: number) { repeated.append(number, to: list) }
  }

  /// Returns the list of the items that have the same key as an inserted item, or `nil` if there
  /// are no others.
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

  mutating func insert(_ added: EditContent, at position: SectionPosition<Int>) {
    var position = position
    let newContent = sources[newContentSource]
    for index in added.sections {
      let section = items.addList()
      sections.append(
        PieceTable.Section(
          key: newContent.arrangement.sections[index], source: newContentSource, index: index))
      sectionsByKey[sections[section].key] = section
      insert(section, at: position)
      position = .after(section)
      let range = newContent.arrangement.range(ofSection: index)
      append(
        range.isEmpty ? [] : [PieceTable.Piece(source: newContentSource, range: range)], to: section
      )
    }
  }

  mutating func remove(_ sections: [Int]) {
    for section in sections {
      var deleted: [Int] = []
      items.forEach(in: section) { deleted.append($0) }
      for number in deleted { remove(number) }
      order.remove(section)
      sectionsByKey[key(of: section)] = nil
    }
  }

  mutating func removeAll() {
    var all: [Int] = []
    order.forEach(in: 0) { all.append($0) }
    remove(all)
  }

  mutating func move(_ section: Int, to position: SectionPosition<Int>) {
    order.remove(section)
    insert(section, at: position)
    isShuffled = true
  }

  mutating func updateOrder() {
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

  mutating func update(_ section: Int, from newSection: Int) {
    sections[section].source = newContentSource
    sections[section].index = newSection
  }

  private mutating func insert(_ section: Int, at position: SectionPosition<Int>) {
    switch position {
    case .end: order.append(section, to: 0)
    case .before(let other): order.insert(section, at: other, isAfter: false)
    case .after(let other): order.insert(section, at: other, isAfter: true)
    }
  }
}

extension ItemBlocks {
  /// Stops the program if an invariant is violated: each item and each section is found by its key.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items and sections.
  func checkInvariants() {
    items.checkInvariants()
    order.checkInvariants()
    repeated.checkInvariants()
    order.forEach(in: 0) { section in
      precondition(sectionsByKey[key(of: section)] == section, "a key leads to its section")
      items.forEach(in: section) { number in
        switch keys[key(ofNumber: number)] {
        case .none: preconditionFailure("a key leads to its item")
        case .one(let other): precondition(other == number, "a key leads to its item")
        case .several(let list):
          precondition(
            repeated.contains(number) && repeated.list(of: number) == list,
            "a repeated key leads to its items")
        }
      }
    }
  }
}

/// The items that are in a list, by key.
private struct ItemsByKey {
  enum Entry {
    case none
    case one(Int)
    /// The number of the list of items with the same key.
    case several(Int)
  }

  /// For each key the item, or -1 if there is none, or less than -1 for a list of items. Empty if
  /// few of all keys are in this list.
  private var entries: [Int32] = []
  private var fewEntries: [UInt32: Int32] = [:]

  /// Creates an empty table for about `count` items.
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
