/// Ordered lists of small numbers, each of which is in one list at most.
///
/// The numbers of a list are in blocks of bounded size, so that a number is found, put in and taken
/// out in O(*b* + *n* / *b*) steps, where *n* is the length of its list and *b* the size of a block.
struct BlockLists {
  private struct Block {
    var list: Int32
    var weight = 0
    var numbers: [Int32] = []
  }

  /// Where a number is: its block, counted in its list, and its index there.
  struct Position: Comparable {
    var block: Int
    var index: Int

    static func < (a: Position, b: Position) -> Bool { (a.block, a.index) < (b.block, b.index) }
  }

  private static let blockSize = 512

  private var blocks: [Block] = []

  /// By list its blocks, in order.
  private var lists: [[Int32]]

  /// By number its block, -1 for one that is in no list.
  private var blockOf: [Int32]

  /// By number what it counts for; empty if each counts for one.
  private let weights: [Int32]

  /// A number of empty lists of numbers below `universe`.
  init(lists: Int, universe: Int, weights: [Int32] = []) {
    self.lists = Array(repeating: [], count: lists)
    self.weights = weights
    blockOf = Array(repeating: -1, count: universe)
  }

  var isEmpty: Bool { lists.isEmpty }

  /// Takes all numbers out of all lists.
  mutating func removeAll() {
    self = BlockLists(lists: lists.count, universe: blockOf.count, weights: weights)
  }

  mutating func addList() -> Int {
    lists.append([])
    return lists.count - 1
  }

  func contains(_ number: Int) -> Bool { blockOf[number] >= 0 }

  /// The list that a number is in.
  func list(of number: Int) -> Int { Int(blocks[Int(blockOf[number])].list) }

  /// The sum of the weights of a list's numbers.
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

  /// The number in a list at which a sum of weights is reached.
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

  /// Puts a number into a list behind those that come before it.
  ///
  /// - Complexity: O(log *n*) calls, where *n* is the length of the list.
  mutating func insert(_ number: Int, in list: Int, behind comesBefore: (Int) -> Bool) {
    let place = lists[list].partition { comesBefore(Int(blocks[Int($0)].numbers[0])) }
    guard place > 0 else {
      guard let first = lists[list].first else { return append(number, to: list) }
      return insert(number, in: first, at: 0)
    }
    let block = lists[list][place - 1]
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
    // What is appended fills the new block; the old one stays nearly full.
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
  private mutating func addBlock(to list: Int, at place: Int) -> Int32 {
    blocks.append(Block(list: Int32(truncatingIfNeeded: list)))
    let block = Int32(truncatingIfNeeded: blocks.count - 1)
    lists[list].insert(block, at: place)
    return block
  }
}

extension [Int32] {
  /// How many elements at the beginning satisfy a condition that no later one satisfies.
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
