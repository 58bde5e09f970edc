extension ListStore {
  /// Gives back the identifiers that no revision of a list holds, once there are many of them.
  ///
  /// - Complexity: O(1) most times; else O(*n*), where *n* is the size of all identifiers and of all
  ///   revisions that are kept.
  package mutating func sweepIdentifiers() {
    guard ids.count >= nextSweep else { return }
    var live = LiveKeys(bound: ids.universe)
    for name in names {
      guard let list = try? list(name) else { continue }
      list.forEachKey { live.insert($0, ids) }
    }
    ids.sweep { live.contains($0) }
    nextSweep = ids.count + max(1 << 16, ids.count / 2)
  }
}

/// The keys that something holds on to, also by way of other keys.
private struct LiveKeys {
  private var keys: BitSet

  init(bound: Int) { keys = BitSet(bound: bound) }

  func contains(_ key: UInt32) -> Bool { keys.contains(Int(key)) }

  mutating func insert(_ key: UInt32, _ ids: borrowing IDTable) {
    guard keys.insert(Int(key)) else { return }
    var pending = ids.keys(in: key)
    while let key = pending.popLast() {
      if keys.insert(Int(key)) { pending += ids.keys(in: key) }
    }
  }
}

extension IDTable {
  /// The keys that a key's identifier is made of.
  fileprivate func keys(in key: UInt32) -> [UInt32] {
    let bytes = bytes(of: key)
    func number(at offset: Int) -> UInt32 {
      bytes.dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    switch kind(of: key) {
    case .string, .integer, .value: return []
    case .sourced: return [number(at: 0), number(at: 4)]
    case .part:
      // A part is known by an identifier, or by a template's key plus one.
      let first = number(at: 1)
      if bytes.first == UInt8(ascii: "b") { return [first] }
      return first > 0 ? [first - 1] : []
    }
  }
}
