import ListDiff
import Testing

@testable import ListSources

/// Outlines of items that have others inside them are as if they were made anew after each edit.
///
/// Promise: A Swift outline of items that contain others follows the edits of its source, whatever moves from
///   one item into another, and keeps what is expanded and selected.
@MainActor @Suite struct NestedTests {
  private struct Node: Identifiable, Equatable {
    var id: Int
    var text = ""
    var nodes: [Node] = []
  }

  private typealias Group = Changes.Section<String, Node>

  /// The rows of items, by the most obvious implementation.
  private func rows(
    _ items: [Node], _ isExpanded: (Int) -> Bool, _ level: Int = 0
  ) -> [OutlineRow<Node>] {
    items.flatMap { item in
      let isShown = !item.nodes.isEmpty && isExpanded(item.id)
      let row = OutlineRow(
        item: item, level: level, hasChildren: !item.nodes.isEmpty, isExpanded: isShown)
      return [row] + (isShown ? rows(item.nodes, isExpanded, level + 1) : [])
    }
  }

  private func all(_ items: [Node]) -> [Node] { items.flatMap { [$0] + all($0.nodes) } }

  private func check(
    _ outline: OutlineSource<Group>, _ source: SectionSource<Group>, _ story: String
  ) {
    let list = source.sections
    let expected = list.map { rows($0.items) { outline.isExpanded($0) } }
    #expect(outline.sections.map { $0.items } == expected, "\(story)")
    #expect(outline.sections.map { $0.id } == list.map { $0.id })
    #expect(outline.base.sections.map { $0.items } == list.map { all($0.items) }, "\(story)")
    outline.tree.checkInvariants()
    outline.base.tree.checkInvariants()
  }

  /// Forests that change at random: nodes move from one node into another and to the top, also between sections,
  /// in edits, batches, batches that fail, and new lists.
  @MainActor private struct Forest {
    let source: ListSource<Group>
    var random: Numbers
    var next = 0

    init(seed: UInt64) {
      random = Numbers(state: seed)
      source = ListSource(sections: [Group(id: "a", items: []), Group(id: "b", items: [])])
      for _ in 0..<random.next(below: 40) { change() }
    }

    /// Changes the list with `edit`, which gets the children of each node and of each section.
    private func map(_ list: [Group], _ edit: (inout [Node]) -> Void) -> [Group] {
      func visit(_ nodes: inout [Node]) {
        for index in nodes.indices { visit(&nodes[index].nodes) }
        edit(&nodes)
      }
      var list = list
      for index in list.indices { visit(&list[index].items) }
      return list
    }

    private mutating func changed(_ list: [Group]) -> [Group] {
      var ids: [Int] = []
      _ = map(list) { ids += $0.map(\.id) }
      var taken: Node?
      var list = list
      if random.next(below: 3) > 0, let id = ids.randomElement(using: &random) {
        list = map(list) { nodes in
          if let index = nodes.firstIndex(where: { $0.id == id }) {
            taken = nodes.remove(at: index)
          }
        }
      }
      if random.next(below: 4) == 0 { return list }
      next += 1
      var node = taken ?? Node(id: next, text: "\(next)")
      if random.next(below: 3) == 0 { node.text += "!" }
      var places = 0
      _ = map(list) { _ in places += 1 }
      let chosen = random.next(below: max(1, places))
      let at = random.next(below: 3)
      places = 0
      return map(list) { nodes in
        if places == chosen { nodes.insert(node, at: min(at, nodes.count)) }
        places += 1
      }
    }

    mutating func change() {
      var list = source.sections
      for _ in 0...random.next(below: 3) { list = changed(list) }
      switch random.next(below: 12) {
      case 0: list.swapAt(0, list.count - 1)
      case 1 where list.count < 4: list.append(Group(id: "new \(next)", items: []))
      case 2 where list.count > 2: list.removeFirst()
      case 3:
        _ = try? source.batch {
          try source.updateItems(list[0].items.filter { source.path(of: $0.id) != nil })
          try source.deleteItems([-1])
        }
      default: break
      }
      source.apply(list)
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>) func randomForests(_ seed: UInt64) throws {
    var forest = Forest(seed: seed)
    let source = forest.source
    let outline = source.outline(isExpanded: seed % 2 == 0, children: \.nodes)
    var selected: Set<Int> = []
    for round in 0..<120 {
      forest.change()
      let items = all(source.sections.flatMap(\.items)).map(\.id)
      if forest.random.next(below: 4) == 0, let item = items.randomElement(using: &forest.random) {
        if outline.isExpanded(item) { outline.collapse(item) } else { outline.expand(item) }
      }
      if forest.random.next(below: 3) > 0 { check(outline, source, "\(seed) \(round)") }
      selected.formIntersection(items)
      if let item = outline.sections.flatMap(\.items).randomElement(using: &forest.random)?.id {
        try outline.select([item], .toggle)
        selected.formSymmetricDifference([item])
        let shown = outline.sections.flatMap { $0.items.map(\.id) }
        #expect(outline.selected == selected.intersection(shown), "\(seed) \(round)")
        #expect(outline.base.selected == selected)
      }
      #expect(source.selected == [])
    }
  }

  @Test func folders() throws {
    let files = [
      Node(id: 1, nodes: [Node(id: 2, nodes: [Node(id: 3)]), Node(id: 4)]), Node(id: 5),
    ]
    let source = ListSource(sections: [Group(id: "a", items: files)])
    let outline = source.sorted(by: \.id, >).outline(children: \.nodes)
    func shown() -> [[Int]] { outline.sections[0].items.map { [$0.level, $0.id] } }
    #expect(shown() == [[0, 5], [0, 1]])
    outline.expand(1)
    outline.expand(2)
    #expect(shown() == [[0, 5], [0, 1], [1, 2], [2, 3], [1, 4]])
    try outline.select([3])
    try outline.moveCursor(to: 3)
    var changed = files[0]
    changed.nodes = [Node(id: 6), changed.nodes[1], Node(id: 7, nodes: changed.nodes[0].nodes)]
    try source.updateItems([changed])
    #expect(shown() == [[0, 5], [0, 1], [1, 6], [1, 4], [1, 7]])
    outline.expand(7)
    #expect(shown().last == [2, 3] && outline.selected == [3] && outline.cursor == 3)
    changed.nodes.removeLast()
    try source.updateItems([changed])
    #expect(outline.selected == [] && outline.cursor == 4)
    _ = try? outline.batch { () throws(ListSource<Group>.Failure) in
      try? outline.base.select([4, 5])
      try source.deleteItems([5])
      #expect(shown() == [[0, 1], [1, 6], [1, 4]] && outline.selected == [4])
      try source.deleteItems([9])
    }
    #expect(shown() == [[0, 5], [0, 1], [1, 6], [1, 4]] && outline.selected == [])
  }

  /// Items that are inside themselves, and items with the ids of others, end.
  @Test func repeatedIDs() throws {
    let source = ListSource(sections: [Group(id: "a", items: [Node(id: 1), Node(id: 2)])])
    let cyclic = source.outline(isExpanded: true) { node in [Node(id: node.id % 4 + 1)] }
    #expect(cyclic.itemCount == 4)
    try source.updateItems([Node(id: 1, text: "a")])
    try source.deleteItems([2])
    #expect(cyclic.sections[0].items.first?.item.text == "a")
    let twice = [Node(id: 1, nodes: [Node(id: 3), Node(id: 3), Node(id: 1)]), Node(id: 3)]
    source.apply([Group(id: "a", items: twice)])
    let outline = source.outline(isExpanded: true, children: \.nodes)
    #expect(outline.sections[0].items.map(\.id) == [1, 3])
    source.apply([Group(id: "a", items: [Node(id: 1, nodes: [Node(id: 3)])])])
    #expect(outline.sections[0].items.map(\.id) == [1, 3])
    outline.tree.checkInvariants()
  }

  @Test func aLongChain() throws {
    var chain = Node(id: 3_000)
    for id in (0..<3_000).reversed() { chain = Node(id: id, nodes: [chain]) }
    let source = ListSource(sections: [Group(id: "a", items: [chain])])
    let outline = source.outline(isExpanded: true, children: \.nodes)
    #expect(outline.itemCount == 3_001)
    chain.text = "new"
    chain.nodes[0].nodes[0].nodes.append(Node(id: 4_000))
    try source.updateItems([chain])
    #expect(outline.path(of: 4_000) == ListPath(section: 0, row: 3_001))
  }

  /// A change deep in a tree costs hardly more if the tree is large.
  @Test func costs() throws {
    final class Calls { var count = 0 }
    func cost(_ depth: Int) throws -> Int {
      func node(_ id: Int, _ depth: Int) -> Node {
        let nodes = depth == 0 ? [] : (0..<10).map { node(id * 10 + $0, depth - 1) }
        return Node(id: id, nodes: nodes)
      }
      let source = ListSource(sections: [Group(id: "a", items: (1...9).map { node($0, depth) })])
      let calls = Calls()
      let outline = source.outline(isExpanded: true) { (node: Node) -> [Node]? in
        calls.count += 1
        return node.nodes
      }
      _ = outline.itemCount
      calls.count = 0
      for index in 0..<20 {
        var root = try #require(source.value.item(index % 9 + 1))
        root.nodes[index % 10].nodes[3].text = "\(index)"
        root.nodes[index % 10].nodes[4].nodes.append(Node(id: -index))
        try source.updateItems([root])
        _ = outline.itemCount
      }
      #expect(calls.count > 0)
      return calls.count
    }
    let (small, large) = (try cost(2), try cost(4))
    #expect(large <= small * 2, "\(small) and \(large)")
  }
}
