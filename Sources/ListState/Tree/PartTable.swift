/// The parts of the items of a tree. An item that has parts has their number.
struct PartTable: Sendable {
  private struct Storage: Sendable {
    /// The parts by number. Their texts start relative to the text of their item. No item has the
    /// first ones.
    var lists: [[Part]] = [[]]

    /// The number of items that have each number, or -1 for a free one.
    var counts: [Int32] = [0]

    var free: [UInt32] = []

    /// Numbers that no item had at some time since the last call of ``releaseUnused()``.
    var emptied: [UInt32] = []
  }

  /// `nil` if no item has parts.
  private var storage: Storage?

  /// Whether no item has parts.
  var isEmpty: Bool { storage == nil }

  /// Returns the parts with a number, whose texts start relative to the text of their item.
  subscript(number: UInt32) -> [Part] { storage!.lists[Int(number)] }

  /// All parts.
  var all: some Sequence<Part> { (storage?.lists ?? []).lazy.joined() }

  /// Returns the number of rows of an item.
  func rowCount(_ number: UInt32) -> Int { number == 0 ? 1 : storage!.lists[Int(number)].count }

  /// Returns a number for parts, whose texts start relative to the text of their item. It is kept
  /// at least until the next call of ``releaseUnused()``.
  mutating func number(of parts: [Part]) -> UInt32 {
    if storage == nil { storage = Storage() }
    let number = storage!.free.popLast() ?? UInt32(truncatingIfNeeded: storage!.lists.count)
    if Int(number) == storage!.lists.count {
      storage!.lists.append(parts)
      storage!.counts.append(0)
    } else {
      storage!.lists[Int(number)] = parts
      storage!.counts[Int(number)] = 0
    }
    storage!.emptied.append(number)
    return number
  }

  /// Records that an item has a number.
  mutating func add(_ number: UInt32) { storage!.counts[Int(number)] += 1 }

  /// Records that an item does not have a number any more.
  mutating func remove(_ number: UInt32) {
    storage!.counts[Int(number)] -= 1
    if storage!.counts[Int(number)] == 0 { storage!.emptied.append(number) }
  }

  /// Releases the numbers that no item has.
  mutating func releaseUnused() {
    if storage == nil { return }
    for number in storage!.emptied where storage!.counts[Int(number)] == 0 {
      storage!.lists[Int(number)] = []
      storage!.counts[Int(number)] = -1
      storage!.free.append(number)
    }
    storage!.emptied.removeAll(keepingCapacity: true)
    if storage!.lists.count - storage!.free.count == 1 { storage = nil }
  }

  /// Stops the program if the counts are not those of the numbers that items have.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  func checkInvariants(_ numbers: [UInt32]) {
    guard let storage else {
      return precondition(numbers.allSatisfy { $0 == 0 }, "a number has parts")
    }
    var counts = [Int32](repeating: 0, count: storage.lists.count)
    for number in numbers where number > 0 { counts[Int(number)] += 1 }
    for number in storage.free { counts[Int(number)] -= 1 }
    precondition(counts == storage.counts, "parts are counted")
  }
}
