/// Ordered sequences of elements with sums: B+-trees whose nodes share arrays.
///
/// An element is in at most one tree. Each inner node has the sums of its children, so that an
/// element is found by its offset on the way down, and its offset on the way up:
///
/// ```
///             inner  [ 512 | 300 ]             sums of the children
///                     /        \
///        inner [ 256 | 256 ]   inner [ 200 | 100 ]
///                /      \               /     \
///             e0: 256  e1: 256       e2: 200  e3: 100
/// ```
///
/// With *m* elements in a tree, every operation is O(log *m*) unless stated otherwise.
@frozen @usableFromInline package struct SumForest: Sendable {
  @inlinable static var fanOut: Int { 16 }

  /// A child of a node: an element or an inner node.
  @frozen @usableFromInline struct Child: Hashable, Sendable {
    @usableFromInline let code: Int32

    @inlinable
    init(code: Int32) { self.code = code }

    @inlinable static var none: Child { Child(code: -1) }

    @inlinable static func element(_ element: Int) -> Child {
      Child(code: Int32(truncatingIfNeeded: element << 1))
    }

    @inlinable static func inner(_ node: Int) -> Child {
      Child(code: Int32(truncatingIfNeeded: node << 1 | 1))
    }

    @inlinable var isInner: Bool { code & 1 == 1 }
    @inlinable var index: Int { Int(code >> 1) }
  }

  /// The root of each tree.
  @usableFromInline var roots: [Child] = []

  /// The parent node of each element and of each inner node, or `~tree` for the root of a tree.
  @usableFromInline var elementParents: [Int32] = []
  @usableFromInline var parents: [Int32] = []

  /// The sums of each element.
  @usableFromInline var elementSums: [TreeSums] = []

  /// For each inner node the number of children, and in `fanOut` slots the children and their sums.
  @usableFromInline var counts: [UInt8] = []
  @usableFromInline var children: [Child] = []
  @usableFromInline var sums: [TreeSums] = []

  @usableFromInline var freeElements: [Int32] = []
  @usableFromInline var freeNodes: [Int32] = []

  /// Creates a forest without trees.
  @inlinable
  package init() {}

  /// Removes all trees and elements, and keeps their memory.
  package mutating func removeAll() {
    func empty<Element>(_ array: inout [Element]) {
      if !array.isEmpty { array.removeAll(keepingCapacity: true) }
    }
    empty(&roots)
    empty(&elementParents)
    empty(&parents)
    empty(&elementSums)
    empty(&counts)
    empty(&children)
    empty(&sums)
    empty(&freeElements)
    empty(&freeNodes)
  }

  /// Reserves memory for elements and trees, and for inner nodes in addition to those that there are.
  @inlinable
  package mutating func reserve(elements: Int, trees: Int, innerNodes: Int = 0) {
    elementParents.reserveCapacity(elements)
    elementSums.reserveCapacity(elements)
    roots.reserveCapacity(trees)
    let nodes = counts.count..<counts.count + innerNodes
    if nodes.isEmpty { return }
    parents.append(contentsOf: repeatElement(0, count: innerNodes))
    counts.append(contentsOf: repeatElement(0, count: innerNodes))
    children.append(contentsOf: repeatElement(.none, count: innerNodes * Self.fanOut))
    sums.append(contentsOf: repeatElement(.zero, count: innerNodes * Self.fanOut))
    freeNodes += nodes.reversed().map { Int32(truncatingIfNeeded: $0) }
  }

  /// Returns the number of inner nodes above a number of elements that a tree is filled with.
  @inlinable
  package static func innerNodes(above elements: Int) -> Int {
    var (count, level) = (0, elements)
    while level > 1 {
      level = (level + fanOut - 3) / (fanOut - 2)
      count += level
    }
    return count
  }

  /// Adds an empty tree and returns its number.
  @inlinable
  package mutating func makeTree() -> Int {
    roots.append(.none)
    return roots.count - 1
  }

  /// Adds elements that are in no tree yet, numbered in order.
  @inlinable
  package mutating func makeElements(_ count: Int) {
    elementParents.append(contentsOf: repeatElement(Int32.max, count: count))
    elementSums.append(contentsOf: repeatElement(.zero, count: count))
  }

  /// Returns an element that is in no tree yet.
  @inlinable
  package mutating func makeElement() -> Int {
    if let free = freeElements.popLast() { return Int(free) }
    elementParents.append(Int32.max)
    elementSums.append(.zero)
    return elementSums.count - 1
  }

  /// Makes an element that is in no tree available to ``makeElement()``.
  @inlinable
  package mutating func free(_ element: Int) {
    precondition(elementParents[element] == Int32.max, "the element is in no tree")
    freeElements.append(Int32(truncatingIfNeeded: element))
  }

  /// Returns the sums of an element.
  @inlinable @inline(__always)
  package func sums(of element: Int) -> TreeSums { elementSums[element] }

  /// Returns the sums of all elements of a tree.
  @inlinable @inline(__always)
  package func sums(ofTree tree: Int) -> TreeSums {
    let root = roots[tree]
    if root == .none { return .zero }
    return root.isInner ? total(of: root.index) : elementSums[root.index]
  }

  @inlinable
  func total(of node: Int) -> TreeSums {
    var total = TreeSums.zero
    let first = node * Self.fanOut
    for slot in first..<first + Int(counts[node]) { total += sums[slot] }
    return total
  }

  // MARK: Finding

  /// Returns the tree of an element, and the sums of the elements before it.
  @inlinable @inline(__always)
  package func position(of element: Int) -> (tree: Int, before: TreeSums) {
    var before = TreeSums.zero
    var child = Child.element(element)
    var parent = elementParents[element]
    while parent >= 0 {
      var slot = Int(parent) * Self.fanOut
      while children[slot] != child {
        before += sums[slot]
        slot += 1
      }
      child = .inner(Int(parent))
      parent = parents[Int(parent)]
    }
    return (Int(~parent), before)
  }

  /// Reports whether an element is in a tree.
  @inlinable @inline(__always)
  package func contains(_ element: Int) -> Bool { elementParents[element] != Int32.max }

  /// Returns the tree of an element.
  @inlinable @inline(__always)
  package func tree(of element: Int) -> Int {
    var parent = elementParents[element]
    while parent >= 0 { parent = parents[Int(parent)] }
    return Int(~parent)
  }

  /// Returns a number that orders the elements of a tree until the tree is changed.
  @inlinable @inline(__always)
  package func order(of element: Int) -> UInt64 {
    var order: UInt64 = 0
    var level: UInt64 = 0
    var child = Child.element(element)
    var parent = elementParents[element]
    while parent >= 0 {
      var slot = Int(parent) * Self.fanOut
      let first = slot
      while children[slot] != child { slot += 1 }
      order |= UInt64(slot - first) << level
      level += 4
      child = .inner(Int(parent))
      parent = parents[Int(parent)]
    }
    return order
  }

  /// Returns the element that covers an offset in a tree, in units of a lane, and the sums of the
  /// elements before it. Returns `nil` if the tree's sum is not greater than the offset.
  @inlinable
  package func find(_ offset: Int, _ lane: TreeSums.Lane, inTree tree: Int) -> (
    element: Int, before: TreeSums
  )? {
    guard offset >= 0, offset < sums(ofTree: tree)[lane] else { return nil }
    var before = TreeSums.zero
    var child = roots[tree]
    while child.isInner {
      var slot = child.index * Self.fanOut
      while offset >= before[lane] + sums[slot][lane] {
        before += sums[slot]
        slot += 1
      }
      child = children[slot]
    }
    return (child.index, before)
  }

  /// Returns the first element of a tree.
  @inlinable
  package func first(ofTree tree: Int) -> Int? { firstOrLast(ofTree: tree) { _ in 0 } }

  /// Returns the last element of a tree.
  @inlinable
  package func last(ofTree tree: Int) -> Int? { firstOrLast(ofTree: tree) { $0 - 1 } }

  /// Calls `body` with the elements of a tree in order.
  ///
  /// - Complexity: O(*m*).
  package func forEachElement(ofTree tree: Int, _ body: (Int) -> Void) {
    if roots[tree] != .none { forEachElement(below: roots[tree], body) }
  }

  private func forEachElement(below child: Child, _ body: (Int) -> Void) {
    guard child.isInner else { return body(child.index) }
    let first = child.index * Self.fanOut
    for slot in first..<first + Int(counts[child.index]) {
      forEachElement(below: children[slot], body)
    }
  }

  @inlinable
  func firstOrLast(ofTree tree: Int, _ slot: (Int) -> Int) -> Int? {
    let root = roots[tree]
    return root == .none ? nil : firstOrLast(of: root, slot)
  }

  @inlinable
  func firstOrLast(of child: Child, _ slot: (Int) -> Int) -> Int {
    var child = child
    while child.isInner {
      child = children[child.index * Self.fanOut + slot(Int(counts[child.index]))]
    }
    return child.index
  }

  /// Returns the next element of the tree.
  @inlinable
  package func element(after element: Int) -> Int? { neighbor(of: element, 1) { _ in 0 } }

  /// Returns the previous element of the tree.
  @inlinable
  package func element(before element: Int) -> Int? { neighbor(of: element, -1) { $0 - 1 } }

  @inlinable
  func neighbor(of element: Int, _ step: Int, _ slot: (Int) -> Int) -> Int? {
    var child = Child.element(element)
    var parent = elementParents[element]
    while parent >= 0 {
      let next = index(of: child, in: Int(parent)) + step
      if next >= 0, next < Int(counts[Int(parent)]) {
        return firstOrLast(of: children[Int(parent) * Self.fanOut + next], slot)
      }
      child = .inner(Int(parent))
      parent = parents[Int(parent)]
    }
    return nil
  }

  @inlinable
  func index(of child: Child, in node: Int) -> Int {
    let first = node * Self.fanOut
    var slot = first
    while children[slot] != child { slot += 1 }
    return slot - first
  }
}

extension SumForest {
  /// Stops the program if an invariant of a tree is violated: parents refer to their children and
  /// children to their parents, sums are those of the subtree, all elements of a tree have the same
  /// depth, and no node has no children.
  ///
  /// - Complexity: O(*m*) for all trees.
  package func checkInvariants() {
    for tree in roots.indices where roots[tree] != .none {
      var level = [roots[tree]]
      check(parentOf: roots[tree], is: ~Int32(truncatingIfNeeded: tree))
      while level[0].isInner {
        var below: [Child] = []
        for child in level {
          precondition(child.isInner, "elements have the same depth")
          let node = child.index
          precondition(counts[node] > 0 && Int(counts[node]) <= Self.fanOut, "a node has children")
          for slot in node * Self.fanOut..<node * Self.fanOut + Int(counts[node]) {
            let child = children[slot]
            check(parentOf: child, is: Int32(truncatingIfNeeded: node))
            let own = child.isInner ? total(of: child.index) : elementSums[child.index]
            precondition(sums[slot] == own, "a node has its children's sums")
            below.append(child)
          }
        }
        level = below
      }
      precondition(level.allSatisfy { !$0.isInner }, "elements have the same depth")
    }
  }

  private func check(parentOf child: Child, is parent: Int32) {
    let own = child.isInner ? parents[child.index] : elementParents[child.index]
    precondition(own == parent, "a child refers to its parent")
  }
}
