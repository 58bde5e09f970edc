import ListDiff
internal import SumTrees

/// The sections of a list and their items as a tree, so that the cost of an edit depends on what it
/// changes.
///
/// The sections are the elements of one tree of sums, and the leaves of each section those of another
/// one. An id leads to its leaf, and the sums above the leaf give the item's path:
///
/// ```
///   order:   the sections of the list        sums: items, selected items, sections
///              │
///   forest:  a tree of leaves for each       sums: items, selected items, leaves
///              │
///   leaves:  up to 64 items                  the items, a bit for each selected one
/// ```
///
/// If edits are recorded, each leaf and section is saved before it is changed for the first time.
/// What was saved serves to undo the edits, and only saved leaves are compared with the present ones.
///
/// In complexities, *n* is the number of items and *s* the number of sections.
struct ItemTree<Section: ListSection>
where Section.Item: Identifiable, Section.Item.ID: Sendable, Section.ID: Sendable {
  typealias Item = Section.Item
  typealias ItemID = Section.Item.ID

  /// The error type of edits.
  typealias Failure = EditError<Section.ID, ItemID>

  /// Items of a section that follow each other. Bit *i* of `selected` is set if item *i* is selected.
  struct Leaf {
    static var capacity: Int { UInt64.bitWidth }

    /// The number of items in a new leaf, which leaves room for more.
    static var usual: Int { capacity * 3 / 4 }

    var items: [Item] = []
    var selected: UInt64 = 0

    /// The number of the last change that has saved the leaf.
    var change = 0

    /// The edit that has changed the leaf last. Leaves of copies with the same number and edit are equal.
    var edit: Token

    /// The numbers of items at the start and at the end that have not changed since the leaf was saved.
    var head = 0
    var tail = 0
  }

  /// What edits have changed, as it was before.
  struct Change {
    var number = 1

    /// The changed leaves, each as it was before. Empty if the change has created the leaf.
    var leaves: [(leaf: Int, before: Leaf)] = []

    /// The sections whose content was replaced, by number.
    var sections: [Int: Section] = [:]

    /// The order of the sections, if it has changed.
    var order: [Int]?

    var madeSections: [Int] = []

    /// The items that were deleted while they were selected.
    var deletedSelected: Set<ItemID> = []

    /// Whether items or sections have changed, and not only the selection.
    var hasEdits = false
  }

  var order = SumForest()

  /// By number, the sections without their items.
  var sections: [Section?] = []
  var numbers: [Section.ID: Int] = [:]

  var forest = SumForest()
  var leaves: [Leaf] = []
  var leafOf: [ItemID: Int32] = [:]

  var marks = SelectionMarks<ItemID>()
  var choices = Choices<ItemID>()
  var selectionModes: [Section.ID: SelectionMode] = [:]

  /// By section, what is selected at first.
  var initialChoices: [Section.ID: [ItemID]] = [:]

  /// Of each section that must not be empty, the selected item that was chosen last.
  var lastChoices: [Section.ID: Choice<ItemID>] = [:]

  var change = Change()

  /// The present edit, which is another one if the tree may have been copied since the last change of a leaf.
  private(set) var edit = Token()

  /// What has changed, for the lists that follow this one.
  var log = ChangeLog<ItemID>()

  /// Whether changes are recorded until ``finishChange()`` or ``undoChange()``.
  private(set) var records: Bool

  /// Creates an empty tree.
  init(records: Bool) {
    self.records = records
    _ = order.makeTree()
  }

  /// Creates a tree of the first section and the first item with each id.
  ///
  /// - Complexity: O(*n* + *s*).
  init(_ list: [Section], records: Bool) {
    self.init(records: records)
    leafOf.reserveCapacity(list.reduce(0) { $0 + $1.items.count })
    var made: [Int] = []
    for section in list where numbers[section.id] == nil {
      made.append(makeSection(section))
      var own: [(element: Int, sums: TreeSums)] = []
      for item in section.items {
        if own.last.map({ leaves[$0.element].items.count == Leaf.usual }) ?? true {
          own.append((makeLeaf(), .zero))
        }
        let leaf = own[own.count - 1].element
        if let first = leafOf.updateValue(Int32(truncatingIfNeeded: leaf), forKey: item.id) {
          leafOf[item.id] = first
        } else {
          leaves[leaf].items.append(item)
        }
      }
      if let last = own.last?.element, leaves[last].items.isEmpty {
        forest.free(last)
        own.removeLast()
      }
      for index in own.indices { own[index].sums = sums(of: leaves[own[index].element]) }
      forest.build(made[made.count - 1], of: own)
    }
    order.build(0, of: made.map { ($0, sectionSums($0)) })
  }

  /// Returns a list with the same items that records its changes or not, and has no selection and no log.
  func copy(records: Bool) -> ItemTree {
    var copy = self
    copy.records = true
    (copy.marks, copy.choices, copy.log) = (SelectionMarks(), Choices(), ChangeLog())
    (copy.selectionModes, copy.initialChoices, copy.lastChoices) = ([:], [:], [:])
    copy.finishChange()
    copy.beginEdit()
    copy.records = records
    return copy
  }

  /// Begins another edit, whose leaves are different from those of copies.
  mutating func beginEdit() { edit = Token() }

  /// Makes this the tree of another list, which those that follow it read anew.
  mutating func replace(with new: ItemTree) {
    let before = log
    self = new
    log = before
    log.reset()
  }

  /// Adds a section without items, which is not in the order yet, and returns its number.
  mutating func makeSection(_ section: Section) -> Int {
    let number = order.makeElement()
    if number == sections.count {
      sections.append(nil)
      precondition(forest.makeTree() == number, "a section's number is that of its tree")
    }
    numbers[section.id] = number
    sections[number] = section.withoutItems
    return number
  }

  /// Adds an empty leaf that is not in a tree yet.
  mutating func makeLeaf() -> Int {
    let leaf = forest.makeElement()
    let made = Leaf(edit: edit)
    if leaf == leaves.count { leaves.append(made) } else { leaves[leaf] = made }
    return leaf
  }

  /// Returns the sums of a leaf.
  func sums(of leaf: Leaf) -> TreeSums {
    TreeSums(items: leaf.items.count, selected: leaf.selected.nonzeroBitCount, elements: 1)
  }

  /// Returns the sums of a section among all sections.
  func sectionSums(_ number: Int) -> TreeSums {
    var sums = forest.sums(ofTree: number)
    sums.elements = 1
    return sums
  }

  // MARK: Reading

  var itemCount: Int { order.sums(ofTree: 0).items }
  var sectionCount: Int { order.sums(ofTree: 0).elements }

  /// The numbers of the sections, in order.
  var sectionsInOrder: [Int] { elements(of: order, 0) }

  /// The sections without their items, in order.
  var listedSections: [Section] { sectionsInOrder.compactMap { sections[$0] } }

  /// Returns the leaves of a section, in order.
  func leaves(ofSection number: Int) -> [Int] { elements(of: forest, number) }

  private func elements(of forest: SumForest, _ tree: Int) -> [Int] {
    var elements: [Int] = []
    elements.reserveCapacity(forest.sums(ofTree: tree).elements)
    var next = forest.first(ofTree: tree)
    while let element = next {
      elements.append(element)
      next = forest.element(after: element)
    }
    return elements
  }

  /// The numbers of items of the sections, in order.
  ///
  /// - Complexity: O(*s* log *s*).
  var itemCounts: [Int] { sectionsInOrder.map { order.sums(of: $0).items } }

  /// Returns the number of the section at an index, or `nil` if there is none.
  func section(at index: Int) -> Int? { order.find(index, .elements, inTree: 0)?.element }

  /// Returns the section at an index without its items, or `nil` if there is none.
  func listedSection(at index: Int) -> Section? { section(at: index).flatMap { sections[$0] } }

  /// Returns the number of items in the section at an index; 0 if there is none.
  func itemCount(inSection index: Int) -> Int {
    section(at: index).map { forest.sums(ofTree: $0).items } ?? 0
  }

  /// Returns the index of a section.
  func index(ofSection number: Int) -> Int { order.position(of: number).before.elements }

  /// Returns the items of a section, in order.
  ///
  /// - Complexity: O(*k*), where *k* is the number of these items.
  func items(ofSection number: Int) -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(forest.sums(ofTree: number).items)
    for leaf in leaves(ofSection: number) { items += leaves[leaf].items }
    return items
  }

  /// The sections with their items, in order.
  ///
  /// - Complexity: O(*n* + *s*).
  var list: [Section] {
    sectionsInOrder.compactMap { number in
      var section = sections[number]
      section?.items = items(ofSection: number)
      return section
    }
  }

  func contains(_ id: ItemID) -> Bool { leafOf[id] != nil }

  /// Returns the location of an item, or `nil` if it is not in the list.
  func location(of id: ItemID) -> ItemLocation? {
    guard let leaf = leafOf[id].map(Int.init) else { return nil }
    var index = 0
    while leaves[leaf].items[index].id != id { index += 1 }
    return ItemLocation(leaf: leaf, index: index)
  }

  func path(of location: ItemLocation) -> ListPath {
    let (section, before) = forest.position(of: location.leaf)
    return ListPath(section: index(ofSection: section), row: before.items + location.index)
  }

  /// Returns the item at a path, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  func item(at path: ListPath) -> Item? {
    guard let number = section(at: path.section),
      let (leaf, before) = forest.find(path.row, .items, inTree: number)
    else { return nil }
    return leaves[leaf].items[path.row - before.items]
  }
}

extension ListSection {
  /// The section without its items.
  var withoutItems: Self {
    var section = self
    section.items = []
    return section
  }
}

extension ItemTree: Sendable where Section: Sendable, Section.Item: Sendable {}
extension ItemTree.Leaf: Sendable where Section.Item: Sendable {}
extension ItemTree.Change: Sendable where Section: Sendable, Section.Item: Sendable {}
