import SumTrees
import Testing

@testable import listd_fuzz

/// Compares trees of sums with arrays.
@Suite struct SumForestTests {
  private struct Element: Equatable {
    var number: Int
    var items: Int
  }

  @Test(arguments: 0..<8)
  func randomChangesMatchArrays(seed: UInt64) {
    var random = SplitMix(state: seed)
    var forest = SumForest()
    var arrays: [[Element]] = (0..<3).map { _ in
      _ = forest.makeTree()
      return []
    }
    arrays[2] = (0..<random.next(below: 600)).map { _ in
      Element(number: forest.makeElement(), items: random.next(below: 9))
    }
    forest.build(2, of: arrays[2].map { ($0.number, TreeSums(items: $0.items, elements: 1)) })
    for round in 0..<12 {
      let inserts = 2 + random.next(below: 7)
      for _ in 0..<200 { change(&forest, &arrays, inserts: inserts, &random) }
      forest.checkInvariants()
      for tree in arrays.indices { check(forest, arrays[tree], tree) }
      if round == 6 { empty(&forest, &arrays[0]) }
    }
  }

  private func change(
    _ forest: inout SumForest, _ arrays: inout [[Element]], inserts: Int,
    _ random: inout SplitMix
  ) {
    let tree = random.next(below: 3)
    if random.next(below: 10) < inserts || arrays[tree].isEmpty {
      let index = random.next(below: arrays[tree].count + 1)
      let element = Element(number: forest.makeElement(), items: random.next(below: 9))
      forest.insert(
        element.number, TreeSums(items: element.items, elements: 1),
        after: index == 0 ? nil : arrays[tree][index - 1].number, inTree: tree)
      arrays[tree].insert(element, at: index)
    } else if random.next(below: 2) == 0 {
      let element = arrays[tree].remove(at: random.next(below: arrays[tree].count))
      forest.remove(element.number)
      #expect(!forest.contains(element.number))
      forest.free(element.number)
    } else {
      let index = random.next(below: arrays[tree].count)
      forest.add(TreeSums(items: 2), to: arrays[tree][index].number)
      arrays[tree][index].items += 2
    }
  }

  private func empty(_ forest: inout SumForest, _ array: inout [Element]) {
    while let element = array.popLast() {
      forest.remove(element.number)
      forest.free(element.number)
    }
  }

  private func check(_ forest: SumForest, _ array: [Element], _ tree: Int) {
    var before = 0
    var last: UInt64?
    for (index, element) in array.enumerated() {
      let position = forest.position(of: element.number)
      #expect(position.tree == tree)
      #expect(position.before == TreeSums(items: before, elements: index))
      #expect(forest.find(index, .elements, inTree: tree)?.element == element.number)
      if element.items > 0 {
        let found = forest.find(before + element.items - 1, .items, inTree: tree)
        #expect(found?.element == element.number)
        #expect(found?.before.items == before)
      }
      let order = forest.order(of: element.number)
      #expect(last.map { $0 < order } ?? true)
      last = order
      let next = index + 1 < array.count ? array[index + 1].number : nil
      #expect(forest.element(after: element.number) == next)
      #expect(forest.element(before: element.number) == (index > 0 ? array[index - 1].number : nil))
      before += element.items
    }
    #expect(forest.sums(ofTree: tree) == TreeSums(items: before, elements: array.count))
    #expect(forest.find(before, .items, inTree: tree) == nil)
    #expect(forest.first(ofTree: tree) == array.first?.number)
    #expect(forest.last(ofTree: tree) == array.last?.number)
  }
}
