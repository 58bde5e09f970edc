import ByteBuffers
import ListDiff
import ListStages
import SumTrees

/// The items of a list as a tree, so that the cost of an edit depends on what it changes.
///
/// The sections are the elements of one B+-tree, and the leaves of each section are the elements of
/// another one. A key leads to its leaf, and the sums above the leaf give the item's index:
///
/// ```
///   order:   the sections of the list        sums: items, rows, selected items, sections
///              │
///   forest:  a tree of leaves for each       sums: items, rows, selected items, leaves
///              │
///   leaves:  slices of up to 256 items       key, text, traits, template, parts
///              │
///   blocks:  columns of what a message or an edit has brought
/// ```
///
/// During a change, each leaf and section is saved before it is modified for the first time. What
/// was saved serves to undo the change, and only saved leaves are compared with their present
/// content. Each item has a key of its own (``RepeatedItems``), unless some repeat and the tree has
/// only been read since it was made of a snapshot.
///
/// In complexities, *n* is the number of items and *s* the number of sections.
struct ListTree: Sendable {
  /// A section. Its number is that of its element in `order` and of its tree in `forest`.
  struct Section: Sendable {
    var key: UInt32
    var traits: SectionTraits

    /// Whether the current change has deleted the section.
    var isDeleted = false
  }

  typealias Location = ItemLocation

  private struct Storage: Sendable {
    var name: [UInt8]

    /// One above the largest key of the items that the tree was made with.
    var universe: Int
    var order = SumForest()
    var sections: [Section] = []

    /// The section with each key; empty if there are few.
    var sectionsByKey: [UInt32: Int32] = [:]
    var forest = SumForest()
    var leaves: [ItemLeaf] = []
    var leafTable = LeafTable()

    /// Whether the table has the leaves of all keys.
    var hasLeafTable = false
    var texts: TextBuffers
    var nextMoved = 0
    var whole: Snapshot?
    var hasTexts: Bool
    var hasDistinctKeys: Bool
    var parts = PartTable()
    var repeats = RepeatedItems()
    var marks = TreeMarks()
    var change = TreeChange()

    /// Removes all items, sections and marks, and keeps the memory of the trees and leaves.
    mutating func removeAll() {
      order.removeAll()
      forest.removeAll()
      sections.removeAll(keepingCapacity: true)
      leaves.removeAll(keepingCapacity: true)
      if !sectionsByKey.isEmpty { sectionsByKey = [:] }
      if hasLeafTable { (leafTable, hasLeafTable) = (LeafTable(), false) }
      if !parts.isEmpty { parts = PartTable() }
      if !repeats.isEmpty { repeats = RepeatedItems() }
      marks = TreeMarks()
      change.finish()
      nextMoved = 0
    }
  }

  // Changed only while uniquely referenced, so that accesses never overlap.
  private final class SharedTree: @unchecked Sendable {
    @exclusivity(unchecked) var storage: Storage

    init(_ storage: Storage) { self.storage = storage }
  }

  private var shared: SharedTree

  /// Creates a tree with the items of a snapshot. Unless it `hasDistinctKeys`, some items have the key of
  /// another one. Unless `withTexts`, the texts of the items are in another tree. `selected` and `hidden` are
  /// the selected and the collapsed items, ascending. A tree that is `replaced` gives its memory, unless there are
  /// copies of it.
  ///
  /// - Complexity: O(*n* + *s*).
  init(
    _ snapshot: Snapshot, of name: [UInt8], universe: Int, hasDistinctKeys: Bool = true,
    withTexts: Bool = true, replaced: consuming ListTree? = nil,
    selected: some Sequence<Int> = EmptyCollection(), hidden: some Sequence<Int> = EmptyCollection()
  ) {
    let whole = withTexts ? snapshot : nil
    // A short list does not keep the memory of a long one.
    let most = 4 * (snapshot.itemCount / ItemLeaf.capacity + 4)
    if var old = replaced.take(), isKnownUniquelyReferenced(&old.shared), old.change.isEmpty,
      old.leaves.count <= most
    {
      shared = old.shared
      shared.storage.removeAll()
      (shared.storage.name, shared.storage.universe) = (name, universe)
      shared.storage.texts.replace(by: snapshot, withItems: withTexts)
      shared.storage.whole = whole
      (shared.storage.hasTexts, shared.storage.hasDistinctKeys) = (withTexts, hasDistinctKeys)
    } else {
      shared = SharedTree(
        Storage(
          name: name, universe: universe, texts: TextBuffers(snapshot, withItems: withTexts),
          whole: whole, hasTexts: withTexts, hasDistinctKeys: hasDistinctKeys))
    }
    let block = ItemBlock(snapshot, details: addDetails(of: snapshot), withTexts: withTexts)
    reserve(snapshot.arrangement)
    _ = order.makeTree()
    var selected = ItemIndices(selected)
    var hidden = ItemIndices(hidden)
    for (index, key) in snapshot.arrangement.sections.enumerated() {
      let section = addSection(key, snapshot.sections[index])
      let items = snapshot.arrangement.range(ofSection: index)
      let starts = stride(from: items.lowerBound, to: items.upperBound, by: ItemLeaf.capacity)
      forest.build(
        section,
        of: starts.map { start in
          let range = start..<min(start + ItemLeaf.capacity, items.upperBound)
          var leaf = ItemLeaf(range, of: block)
          leaf.selected = selected.mask(of: range)
          leaf.hidden = hidden.mask(of: range)
          var sums = self.sums(of: leaf)
          sums.elements = 1
          return (addLeaf(leaf), sums)
        })
    }
    order.build(0, of: sections.indices.map { ($0, sectionSums($0)) })
  }

  /// Reserves memory for the sections and items of a snapshot.
  private mutating func reserve(_ arrangement: Arrangement) {
    let sectionCount = arrangement.sections.count
    // A short list takes the least memory that arrays have.
    if sectionCount <= 4, arrangement.rows.count <= ItemLeaf.capacity { return }
    order.reserve(elements: sectionCount, trees: 1)
    sections.reserveCapacity(sectionCount)
    if sectionCount > Self.fewSections { sectionsByKey.reserveCapacity(sectionCount) }
    let leafCount = (0..<sectionCount).reduce(0) { count, section in
      count + (arrangement.range(ofSection: section).count + ItemLeaf.capacity - 1)
        / ItemLeaf.capacity
    }
    forest.reserve(elements: leafCount, trees: sectionCount)
    leaves.reserveCapacity(leafCount)
  }

  /// Creates a section with an empty tree. The section is not in the order yet.
  mutating func addSection(_ key: UInt32, _ traits: SectionTraits) -> Int {
    let section = order.makeElement()
    if section == sections.count {
      sections.append(Section(key: key, traits: traits))
      precondition(forest.makeTree() == section, "a section's number is that of its tree")
    } else {
      sections[section] = Section(key: key, traits: traits)
    }
    indexKey(ofSection: section)
    return section
  }

  /// The number of sections up to which one with a key is found by looking at all.
  private static let fewSections = 16

  /// Records which section has a key, unless there are few sections.
  mutating func indexKey(ofSection section: Int) {
    if sections.count <= Self.fewSections { return }
    guard sectionsByKey.isEmpty else {
      sectionsByKey[sections[section].key] = Int32(truncatingIfNeeded: section)
      return
    }
    for (number, section) in sections.enumerated() where !section.isDeleted {
      sectionsByKey[section.key] = Int32(truncatingIfNeeded: number)
    }
  }

  /// Returns the section with a key.
  func section(withKey key: UInt32) -> Int? {
    if sectionsByKey.isEmpty { return sections.firstIndex { $0.key == key && !$0.isDeleted } }
    return sectionsByKey[key].map(Int.init).flatMap { sections[$0].isDeleted ? nil : $0 }
  }

  /// Adds a leaf that is not in a tree yet.
  mutating func addLeaf(_ leaf: ItemLeaf) -> Int {
    let element = forest.makeElement()
    if element == leaves.count { leaves.append(leaf) } else { leaves[element] = leaf }
    return element
  }
}

// MARK: State

/// A tree is one reference, so that it is cheap to pass on and to share.
extension ListTree {
  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&shared) { shared = SharedTree(shared.storage) }
  }

  /// The name of the list. A reference may name it as its source.
  var name: [UInt8] { shared.storage.name }

  /// The sections in order.
  var order: SumForest {
    _read { yield shared.storage.order }
    _modify {
      makeUnique()
      yield &shared.storage.order
    }
  }

  var sections: [Section] {
    _read { yield shared.storage.sections }
    _modify {
      makeUnique()
      yield &shared.storage.sections
    }
  }

  var sectionsByKey: [UInt32: Int32] {
    _read { yield shared.storage.sectionsByKey }
    _modify {
      makeUnique()
      yield &shared.storage.sectionsByKey
    }
  }

  /// The leaves of each section.
  var forest: SumForest {
    _read { yield shared.storage.forest }
    _modify {
      makeUnique()
      yield &shared.storage.forest
    }
  }

  var leaves: [ItemLeaf] {
    _read { yield shared.storage.leaves }
    _modify {
      makeUnique()
      yield &shared.storage.leaves
    }
  }

  var texts: TextBuffers {
    _read { yield shared.storage.texts }
    _modify {
      makeUnique()
      yield &shared.storage.texts
    }
  }

  /// The snapshot whose columns have all items and sections of the list, if they are not changed; the
  /// keys of repeated items may differ.
  var whole: Snapshot? {
    get { shared.storage.whole }
    set {
      if newValue == nil, shared.storage.whole == nil { return }
      makeUnique()
      shared.storage.whole = newValue
    }
  }

  /// The number of the leaf and of the section whose texts may be moved next.
  var nextMoved: Int {
    get { shared.storage.nextMoved }
    set {
      makeUnique()
      shared.storage.nextMoved = newValue
    }
  }

  /// Whether the tree has the texts of its items; otherwise only those of its sections.
  var hasTexts: Bool { shared.storage.hasTexts }

  /// Whether no two items have the same key. The keys of a tree lead to its items only then.
  var hasDistinctKeys: Bool { shared.storage.hasDistinctKeys }

  /// Whether items may have an identity in common, or several keys of an identity.
  var hasRepeats: Bool { !hasDistinctKeys || !repeats.isEmpty }

  var parts: PartTable {
    _read { yield shared.storage.parts }
    _modify {
      makeUnique()
      yield &shared.storage.parts
    }
  }

  /// The keys of items that have an identity in common with others.
  var repeats: RepeatedItems {
    _read { yield shared.storage.repeats }
    _modify {
      makeUnique()
      yield &shared.storage.repeats
    }
  }

  var marks: TreeMarks {
    _read { yield shared.storage.marks }
    _modify {
      makeUnique()
      yield &shared.storage.marks
    }
  }

  /// The modifications of the current change.
  var change: TreeChange {
    _read { yield shared.storage.change }
    _modify {
      makeUnique()
      yield &shared.storage.change
    }
  }
}

// MARK: Keys

extension ListTree {
  /// Records the leaves of all keys unless they are known, so that they are found in O(1).
  ///
  /// - Complexity: O(*n*) for the first call; then O(1).
  mutating func indexKeys() {
    if shared.storage.hasLeafTable { return }
    let count = itemCount
    var table = LeafTable(count: count, universe: shared.storage.universe)
    // The leaves of sections that the change has deleted are among them.
    for leaf in leaves.indices where forest.contains(leaf) {
      table.set(leaf, forAll: leaves[leaf].keys, of: count)
    }
    makeUnique()
    shared.storage.leafTable = table
    shared.storage.hasLeafTable = true
  }

  /// Whether the leaves of all keys are known.
  var hasLeafTable: Bool { shared.storage.hasLeafTable }

  /// Returns the leaf with a key, which may be one of a section that the change has deleted.
  ///
  /// - Complexity: O(1) if the leaves are known; else O(*n*).
  func leaf(ofKey key: UInt32) -> Int? {
    if shared.storage.hasLeafTable { return shared.storage.leafTable[key] }
    return leaves.indices.first { leaves[$0].index(of: key) != nil }
  }

  /// Records the leaf of a key if the leaves are known.
  mutating func setLeaf(_ leaf: Int, ofKey key: UInt32) {
    guard shared.storage.hasLeafTable else { return }
    makeUnique()
    shared.storage.leafTable.set(leaf, for: key, of: itemCount)
  }

  /// Records the leaf of several keys if the leaves are known.
  mutating func setLeaf(_ leaf: Int, ofKeys keys: ArraySlice<UInt32>) {
    guard shared.storage.hasLeafTable else { return }
    makeUnique()
    shared.storage.leafTable.set(leaf, forAll: keys, of: itemCount)
  }

  /// Records that no leaf has a key.
  mutating func removeLeaf(ofKey key: UInt32) {
    guard shared.storage.hasLeafTable else { return }
    makeUnique()
    shared.storage.leafTable.remove(key)
  }

  /// Stops the program if a key does not lead to its leaf.
  func checkKeys() {
    if shared.storage.hasLeafTable {
      shared.storage.leafTable.checkInvariants(count: itemCount, leafCount: leaves.count)
    }
  }
}
