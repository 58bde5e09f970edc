extension IDTable {
  /// Removes every identifier whose key is not live. The keys are reused.
  ///
  /// - Complexity: O(*n*), where *n* is the total size of the identifiers in the table.
  package mutating func sweep(isLive: (UInt32) -> Bool) {
    overflow = nil
    marks = nil
    holes = []
    var kept: [UInt8] = []
    free.removeAll(keepingCapacity: true)
    used = 0
    for key in entries.indices {
      let entry = entries[key]
      guard !entry.isFree, isLive(UInt32(key)) else {
        if !entry.isFree { forgetSourced(entry) }
        entries[key].size = 0
        free.append(UInt32(key))
        continue
      }
      used += 1
      if entry.kind.isPair { continue }
      entries[key].start = UInt32(kept.count)
      kept.append(contentsOf: bytes[entry.range])
    }
    bytes = kept
    rebuild(slots.count)
    #if DEBUG
      checkInvariants()
    #endif
  }

  // MARK: A few at a time

  /// Whether the table is being swept.
  package var isSwept: Bool { marks != nil }

  /// The length from which bytes of released identifiers are reused only if the table is swept as a
  /// whole.
  private static let shortLength = 256

  /// Begins a sweep. Identifiers that are interned until it has ended are kept.
  package mutating func beginSweep() { marks = (BitSet(bound: universe), 0) }

  /// Marks a key, and the keys that its identifier contains, as in use during a sweep.
  package mutating func mark(_ key: UInt32) {
    guard insertMark(key) else { return }
    // The identifier of an item that comes by way of many lists contains as many keys.
    var rest = inner(of: key)
    while let key = rest.popLast() {
      if insertMark(key) { rest += inner(of: key) }
    }
  }

  /// Marks a key that was interned during a sweep, and returns it.
  @inline(__always)
  mutating func marked(_ key: UInt32) -> UInt32 {
    if marks != nil { mark(key) }
    return key
  }

  /// Marks a key alone. Returns false if it was marked before. Keys above those at the beginning of
  /// the sweep need no mark.
  private mutating func insertMark(_ key: UInt32) -> Bool {
    Int(key) >= marks!.keys.bound || marks!.keys.insert(Int(key))
  }

  /// Releases the identifiers among the next keys that are not marked, and ends the sweep if these
  /// were the last ones. All keys in use must be marked.
  ///
  /// - Complexity: O(`count`).
  package mutating func releaseUnmarked(amongNext count: Int) {
    guard let keys = marks?.keys else { return }
    if older != nil { moveSlots(min(count, slots.count) * Self.moves) }
    guard older == nil, let visited = marks?.visited else { return }
    let end = visited + min(count, keys.bound - visited)
    var slots = IDSlots(count: 0)
    swap(&slots, &self.slots)
    for key in visited..<end where !entries[key].isFree && !keys.contains(key) {
      let key = UInt32(key)
      if entries[Int(key)].hasSlot { slots.remove(key, hash(of: key)) { hash(of: $0) } }
      release(key)
    }
    swap(&slots, &self.slots)
    marks!.visited = end
    if end == keys.bound { marks = nil }
  }

  /// Releases a key that has no slot any more.
  private mutating func release(_ key: UInt32) {
    let entry = entries[Int(key)]
    if !entry.kind.isPair, entry.length < Self.shortLength {
      if holes.isEmpty { holes = Array(repeating: [], count: Self.shortLength) }
      holes[entry.length].append(entry.start)
    }
    forgetSourced(entry)
    entries[Int(key)].size = 0
    free.append(key)
    used -= 1
  }

  /// Removes the key of an item of a composite, if it is one.
  private mutating func forgetSourced(_ entry: Entry) {
    if entry.kind == .sourced { sourced.remove(entry.pair.1, from: entry.pair.0) }
  }
}
