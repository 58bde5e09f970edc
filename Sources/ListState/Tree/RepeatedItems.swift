/// The keys of a tree's items that repeat.
///
/// Each item of a tree has a key of its own. Of several items with the same identity, one has the
/// key of the identity, its base, and each other one the key of an occurrence of it
/// (``IDTable/internOccurrence(_:of:)``). The keys of an identity are linked in a ring:
///
/// ```
///   base ─▶ third occurrence ─▶ second ─▶ first ─┐
///    ▲                                           │
///    └───────────────────────────────────────────┘
/// ```
///
/// A key that no item has any more stays in its ring, to be used again.
struct RepeatedItems: Sendable {
  private struct Link: Sendable {
    var base: UInt32

    /// The next key of the ring.
    var next: UInt32

    /// For a base the number of its occurrences, and the last key that ``someKeys(of:)`` returned.
    var count: UInt32 = 0
    var last: UInt32 = 0
  }

  private struct Rings: Sendable {
    var links: [UInt32: Link] = [:]

    /// For some identities the keys of the items, in order.
    var orders: [UInt32: [UInt32]] = [:]
  }

  /// No element or one, because trees are copied and few have items that repeat.
  private var rings: [Rings] = []

  /// Whether no identity has occurrences.
  var isEmpty: Bool { rings.isEmpty }

  /// All keys of identities with occurrences.
  var keys: [UInt32] { rings.isEmpty ? [] : Array(rings[0].links.keys) }

  private func link(_ key: UInt32) -> Link? { rings.isEmpty ? nil : rings[0].links[key] }

  /// Reports whether a key is one of several of its identity.
  func contains(_ key: UInt32) -> Bool { link(key) != nil }

  /// Returns the key of the identity of an item.
  func base(of key: UInt32) -> UInt32 { link(key)?.base ?? key }

  /// The number of occurrences of an identity, which is the last number that one of them has.
  func count(of base: UInt32) -> UInt32 { link(base)?.count ?? 0 }

  /// Adds an occurrence.
  mutating func add(_ key: UInt32, of base: UInt32) {
    guard key != base, link(key) == nil else { return }
    if rings.isEmpty { rings.append(Rings()) }
    var first = link(base) ?? Link(base: base, next: base, last: base)
    rings[0].links[key] = Link(base: base, next: first.next)
    first.next = key
    first.count += 1
    rings[0].links[base] = first
  }

  /// Returns all keys of an identity.
  func keys(of base: UInt32) -> [UInt32] {
    var keys = [base]
    var next = link(base)?.next ?? base
    while next != base {
      keys.append(next)
      next = link(next)!.next
    }
    return keys
  }

  /// Returns the first key of an identity that satisfies a condition.
  func firstKey(of base: UInt32, where isWanted: (UInt32) -> Bool) -> UInt32? {
    var key = base
    repeat {
      if isWanted(key) { return key }
      key = link(key)?.next ?? base
    } while key != base
    return nil
  }

  /// Returns the base and a few occurrences of an identity, each time the next ones, so that most
  /// unused keys are found if there are many.
  mutating func someKeys(of base: UInt32) -> [UInt32] {
    guard var key = link(base)?.last else { return [base] }
    var keys = [base]
    for _ in 0..<4 {
      key = link(key)!.next
      keys.append(key)
    }
    rings[0].links[base]!.last = key
    return keys
  }

  // MARK: Order

  /// Returns the keys of the items with an identity in order, if they are known.
  func order(of base: UInt32) -> [UInt32]? { rings.isEmpty ? nil : rings[0].orders[base] }

  /// Sets the keys of the items with an identity in order.
  mutating func setOrder(_ order: [UInt32], of base: UInt32) {
    if !rings.isEmpty { rings[0].orders[base] = order }
  }

  /// Removes the item at an index of a known order. The order is not kept elsewhere.
  mutating func removeFromOrder(_ index: Int, of base: UInt32) {
    rings[0].orders[base]!.remove(at: index)
  }

  /// Inserts an item at an index of a known order.
  mutating func insertIntoOrder(_ key: UInt32, at index: Int, of base: UInt32) {
    rings[0].orders[base]!.insert(key, at: index)
  }

  /// Forgets all orders because sections are moved, or because the change ends.
  mutating func forgetOrders() {
    if !rings.isEmpty { rings[0].orders = [:] }
  }
}
