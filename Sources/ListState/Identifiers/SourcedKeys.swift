/// The keys that items of lists have in composites of these.
///
/// They are found by the key of the list and that of the item there, without a hash of either: the items of
/// a list mostly have consecutive keys, and so have they in a composite.
struct SourcedKeys: Sendable {
  /// Some consecutive keys of the items of a list.
  private struct Page: Hashable {
    let list: UInt32
    let number: UInt32
  }

  /// The number of keys of a page.
  private static let width: UInt32 = 16

  /// Where the keys of each page start in ``keys``.
  private var starts: [Page: Int] = [:]

  /// The keys in the composites plus one, or 0 for those that have none.
  private var keys: [UInt32] = []

  /// The starts of pages that are not in use.
  private var free: [Int] = []

  /// The page that was changed last, and its start.
  private var last = (page: Page(list: .max, number: .max), start: 0)

  /// The number of keys.
  private(set) var count = 0

  /// Returns the key that an item of a list has in a composite.
  func find(_ key: UInt32, from list: UInt32) -> UInt32? {
    let page = Page(list: list, number: key / Self.width)
    guard let start = page == last.page ? last.start : starts[page] else { return nil }
    let found = keys[start + Int(key % Self.width)]
    return found == 0 ? nil : found - 1
  }

  /// Adds a key for an item that has none.
  mutating func add(_ sourced: UInt32, for key: UInt32, from list: UInt32) {
    let page = Page(list: list, number: key / Self.width)
    if page != last.page { last = (page, starts[page] ?? addPage(page)) }
    keys[last.start + Int(key % Self.width)] = sourced + 1
    count += 1
  }

  private mutating func addPage(_ page: Page) -> Int {
    let start = free.popLast() ?? keys.count
    if start == keys.count {
      keys.reserveSparingly(Int(Self.width))
      keys.append(contentsOf: repeatElement(0, count: Int(Self.width)))
    }
    starts[page] = start
    return start
  }

  /// Removes the key of an item.
  mutating func remove(_ key: UInt32, from list: UInt32) {
    let page = Page(list: list, number: key / Self.width)
    guard let start = starts[page] else { return }
    keys[start + Int(key % Self.width)] = 0
    count -= 1
    guard keys[start..<start + Int(Self.width)].allSatisfy({ $0 == 0 }) else { return }
    starts[page] = nil
    free.append(start)
    if page == last.page { last.page = Page(list: .max, number: .max) }
  }
}
