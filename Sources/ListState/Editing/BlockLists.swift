/// Ordered lists of small numbers. A number is in at most one list.
///
/// The numbers of a list are in blocks of bounded size, so that finding, inserting and removing a
/// number takes O(*b* + *n* / *b*) steps, where *n* is the length of its list and *b* the block
/// size.
struct BlockLists {
  private struct Block {
    var list: Int32
    var weight = 0
    var numbers: [Int32] = []
  }

  /// The position of a number: the index of its block in the list, and its index in that block.
  struct Position: Comparable {
    var block: Int
    var index: Int

    static func < (a: Position, b: Position) -> Bool { (a.block, a.index) < (b.block, b.index) }
  }

  private static let blockSize = 512

  private var blocks: [Block] = []

  /// The blocks of each list, in order.
  private var lists: [[Int32]]

  /// The block of each number, or -1 if the number is in no list.
  private var blockOf: [Int32]

  /// The weight of each number. Empty if every weight is 1.
  private let weights: [Int32]

  /// Creates empty lists for numbers below `universe`.
  init(lists: Int, universe: Int, weights: [Int32] = []) {
    self.lists = Array(repeating: [], count: lists)
    self.weights = weights
    blockOf = Array(repeating: -1, count: universe)
  }

  var isEmpty: Bool { lists.isEmpty }

  /// Removes all numbers from all lists.
  mutating func removeAll() {
    self = BlockLists(lists: lists.count, universe: blockOf.count, weights: weights)
  }

  mutating func addList() -> Int {
    lists.append([])
    return lists.count - 1
  }

  func contains(_ number: Int) -> Bool { blockOf[number] >= 0 }

  /// Returns the list that contains a number.
  func list(of number: Int) -> Int { Int(blocks[Int(blockOf[number])].list) }

  /// Returns the sum of the weights of a list's numbers.
  func weight(of list: Int) -> Int { lists[list].reduce(0) { $0 + blocks[Int($1)].weight } }

  func forEach(in list: Int, _ body: (Int) -> Void) {
    for block in lists[list] { for number in blocks[Int(block)].numbers { body(Int(number)) } }
  }

  func last(in list: Int) -> Int? {
    lists[list].last.map { Int(blocks[Int($0)].numbers.last!) }
  }

  func position(of number: Int) -> Position {
    let block = blockOf[number]
    return Position(
      block: lists[Int(blocks[Int(block)].list)].firstIndex(of: block)!,
      index: index(of: number, in: block))
  }

  /// Returns the number that covers an offset into the sum of a list's weights, or `nil` if the sum
  /// is not greater than the offset.
  func number(at offset: Int, in list: Int) -> Int? {
    var left = offset
    for block in lists[list] {
      let block = blocks[Int(block)]
      if left >= block.weight {
        left -= block.weight
        continue
      }
      for number in block.numbers {
        left -= weight(ofNumber: Int(number))
        if left < 0 { return Int(number) }
      }
    }
    return nil
  }

  mutating func append(_ number: Int, to list: Int) {
    if lists[list].isEmpty { addBlock(to: list, at: 0) }
    let block = lists[list][lists[list].count - 1]
    insert(number, in: block, at: blocks[Int(block)].numbers.count)
  }

  mutating func insert(_ number: Int, at anchor: Int, isAfter: Bool) {
    let block = blockOf[anchor]
    insert(number, in: block, at: index(of: anchor, in: block) + (isAfter ? 1 : 0))
  }

  /// Inserts a number into a sorted list, after the numbers for which `comesBefore` is true.
  ///
  /// - Complexity: O(log *n*) calls of `comesBefore`, where *n* is the length of the list.
  mutating func insert(_ number: Int, in list: Int, after comesBefore: (Int) -> Bool) {
    let index = lists[list].partition { comesBefore(Int(blocks[Int($0)].numbers[0])) }
    guard index > 0 else {
      guard let first = lists[list].first else { return append(number, to: list) }
      return insert(number, in: first, at: 0)
    }
    let block = lists[list][index - 1]
    insert(number, in: block, at: blocks[Int(block)].numbers.partition { comesBefore(Int($0)) })
  }

  mutating func remove(_ number: Int) {
    let name = blockOf[number]
    let block = Int(name)
    blocks[block].numbers.remove(at: index(of: number, in: name))
    blocks[block].weight -= weight(ofNumber: number)
    if blocks[block].numbers.isEmpty { lists[Int(blocks[block].list)].removeAll { $0 == name } }
    blockOf[number] = -1
  }

  private func weight(ofNumber number: Int) -> Int {
    weights.isEmpty ? 1 : Int(weights[number])
  }

  private func index(of number: Int, in block: Int32) -> Int {
    blocks[Int(block)].numbers.firstIndex(of: Int32(truncatingIfNeeded: number))!
  }

  private mutating func insert(_ number: Int, in block: Int32, at index: Int) {
    blocks[Int(block)].numbers.insert(Int32(truncatingIfNeeded: number), at: index)
    blocks[Int(block)].weight += weight(ofNumber: number)
    blockOf[number] = block
    if blocks[Int(block)].numbers.count > Self.blockSize { split(block) }
  }

  private mutating func split(_ block: Int32) {
    let list = Int(blocks[Int(block)].list)
    let new = addBlock(to: list, at: lists[list].firstIndex(of: block)! + 1)
    // Numbers that are appended next fill the new block, and the old one stays nearly full.
    let half = Self.blockSize * 3 / 4
    let moved = Array(blocks[Int(block)].numbers[half...])
    blocks[Int(block)].numbers.removeSubrange(half...)
    for number in moved { blockOf[Int(number)] = new }
    let weight = moved.reduce(0) { $0 + self.weight(ofNumber: Int($1)) }
    blocks[Int(block)].weight -= weight
    blocks[Int(new)].weight = weight
    blocks[Int(new)].numbers = moved
  }

  @discardableResult
  private mutating func addBlock(to list: Int, at index: Int) -> Int32 {
    blocks.append(Block(list: Int32(truncatingIfNeeded: list)))
    let block = Int32(truncatingIfNeeded: blocks.count - 1)
    lists[list].insert(block, at: index)
    return block
  }
}

extension BlockLists {
  /// Stops the program if an invariant is violated: each number is in the block that it refers to,
  /// once, no block of a list is empty or too large, and blocks have the weights of their numbers.
  ///
  /// - Complexity: O(*n*), where *n* is the number of possible numbers.
  func checkInvariants() {
    var count = 0
    for list in lists.indices {
      for name in lists[list] {
        let block = blocks[Int(name)]
        precondition(Int(block.list) == list, "a block refers to its list")
        precondition(!block.numbers.isEmpty, "no block of a list is empty")
        precondition(block.numbers.count <= Self.blockSize, "a block is within its capacity")
        precondition(
          block.weight == block.numbers.reduce(0) { $0 + weight(ofNumber: Int($1)) },
          "a block has the weight of its numbers")
        precondition(
          block.numbers.allSatisfy { blockOf[Int($0)] == name }, "a number refers to its block")
        precondition(Set(block.numbers).count == block.numbers.count, "a number occurs once")
        count += block.numbers.count
      }
    }
    precondition(count == blockOf.count { $0 >= 0 }, "each number is in the list of its block")
  }
}

extension [Int32] {
  /// Returns the number of elements at the start that satisfy a condition. No later element
  /// satisfies it.
  fileprivate func partition(_ isBefore: (Int32) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
