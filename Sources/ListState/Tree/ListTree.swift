import ByteBuffers
import ListDiff
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
///   leaves:  columns of up to 256 items      key, text, traits, template, parts
/// ```
///
/// During a change, each leaf and section is saved before it is modified for the first time. What
/// was saved serves to undo the change, and only saved leaves are compared with their present
/// content. Each item has a key of its own (``RepeatedItems``).
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
    let name: [UInt8]
    var order = SumForest()
    var sections: [Section] = []
    var sectionsByKey: [UInt32: Int32] = [:]
    var forest = SumForest()
    var leaves: [ItemLeaf] = []
    var leafTable: LeafTable
    var texts: TextBuffers
    var nextMoved = 0
    let hasTexts: Bool
    var parts = PartTable()
    var repeats = RepeatedItems()
    var marks = TreeMarks()
    var change = TreeChange()
  }

  // Changed only while uniquely referenced, so that accesses never overlap.
  private final class SharedTree: @unchecked Sendable {
    @exclusivity(unchecked) var storage: Storage

    init(_ storage: Storage) { self.storage = storage }
  }

  private var shared: SharedTree

  /// Creates a tree with the items of a snapshot, in which each item must have a key of its
  /// own. Unless `withTexts`, the texts of the items are in another tree.
  ///
  /// - Complexity: O(*n* + *s*).
  init(_ snapshot: Snapshot, of name: [UInt8], universe: Int, withTexts: Bool = true) {
    shared = SharedTree(
      Storage(
        name: name, leafTable: LeafTable(count: snapshot.itemCount, universe: universe),
        texts: TextBuffers(snapshot, withItems: withTexts), hasTexts: withTexts))
    let details = addDetails(of: snapshot)
    reserve(snapshot.arrangement)
    _ = order.makeTree()
    for (index, key) in snapshot.arrangement.sections.enumerated() {
      let section = addSection(key, snapshot.sections[index])
      let items = snapshot.arrangement.range(ofSection: index)
      let starts = stride(from: items.lowerBound, to: items.upperBound, by: ItemLeaf.capacity)
      forest.build(
        section,
        of: starts.map { start in
          let range = start..<min(start + ItemLeaf.capacity, items.upperBound)
          let leaf = addLeaf(
            ItemLeaf(range, of: snapshot, details: details, withTexts: withTexts))
          for key in snapshot.arrangement.rows[range] {
            leafTable.set(leaf, for: key, of: snapshot.itemCount)
          }
          var sums = self.sums(of: leaves[leaf])
          sums.elements = 1
          return (leaf, sums)
        })
    }
    order.build(0, of: sections.indices.map { ($0, sectionSums($0)) })
  }

  /// Adds the parts of a snapshot's items, and returns the templates and parts of all items; an empty
  /// array if all are the default.
  private mutating func addDetails(of snapshot: Snapshot) -> [ItemDetails] {
    if snapshot.templates.isEmpty, snapshot.parts == nil { return [] }
    return snapshot.payloads.indices.map { item in
      var details = ItemDetails(template: snapshot.template(ofItem: item))
      if let own = snapshot.parts(ofItem: item) {
        details.parts = parts.number(of: own)
        parts.add(details.parts)
      }
      return details
    }
  }

  /// Reserves memory for the sections and items of a snapshot.
  private mutating func reserve(_ arrangement: Arrangement) {
    let sectionCount = arrangement.sections.count
    order.reserve(elements: sectionCount, trees: 1)
    sections.reserveCapacity(sectionCount)
    sectionsByKey.reserveCapacity(sectionCount)
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
    sectionsByKey[key] = Int32(truncatingIfNeeded: section)
    return section
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

  var leafTable: LeafTable {
    _read { yield shared.storage.leafTable }
    _modify {
      makeUnique()
      yield &shared.storage.leafTable
    }
  }

  var texts: TextBuffers {
    _read { yield shared.storage.texts }
    _modify {
      makeUnique()
      yield &shared.storage.texts
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
