import enum JSONBytes.Bytes

/// What the bytes of an identifier spell.
package enum IDKind: UInt8, Sendable {
  case string = 1
  case integer
  /// A whole value in canonical form, of an item that has no identifier.
  case value
  /// A key of another list and that list's name, of an item that a list has from a source.
  case sourced
  /// An item's key and what tells its part from the others.
  case part
}

/// Identifiers as dense keys: the same bytes of the same kind have the same key.
///
/// Open addressing: the lower bits of a seeded hash say where to begin, the upper 32 bits are kept
/// beside the key, so that other bytes are hardly ever compared. Keys are dealt in order, whatever
/// the seed is.
package struct IDTable: Sendable {
  /// The hash that the slots are for.
  private(set) var seededHash: SeededHash

  /// In each slot the upper half of the hash, and below it the key plus one; 0 if it is free.
  private var slots: [UInt64] = Array(repeating: 0, count: 64)
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  private var free: [UInt32] = []
  private var used = 0

  /// The number of slots that were looked at to intern identifiers.
  package private(set) var probes = 0

  /// How often the table took another seed because an identifier was too far from its first slot.
  package private(set) var reseeds = 0

  /// Whether the table takes another seed before the next identifier.
  private var isCrowded = false

  /// The number of slots in a row that are looked at before the table takes another seed.
  ///
  /// Of ten million identifiers one is that far from its first slot by chance once in 10^14 tables.
  private static let probeLimit = 256

  /// How much the table may hold.
  package var limits = IDLimits()

  /// What there was no room for since the table was swept.
  package private(set) var overflow: IDOverflow?

  /// Where the bytes of a key's identifier are, all in one load.
  private struct Entry {
    var start: UInt32
    /// The length, and in the lowest three bits the kind, 0 for a key that is free.
    var size: UInt32

    init(start: Int, length: Int, kind: IDKind) {
      precondition(start <= UInt32.max && length < 1 << 29)
      self.start = UInt32(start)
      size = UInt32(length) << 3 | UInt32(kind.rawValue)
    }

    var length: Int { Int(size >> 3) }
    var isFree: Bool { size & 7 == 0 }
    var kind: IDKind { IDKind(rawValue: UInt8(size & 7))! }
    var range: Range<Int> { Int(start)..<Int(start) + length }
  }

  /// An empty table with a seed of this process.
  package init() { self.init(hash: SeededHash(ofProcess: 0)) }

  /// An empty table with a hash whose seed is known.
  package init(hash: SeededHash) { seededHash = hash }

  /// One above the largest key ever given.
  package var universe: Int { entries.count }

  /// The number of identifiers in the table.
  package var count: Int { used }

  /// The number of bytes that their identifiers take, and those given back since the table was swept.
  var size: Int { bytes.count }

  /// The key of an identifier, a new one where it has none; that of nothing at all where there is no
  /// room for it, and then `overflow` says why.
  ///
  /// - Complexity: O(*b*), where *b* is the number of its bytes.
  package mutating func intern(_ kind: IDKind, _ id: UnsafeRawBufferPointer) -> UInt32 {
    makeRoom(for: 1)
    return intern(kind, id, seededHash(kind, id))
  }

  /// The key of an identifier with a hash that was made after room was.
  mutating func intern(_ kind: IDKind, _ id: UnsafeRawBufferPointer, _ hash: UInt64) -> UInt32 {
    let place = place(of: hash, kind, id)
    let distance = (place &- Int(truncatingIfNeeded: hash)) & (slots.count - 1)
    probes += distance + 1
    if slots[place] != 0 { return UInt32(truncatingIfNeeded: slots[place]) - 1 }
    guard id.count <= limits.length, id.count <= limits.bytes - bytes.count,
      used < limits.keys
    else { return refuse(id.count) }
    let key = add(Entry(start: bytes.count, length: id.count, kind: kind))
    bytes.append(contentsOf: id)
    slots[place] = Self.slot(hash, key)
    used += 1
    if distance > Self.probeLimit { isCrowded = true }
    return key
  }

  /// Notes that there is no room for an identifier; returns the key of no bytes.
  private mutating func refuse(_ length: Int) -> UInt32 {
    overflow =
      length > limits.length
      ? .length(limit: limits.length)
      : used < limits.keys ? .bytes(limit: limits.bytes) : .keys(limit: limits.keys)
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    if let key = find(.value, nothing) { return key }
    let key = add(Entry(start: bytes.count, length: 0, kind: .value))
    insert(seededHash(.value, nothing), key)
    used += 1
    return key
  }

  /// Keeps half of the slots free with `count` more identifiers; hashes made before are void.
  mutating func makeRoom(for count: Int) {
    if isCrowded { reseed() }
    var size = slots.count
    while (used + count) * 2 > size { size *= 2 }
    if size > slots.count { rebuild(size) }
  }

  /// Makes room at once for about `count` identifiers of `length` bytes in all, in no more than `size`
  /// bytes for their slots.
  package mutating func makeRoom(forAbout count: Int, of length: Int, within size: Int) {
    // A table that is too small is made larger once more, but one that is too large stays so.
    let sure = min(count / 4 * 3, size / 32, limits.keys)
    var slotCount = slots.count
    while slotCount < sure * 2 { slotCount *= 2 }
    if slotCount > slots.count { rebuild(slotCount) }
    entries.reserveCapacity(sure)
    bytes.reserveCapacity(min(sure * length, size, limits.bytes))
  }

  /// Appends what stands in the first slots for hashes: 0, or the hash and the key plus one.
  func readSlots(_ hashes: [UInt64], into found: inout [UInt64]) {
    let slots = slots.span
    let mask = slots.count - 1
    found.append(addingCapacity: hashes.count) { found in
      for hash in hashes { found.append(slots[Int(truncatingIfNeeded: hash) & mask]) }
    }
  }

  /// Appends the key of the first identifier with each hash, whose first slots are known, or one above
  /// all where there is none.
  func guessKeys(_ hashes: [UInt64], _ first: [UInt64], into keys: inout [UInt32]) {
    let slots = slots.span
    let mask = slots.count - 1
    keys.append(addingCapacity: hashes.count) { keys in
      for (number, hash) in hashes.enumerated() {
        var slot = first[number]
        var place = Int(truncatingIfNeeded: hash)
        while slot != 0, (slot ^ hash) >> 32 != 0 {
          place &+= 1
          slot = slots[place & mask]
        }
        keys.append(UInt32(truncatingIfNeeded: slot) &- 1)
      }
    }
  }

  /// Appends where the bytes are of the identifiers that slots are for.
  func readRanges(_ slots: [UInt64], into ranges: inout [Range<Int>]) {
    let entries = entries.span
    ranges.append(addingCapacity: slots.count) { ranges in
      for slot in slots {
        ranges.append(
          slot == 0 ? 0..<0 : entries[Int(UInt32(truncatingIfNeeded: slot)) - 1].range)
      }
    }
  }

  /// Whether the identifier that a slot is for, with its bytes at a range, is a given string.
  @inline(__always)
  func isSame(_ range: Range<Int>, _ id: UnsafeRawBufferPointer, _ slot: UInt64) -> Bool {
    guard range.count == id.count,
      entries[Int(UInt32(truncatingIfNeeded: slot)) - 1].kind == .string
    else { return false }
    // In bounds: an identifier's bytes were appended at its start.
    return bytes.withUnsafeBytes { Bytes.equal(UnsafeRawBufferPointer(rebasing: $0[range]), id) }
  }

  /// The key of an identifier, `nil` where it has none.
  ///
  /// - Complexity: O(*b*), where *b* is the number of its bytes.
  package func find(_ kind: IDKind, _ id: UnsafeRawBufferPointer) -> UInt32? {
    let slot = slots[place(of: seededHash(kind, id), kind, id)]
    return slot == 0 ? nil : UInt32(truncatingIfNeeded: slot) - 1
  }

  /// What a key's identifier is.
  package func kind(of key: UInt32) -> IDKind { entries[Int(key)].kind }

  /// The bytes of a key's identifier.
  package func bytes(of key: UInt32) -> ArraySlice<UInt8> { bytes[entries[Int(key)].range] }

  /// The keys that a key's identifier is made of.
  func inner(of key: UInt32) -> [UInt32] {
    func number(at offset: Int) -> UInt32 {
      bytes(of: key).withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
    switch kind(of: key) {
    case .string, .integer, .value: return []
    case .sourced: return [number(at: 0), number(at: 4)]
    case .part:
      // Of a part without an identifier it is its template's key plus one, 0 for the default one.
      let isTemplate = bytes(of: key).first == UInt8(ascii: "t")
      let inner = number(at: 1)
      return isTemplate ? (inner == 0 ? [] : [inner - 1]) : [inner]
    }
  }

  /// Gives back every key that is not live, for other identifiers to take.
  ///
  /// - Complexity: O(*n*), where *n* is the size of all identifiers in the table.
  package mutating func sweep(isLive: (UInt32) -> Bool) {
    overflow = nil
    var kept: [UInt8] = []
    free.removeAll(keepingCapacity: true)
    used = 0
    for key in entries.indices {
      let entry = entries[key]
      guard !entry.isFree, isLive(UInt32(key)) else {
        entries[key].size = 0
        free.append(UInt32(key))
        continue
      }
      entries[key].start = UInt32(kept.count)
      kept.append(contentsOf: bytes[entry.range])
      used += 1
    }
    bytes = kept
    rebuild(slots.count)
  }

  private mutating func add(_ entry: Entry) -> UInt32 {
    if let key = free.popLast() {
      entries[Int(key)] = entry
      return key
    }
    entries.append(entry)
    return UInt32(entries.count - 1)
  }

  /// Takes another seed.
  private mutating func reseed() {
    isCrowded = false
    reseeds += 1
    seededHash = SeededHash(ofProcess: reseeds)
    rebuild(slots.count)
  }

  /// Fills a number of slots anew, as the hash says.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes of all identifiers.
  private mutating func rebuild(_ size: Int) {
    if size == slots.count {
      for slot in slots.indices { slots[slot] = 0 }
    } else {
      slots = Array(repeating: 0, count: size)
    }
    for key in entries.indices where !entries[key].isFree {
      let entry = entries[key]
      let hash = bytes.withUnsafeBytes {
        // In bounds: an identifier's bytes were appended at its start.
        seededHash(entry.kind, UnsafeRawBufferPointer(rebasing: $0[entry.range]))
      }
      insert(hash, UInt32(key))
    }
  }

  private mutating func insert(_ hash: UInt64, _ key: UInt32) {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place] != 0 { place = (place + 1) & mask }
    slots[place] = Self.slot(hash, key)
  }

  @inline(__always)
  private static func slot(_ hash: UInt64, _ key: UInt32) -> UInt64 {
    hash & ~0xFFFF_FFFF | UInt64(key + 1)
  }

  /// The slot of an identifier, or the free one where it would be; at least half of them are free.
  private func place(of hash: UInt64, _ kind: IDKind, _ id: UnsafeRawBufferPointer) -> Int {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place] != 0 {
      if (slots[place] ^ hash) >> 32 == 0 {
        let key = UInt32(truncatingIfNeeded: slots[place]) - 1
        if isEqual(entries[Int(key)], kind, id) { break }
      }
      place = (place + 1) & mask
    }
    return place
  }

  private func isEqual(_ entry: Entry, _ kind: IDKind, _ id: UnsafeRawBufferPointer) -> Bool {
    guard entry.size == UInt32(truncatingIfNeeded: id.count) << 3 | UInt32(kind.rawValue) else {
      return false
    }
    return bytes.withUnsafeBytes { stored in
      // In bounds: an identifier's bytes were appended at its start.
      Bytes.equal(UnsafeRawBufferPointer(rebasing: stored[entry.range]), id)
    }
  }
}
