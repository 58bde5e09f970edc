import ListDiff

import class JSONBytes.SharedBytes

/// The items of a list, kept so that an edit costs as much as it changes.
///
/// Sections are the elements of one tree, and the leaves of each section those of a tree of its own.
/// A key leads to its leaf, and the sums above that to the item's position:
///
/// ```
///   order:   the sections of the list        sums: items, selected items, sections
///              │
///   forest:  a tree of leaves for each       sums: items, selected items, leaves
///              │
///   leaves:  columns of up to 256 items      key, text, traits, template
/// ```
///
/// While a change is made, each leaf and section is saved before it is changed for the first time. What
/// was saved is what undoes the change, and beside what is there now it is all that a comparison looks
/// at. Each item is a row and has an identity of its own.
///
/// In what follows *n* is the number of items and *s* that of sections.
struct ListTree: Sendable {
  /// A section; its number is that of its element and of its tree.
  struct Section: Sendable {
    var key: UInt32
    var traits: SectionTraits

    /// Whether the change that is being made has deleted it.
    var isDeleted = false
  }

  /// Where an item is.
  struct Location: Hashable, Sendable {
    var leaf: Int
    var index: Int
  }

  /// The name of the list, which a reference may give as its source.
  let name: [UInt8]

  var order = SumForest()
  var sections: [Section] = []
  var sectionsByKey: [UInt32: Int32] = [:]

  var forest = SumForest()
  var leaves: [ItemLeaf] = []
  var leafTable: LeafTable

  var texts: TextBuffers

  var marks = TreeMarks()

  /// What the change that is being made has changed.
  var change = TreeChange()

  /// The items of a snapshot in which each item is a row with an identity of its own.
  ///
  /// - Complexity: O(*n* + *s*).
  init(_ snapshot: Snapshot, of name: [UInt8], universe: Int) {
    self.name = name
    texts = TextBuffers(snapshot)
    leafTable = LeafTable(count: snapshot.itemCount, universe: universe)
    _ = order.makeTree()
    for (index, key) in snapshot.arrangement.sections.enumerated() {
      let section = addSection(key, snapshot.sections[index])
      let items = snapshot.arrangement.range(ofSection: index)
      let starts = stride(from: items.lowerBound, to: items.upperBound, by: ItemLeaf.capacity)
      forest.build(
        section,
        of: starts.map { start in
          let range = start..<min(start + ItemLeaf.capacity, items.upperBound)
          let leaf = addLeaf(ItemLeaf(range, of: snapshot))
          for key in snapshot.arrangement.rows[range] {
            leafTable.set(leaf, for: key, of: snapshot.itemCount)
          }
          return (leaf, TreeSums(items: range.count, elements: 1))
        })
    }
    order.build(
      0,
      of: sections.indices.map { section in
        let sums = forest.sums(ofTree: section)
        return (section, TreeSums(items: sums.items, elements: 1))
      })
  }

  /// Makes a section that is nowhere in the order yet, with an empty tree.
  mutating func addSection(_ key: UInt32, _ traits: SectionTraits) -> Int {
    let section = order.makeElement()
    if section == sections.count {
      sections.append(Section(key: key, traits: traits))
      precondition(forest.makeTree() == section, "a section has its number's tree")
    } else {
      sections[section] = Section(key: key, traits: traits)
    }
    sectionsByKey[key] = Int32(truncatingIfNeeded: section)
    return section
  }

  /// Makes a leaf that is in no tree yet.
  mutating func addLeaf(_ leaf: ItemLeaf) -> Int {
    let element = forest.makeElement()
    if element == leaves.count { leaves.append(leaf) } else { leaves[element] = leaf }
    return element
  }

  // MARK: Sizes

  var itemCount: Int { order.sums(ofTree: 0).items }
  var sectionCount: Int { order.sums(ofTree: 0).elements }
  var selectedCount: Int { order.sums(ofTree: 0).selected }

  // MARK: Finding

  /// Where the item with a key is.
  ///
  /// - Complexity: O(log *n*).
  func location(of key: UInt32) -> Location? {
    guard let leaf = leafTable[key], !sections[section(ofLeaf: leaf)].isDeleted else { return nil }
    guard let index = leaves[leaf].index(of: key) else {
      preconditionFailure("a key leads to its leaf")
    }
    return Location(leaf: leaf, index: index)
  }

  func contains(_ key: UInt32) -> Bool {
    leafTable[key].map { !sections[section(ofLeaf: $0)].isDeleted } ?? false
  }

  func record(at location: Location) -> ItemRecord { leaves[location.leaf][location.index] }

  func section(ofLeaf leaf: Int) -> Int { forest.tree(of: leaf) }

  /// The section and the row in it of an item.
  ///
  /// - Complexity: O(log *n*).
  func path(of location: Location) -> Path {
    let (section, before) = forest.position(of: location.leaf)
    return Path(section: index(ofSection: section), row: before.items + location.index)
  }

  /// The index of a section in the list.
  func index(ofSection section: Int) -> Int { order.position(of: section).before.elements }

  /// The index of an item in the list.
  ///
  /// - Complexity: O(log *n*).
  func index(of location: Location) -> Int {
    let (section, before) = forest.position(of: location.leaf)
    return order.position(of: section).before.items + before.items + location.index
  }

  /// The section at an index.
  func section(at index: Int) -> Int? { order.find(index, .elements, inTree: 0)?.element }

  /// The section with a key.
  func section(withKey key: UInt32) -> Int? {
    sectionsByKey[key].map(Int.init).flatMap { sections[$0].isDeleted ? nil : $0 }
  }

  /// Where the item at a row of a section is.
  ///
  /// - Complexity: O(log *n*).
  func location(section: Int, row: Int) -> Location? {
    forest.find(row, .items, inTree: section).map {
      Location(leaf: $0.element, index: row - $0.before.items)
    }
  }

  /// Where the item at an index of the list is.
  ///
  /// - Complexity: O(log *n*).
  func location(at index: Int) -> Location? {
    guard let (section, before) = order.find(index, .items, inTree: 0) else { return nil }
    return location(section: section, row: index - before.items)
  }

  /// The section and the row in it of the item at an index.
  func path(at index: Int) -> Path? {
    guard let (section, before) = order.find(index, .items, inTree: 0) else { return nil }
    return Path(section: self.index(ofSection: section), row: index - before.items)
  }

  /// The sections in order.
  var sectionsInOrder: [Int] { Array(elements(of: order, 0)) }

  /// The leaves of a section in order.
  func leaves(ofSection section: Int) -> some Sequence<Int> { elements(of: forest, section) }

  private func elements(of forest: SumForest, _ tree: Int) -> some Sequence<Int> {
    sequence(first: forest.first(ofTree: tree)) { $0.map(forest.element(after:)) }
      .lazy.prefix { $0 != nil }.map { $0! }
  }

  // MARK: Reading

  /// Some of the items that are in leaves of a section that the change has not touched.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items of the section.
  func untouched(of section: Int, _ items: Range<Int>) -> [ItemRecord] {
    var found: [ItemRecord] = []
    var start = 0
    for leaf in leaves(ofSection: section) where leaves[leaf].change != change.number {
      let end = start + leaves[leaf].count
      let wanted = items.clamped(to: start..<end)
      found += wanted.map { leaves[leaf][$0 - start] }
      start = end
    }
    return found
  }

  /// The bytes of a text, valid as long as the tree lives and is not changed.
  func bytes(of payload: Payload) -> UnsafeRawBufferPointer { texts.bytes(of: payload) }

  /// All items as a snapshot.
  ///
  /// - Complexity: O(*n* + *s*).
  func snapshot() -> Snapshot {
    var snapshot = Snapshot()
    snapshot.arrangement.starts = []
    snapshot.arrangement.rows.reserveCapacity(itemCount)
    snapshot.payloads.reserveCapacity(itemCount)
    snapshot.traits.reserveCapacity(itemCount)
    for section in sectionsInOrder {
      snapshot.arrangement.sections.append(sections[section].key)
      snapshot.sections.append(sections[section].traits)
      snapshot.arrangement.starts.append(Int32(truncatingIfNeeded: snapshot.itemCount))
      for leaf in leaves(ofSection: section) { leaves[leaf].append(to: &snapshot) }
    }
    snapshot.arrangement.starts.append(Int32(truncatingIfNeeded: snapshot.itemCount))
    snapshot.buffers = texts.buffers
    snapshot.tidyBuffers()
    return snapshot
  }
}
