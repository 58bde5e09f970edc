import ByteBuffers

/// A table that interns identifiers as dense keys. Equal bytes of the same kind have the same key.
///
/// The table uses open addressing with a seeded hash. Keys are assigned in order, whatever the seed
/// is. If the table grows while few identifiers are added, their slots are moved a few at a time.
package struct IDTable: Sendable {
  /// The hash that determines the slots.
  private(set) var seededHash: SeededHash

  var slots = IDSlots(count: 64)

  /// The slots before the table has grown, unless all are moved, and the number of those moved.
  var older: (slots: IDSlots, moved: Int)?

  /// The keys of items of composites, which have no slots.
  var sourced = SourcedKeys()

  var bytes: [UInt8] = []
  var entries: [Entry] = []
  var free: [UInt32] = []
  var used = 0

  /// The number of identifiers ever added.
  private(set) var additions = 0

  /// The keys in use while the table is swept, and how many keys were visited to release the others.
  var marks: (keys: BitSet, visited: Int)?

  /// By length, the starts of the bytes of released identifiers that may be overwritten.
  var holes: [[UInt32]] = []

  /// The number of slots that were inspected to intern identifiers.
  package private(set) var probes = 0

  /// How often the table changed its seed because an identifier was too far from its first slot.
  package private(set) var reseeds = 0

  /// Whether the table changes its seed before it interns the next identifier.
  private var isCrowded = false

  /// The number of consecutive slots that may be inspected before the table changes its seed.
  ///
  /// Of ten million identifiers, one is that far from its first slot by chance once in 10^14
  /// tables.
  private static let probeLimit = 256

  /// The limits of the table.
  package var limits = IDLimits()

  /// The limit that the table has reached since it was last swept.
  package internal(set) var overflow: IDOverflow?

  /// Whether the table has ever had an identifier of an occurrence.
  var hasOccurrences = false

  /// Creates an empty table with a seed of this process.
  package init() { self.init(hash: SeededHash(ofProcess: 0)) }

  /// Creates an empty table with a given hash.
  package init(hash: SeededHash) { seededHash = hash }

  /// One above the largest key ever assigned.
  package var universe: Int { entries.count }

  /// The number of identifiers in the table.
  package var count: Int { used }

  /// The size, in bytes, of the identifiers, including those released since the table was last
  /// swept.
  var size: Int { bytes.count }

  /// Returns the key for an identifier, adding it if necessary. If the table is full, returns the
  /// key of the empty identifier and sets `overflow`.
  ///
  /// - Complexity: O(*b*), where *b* is the size of the identifier in bytes.
  package mutating func intern(_ kind: IDKind, _ id: UnsafeRawBufferPointer) -> UInt32 {
    makeRoom(for: 1)
    return intern(SoughtID(kind, id), seededHash(kind, id))
  }

  /// Returns the key for an identifier that is a pair, adding it if necessary, like
  /// ``intern(_:_:)``.
  mutating func intern(_ kind: IDKind, _ first: UInt32, _ second: UInt32) -> UInt32 {
    makeRoom(for: 1)
    return intern(SoughtID(kind, first, second), seededHash(kind, first, second))
  }

  /// Returns the key for an identifier whose hash was computed after ``makeRoom(for:)``.
  mutating func intern(_ id: SoughtID, _ hash: UInt64) -> UInt32 {
    let (slot, content) = slots.find(hash) { isEqual($0, id) }
    let distance = (slot &- Int(truncatingIfNeeded: hash)) & (slots.count &- 1)
    probes &+= distance &+ 1
    if content != 0 { return marked(slots.key(in: content)) }
    if older != nil, let key = findOlder(hash, id) { return marked(key) }
    let length = id.bytes.count
    guard length <= limits.length, length <= limits.bytes - bytes.count, used < limits.keys
    else { return recordOverflow(length) }
    let key: UInt32
    if id.kind.isPair {
      key = add(Entry(start: Int(id.pair.0), length: Int(id.pair.1), kind: id.kind))
    } else {
      key = add(Entry(start: store(id.bytes), length: length, kind: id.kind))
    }
    slots.set(slot, hash, key)
    used += 1
    if distance > Self.probeLimit { isCrowded = true }
    return marked(key)
  }

  /// Stores the bytes of an identifier and returns their start.
  @inline(__always)
  private mutating func store(_ id: UnsafeRawBufferPointer) -> Int {
    if id.count < holes.count, let start = holes[id.count].popLast() {
      bytes.withUnsafeMutableBytes { $0[Int(start)..<Int(start) + id.count].copyBytes(from: id) }
      return Int(start)
    }
    bytes.appendSparingly(id)
    return bytes.count - id.count
  }

  /// Sets `overflow` and returns the key of the empty identifier.
  mutating func recordOverflow(_ length: Int) -> UInt32 {
    overflow =
      length > limits.length
      ? .length(limit: limits.length)
      : used < limits.keys ? .bytes(limit: limits.bytes) : .keys(limit: limits.keys)
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    if let key = find(.value, nothing) { return key }
    let key = add(Entry(start: bytes.count, length: 0, kind: .value))
    slots.insert(seededHash(.value, nothing), key)
    used += 1
    return key
  }

  /// Whether slots are still moved after the table has grown.
  package var isMovingSlots: Bool { older != nil }

  /// The number of slots that are moved for each identifier that may be added. All are moved before
  /// the table has to grow again.
  static let moves = 8

  /// The number of slots up to which all are moved at once if the table grows.
  private static let fewSlots = 1 << 12

  /// Grows the table so that half of the slots are free with `count` more identifiers, and that a slot has
  /// room for their keys. Invalidates all hashes.
  ///
  /// - Complexity: O(`count`); if the table grows O(*n*) more to clear the slots, where *n* is their
  ///   number, and if it grows twice in a row to hash all identifiers again.
  mutating func makeRoom(for count: Int) {
    if isCrowded { reseed() }
    if older != nil { moveSlots(count * Self.moves) }
    var size = slots.count
    let universe = entries.count + max(0, count - free.count)
    while (used - sourced.count + count) * 2 > size || universe >= size { size *= 2 }
    guard size > slots.count else { return }
    if older != nil || slots.count <= max(Self.fewSlots, count * Self.moves) {
      return rebuild(size)
    }
    older = (slots, 0)
    slots = IDSlots(count: size)
  }

  /// Moves slots from the smaller table after the table has grown.
  mutating func moveSlots(_ count: Int) {
    guard let (before, moved) = older else { return }
    let end = min(moved + count, before.count)
    for index in moved..<end where before[index] != 0 {
      let key = before.key(in: before[index])
      slots.insert(hash(of: key), key)
    }
    older = end < before.count ? (before, end) : nil
  }

  /// Returns the key of an identifier that is not in `slots`, if its slot has not been moved.
  private func findOlder(_ hash: UInt64, _ id: SoughtID) -> UInt32? {
    guard let before = older?.slots else { return nil }
    let content = before.find(hash) { isEqual($0, id) }.content
    return content == 0 ? nil : before.key(in: content)
  }

  /// Reserves memory for about `count` identifiers of `length` bytes each, but at most `size` bytes
  /// for slots and at most `size` bytes for identifiers.
  package mutating func makeRoom(forAbout count: Int, of length: Int, within size: Int) {
    // A table that is too small grows once more, but one that is too large does not shrink.
    let certain = min(count / 8 * 7, size / 16, limits.keys)
    var slotCount = slots.count
    while slotCount < certain * 2 { slotCount *= 2 }
    if slotCount > slots.count { rebuild(slotCount) }
    entries.reserveCapacity(certain)
    bytes.reserveCapacity(min(certain * length, size, limits.bytes))
  }

  /// Appends the ranges of the bytes of the identifiers in slots.
  func readRanges(_ slots: [UInt32], into ranges: inout [Range<Int>]) {
    let entries = entries.span
    let keyBits = self.slots.keyBits
    ranges.append(addingCapacity: slots.count) { ranges in
      for slot in slots {
        ranges.append(slot == 0 ? 0..<0 : entries[Int(slot & keyBits) - 1].range)
      }
    }
  }

  /// Reports whether the identifier in a slot, with its bytes at a range, is a string equal to
  /// `id`.
  @inline(__always)
  func isSame(_ range: Range<Int>, _ id: UnsafeRawBufferPointer, _ slot: UInt32) -> Bool {
    guard range.count == id.count, entries[Int(slots.key(in: slot))].kind == .string else {
      return false
    }
    // In bounds: an identifier's bytes were appended at its start.
    return bytes.withUnsafeBytes { Bytes.equal(UnsafeRawBufferPointer(rebasing: $0[range]), id) }
  }

  /// Returns the key for an identifier, or `nil` if the table does not contain it.
  ///
  /// - Complexity: O(*b*), where *b* is the size of the identifier in bytes.
  package func find(_ kind: IDKind, _ id: UnsafeRawBufferPointer) -> UInt32? {
    find(SoughtID(kind, id), seededHash(kind, id))
  }

  /// Returns the key for an identifier that is a pair, or `nil` if the table does not contain it.
  func find(_ kind: IDKind, _ first: UInt32, _ second: UInt32) -> UInt32? {
    find(SoughtID(kind, first, second), seededHash(kind, first, second))
  }

  private func find(_ id: SoughtID, _ hash: UInt64) -> UInt32? {
    let content = slots.find(hash) { isEqual($0, id) }.content
    return content == 0 ? findOlder(hash, id) : slots.key(in: content)
  }

  /// Returns the kind of a key's identifier.
  package func kind(of key: UInt32) -> IDKind { entries[Int(key)].kind }

  /// Returns the bytes of a key's identifier, which is not a pair.
  package func bytes(of key: UInt32) -> ArraySlice<UInt8> {
    let entry = entries[Int(key)]
    precondition(entry.isFree || !entry.kind.isPair, "a pair has no bytes")
    return bytes[entry.range]
  }

  /// Returns the two numbers of a key's identifier, which is a pair.
  func pair(of key: UInt32) -> (UInt32, UInt32) { entries[Int(key)].pair }

  /// Returns the keys that a key's identifier contains.
  func inner(of key: UInt32) -> [UInt32] {
    func number(at offset: Int) -> UInt32 {
      bytes(of: key).withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
    switch kind(of: key) {
    case .string, .integer, .value: return []
    case .sourced: return [pair(of: key).0, pair(of: key).1]
    case .occurrence: return [pair(of: key).0]
    case .part:
      // A part without an identifier contains its template's key plus one, 0 for the default
      // template.
      let isTemplate = bytes(of: key).first == UInt8(ascii: "t")
      let inner = number(at: 1)
      return isTemplate ? (inner == 0 ? [] : [inner - 1]) : [inner]
    }
  }

  @inline(__always)
  mutating func add(_ entry: Entry) -> UInt32 {
    additions &+= 1
    if !free.isEmpty {
      let key = free.removeLast()
      entries[Int(key)] = entry
      return key
    }
    entries.reserveSparingly(1)
    entries.append(entry)
    return UInt32(entries.count - 1)
  }

  /// Changes the seed.
  private mutating func reseed() {
    isCrowded = false
    reseeds += 1
    seededHash = SeededHash(ofProcess: reseeds)
    rebuild(slots.count)
  }

  /// Rebuilds the slots with a new slot count.
  ///
  /// - Complexity: O(*b*), where *b* is the total size of the identifiers in bytes.
  mutating func rebuild(_ size: Int) {
    older = nil
    if size == slots.count { slots.removeAll() } else { slots = IDSlots(count: size) }
    for key in entries.indices where entries[key].hasSlot {
      slots.insert(hash(of: UInt32(key)), UInt32(key))
    }
  }

  /// Returns the hash of a key's identifier.
  func hash(of key: UInt32) -> UInt64 {
    let entry = entries[Int(key)]
    if entry.kind.isPair { return seededHash(entry.kind, entry.pair.0, entry.pair.1) }
    return bytes.withUnsafeBytes {
      // In bounds: an identifier's bytes were appended at its start.
      seededHash(entry.kind, UnsafeRawBufferPointer(rebasing: $0[entry.range]))
    }
  }

  private func isEqual(_ key: UInt32, _ id: SoughtID) -> Bool {
    let entry = entries[Int(key)]
    let count = id.kind.isPair ? id.pair.1 : UInt32(truncatingIfNeeded: id.bytes.count)
    guard entry.size == count << 3 | UInt32(id.kind.rawValue) else { return false }
    if id.kind.isPair { return entry.start == id.pair.0 }
    return bytes.withUnsafeBytes { stored in
      // In bounds: an identifier's bytes were appended at its start.
      Bytes.equal(UnsafeRawBufferPointer(rebasing: stored[entry.range]), id.bytes)
    }
  }
}

extension IDTable {
  /// Stops the program if an invariant is violated: each identifier is found, at least
  /// half of the slots are free, and keys without an identifier are free.
  ///
  /// - Complexity: O(*b*), where *b* is the total size of the identifiers in bytes.
  package func checkInvariants() {
    precondition(slots.count & (slots.count - 1) == 0, "the slot count is a power of two")
    var taken = (0..<slots.count).count { slots[$0] != 0 }
    if let (before, moved) = older { taken += (moved..<before.count).count { before[$0] != 0 } }
    precondition(used == taken + sourced.count, "each identifier is found in one way")
    precondition(used + free.count == entries.count, "each key is in use or free")
    precondition(taken * 2 <= slots.count, "half of the slots are free")
    precondition(entries.count < slots.count, "a slot has room for a key")
    for key in free { precondition(entries[Int(key)].isFree, "a free key has no identifier") }
    for key in entries.indices where !entries[key].isFree {
      precondition(
        entries[key].kind.isPair || entries[key].range.upperBound <= bytes.count,
        "an identifier is in the buffer")
      let kind = entries[key].kind
      let (first, second) = pair(of: UInt32(key))
      let found =
        switch kind {
        case .sourced: sourced.find(second, from: first)
        case .occurrence: find(kind, first, second)
        default: bytes(of: UInt32(key)).withUnsafeBytes { find(kind, $0) }
        }
      precondition(found == UInt32(key), "an identifier is found")
    }
  }
}
