import ListDiff
import SumTrees

extension ListTree {
  // MARK: Sizes

  var itemCount: Int { order.sums(ofTree: 0).items }
  var rowCount: Int { order.sums(ofTree: 0).rows }
  var sectionCount: Int { order.sums(ofTree: 0).elements }
  var selectedCount: Int { order.sums(ofTree: 0).selected }

  // MARK: Finding

  /// Returns the location of the item with a key.
  ///
  /// - Complexity: O(log *n*).
  func location(of key: UInt32) -> Location? {
    guard let leaf = leaf(ofKey: key), !sections[section(ofLeaf: leaf)].isDeleted else {
      return nil
    }
    guard let index = leaves[leaf].index(of: key) else {
      preconditionFailure("the key leads to its leaf")
    }
    return Location(leaf: leaf, index: index)
  }

  func contains(_ key: UInt32) -> Bool {
    leaf(ofKey: key).map { !sections[section(ofLeaf: $0)].isDeleted } ?? false
  }

  func record(at location: Location) -> ItemRecord { leaves[location.leaf][location.index] }

  func section(ofLeaf leaf: Int) -> Int { forest.tree(of: leaf) }

  /// Returns the section and row of an item's first row, or of the next row if the item has none.
  ///
  /// - Complexity: O(log *n*).
  func path(of location: Location) -> Path {
    let (section, before) = forest.position(of: location.leaf)
    return Path(
      section: index(ofSection: section), row: before.rows + rowsBefore(location))
  }

  /// Returns the index of a section in the list.
  func index(ofSection section: Int) -> Int { order.position(of: section).before.elements }

  /// Returns the section at an index.
  func section(at index: Int) -> Int? { order.find(index, .elements, inTree: 0)?.element }

  /// Returns the location of an item of a section, by its index there.
  ///
  /// - Complexity: O(log *n*).
  func location(section: Int, item: Int) -> Location? {
    forest.find(item, .items, inTree: section).map {
      Location(leaf: $0.element, index: item - $0.before.items)
    }
  }

  /// Returns the location of the item at an index of the list.
  ///
  /// - Complexity: O(log *n*).
  func location(at index: Int) -> Location? {
    guard let (section, before) = order.find(index, .items, inTree: 0) else { return nil }
    return location(section: section, item: index - before.items)
  }

  /// The sections in order.
  var sectionsInOrder: [Int] {
    var sections: [Int] = []
    sections.reserveCapacity(sectionCount)
    order.forEachElement(ofTree: 0) { sections.append($0) }
    return sections
  }

  /// Returns the leaves of a section in order.
  func leaves(ofSection section: Int) -> [Int] {
    var leaves: [Int] = []
    leaves.reserveCapacity(forest.sums(ofTree: section).elements)
    forest.forEachElement(ofTree: section) { leaves.append($0) }
    return leaves
  }

  /// The keys of the items in order.
  var keys: some Sequence<UInt32> {
    sectionsInOrder.lazy.flatMap { section in
      leaves(ofSection: section).lazy.flatMap { leaf in leaves[leaf].keys }
    }
  }

  // MARK: Reading

  /// Returns items in unmodified leaves of a section, by their indices before the change.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items of the section.
  func unmodifiedItems(ofSection section: Int, _ items: Range<Int>) -> [ItemRecord] {
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

  /// Returns the bytes of a text, valid until the tree is changed.
  func bytes(of payload: Payload) -> UnsafeRawBufferPointer { texts.bytes(of: payload) }

  /// Returns all items as a snapshot.
  ///
  /// The snapshot keeps the buffers of the tree unless it `isTidy`. Without texts, those of its items are empty.
  ///
  /// - Complexity: O(*n* + *s*).
  func snapshot(isTidy: Bool = true, isStopped: () -> Bool = { false }) -> Snapshot {
    if let whole, repeats.isEmpty { return whole }
    var snapshot = Snapshot()
    snapshot.arrangement.starts = []
    snapshot.arrangement.rows.reserveCapacity(itemCount)
    if hasTexts { snapshot.payloads.reserveCapacity(itemCount) }
    snapshot.traits.reserveCapacity(itemCount)
    for section in sectionsInOrder {
      snapshot.arrangement.sections.append(sections[section].key)
      snapshot.sections.append(sections[section].traits)
      let count = snapshot.arrangement.rows.count
      snapshot.arrangement.starts.append(Int32(truncatingIfNeeded: count))
      for leaf in leaves(ofSection: section) {
        if leaf & 0xF == 0xF, isStopped() { return snapshot }
        let first = snapshot.arrangement.rows.count
        leaves[leaf].append(to: &snapshot)
        if parts.isEmpty { continue }
        for index in 0..<leaves[leaf].count where leaves[leaf].parts(at: index) > 0 {
          snapshot.addParts(parts[leaves[leaf].parts(at: index)], ofItem: first + index)
        }
      }
    }
    let count = snapshot.arrangement.rows.count
    snapshot.arrangement.starts.append(Int32(truncatingIfNeeded: count))
    snapshot.finishParts()
    snapshot.restoreIdentities(repeats)
    snapshot.buffers = texts.buffers
    snapshot.depth = texts.depth
    if isTidy { snapshot.tidyBuffers() }
    return snapshot
  }

  /// Whether the items can become slices of other columns: they are not already, no change is undone any
  /// more, and no item has parts or repeats.
  var canShare: Bool {
    whole == nil && change.isEmpty && hasTexts && parts.isEmpty && repeats.isEmpty
  }

  /// Makes the items slices of the columns of a snapshot of all items, so that they take no memory beside
  /// it. Returns the snapshot; `nil` if that cannot be done or if it `isStopped`.
  ///
  /// - Complexity: O(*n* + *s*).
  mutating func gather(isStopped: () -> Bool) -> Snapshot? {
    guard canShare else { return nil }
    let isTidied = texts.isWasteful
    let snapshot = snapshot(isTidy: isTidied, isStopped: isStopped)
    if isStopped() { return nil }
    share(snapshot, isTidied ? TextBuffers(snapshot, withItems: true) : texts)
    return snapshot
  }

  /// Makes the items slices of the columns of a snapshot that has the same items and sections, the texts of
  /// which are in some buffers.
  ///
  /// - Complexity: O(*n* / 256 + *s*).
  mutating func share(_ snapshot: Snapshot, _ texts: TextBuffers) {
    precondition(snapshot.itemCount == itemCount, "the snapshot has the same items")
    let block = ItemBlock(snapshot, details: addDetails(of: snapshot), withTexts: true)
    self.texts = texts
    var start = 0
    for (index, section) in sectionsInOrder.enumerated() {
      sections[section].traits.own = snapshot.sections[index].own
      for leaf in leaves(ofSection: section) {
        let end = start + leaves[leaf].count
        leaves[leaf].move(to: start..<end, of: block)
        start = end
      }
    }
    whole = snapshot
  }

  /// For each buffer, whether it has the text of an item.
  ///
  /// - Complexity: O(*b* + *s*), where *b* is the number of buffers.
  var buffersOfItems: [Bool] {
    texts.used(without: sectionsInOrder.map { sections[$0].traits.own })
  }

  /// Ranges of items whose texts are known to follow each other in the first buffer, ascending.
  ///
  /// - Complexity: O(*n* / 256 + *s*).
  var itemsInOrder: [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    // The block of the last leaf, and the end of the leaf there, if its texts are in order.
    var last: (block: ItemBlock, end: Int)?
    for leaf in sectionsInOrder.lazy.flatMap({ leaves(ofSection: $0) }).map({ leaves[$0] }) {
      let end = start + leaf.count
      let (before, block) = (last, leaf.block)
      last = block.textsAscend ? (block, leaf.range.upperBound) : nil
      if let before, last != nil, before.block === block, before.end == leaf.range.lowerBound {
        ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<end
      } else if last != nil {
        ranges.append(start..<end)
      }
      start = end
    }
    return ranges
  }
}
