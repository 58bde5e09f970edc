import ListDiff
import ListStages
import SumTrees

/// The modifications of a tree by the current change: leaves and sections as they were before.
struct TreeChange: Sendable {
  /// A modified leaf, and its items before. These are empty if the change has created the leaf.
  struct SavedLeaf: Sendable {
    let leaf: Int
    let before: ItemLeaf
  }

  /// The number of the change. A leaf with this number has been saved.
  var number: UInt32 = 1

  /// The new content of the edits. Each edit names ranges of it.
  var newContent = Snapshot()

  /// The section that items are appended to if there is none.
  var main: MainSection?

  /// The snapshot whose content the list has got; `nil` if the change consists of edits. Modified leaves
  /// are those that were modified after that.
  var adoption: Adoption?

  /// The modified leaves.
  var leaves: [SavedLeaf] = []

  /// The sections with modified traits, each as it was before.
  var sections: [Int: SectionTraits] = [:]

  /// A section that the change has deleted or moved, and its index at that time among the untouched
  /// sections: those that were neither inserted, deleted nor moved before.
  struct TakenSection: Sendable {
    let section: Int
    var index: Int
  }

  /// The sections that were deleted or moved, each once, in the order in which they were.
  var takenSections: [TakenSection] = []

  var madeSections: [Int] = []
  var deletedSections: [Int] = []

  /// Items and sections, by key, to report as updated even if their content is unchanged.
  var forcedItems: [UInt32: ContentChange] = [:]
  var forcedSections: [UInt32: ContentChange] = [:]

  /// The marks before the change, if they may have changed.
  var marks: TreeMarks?

  /// The items that were removed while they were selected.
  var removedSelected: Set<UInt32> = []

  /// Whether the change has inserted, deleted or moved sections.
  var changesOrder: Bool { !takenSections.isEmpty || !madeSections.isEmpty }

  var isEmpty: Bool {
    leaves.isEmpty && sections.isEmpty && !changesOrder && forcedItems.isEmpty
      && forcedSections.isEmpty && !isAdoption
  }

  /// Whether the change is one to the content of a snapshot. Comparing ``adoption`` would copy it.
  var isAdoption: Bool { if case .some = adoption { true } else { false } }

  /// The number of saved leaves whose memory is worth keeping for the next change.
  private static let fewLeaves = 16

  /// Makes this an empty change with the next number.
  mutating func finish() {
    newContent = Snapshot()
    main = nil
    // Most changes have nothing else, and most trees of views are as they were.
    if !leaves.isEmpty {
      number &+= 1
      if leaves.count <= Self.fewLeaves { leaves.removeElements() } else { leaves = [] }
    }
    if marks != nil { marks = nil }
    if isEmpty, removedSelected.isEmpty { return }
    self = TreeChange(number: number &+ 1)
  }
}

extension ListTree {
  /// Returns the traits of a section before the change.
  func traitsBefore(_ section: Int) -> SectionTraits {
    change.sections[section] ?? sections[section].traits
  }

  /// Returns the growth of the list by the change. `items` and `rows` are the numbers before.
  func growth(from items: Int, _ rows: Int) -> SnapshotSize {
    var growth = SnapshotSize(items: itemCount - items, rows: rowCount - rows)
    if !change.changesOrder, change.sections.isEmpty, change.deletedSections.isEmpty {
      return growth
    }
    for section in change.madeSections where !sections[section].isDeleted {
      growth.sections += 1
      growth.bytes += Int(sections[section].traits.own.length)
    }
    let made = Set(change.madeSections)
    for section in change.deletedSections where !made.contains(section) {
      growth.sections -= 1
      growth.bytes -= Int(traitsBefore(section).own.length)
    }
    for (section, before) in change.sections
    where !made.contains(section) && !sections[section].isDeleted {
      growth.bytes += Int(sections[section].traits.own.length) - Int(before.own.length)
    }
    return growth
  }

  /// Saves a leaf before it is modified.
  mutating func save(_ leaf: Int) {
    guard leaves[leaf].change != change.number else { return }
    indexKeys()
    change.leaves.append(TreeChange.SavedLeaf(leaf: leaf, before: leaves[leaf]))
    leaves[leaf].begin(change.number)
  }

  /// Saves the leaves of deleted sections, whose items are compared one by one then.
  mutating func saveDeletedSections() {
    for section in change.deletedSections {
      for leaf in Array(leaves(ofSection: section)) { save(leaf) }
    }
  }

  // MARK: Items

  /// Inserts items before the item at a location, which may be the end of its leaf.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items.
  mutating func insert(_ records: [ItemRecord], at location: Location) {
    guard !records.isEmpty else { return }
    whole = nil
    let keys = repeats.isEmpty ? [] : records.map(\.key)
    save(location.leaf)
    let section = section(ofLeaf: location.leaf)
    var records = records
    for index in records.indices {
      if restoresSelection(of: records[index].key) { records[index].traits.add(.selected) }
      keepContent(records[index].content)
    }
    let leaf = location.leaf
    if leaves[leaf].count + records.count <= ItemLeaf.capacity {
      leaves[leaf].insert(records, at: location.index)
      for record in records { setLeaf(leaf, ofKey: record.key) }
      add(sums(of: records), to: leaf, in: section)
    } else {
      // Items that are appended one after the other would leave half of each leaf unused.
      let isEnd =
        location.index == leaves[leaf].count && forest.last(ofTree: section) == leaf
      distribute(records, at: location, in: section, fillsLeaves: isEnd)
    }
    for key in keys { addToOrder(key) }
  }

  /// Appends items to a section.
  mutating func append(_ records: [ItemRecord], toSection section: Int) {
    // An empty section needs no leaf.
    if !records.isEmpty { insert(records, at: end(ofSection: section)) }
  }

  /// Returns the location at which to insert an item that gets an index in a section.
  ///
  /// - Complexity: O(log *n*).
  mutating func location(forInsertionAt item: Int, in section: Int) -> Location {
    location(section: section, item: item) ?? end(ofSection: section)
  }

  /// Returns the location after the last item of a section.
  private mutating func end(ofSection section: Int) -> Location {
    if let last = forest.last(ofTree: section) {
      return Location(leaf: last, index: leaves[last].count)
    }
    return Location(leaf: makeLeaf(after: nil, in: section), index: 0)
  }

  /// Reports whether the change has removed an item with this key that was selected.
  mutating func restoresSelection(of key: UInt32) -> Bool {
    if change.removedSelected.remove(key) != nil { return true }
    // The item may be in a section that was deleted as a whole.
    guard let leaf = leaf(ofKey: key), let index = leaves[leaf].index(of: key) else { return false }
    save(leaf)
    change.forcedItems[key] = nil
    return leaves[leaf].isSelected(at: index)
  }

  /// Distributes items that are inserted into a leaf, and those of the leaf, over it and new leaves
  /// after it, evenly and with room for more unless `fillsLeaves`.
  private mutating func distribute(
    _ records: [ItemRecord], at location: Location, in section: Int, fillsLeaves: Bool
  ) {
    let total = leaves[location.leaf].count + records.count
    let count = (total + ItemLeaf.capacity * 3 / 4 - 1) / (ItemLeaf.capacity * 3 / 4)
    let width = fillsLeaves ? ItemLeaf.capacity : (total + count - 1) / count
    var leaf = location.leaf
    let all = leaves[leaf].inserting(records, at: location.index, width: width)
    let inserted = location.index..<location.index + records.count
    for (index, var own) in all.enumerated() {
      if index > 0 { leaf = makeLeaf(after: leaf, in: section) }
      let before = sums(of: leaves[leaf])
      own.change = change.number
      leaves[leaf] = own
      // The items that stay in the first leaf are known to be there.
      let new = index > 0 ? 0..<own.count : inserted.clamped(to: 0..<own.count)
      setLeaf(leaf, ofKeys: own.keys(new))
      add(sums(of: own) - before, to: leaf, in: section)
    }
  }

  /// Creates an empty leaf, which counts as saved.
  private mutating func makeLeaf(after other: Int?, in section: Int) -> Int {
    let leaf = addLeaf(ItemLeaf())
    save(leaf)
    forest.insert(leaf, TreeSums(elements: 1), after: other, inTree: section)
    return leaf
  }

  /// Removes an item and returns it.
  ///
  /// - Complexity: O(log *n*).
  @discardableResult
  mutating func remove(at location: Location) -> ItemRecord {
    if !repeats.isEmpty { removeFromOrder(location) }
    whole = nil
    save(location.leaf)
    let record = record(at: location)
    dropContent(record.content)
    removeLeaf(ofKey: record.key)
    if record.traits.contains(.selected) { change.removedSelected.insert(record.key) }
    leaves[location.leaf].remove(location.index..<location.index + 1)
    add(
      .zero - sums(of: CollectionOfOne(record)), to: location.leaf,
      in: section(ofLeaf: location.leaf))
    return record
  }

  /// Removes consecutive items of a section.
  ///
  /// - Complexity: O(*k* + *l* log *n*), where *k* is the number of these items and *l* that of their leaves.
  mutating func remove(_ count: Int, at first: Location) {
    whole = nil
    let section = section(ofLeaf: first.leaf)
    var (location, left) = (first, count)
    while left > 0 {
      let leaf = location.leaf
      save(leaf)
      let items = location.index..<min(leaves[leaf].count, location.index + left)
      for index in items {
        if !repeats.isEmpty { removeFromOrder(Location(leaf: leaf, index: index)) }
        let key = leaves[leaf].key(at: index)
        dropContent(leaves[leaf].content(at: index))
        removeLeaf(ofKey: key)
        if leaves[leaf].isSelected(at: index) { change.removedSelected.insert(key) }
      }
      let sums = sums(of: leaves[leaf].part(items))
      leaves[leaf].remove(items)
      add(.zero - sums, to: leaf, in: section)
      left -= items.count
      if left > 0 { location = Location(leaf: forest.element(after: leaf)!, index: 0) }
    }
  }

  /// Replaces an item with one that has the same key. It stays selected, and collapsed.
  ///
  /// - Complexity: O(log *n*).
  mutating func replace(_ location: Location, with record: ItemRecord) {
    whole = nil
    save(location.leaf)
    let before = self.record(at: location)
    dropContent(before.content)
    keepContent(record.content)
    leaves[location.leaf].replace(location.index, with: record)
    let more = rowCount(of: record) - rowCount(of: before)
    if more != 0 {
      add(
        TreeSums(items: 0, rows: more), to: location.leaf, in: section(ofLeaf: location.leaf))
    }
  }

  /// Selects or deselects an item.
  ///
  /// - Complexity: O(log *n*).
  mutating func setSelected(_ isSelected: Bool, at location: Location) {
    guard leaves[location.leaf].isSelected(at: location.index) != isSelected else { return }
    save(location.leaf)
    leaves[location.leaf].setSelected(isSelected, at: location.index)
    add(
      TreeSums(selected: isSelected ? 1 : -1), to: location.leaf,
      in: section(ofLeaf: location.leaf))
  }

  /// Collapses an item of an outline, or shows it.
  ///
  /// - Complexity: O(log *n*).
  mutating func setHidden(_ isHidden: Bool, at location: Location) {
    guard leaves[location.leaf].isHidden(at: location.index) != isHidden else { return }
    save(location.leaf)
    leaves[location.leaf].setHidden(isHidden, at: location.index)
    add(TreeSums(hidden: isHidden ? 1 : -1), to: location.leaf, in: section(ofLeaf: location.leaf))
  }

  /// Changes the sums of a leaf and of its section.
  mutating func add(_ difference: TreeSums, to leaf: Int, in section: Int) {
    forest.add(difference, to: leaf)
    if !sections[section].isDeleted { order.add(difference, to: section) }
  }

  // MARK: Sections

  /// Removes a section from the order, and saves its position if it is untouched.
  private mutating func take(_ section: Int) {
    if order.sums(of: section).untouched > 0 {
      let index = order.position(of: section).before.untouched
      change.takenSections.append(TreeChange.TakenSection(section: section, index: index))
    }
    order.remove(section)
  }

  /// Inserts an empty section after another one, or as the first.
  mutating func insertSection(_ key: UInt32, _ traits: SectionTraits, after other: Int?) -> Int {
    whole = nil
    let section = addSection(key, traits)
    texts.add(traits.own)
    change.madeSections.append(section)
    order.insert(section, TreeSums(elements: 1), after: other, inTree: 0)
    return section
  }

  /// Deletes a section with its items.
  ///
  /// - Complexity: O(log *n*), and O(*k*) when the change is finished, where *k* is the
  ///   number of the section's items.
  mutating func deleteSection(_ section: Int) {
    whole = nil
    repeats.forgetOrders()
    forEachSelected(in: section) { tree, location in tree.save(location.leaf) }
    take(section)
    sections[section].isDeleted = true
    sectionsByKey[sections[section].key] = nil
    change.deletedSections.append(section)
    change.forcedSections[sections[section].key] = nil
  }

  /// Moves a section after another one, or to the start. Nothing moves after itself.
  mutating func moveSection(_ section: Int, after other: Int?) {
    if section == other { return }
    whole = nil
    repeats.forgetOrders()
    take(section)
    order.insert(
      section, sectionSums(section) - TreeSums(untouched: 1), after: other, inTree: 0)
  }

  /// Replaces the traits of a section.
  mutating func setTraits(_ traits: SectionTraits, ofSection section: Int) {
    whole = nil
    if change.sections[section] == nil { change.sections[section] = sections[section].traits }
    texts.remove(sections[section].traits.own)
    texts.add(traits.own)
    sections[section].traits = traits
  }
}

extension [TreeChange.TakenSection] {
  /// The sections in their order before the change, with their indices in the list then.
  ///
  /// - Complexity: O(*k* log *k*).
  var before: [TreeChange.TakenSection] { self[...].before }
}

extension ArraySlice<TreeChange.TakenSection> {
  fileprivate var before: [TreeChange.TakenSection] {
    guard count > 1 else { return Array(self) }
    let middle = startIndex + count / 2
    let (first, second) = (self[..<middle].before, self[middle...].before)
    var merged: [TreeChange.TakenSection] = []
    merged.reserveCapacity(count)
    var next = 0
    // The indices of the second half do not count the sections of the first one.
    for var taken in second {
      while next < first.count, first[next].index - next <= taken.index {
        merged.append(first[next])
        next += 1
      }
      taken.index += next
      merged.append(taken)
    }
    return merged + first[next...]
  }
}
