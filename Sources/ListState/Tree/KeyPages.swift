/// A number for each of some keys, -1 for all others.
///
/// Keys are given to items in order, whatever list they are added to, so that the keys of a list are
/// runs between those of other lists. Pages without keys of the list take no memory.
struct KeyPages: Sendable {
  /// The number of keys of a page.
  private static let width = 64

  /// For each page the index of its first entry, or -1 if none of its keys has had a number.
  private var starts: [Int32] = []

  /// The numbers of the keys of all pages that have any, or -1.
  private var entries: [Int32] = []

  /// The number of keys that can have numbers: all that are less.
  var limit: Int { starts.count * Self.width }

  /// Raises the limit to include the keys that are less than `limit`.
  mutating func raise(to limit: Int) {
    let count = (limit + Self.width - 1) / Self.width - starts.count
    guard count > 0 else { return }
    starts.reserveSparingly(count)
    starts.append(contentsOf: repeatElement(-1, count: count))
  }

  /// Reserves memory for the numbers of about `count` keys.
  mutating func reserve(_ count: Int) { entries.reserveCapacity(count + 2 * Self.width) }

  /// The number of a key that is less than the limit.
  subscript(key: UInt32) -> Int32 {
    get {
      let start = starts[Int(key) / Self.width]
      return start < 0 ? -1 : entries[Int(start) + Int(key) % Self.width]
    }
    set {
      var start = starts[Int(key) / Self.width]
      if start < 0 {
        if newValue < 0 { return }
        start = addPage(of: key)
      }
      entries[Int(start) + Int(key) % Self.width] = newValue
    }
  }

  private mutating func addPage(of key: UInt32) -> Int32 {
    let start = Int32(truncatingIfNeeded: entries.count)
    entries.reserveSparingly(Self.width)
    entries.append(contentsOf: repeatElement(-1, count: Self.width))
    starts[Int(key) / Self.width] = start
    return start
  }

  /// All numbers, in no particular order.
  var numbers: some Sequence<Int32> { entries.lazy.filter { $0 >= 0 } }
}
