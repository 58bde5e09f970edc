/// The state of an update of an outline.
struct OutlineWork {
  /// The nodes of the items that the change names.
  var affected: Set<Int> = []

  /// The nodes that may move: those of these items, and others whose parent has changed.
  private(set) var candidates: [Int] = []
  private var isCandidate: Set<Int> = []

  /// The nodes whose named parent has changed, or that were inserted into the sources or stand for their
  /// identity now.
  var relinked: [Int] = []

  /// The names that no item had before.
  var newNames: [Int] = []

  /// The nodes that were their own ancestors before the change.
  var wereCyclic: Set<Int> = []

  /// The nodes whose rows may have changed.
  private(set) var touched: [Int] = []
  private var isTouched: Set<Int> = []

  /// The keys of the items that were inserted into the view.
  var insertedKeys: [UInt32] = []

  mutating func addCandidate(_ node: Int) {
    if isCandidate.insert(node).inserted { candidates.append(node) }
  }

  mutating func touch(_ node: Int) {
    if node >= 0, isTouched.insert(node).inserted { touched.append(node) }
  }
}

extension LiveView {
  /// Reads the parent that an item names, by its key, and whether it is lazy.
  static func link(
    of key: UInt32, _ item: UnsafeRawBufferPointer, _ rules: any ItemRules, _ ids: inout IDTable
  ) -> (parent: UInt32?, isLazy: Bool) {
    rules.withLink(of: item) { parent, isLazy in
      (parent.map { ids.internParent($0.kind, $0.id, of: key) }, isLazy)
    }
  }

  /// Updates the tree after the sources have changed some items. Returns the items that were
  /// inserted into the view, some of which were moved.
  ///
  /// - Complexity: O((*k* + *m*) *b* log *n*), where *k* is the number of items, *m* that of items
  ///   that move with them, which are all their descendants, *b* the size of an item and *n* the
  ///   number of all items; in addition O(*d*) for each item with children whose parent has
  ///   changed, where *d* is the number of its ancestors.
  mutating func updateOutline(
    _ affected: [UInt32], _ all: inout ListTree, _ change: inout ViewChange, _ ids: inout IDTable
  ) -> [UInt32] {
    if !affected.isEmpty, !outline!.states.isEmpty { outline!.noteStates() }
    var work = OutlineWork()
    for key in affected { updateNode(of: key, &work, &ids) }
    let names = affected.compactMap { outline!.name(of: sources.identity(of: $0)) }
    var seen: Set<Int> = []
    for name in names + work.newNames where seen.insert(name).inserted {
      updateFirst(of: name, &work)
    }
    findCycles(&work, &change)
    detach(&work, &all, &change, &ids)
    for node in work.candidates
    where outline!.has(.present, node) && !outline!.isLinked(node)
      && (outline!.has(.accepted, node) || outline!.childCount(of: node) > 0)
    {
      var chain = [node]
      var parent = outline!.parent(of: node)
      // The descendants of a removed item are inserted with it.
      while parent >= 0, !all.contains(outline!.nodes[parent].key) {
        if !outline!.isLinked(parent) { chain.append(parent) }
        parent = outline!.parent(of: parent)
      }
      rank(chain, ids)
      for node in chain.reversed() { insert(node, &work, into: &all, &change, &ids) }
    }
    prune(&work, &all, &change)
    updateRanks(&work, &all, &change, &ids)
    for node in work.affected where outline!.isLinked(node) { work.touch(node) }
    for node in work.touched where outline!.isLinked(node) {
      updateOpen(node, &all, &change)
      change.refreshed.append(outline!.nodes[node].key)
    }
    return work.insertedKeys
  }

  /// Updates the node of an item from the item's present members.
  private mutating func updateNode(
    of key: UInt32, _ work: inout OutlineWork, _ ids: inout IDTable
  ) {
    let location = sources.location(of: key)
    guard location != nil || outline!.node(of: key) != nil else { return }
    let node = outline!.makeNode(for: key)
    work.affected.insert(node)
    work.addCandidate(node)
    var isAccepted = false
    var link: (parent: UInt32?, isLazy: Bool) = (nil, false)
    if let location {
      let item = viewed(at: location, ids)
      if rules.ranksItems { rules.noteRank(of: item) }
      isAccepted = rules.accepts(item)
      link = Self.link(of: key, item.bytes, rules, &ids)
    }
    let parent = link.parent.map { outline!.makeName(for: $0) }
    if let parent, outline!.names[parent].firstNaming < 0 { work.newNames.append(parent) }
    let isNew = outline!.has(.present, node) != (location != nil)
    if isNew || Int(outline!.nodes[node].named) != parent ?? -1 {
      endCycle(through: node, &work)
      outline!.set(.present, location != nil, of: node)
      outline!.name(parent, asParentOf: node)
      if location != nil { work.relinked.append(node) }
    }
    outline!.set(.accepted, isAccepted, of: node)
    outline!.set(.lazy, link.isLazy, of: node)
    if location == nil, outline!.states[node] != nil { outline!.set(ExpansionState.none, of: node) }
  }

  /// Finds the item that stands for an identity, as the parent of the items that name it.
  private mutating func updateFirst(of name: Int, _ work: inout OutlineWork) {
    let known = outline!.names[name]
    let key = sources.firstKey(ofIdentity: known.key)
    let first = key.flatMap { outline!.node(of: $0) }
    guard first ?? -1 != Int(known.first) else { return }
    if known.first >= 0 { endCycle(through: Int(known.first), &work) }
    outline!.set(first: first, of: name)
    for child in outline!.naming(name) { work.addCandidate(child) }
    if let first { work.relinked.append(first) }
  }

  /// Reports whether items name the identity of a node for which the node stands.
  private func isNamed(_ node: Int) -> Bool {
    outline!.name(of: sources.identity(of: outline!.nodes[node].key)).map {
      Int(outline!.names[$0].first) == node
    } ?? false
  }

  // MARK: Cycles

  /// Clears the mark of the nodes of a cycle, before one of them gets another parent.
  private mutating func endCycle(through node: Int, _ work: inout OutlineWork) {
    var next = node
    while outline!.has(.cyclic, next) {
      outline!.set(.cyclic, false, of: next)
      work.wereCyclic.insert(next)
      work.addCandidate(next)
      next = outline!.namedParent(of: next)
    }
  }

  /// Finds the cycles that were closed by items with another parent.
  private mutating func findCycles(_ work: inout OutlineWork, _ change: inout ViewChange) {
    // The last walk that has visited each node.
    var walks: [Int: Int] = [:]
    for (walk, start) in work.relinked.enumerated() where isNamed(start) {
      var next = start
      while next >= 0, !outline!.has(.cyclic, next), walks[next] == nil {
        walks[next] = walk
        next = outline!.namedParent(of: next)
      }
      guard next >= 0, walks[next] == walk else { continue }
      while !outline!.has(.cyclic, next) {
        outline!.set(.cyclic, true, of: next)
        work.addCandidate(next)
        if !work.wereCyclic.contains(next) { change.cyclic.append(outline!.nodes[next].key) }
        next = outline!.namedParent(of: next)
      }
    }
  }

  // MARK: Positions

  /// Returns the tree of an item's siblings and, for a root, its section.
  private mutating func siblingTree(
    of node: Int, _ all: inout ListTree, _ change: inout ViewChange, _ ids: inout IDTable
  ) -> (tree: Int, section: Int?) {
    let parent = outline!.parent(of: node)
    if parent >= 0 { return (outline!.tree(ofChildrenOf: parent), nil) }
    let location = sources.location(of: outline!.nodes[node].key)!
    let item = viewed(at: location, ids)
    let section = self.section(for: item, at: location, in: &all, &change.needsOrder, &ids)
    // The item may not be inserted into a section that was created for it.
    change.touched.insert(section)
    return (outline!.tree(ofRootsIn: all.sections[section].key), section)
  }

  /// Returns whether an item precedes a sibling.
  func precedes(_ a: Int, _ b: Int, _ ids: borrowing IDTable) -> Bool {
    index(of: a, among: 1, ids) { _ in b } == 0
  }

  /// Returns the index of the first of some siblings that an item precedes.
  private func index(
    of node: Int, among count: Int, _ ids: borrowing IDTable, _ sibling: (Int) -> Int
  ) -> Int {
    func location(_ node: Int) -> ListTree.Location {
      sources.location(of: outline!.nodes[node].key)!
    }
    let own = location(node)
    let key = rules.sortKey(of: viewed(at: own, ids))
    return rules.index(ofSortKey: key, among: 0..<count) {
      viewed(at: location(sibling($0)), ids)
    } isBehind: {
      sources.isBehind(own, location(sibling($0)))
    }
  }

  /// Removes the items that move or leave the view, and replaces the others.
  private mutating func detach(
    _ work: inout OutlineWork, _ all: inout ListTree, _ change: inout ViewChange,
    _ ids: inout IDTable
  ) {
    var leaving: Set<Int> = []
    for node in work.candidates where outline!.isLinked(node) {
      let tree = outline!.siblings.tree(of: node)
      if !outline!.has(.present, node) || siblingTree(of: node, &all, &change, &ids).tree != tree {
        leaving.insert(node)
      }
    }
    var known: Set<Int> = []
    for node in work.candidates
    where outline!.isLinked(node) && work.affected.contains(node) && !known.contains(node) {
      var first = node
      while let other = outline!.siblings.element(before: first), work.affected.contains(other) {
        first = other
      }
      var run: [Int] = []
      var next: Int? = first
      while let other = next, work.affected.contains(other) {
        run.append(other)
        next = outline!.siblings.element(after: other)
      }
      known.formUnion(run)
      var last = outline!.siblings.element(before: first)
      for node in run where !leaving.contains(node) {
        let isInOrder =
          last.map { precedes($0, node, ids) } ?? true
          && next.map { precedes(node, $0, ids) } ?? true
        if isInOrder { last = node } else { leaving.insert(node) }
      }
    }
    for node in work.candidates where outline!.isLinked(node) {
      if leaving.contains(node) {
        take(node, &work, &all, &change)
      } else if work.affected.contains(node) {
        replace(node, in: &all, &change)
      }
    }
  }

  private mutating func replace(
    _ node: Int, in all: inout ListTree, _ change: inout ViewChange
  ) {
    // The descendants of a removed item are inserted with it.
    guard let location = all.location(of: outline!.nodes[node].key) else { return }
    // The item may be the first of its group, whose header and position depend on it.
    change.touched.insert(all.section(ofLeaf: location.leaf))
    all.replace(location, with: record(of: node, in: &all))
  }

  /// Returns the record of a node, for the tree of all items of the view.
  private func record(of node: Int, in all: inout ListTree) -> ItemRecord {
    let location = sources.location(of: outline!.nodes[node].key)!
    return record(of: sources.record(at: location), in: &all)
  }

  /// Removes an item with its descendants, which remain linked to it.
  mutating func take(
    _ node: Int, _ work: inout OutlineWork, _ all: inout ListTree, _ change: inout ViewChange
  ) {
    // If an ancestor was removed, all its descendants were removed with it.
    if let location = all.location(of: outline!.nodes[node].key) {
      let removed = change.removed.count
      outline!.walk(from: node) { node, _ in
        change.removed.append(outline!.nodes[node].key)
        return true
      }
      change.touched.insert(all.section(ofLeaf: location.leaf))
      all.remove(change.removed.count - removed, at: location)
    }
    work.touch(outline!.linkedParent(of: node))
    outline!.unlink(node)
  }

  /// Inserts an item with the descendants that are linked to it.
  mutating func insert(
    _ node: Int, _ work: inout OutlineWork, into all: inout ListTree, _ change: inout ViewChange,
    _ ids: inout IDTable
  ) {
    let parent = outline!.parent(of: node)
    let (tree, section) = siblingTree(of: node, &all, &change, &ids)
    let count = outline!.siblings.sums(ofTree: tree).elements
    func sibling(_ index: Int) -> Int? {
      outline!.siblings.find(index, .elements, inTree: tree)?.element
    }
    let index: Int
    // If many items move together, each is often the first or the last.
    if count == 0 || precedes(node, sibling(0)!, ids) {
      index = 0
    } else if !precedes(node, sibling(count - 1)!, ids) {
      index = count
    } else {
      index = self.index(of: node, among: count, ids) { sibling($0)! }
    }
    let (last, next) = (sibling(index - 1), sibling(index))
    var location: ListTree.Location
    if let next {
      location = all.location(of: outline!.nodes[next].key)!
    } else if let last {
      let end = outline!.end(ofBlock: last)
      if let next = end.next {
        location = all.location(of: outline!.nodes[next].key)!
      } else if let last = end.last {
        location = all.location(of: outline!.nodes[last].key)!
        location.index += 1
      } else {
        let section =
          section ?? all.section(ofLeaf: all.location(of: outline!.nodes[parent].key)!.leaf)
        location = all.location(
          forInsertionAt: all.forest.sums(ofTree: section).items, in: section)
      }
    } else if parent >= 0 {
      location = all.location(of: outline!.nodes[parent].key)!
      location.index += 1
    } else {
      location = all.location(forInsertionAt: 0, in: section!)
    }
    outline!.link(node, after: last, inTree: tree)
    work.touch(parent)
    insertBlock(of: node, below: parent, at: location, &work, &all, &change)
  }

  /// Inserts the records of a node and of all its descendants.
  private mutating func insertBlock(
    of top: Int, below parent: Int, at location: ListTree.Location, _ work: inout OutlineWork,
    _ all: inout ListTree, _ change: inout ViewChange
  ) {
    var nodes: [(node: Int, depth: Int)] = []
    outline!.walk(from: top) {
      nodes.append(($0, $1))
      return true
    }
    let level = parent < 0 ? 0 : Int(outline!.nodes[parent].level) + 1
    // For each depth whether items are hidden. The first element is for the item itself.
    var isHidden = [parent >= 0 && (!outline!.has(.open, parent) || self.isHidden(parent, in: all))]
    var records: [ItemRecord] = []
    for (node, depth) in nodes {
      isHidden.removeLast(isHidden.count - depth - 1)
      outline!.set(level: level + depth, of: node)
      let isExpanded = outline!.isExpanded(node)
      outline!.set(.open, isExpanded, of: node)
      var record = self.record(of: node, in: &all)
      if isHidden[depth] { record.traits.add(.hidden) } else { change.inserted.append(record.key) }
      isHidden.append(isHidden[depth] || !isExpanded)
      records.append(record)
      work.insertedKeys.append(record.key)
    }
    change.touched.insert(all.section(ofLeaf: location.leaf))
    all.insert(records, at: location)
  }

  /// Removes the items that were in the view only because of descendants that it does not have any
  /// more.
  private mutating func prune(
    _ work: inout OutlineWork, _ all: inout ListTree, _ change: inout ViewChange
  ) {
    for node in work.candidates { work.touch(node) }
    for touched in work.touched where outline!.isLinked(touched) {
      var node = touched
      while node >= 0, !outline!.has(.accepted, node), outline!.childCount(of: node) == 0 {
        let parent = outline!.linkedParent(of: node)
        take(node, &work, &all, &change)
        node = parent
      }
    }
  }
}
