/// Slots with the keys of identifiers, for open addressing.
///
/// The lower bits of an identifier's hash give its first slot; if that is taken, the next one
/// follows. Each slot has the key plus one in as many bits as the index of a slot has, and above it
/// bits of the hash, so that unequal identifiers are rarely compared byte by byte; or it is 0 if it
/// is free.
struct IDSlots: Sendable {
  private var slots: [UInt32]

  /// Creates free slots. Their number is a power of two; at least half of them must stay free.
  init(count: Int) { slots = Array(repeating: 0, count: count) }

  var count: Int { slots.count }

  /// Returns the content of a slot.
  subscript(index: Int) -> UInt32 { slots[index] }

  /// The bits of a slot with the key plus one, which is at most half the number of slots.
  @inline(__always)
  var keyBits: UInt32 { UInt32(truncatingIfNeeded: slots.count - 1) }

  /// The bits of a hash that are stored in a slot, above the key.
  @inline(__always)
  private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

  /// Returns the key in a slot that is not free.
  @inline(__always)
  func key(in content: UInt32) -> UInt32 { content & keyBits - 1 }

  /// Returns whether a slot has the same bits of the hash as another identifier.
  @inline(__always)
  func hasTag(_ content: UInt32, of hash: UInt64) -> Bool {
    content != 0 && (content ^ Self.tag(hash)) & ~keyBits == 0
  }

  /// Returns the index of the slot with an identifier, or of the free slot for it, and its content.
  /// `isEqual` returns whether the identifier has a key.
  @inline(__always)
  func find(_ hash: UInt64, isEqual: (UInt32) -> Bool) -> (index: Int, content: UInt32) {
    let slots = slots.span
    let mask = slots.count &- 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while true {
      let content = slots[index]
      if content == 0 || hasTag(content, of: hash) && isEqual(key(in: content)) {
        return (index, content)
      }
      index = (index &+ 1) & mask
    }
  }

  /// Stores the key of an identifier in a free slot.
  @inline(__always)
  mutating func set(_ index: Int, _ hash: UInt64, _ key: UInt32) {
    slots[index] = Self.tag(hash) & ~keyBits | (key + 1)
  }

  /// Stores the key of an identifier that has no slot yet.
  mutating func insert(_ hash: UInt64, _ key: UInt32) {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index] != 0 { index = (index + 1) & mask }
    set(index, hash, key)
  }

  /// Frees the slot of a key. Later keys, whose hashes `rehash` returns, take its place if they would
  /// not be found any more.
  mutating func remove(_ key: UInt32, _ hash: UInt64, rehash: (UInt32) -> UInt64) {
    let mask = slots.count - 1
    var free = find(hash) { $0 == key }.index
    var next = (free + 1) & mask
    while slots[next] != 0 {
      let first = Int(truncatingIfNeeded: rehash(self.key(in: slots[next])))
      if (next &- first) & mask >= (next &- free) & mask {
        slots[free] = slots[next]
        free = next
      }
      next = (next + 1) & mask
    }
    slots[free] = 0
  }

  /// Frees all slots.
  mutating func removeAll() {
    for index in slots.indices { slots[index] = 0 }
  }

  /// Appends the content of the first slot for each hash.
  func read(_ hashes: [UInt64], into found: inout [UInt32]) {
    let slots = slots.span
    let mask = slots.count - 1
    found.append(addingCapacity: hashes.count) { found in
      for hash in hashes { found.append(slots[Int(truncatingIfNeeded: hash) & mask]) }
    }
  }

  /// Appends for each hash, whose first slot is `first`, the key of the first identifier with it,
  /// or `UInt32.max` if there is none.
  func guessKeys(_ hashes: [UInt64], _ first: [UInt32], into keys: inout [UInt32]) {
    let slots = slots.span
    let mask = slots.count - 1
    let keyBits = keyBits
    keys.append(addingCapacity: hashes.count) { keys in
      for (number, hash) in hashes.enumerated() {
        var slot = first[number]
        var index = Int(truncatingIfNeeded: hash)
        while slot != 0, (slot ^ Self.tag(hash)) & ~keyBits != 0 {
          index &+= 1
          slot = slots[index & mask]
        }
        keys.append(slot & keyBits &- 1)
      }
    }
  }
}
