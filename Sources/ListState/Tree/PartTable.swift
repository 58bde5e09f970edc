/// The parts of the items of a tree. An item that has parts has their number.
struct PartTable: Sendable {
  /// The parts by number. Their texts start relative to the text of their item. No item has the
  /// first ones.
  private var lists: [[Part]] = [[]]

  /// The number of items that have each number, or -1 for a free one.
  private var counts: [Int32] = [0]

  private var free: [UInt32] = []

  /// Numbers that no item had at some time since the last call of ``releaseUnused()``.
  private var emptied: [UInt32] = []

  /// Whether no item has parts.
  var isEmpty: Bool { lists.count - free.count == 1 }

  /// Returns the parts with a number, whose texts start relative to the text of their item.
  subscript(number: UInt32) -> [Part] { lists[Int(number)] }

  /// All parts.
  var all: some Sequence<Part> { lists.lazy.joined() }

  /// Returns the number of rows of an item.
  func rowCount(_ number: UInt32) -> Int { number == 0 ? 1 : lists[Int(number)].count }

  /// Returns a number for parts, whose texts start relative to the text of their item. It is kept
  /// at least until the next call of ``releaseUnused()``.
  mutating func number(of parts: [Part]) -> UInt32 {
    let number = free.popLast() ?? UInt32(truncatingIfNeeded: lists.count)
    if Int(number) == lists.count {
      lists.append(parts)
      counts.append(0)
    } else {
      lists[Int(number)] = parts
      counts[Int(number)] = 0
    }
    emptied.append(number)
    return number
  }

  /// Records that an item has a number.
  mutating func add(_ number: UInt32) { counts[Int(number)] += 1 }

  /// Records that an item does not have a number any more.
  mutating func remove(_ number: UInt32) {
    counts[Int(number)] -= 1
    if counts[Int(number)] == 0 { emptied.append(number) }
  }

  /// Releases the numbers that no item has.
  mutating func releaseUnused() {
    for number in emptied where counts[Int(number)] == 0 {
      lists[Int(number)] = []
      counts[Int(number)] = -1
      free.append(number)
    }
    emptied.removeAll(keepingCapacity: true)
  }

  /// Stops the program if the counts are not those of the numbers that items have.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  func checkInvariants(_ numbers: [UInt32]) {
    var counts = [Int32](repeating: 0, count: lists.count)
    for number in numbers where number > 0 { counts[Int(number)] += 1 }
    for number in free { counts[Int(number)] -= 1 }
    precondition(counts == self.counts, "parts are counted")
  }
}
