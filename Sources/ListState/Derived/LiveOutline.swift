import SumTrees

/// The tree of the items of a view's sources, in which a change of one item costs O(log *n*).
///
/// Each item of the sources has a node. The nodes of items in the view are linked: each is an element of the
/// tree of its siblings. Items name an identity as their parent, for which its first item stands.
///
/// The steps of the current change are recorded, so that they can be undone if it fails.
struct LiveOutline: Sendable {
  /// The member that holds the identifier of an item's parent.
  let member: [UInt8]

  /// The number of levels that are expanded unless somebody has collapsed them.
  let openLevels: Int

  /// Whether the ancestors of all items that match a query are expanded, regardless of their states.
  let expandsAncestors: Bool

  /// Whether siblings are sorted by their ranks.
  let isRanked: Bool

  /// The best rank of the item of each node and its descendants, if siblings are sorted by that; else empty.
  private(set) var ranks: [ItemRank] = []

  private(set) var nodes: [Node] = []

  /// The node of each key.
  private(set) var numbers: LeafTable

  private(set) var names: [Name] = []
  private var freeNames: [Int] = []

  /// The name of each identity that has one.
  private(set) var nameNumbers = LeafTable()

  /// A tree of the children of each node that has any, and a tree of the roots of each section.
  private(set) var siblings = SumForest()
  private var freeTrees: [Int32] = []

  /// The parent of the nodes in each tree of siblings; -1 for roots.
  private(set) var owners: [Int32] = []

  /// The tree of the roots of each section, by the key of the section.
  private var roots: [UInt32: Int] = [:]

  /// The nodes that somebody has expanded or collapsed. No node has the state `none`.
  private(set) var states: [Int: ExpansionState] = [:]

  /// Whether the number of each node is the index of its item in the sources.
  private(set) var isInOrder = true

  /// The parents that the items name, by their indices; `nil` after they have changed.
  private(set) var links: ParentLinks?

  /// A number that increases with each change of the states.
  private(set) var stateNumber = 0

  /// The number of accepted nodes.
  private(set) var matched = 0

  /// The number of nodes of items in the sources.
  private var presentCount = 0

  private var steps: [Step] = []

  /// The items of the view as they were evaluated, until their nodes are linked.
  private(set) var unlinked: Unlinked?

  /// The nodes that the change has expanded or collapsed, as they were before it. A change may do so many
  /// times, and so their steps are not recorded.
  private var expansionsBefore: [(node: Int, state: ExpansionState, isOpen: Bool)] = []

  /// Creates the tree of a view that was evaluated, whose items have keys of their own. What depends only on
  /// the sources is that of a tree that was `prepared`. Otherwise `missingParent` returns the identity that an
  /// item names as its parent although no item has it.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources.
  init(
    _ view: EvaluatedView, _ repeats: RepeatedItems, _ rules: any ItemRules, sectionKeys: [UInt32],
    universe: Int, _ prepared: LiveOutline?, missingParent: (Int) -> UInt32?
  ) {
    let outline = view.arrangement.outline!
    let links = view.items.links!
    let keys = view.items.snapshot.arrangement.rows
    stateNumber = view.stateNumber
    openLevels = outline.openLevels
    expandsAncestors = rules.ranksItems
    isRanked = rules.sortsByRank
    (member, self.links) = (links.member, links)
    presentCount = keys.count
    matched = outline.matched
    states = view.states
    unlinked = Unlinked(
      outline: outline, order: view.arrangement.order, starts: view.arrangement.starts,
      sectionKeys: sectionKeys)
    if let prepared {
      (numbers, nodes) = (prepared.numbers, prepared.nodes)
      (names, freeNames, nameNumbers) = (prepared.names, prepared.freeNames, prepared.nameNumbers)
    } else {
      numbers = LeafTable(count: keys.count, universe: universe)
      nodes.reserveCapacity(keys.count)
      for (item, key) in keys.enumerated() {
        nodes.append(Node(key: key, traits: links.isLazy(item) ? [.present, .lazy] : .present))
        numbers.set(item, for: key, of: keys.count)
      }
      nameNumbers = LeafTable(count: outline.childCounts.count { $0 > 0 }, universe: universe)
      for (item, parent) in links.parents.enumerated() where parent >= 0 {
        let name = makeName(for: repeats.base(of: keys[Int(parent)]))
        names[name].first = parent
        add(item, toNamingsOf: name)
      }
      for item in links.withMissingParents {
        if let key = missingParent(Int(item)) { add(Int(item), toNamingsOf: makeName(for: key)) }
      }
      steps = []
      for item in outline.cyclic { nodes[Int(item)].traits.insert(.cyclic) }
    }
  }

  /// Links the nodes of items in the view unless they are linked. Before that, only what depends on the sources
  /// may be read, and nothing changed.
  ///
  /// - Complexity: O(*n*) for the first call, where *n* is the number of items of the sources.
  mutating func link() {
    guard let view = unlinked.take() else { return }
    let (outline, order) = (view.outline, view.order)
    siblings.reserve(
      elements: nodes.count, trees: view.sectionKeys.count,
      innerNodes: outline.childCounts.reduce(0) { $0 + SumForest.innerNodes(above: Int($1)) })
    siblings.makeElements(nodes.count)
    if isRanked {
      ranks = Array(repeating: .none, count: nodes.count)
      for (position, item) in order.enumerated() { ranks[Int(item)] = outline.ranks[position] }
    }
    var nodes = nodes.mutableSpan
    for node in nodes.indices { nodes[node].unlink() }
    for (position, item) in order.enumerated() {
      let item = Int(item)
      nodes[item].level = outline.levels[position]
      if outline.traits[position].contains(.matched) { nodes[item].traits.insert(.accepted) }
      if outline.isExpanded(position) { nodes[item].traits.insert(.open) }
    }
    build(view)
  }

  /// Builds the trees of siblings.
  private mutating func build(_ view: Unlinked) {
    let (outline, order, starts) = (view.outline, view.order, view.starts)
    let (children, ends) = outline.children(order)
    let sums = TreeSums(elements: 1)
    for (position, item) in order.enumerated() where outline.childCounts[position] > 0 {
      let end = Int(ends[position])
      let tree = makeTree(of: Int(item))
      nodes[Int(item)].children = Int32(truncatingIfNeeded: tree)
      siblings.build(
        tree,
        of: children[end - Int(outline.childCounts[position])..<end].lazy.map {
          (element: Int($0), sums: sums)
        })
    }
    for (section, key) in view.sectionKeys.enumerated() {
      let range = Int(starts[section])..<Int(starts[section + 1])
      let own = range.lazy.filter { outline.parents[$0] < 0 }.map {
        (element: Int(order[$0]), sums: sums)
      }
      siblings.build(tree(ofRootsIn: key), of: own)
    }
  }

  /// Creates an empty tree for the children of a node, or for roots if `owner` is -1.
  private mutating func makeTree(of owner: Int) -> Int {
    let tree = freeTrees.popLast().map { Int($0) } ?? siblings.makeTree()
    if tree == owners.count { owners.append(-1) }
    owners[tree] = Int32(truncatingIfNeeded: owner)
    return tree
  }

  // MARK: Changing

  private mutating func update(_ node: Int, _ body: (inout Node) -> Void) {
    steps.append(.updated(node, nodes[node]))
    body(&nodes[node])
  }

  /// Returns the node of a key, and creates it if necessary.
  mutating func makeNode(for key: UInt32) -> Int {
    if let known = numbers[key] { return known }
    noteOrder()
    let node = siblings.makeElement()
    if node == nodes.count { nodes.append(Node(key: key)) } else { nodes[node] = Node(key: key) }
    if isRanked, node == ranks.count { ranks.append(.none) }
    if isRanked { ranks[node] = .none }
    numbers.set(node, for: key, of: presentCount)
    // Undoing this step leaves a node that no other one names.
    steps.append(.updated(node, nodes[node]))
    return node
  }

  /// Returns the number of the name of an identity, and creates it if necessary.
  mutating func makeName(for identity: UInt32) -> Int {
    if let known = nameNumbers[identity] { return known }
    let name = freeNames.popLast() ?? names.count
    if name == names.count { names.append(Name(key: identity)) }
    names[name] = Name(key: identity)
    nameNumbers.set(name, for: identity, of: presentCount)
    // Undoing this step leaves a name that no node has.
    steps.append(.renamed(name, names[name]))
    return name
  }

  private mutating func updateName(_ name: Int, _ body: (inout Name) -> Void) {
    steps.append(.renamed(name, names[name]))
    body(&names[name])
  }

  /// Sets the node that stands for the identity of a name, or removes it.
  mutating func set(first node: Int?, of name: Int) {
    links = nil
    updateName(name) { $0.first = node.map { Int32(truncatingIfNeeded: $0) } ?? -1 }
  }

  /// Gives nodes other keys: a permutation.
  mutating func exchange(_ keys: [KeyChange]) {
    let moved = keys.compactMap { change in node(of: change.old).map { ($0, change.new) } }
    for (node, _) in moved { numbers.remove(nodes[node].key) }
    for (node, key) in moved {
      update(node) { $0.key = key }
      numbers.set(node, for: key, of: presentCount)
    }
  }

  mutating func set(_ trait: Traits, _ isSet: Bool, of node: Int) {
    guard has(trait, node) != isSet else { return }
    if trait == .open {
      recordExpansion(of: node)
      nodes[node].traits.formSymmetricDifference(trait)
      return
    }
    update(node) { $0.traits.formSymmetricDifference(trait) }
    if trait == .lazy || trait == .present { links = nil }
    if trait == .accepted { matched += isSet ? 1 : -1 }
    if trait == .present { presentCount += isSet ? 1 : -1 }
  }

  mutating func set(_ rank: ItemRank, of node: Int) {
    guard ranks[node] != rank else { return }
    steps.append(.ranked(node, ranks[node]))
    ranks[node] = rank
  }

  mutating func set(level: Int, of node: Int) {
    guard Int(nodes[node].level) != level else { return }
    update(node) { $0.level = Int32(truncatingIfNeeded: level) }
  }

  mutating func set(_ state: ExpansionState, of node: Int) {
    guard states[node] ?? .none != state else { return }
    noteStates()
    recordExpansion(of: node)
    states[node] = state == .none ? nil : state
  }

  private mutating func recordExpansion(of node: Int) {
    guard !has(.isRecorded, node) else { return }
    expansionsBefore.append((node, states[node] ?? .none, has(.open, node)))
    nodes[node].traits.insert(.isRecorded)
  }

  /// Records that the indices of items in the sources have changed.
  mutating func noteOrder() { (isInOrder, links) = (false, nil) }

  /// Records that the states have changed, or the indices of items in the sources.
  mutating func noteStates() { stateNumber += 1 }

  /// Sets the name of the parent of a node, or removes it.
  mutating func name(_ name: Int?, asParentOf node: Int) {
    links = nil
    let (before, old) = (nodes[node], Int(nodes[node].named))
    if old >= 0 {
      if before.previousNaming >= 0 {
        update(Int(before.previousNaming)) { $0.nextNaming = before.nextNaming }
      } else {
        updateName(old) { $0.firstNaming = before.nextNaming }
      }
      if before.nextNaming >= 0 {
        update(Int(before.nextNaming)) { $0.previousNaming = before.previousNaming }
      }
    }
    update(node) { ($0.named, $0.previousNaming, $0.nextNaming) = (-1, -1, -1) }
    guard let name else { return }
    let next = Int(names[name].firstNaming)
    if next >= 0 { steps.append(.updated(next, nodes[next])) }
    steps.append(.renamed(name, names[name]))
    add(node, toNamingsOf: name)
  }

  /// Adds a node that names no parent to those that name one, without recording it.
  private mutating func add(_ node: Int, toNamingsOf name: Int) {
    let next = names[name].firstNaming
    nodes[node].named = Int32(truncatingIfNeeded: name)
    nodes[node].nextNaming = next
    if next >= 0 { nodes[Int(next)].previousNaming = Int32(truncatingIfNeeded: node) }
    names[name].firstNaming = Int32(truncatingIfNeeded: node)
  }

  /// Returns the tree of a node's children, and creates it if necessary.
  mutating func tree(ofChildrenOf node: Int) -> Int {
    if nodes[node].children < 0 {
      let tree = makeTree(of: node)
      update(node) { $0.children = Int32(truncatingIfNeeded: tree) }
    }
    return Int(nodes[node].children)
  }

  /// Returns the tree of the roots in a section, and creates it if necessary.
  mutating func tree(ofRootsIn section: UInt32) -> Int {
    if let tree = roots[section] { return tree }
    let tree = makeTree(of: -1)
    roots[section] = tree
    return tree
  }

  /// Links a node in a tree of siblings, after another node or as the first one.
  mutating func link(_ node: Int, after other: Int?, inTree tree: Int) {
    siblings.insert(node, TreeSums(elements: 1), after: other, inTree: tree)
    steps.append(.linked(node))
  }

  /// Unlinks a node, with all its descendants, from its siblings.
  mutating func unlink(_ node: Int) {
    steps.append(
      .unlinked(node, tree: siblings.tree(of: node), after: siblings.element(before: node)))
    siblings.remove(node)
  }

  // MARK: Finishing

  /// Restores the state before the change.
  mutating func undoChange() {
    for step in steps.reversed() {
      switch step {
      case .updated(let node, let before):
        let traits = (before.traits, nodes[node].traits)
        matched += traits.0.count(.accepted) - traits.1.count(.accepted)
        presentCount += traits.0.count(.present) - traits.1.count(.present)
        // A tree that was created for the node may now have the children of other nodes.
        let (key, children) = (nodes[node].key, nodes[node].children)
        nodes[node] = before
        if before.children < 0 { nodes[node].children = children }
        if key != before.key {
          if numbers[key] == node { numbers.remove(key) }
          numbers.set(node, for: before.key, of: presentCount)
        }
      case .renamed(let name, let before): names[name] = before
      case .ranked(let node, let before): ranks[node] = before
      case .linked(let node): siblings.remove(node)
      case .unlinked(let node, let tree, let other):
        siblings.insert(node, TreeSums(elements: 1), after: other, inTree: tree)
      }
    }
    for (node, state, isOpen) in expansionsBefore {
      states[node] = state == .none ? nil : state
      if has(.open, node) != isOpen { nodes[node].traits.formSymmetricDifference(.open) }
    }
    finishChange()
  }

  /// Removes what was recorded to undo the change.
  mutating func finishChange() {
    for step in steps {
      switch step {
      case .updated(let node, _) where !has(.present, node) && numbers[nodes[node].key] == node:
        numbers.remove(nodes[node].key)
        if nodes[node].children >= 0 { freeTrees.append(nodes[node].children) }
        nodes[node].children = -1
        siblings.free(node)
      case .renamed(let name, _)
      where names[name].firstNaming < 0 && nameNumbers[names[name].key] == name:
        nameNumbers.remove(names[name].key)
        freeNames.append(name)
      default: break
      }
    }
    steps = []
    for before in expansionsBefore { nodes[before.node].traits.remove(.isRecorded) }
    expansionsBefore.removeAll(keepingCapacity: expansionsBefore.count < 64)
    guard roots.count > 64 else { return }
    let used = roots.values.count { siblings.sums(ofTree: $0).elements > 0 }
    guard roots.count > 2 * used + 64 else { return }
    for (section, tree) in roots where siblings.sums(ofTree: tree).elements == 0 {
      roots[section] = nil
      freeTrees.append(Int32(truncatingIfNeeded: tree))
    }
  }
}
