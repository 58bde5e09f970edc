import Testing

@testable import ListState
@testable import ListViews

/// Forests and outlines against their definitions, for all small ones.
@Suite struct OutlineTests {
  /// All ways to choose one of `choices` numbers, from -1 on, for each of `count` items.
  private func each(_ count: Int, _ choices: Int, _ body: ([Int32]) -> Void) {
    var numbers = [Int32](repeating: -1, count: count)
    while true {
      body(numbers)
      guard let place = numbers.lastIndex(where: { Int($0) < choices - 2 }) else { return }
      numbers[place] += 1
      for later in numbers.indices where later > place { numbers[later] = -1 }
    }
  }

  /// The ancestors of an item from its parent on, as far as the first one that comes again.
  private func way(_ item: Int, _ parents: [Int32]) -> [Int] {
    var way: [Int] = []
    var next = Int(parents[item])
    while next >= 0, !way.contains(next) {
      way.append(next)
      next = Int(parents[next])
    }
    return way
  }

  @Test(arguments: 0...5) func itemsThatAreTheirOwnAncestorsAreRoots(_ count: Int) {
    each(count, count + 1) { parents in
      let forest = OutlineForest(parents)
      let cyclic = parents.indices.filter { way($0, parents).contains($0) }
      #expect(forest.cyclic.sorted() == cyclic.map { Int32($0) })
      for item in parents.indices {
        #expect(forest.parents[item] == (cyclic.contains(item) ? -1 : parents[item]))
      }
      for some in 0..<1 << count {
        let items = parents.indices.filter { some >> $0 & 1 != 0 }
        for andSelf in [false, true] {
          var visited: [Int] = []
          forest.forEachAncestor(of: items.map { Int32($0) }, andSelf: andSelf) {
            visited.append($0)
          }
          let wanted = Set(items.flatMap { (andSelf ? [$0] : []) + way($0, forest.parents) })
          #expect(visited.sorted() == wanted.sorted())
        }
      }
    }
  }

  @Test func ranksAreThoseOfTheBestBelow() {
    var random = SmallGenerator()
    each(4, 5) { parents in
      let forest = OutlineForest(parents)
      let scores = parents.map { _ in Int32.random(in: -1...2, using: &random) }
      let lengths = scores.map { $0 < 0 ? 0 : Int32.random(in: 0...2, using: &random) }
      var (best, shortest) = (scores, lengths)
      forest.spreadRanks(
        of: parents.indices.map { Int32($0) }, scores: &best, lengths: &shortest)
      for item in parents.indices {
        let below = parents.indices.filter {
          $0 == item || way($0, forest.parents).contains(item)
        }
        let wanted = below.map { (scores[$0], -lengths[$0]) }.max { $0 < $1 }!
        #expect((best[item], -shortest[item]) == wanted, "\(parents) \(scores) \(lengths)")
      }
    }
  }

  /// All outlines of a few items, each given by the levels of its items, with all states of these.
  @Test(arguments: 0...5) func whatIsShownHasAncestorsThatAreExpanded(_ count: Int) {
    each(count, count + 1) { numbers in
      let levels = numbers.map { Int($0) + 1 }
      guard levels.first ?? 0 == 0, zip(levels, levels.dropFirst()).allSatisfy({ $1 <= $0 + 1 })
      else { return }
      for state in 0..<1 << count {
        var outline = Outline()
        outline.openLevels = 1
        for (item, level) in levels.enumerated() {
          outline.append(level: level, item == count - 1 ? [.lazy] : [])
        }
        outline.finish()
        var states: [Int: ExpansionState] = [:]
        for item in levels.indices where state >> item & 1 != 0 {
          states[item] = item % 2 == 0 ? .collapsed : .expanded
        }
        outline.show(states.map { ($0, $1) })
        check(outline, levels, states)
      }
    }
  }

  private func check(_ outline: Outline, _ levels: [Int], _ states: [Int: ExpansionState]) {
    func parent(_ item: Int) -> Int {
      levels[..<item].lastIndex { $0 == levels[item] - 1 } ?? -1
    }
    func ancestors(_ item: Int) -> [Int] {
      var found: [Int] = []
      var next = parent(item)
      while next >= 0 {
        found.append(next)
        next = parent(next)
      }
      return found
    }
    func isExpanded(_ item: Int) -> Bool {
      switch states[item] ?? .none {
      case .expanded: true
      case .collapsed: false
      case .none:
        levels[item] == 0 && !(item == levels.count - 1)
      }
    }
    let shown = levels.indices.filter { ancestors($0).allSatisfy(isExpanded) }
    #expect(outline.shown.map { Int($0) } == shown, "\(levels) \(states)")
    for item in levels.indices {
      #expect(outline.isExpanded(item) == isExpanded(item))
      let children = levels.indices.filter { parent($0) == item }
      #expect(Int(outline.childCounts[item]) == children.count)
      #expect(outline.canExpand(item) == (!children.isEmpty || item == levels.count - 1))
      #expect(outline.shownCount(before: item) == shown.filter { $0 < item }.count)
      for deep in [false, true] {
        var edited = states
        var edits = OutlineEdits()
        edits.append(.collapseItems([], deep: deep), of: [item])
        for (item, state) in edits.takeStates(in: Positions(outline: outline)) {
          edited[item] = state
        }
        for other in levels.indices {
          let isBelow = deep && ancestors(other).contains(item) && outline.childCounts[other] > 0
          #expect(edited[other] == (other == item || isBelow ? .collapsed : states[other]))
        }
      }
    }
  }

  /// Many edits at once give items the states that they give one after the other.
  @Test func editsAreMadeAsIfOneAfterTheOther() {
    var generator = SmallGenerator()
    for _ in 0..<2000 {
      var outline = Outline()
      var level = 0
      for item in 0..<Int.random(in: 1...9, using: &generator) {
        level = item == 0 ? 0 : Int.random(in: 0...level + 1, using: &generator)
        outline.append(level: level, [])
      }
      outline.finish()
      let tree = Positions(outline: outline)
      var (atOnce, states, expected) = (OutlineEdits(), [Int: ExpansionState](), [Int]())
      for _ in 0..<Int.random(in: 1...9, using: &generator) {
        let edits: [OutlineEdit] = [
          .expandItems([], deep: false), .collapseItems([], deep: false),
          .expandItems([], deep: true), .collapseItems([], deep: true), .revealItems([]),
          .revealItems([]), .expandAll, .collapseAll,
        ]
        let edit = edits.randomElement(using: &generator)!
        let item = Int.random(in: 0..<outline.count, using: &generator)
        var one = OutlineEdits()
        one.append(edit, of: [item])
        for (item, state) in one.takeStates(in: tree) { states[item] = state }
        atOnce.append(edit, of: [item])
        if case .expandItems = edit, !expected.contains(item) { expected.append(item) }
        if case .collapseItems = edit { expected.removeAll { $0 == item } }
      }
      let made = atOnce.takeStates(in: tree)
      #expect(Dictionary(made.map { ($0.item, $0.state) }) { $1 } == states)
      #expect(made.count == states.count && atOnce.expanded == expected)
    }
  }
}

/// Numbers of a fixed seed (Marsaglia 2003).
struct SmallGenerator: RandomNumberGenerator {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

/// The positions of an outline as a tree.
private struct Positions: ExpandableTree {
  let outline: Outline

  func parent(of position: Int) -> Int { Int(outline.parents[position]) }
  func childCount(of position: Int) -> Int { Int(outline.childCounts[position]) }
  var itemsWithChildren: [Int] {
    outline.childCounts.indices.filter { outline.childCounts[$0] > 0 }
  }

  func walk(from position: Int, _ body: (_ position: Int, _ depth: Int) -> Bool) {
    var next = position
    while next < Int(outline.ends[position]) {
      let isEntered = body(next, Int(outline.levels[next] - outline.levels[position]))
      next = isEntered ? next + 1 : Int(outline.ends[next])
    }
  }
}
