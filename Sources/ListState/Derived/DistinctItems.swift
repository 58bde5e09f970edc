/// The items that a view with `distinct` may show, by the value of the member.
struct DistinctItems: Sendable {
  private enum Items: Sendable {
    case one(UInt32)
    /// Two or more, in the order of the sources.
    case many([UInt32])
    case none

    var first: UInt32? {
      switch self {
      case .one(let key): key
      case .many(let keys): keys[0]
      case .none: nil
      }
    }

    var all: [UInt32] {
      switch self {
      case .one(let key): [key]
      case .many(let keys): keys
      case .none: []
      }
    }

    init(_ keys: [UInt32]) {
      self = keys.isEmpty ? .none : keys.count == 1 ? .one(keys[0]) : .many(keys)
    }
  }

  private var values = IDTable()

  /// The items with a value, by the key of the value.
  private var items: [UInt32: Items] = [:]

  /// The items of each value that the current change has modified, as they were before.
  private var before: [UInt32: Items] = [:]

  init() {}

  private func items(of value: UInt32) -> Items { items[value] ?? .none }

  private mutating func set(_ value: UInt32, to new: Items) {
    if before[value] == nil { before[value] = items(of: value) }
    if case .none = new { items[value] = nil } else { items[value] = new }
  }

  private mutating func key(of value: GroupID) -> UInt32 {
    value.bytes.withUnsafeBytes { values.intern(value.kind, $0) }
  }

  /// Adds an item that has a value. `isBehind` returns whether the item follows another one in the
  /// sources.
  ///
  /// - Complexity: O(*m*), where *m* is the number of items with the value; with O(log *m*) calls of
  ///   `isBehind`.
  mutating func insert(_ item: UInt32, _ value: GroupID, isBehind: (UInt32) -> Bool) {
    let key = key(of: value)
    guard items(of: key).first != nil else { return set(key, to: .one(item)) }
    var all = items(of: key).all
    all.insert(item, at: Self.index(in: all, isBehind: isBehind))
    set(key, to: .many(all))
  }

  /// Adds an item that follows all others in the sources.
  mutating func append(_ item: UInt32, _ value: GroupID) {
    let key = key(of: value)
    switch items[key] {
    case nil, .some(.none): items[key] = .one(item)
    case .one(let first): items[key] = .many([first, item])
    case .many(var keys):
      items[key] = nil
      keys.append(item)
      items[key] = .many(keys)
    }
  }

  /// Removes an item if it is present.
  ///
  /// - Complexity: That of ``insert(_:_:isBehind:)``.
  mutating func remove(_ item: UInt32, _ value: GroupID, isBehind: (UInt32) -> Bool) {
    let key = key(of: value)
    var all = items(of: key).all
    let index = Self.index(in: all, isBehind: isBehind)
    guard index < all.count, all[index] == item else { return }
    all.remove(at: index)
    set(key, to: Items(all))
  }

  /// Replaces the keys of all items with a value.
  ///
  /// - Complexity: O(*m*), where *m* is the number of these items.
  mutating func replaceKeys(of value: GroupID, _ newKey: (UInt32) -> UInt32) {
    let key = key(of: value)
    set(key, to: Items(items(of: key).all.map(newKey)))
  }

  private static func index(in items: [UInt32], isBehind: (UInt32) -> Bool) -> Int {
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(items[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// For each value that the current change has modified, its first item before and after the
  /// change.
  var firsts: [(old: UInt32?, new: UInt32?)] {
    before.map { ($1.first, items(of: $0).first) }
  }

  mutating func undoChange() {
    for (value, items) in before { set(value, to: items) }
    finishChange()
  }

  mutating func finishChange() {
    before = [:]
    if values.count > 2 * items.count + 1024 { forgetUnused() }
  }

  /// Removes the values that no item has.
  private mutating func forgetUnused() {
    let (values, items) = (values, items)
    self.values = IDTable()
    self.items = [:]
    for (key, items) in items {
      let value = GroupID(values.kind(of: key), Array(values.bytes(of: key)))
      self.items[self.key(of: value)] = items
    }
  }
}
