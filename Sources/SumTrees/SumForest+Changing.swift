extension SumForest {
  /// Fills an empty tree with elements that are in no tree, in order.
  ///
  /// - Complexity: O(*m*).
  @inlinable
  package mutating func build(
    _ tree: Int, of elements: some Sequence<(element: Int, sums: TreeSums)>
  ) {
    precondition(roots[tree] == .none, "the tree is empty")
    // Nodes are not full, so that the first changes do not split each of them.
    let width = Self.fanOut - 2
    var first: Child?
    var level: [(child: Child, sums: TreeSums)] = []
    var node = -1
    for (element, sums) in elements {
      elementSums[element] = sums
      guard let one = first else {
        first = .element(element)
        continue
      }
      if node < 0 {
        node = makeNode()
        append(one, elementSums[one.index], to: node)
      } else if Int(counts[node]) == width {
        level.append((.inner(node), total(of: node)))
        node = makeNode()
      }
      append(.element(element), sums, to: node)
    }
    if node >= 0 {
      first = .inner(node)
      if !level.isEmpty { level.append((.inner(node), total(of: node))) }
    }
    while level.count > 1 {
      var above: [(child: Child, sums: TreeSums)] = []
      for start in stride(from: 0, to: level.count, by: width) {
        let node = makeNode()
        for (child, sums) in level[start..<min(start + width, level.count)] {
          append(child, sums, to: node)
        }
        above.append((.inner(node), total(of: node)))
      }
      level = above
      first = level[0].child
    }
    guard let root = first else { return }
    roots[tree] = root
    setParent(of: root, ~Int32(truncatingIfNeeded: tree))
  }

  /// Removes all elements of a tree from it.
  ///
  /// - Complexity: O(*m*).
  package mutating func clear(_ tree: Int) {
    var rest = roots[tree] == .none ? [] : [roots[tree]]
    while let child = rest.popLast() {
      guard child.isInner else {
        elementParents[child.index] = Int32.max
        continue
      }
      let first = child.index * Self.fanOut
      rest += children[first..<first + Int(counts[child.index])]
      freeNodes.append(Int32(truncatingIfNeeded: child.index))
    }
    roots[tree] = .none
  }

  /// Inserts an element that is in no tree after another one, or at the start of a tree.
  package mutating func insert(
    _ element: Int, _ sums: TreeSums, after other: Int?, inTree tree: Int
  ) {
    elementSums[element] = .zero
    if roots[tree] == .none {
      roots[tree] = .element(element)
      elementParents[element] = ~Int32(truncatingIfNeeded: tree)
    } else {
      let sibling = other ?? first(ofTree: tree)!
      let node = nodeAbove(sibling, inTree: tree)
      insert(
        .element(element), at: index(of: .element(sibling), in: node) + (other == nil ? 0 : 1),
        in: node)
    }
    add(sums, to: element)
  }

  /// Removes an element from its tree.
  package mutating func remove(_ element: Int) {
    let parent = elementParents[element]
    elementParents[element] = Int32.max
    guard parent >= 0 else {
      roots[Int(~parent)] = .none
      return
    }
    let node = Int(parent)
    addToAncestors(of: node, .zero - elementSums[element])
    removeChild(at: index(of: .element(element), in: node), from: node)
  }

  /// Changes the sums of an element.
  @inlinable
  package mutating func add(_ difference: TreeSums, to element: Int) {
    elementSums[element] += difference
    var child = Child.element(element)
    var parent = elementParents[element]
    while parent >= 0 {
      sums[Int(parent) * Self.fanOut + index(of: child, in: Int(parent))] += difference
      child = .inner(Int(parent))
      parent = parents[Int(parent)]
    }
  }

  /// Returns the node above an element, creating it if the element is the root.
  private mutating func nodeAbove(_ element: Int, inTree tree: Int) -> Int {
    if elementParents[element] >= 0 { return Int(elementParents[element]) }
    let node = makeNode()
    append(.element(element), elementSums[element], to: node)
    roots[tree] = .inner(node)
    parents[node] = ~Int32(truncatingIfNeeded: tree)
    return node
  }

  /// Changes the sums of a node in the nodes above it.
  private mutating func addToAncestors(of node: Int, _ difference: TreeSums) {
    var node = node
    while parents[node] >= 0 {
      let parent = Int(parents[node])
      sums[parent * Self.fanOut + index(of: .inner(node), in: parent)] += difference
      node = parent
    }
  }

  /// Inserts a child with zero sums into a node, which is split if it is full.
  private mutating func insert(_ child: Child, at index: Int, in node: Int) {
    guard Int(counts[node]) == Self.fanOut else {
      open(index, in: node)
      set(child, .zero, at: index, in: node)
      return
    }
    let half = Self.fanOut / 2
    let right = split(node, at: half)
    insert(child, at: index > half ? index - half : index, in: index > half ? right : node)
  }

  /// Moves the children of a full node from an index on to a new node after it, and returns that
  /// node.
  private mutating func split(_ node: Int, at index: Int) -> Int {
    if parents[node] < 0 {
      let root = makeNode()
      parents[root] = parents[node]
      roots[Int(~parents[node])] = .inner(root)
      append(.inner(node), total(of: node), to: root)
    }
    let right = makeNode()
    let first = node * Self.fanOut
    var moved = TreeSums.zero
    for slot in first + index..<first + Self.fanOut {
      moved += sums[slot]
      append(children[slot], sums[slot], to: right)
    }
    counts[node] = UInt8(index)
    addToAncestors(of: node, .zero - moved)
    let parent = Int(parents[node])
    insert(.inner(right), at: self.index(of: .inner(node), in: parent) + 1, in: parent)
    addToAncestors(of: right, moved)
    return right
  }

  /// Removes a child from a node. The node is removed if it is empty, and merged with a neighbor if
  /// both are small. The sums of the nodes above exclude the child already.
  private mutating func removeChild(at index: Int, from node: Int) {
    close(index, in: node)
    let count = Int(counts[node])
    guard parents[node] >= 0 else {
      let tree = Int(~parents[node])
      if count == 1 {
        roots[tree] = children[node * Self.fanOut]
        setParent(of: roots[tree], ~Int32(truncatingIfNeeded: tree))
        freeNodes.append(Int32(truncatingIfNeeded: node))
      }
      return
    }
    let parent = Int(parents[node])
    let nodeIndex = self.index(of: .inner(node), in: parent)
    if count == 0 {
      freeNodes.append(Int32(truncatingIfNeeded: node))
      removeChild(at: nodeIndex, from: parent)
    } else if count <= Self.fanOut / 4 {
      if nodeIndex + 1 < Int(counts[parent]) {
        mergeChildren(at: nodeIndex, of: parent)
      } else if nodeIndex > 0 {
        mergeChildren(at: nodeIndex - 1, of: parent)
      }
    }
  }

  /// Moves the children of the child after `index` into the child at `index` if there is room.
  private mutating func mergeChildren(at index: Int, of parent: Int) {
    let slot = parent * Self.fanOut + index
    let left = children[slot].index
    let right = children[slot + 1].index
    guard Int(counts[left]) + Int(counts[right]) <= Self.fanOut * 3 / 4 else { return }
    let first = right * Self.fanOut
    for moved in first..<first + Int(counts[right]) {
      append(children[moved], sums[moved], to: left)
    }
    sums[slot] += sums[slot + 1]
    freeNodes.append(Int32(truncatingIfNeeded: right))
    removeChild(at: index + 1, from: parent)
  }

  // MARK: Nodes

  @inlinable
  mutating func makeNode() -> Int {
    if let free = freeNodes.popLast() {
      counts[Int(free)] = 0
      return Int(free)
    }
    parents.append(0)
    counts.append(0)
    children.append(contentsOf: repeatElement(.none, count: Self.fanOut))
    sums.append(contentsOf: repeatElement(.zero, count: Self.fanOut))
    return counts.count - 1
  }

  @inlinable
  mutating func append(_ child: Child, _ sums: TreeSums, to node: Int) {
    counts[node] += 1
    set(child, sums, at: Int(counts[node]) - 1, in: node)
  }

  @inlinable
  mutating func set(_ child: Child, _ sums: TreeSums, at index: Int, in node: Int) {
    children[node * Self.fanOut + index] = child
    self.sums[node * Self.fanOut + index] = sums
    setParent(of: child, Int32(truncatingIfNeeded: node))
  }

  @inlinable
  mutating func setParent(of child: Child, _ parent: Int32) {
    if child.isInner { parents[child.index] = parent } else { elementParents[child.index] = parent }
  }

  /// Makes room for a child at an index of a node that is not full.
  private mutating func open(_ index: Int, in node: Int) {
    let first = node * Self.fanOut
    var slot = first + Int(counts[node])
    while slot > first + index {
      children[slot] = children[slot - 1]
      sums[slot] = sums[slot - 1]
      slot -= 1
    }
    counts[node] += 1
  }

  private mutating func close(_ index: Int, in node: Int) {
    let first = node * Self.fanOut
    for slot in first + index..<first + Int(counts[node]) - 1 {
      children[slot] = children[slot + 1]
      sums[slot] = sums[slot + 1]
    }
    counts[node] -= 1
  }
}
