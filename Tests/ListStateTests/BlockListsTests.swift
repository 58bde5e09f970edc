import Testing

@testable import ListState

/// Compares lists in blocks with arrays.
@Suite struct BlockListsTests {
  @Test(arguments: [false, true])
  func randomChangesMatchArrays(hasWeights: Bool) {
    var random = SeededGenerator(seed: hasWeights ? 1 : 2)
    let universe = 3_000
    let weights = (0..<(hasWeights ? universe : 0)).map { _ in Int32(random.below(4)) }
    var lists = BlockLists(lists: 2, universe: universe, weights: weights)
    var arrays: [[Int]] = [[], []]
    #expect(lists.addList() == 2)
    arrays.append([])
    for round in 0..<40 {
      for _ in 0..<100 {
        change(&lists, &arrays, universe: universe, inserts: 9 - round / 5, &random)
      }
      lists.checkInvariants()
      for list in arrays.indices {
        check(lists, arrays[list], list: list, weights: weights, &random)
      }
    }
    lists.removeAll()
    lists.checkInvariants()
    #expect((0..<universe).allSatisfy { !lists.contains($0) })
  }

  private func change(
    _ lists: inout BlockLists, _ arrays: inout [[Int]], universe: Int, inserts: Int,
    _ random: inout SeededGenerator
  ) {
    let number = random.below(universe)
    let list = random.below(arrays.count)
    if lists.contains(number) {
      guard random.below(10) >= inserts else { return }
      let list = lists.list(of: number)
      #expect(arrays[list].contains(number))
      lists.remove(number)
      arrays[list].removeAll { $0 == number }
    } else if arrays[list].isEmpty || random.below(4) == 0 {
      lists.append(number, to: list)
      arrays[list].append(number)
    } else {
      let index = random.below(arrays[list].count)
      let isAfter = random.below(2) == 0
      if random.below(2) == 0 {
        lists.insert(number, at: arrays[list][index], isAfter: isAfter)
        arrays[list].insert(number, at: index + (isAfter ? 1 : 0))
      } else {
        let before = Set(arrays[list][..<index])
        lists.insert(number, in: list) { before.contains($0) }
        arrays[list].insert(number, at: index)
      }
    }
  }

  private func check(
    _ lists: BlockLists, _ array: [Int], list: Int, weights: [Int32],
    _ random: inout SeededGenerator
  ) {
    var numbers: [Int] = []
    lists.forEach(in: list) { numbers.append($0) }
    #expect(numbers == array)
    #expect(lists.last(in: list) == array.last)
    let covering = array.flatMap { number in
      Array(repeating: number, count: weights.isEmpty ? 1 : Int(weights[number]))
    }
    #expect(lists.weight(of: list) == covering.count)
    for offset in [0, random.below(covering.count + 1), covering.count] {
      let number = offset < covering.count ? covering[offset] : nil
      #expect(lists.number(at: offset, in: list) == number)
    }
    let positions = array.map(lists.position(of:))
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
  }
}
