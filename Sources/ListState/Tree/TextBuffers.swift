import ByteBuffers

/// The buffers with the texts of a list. Each buffer is kept while it contains a text.
struct TextBuffers: Sendable {
  /// The buffers by number. A released buffer is empty.
  private(set) var buffers: [SharedBytes] = []

  /// The number of texts in a buffer, and their size in bytes.
  private struct Use: Sendable {
    var count = 0
    var size = 0

    /// Whether the buffer was added since the last call of ``releaseUnused()``.
    var isNew = false
  }

  /// The uses of each buffer.
  private var uses: [Use] = []

  private var free: [UInt32] = []

  /// The minimum number of containers that were open around an item of the first buffer when it was
  /// read, 0 if unknown.
  private(set) var depth = 0

  /// The buffers that were added by ``keep(_:)``.
  private var kept = 0..<0

  /// Buffers that had no text at some time since the last call of ``releaseUnused()``, those that were
  /// added since then apart.
  private var emptied: [UInt32] = []
  private var emptiedNew: [UInt32] = []

  /// The buffers that were added since then.
  private var added: [UInt32] = []

  /// The last buffer that was added since that call.
  private var latest: UInt32?

  /// The sizes, in bytes, of all texts and of all buffers.
  private(set) var textSize = 0
  private(set) var bufferSize = 0

  /// The size, in bytes, of the buffers that were added since ``takeAddedSize()`` was called last.
  private var addedSize = 0

  private init() {}

  /// Creates the buffers of a snapshot, with the texts of its sections and, if `withItems`, those of
  /// its items.
  ///
  /// - Complexity: O(*n*), where *n* is the number of texts.
  init(_ snapshot: Snapshot, withItems: Bool) { replace(by: snapshot, withItems: withItems) }

  /// Replaces all buffers likewise, in the memory of these.
  mutating func replace(by snapshot: Snapshot, withItems: Bool) {
    var uses: [Use] = []
    swap(&uses, &self.uses)
    self = TextBuffers()
    uses.removeAll(keepingCapacity: true)
    buffers = snapshot.buffers
    depth = snapshot.depth
    for buffer in buffers {
      bufferSize += buffer.count
      uses.append(Use())
    }
    swap(&uses, &self.uses)
    for section in snapshot.sections { add(section.own) }
    if withItems { add(snapshot.payloads) }
    for number in self.uses.indices where self.uses[number].count == 0 {
      emptied.append(UInt32(truncatingIfNeeded: number))
    }
    if !withItems { releaseUnused() }
  }

  /// Creates the buffers of a composite's snapshot with the texts of the items of its only source, whose
  /// buffers have the same numbers there. `sections` are the texts of the sections of the source.
  ///
  /// - Complexity: O(*b* + *s*), where *b* is the number of buffers and *s* that of sections.
  init(_ snapshot: Snapshot, items: TextBuffers, without sections: [Payload]) {
    var texts = items
    for text in sections { texts.remove(text) }
    buffers = snapshot.buffers
    depth = snapshot.depth
    uses = Array(texts.uses.prefix(buffers.count))
    uses += repeatElement(Use(), count: buffers.count - uses.count)
    for number in uses.indices {
      uses[number].isNew = false
      if uses[number].count == 0, buffers[number].count == 0 {
        free.append(UInt32(truncatingIfNeeded: number))
      }
    }
    bufferSize = buffers.reduce(0) { $0 + $1.count }
    textSize = texts.textSize
    for section in snapshot.sections { add(section.own) }
  }

  /// Returns for each buffer whether it has a text beside some.
  func used(without others: [Payload]) -> [Bool] {
    var counts = uses.map { $0.count }
    for text in others { counts[Int(text.buffer)] -= 1 }
    return counts.map { $0 > 0 }
  }

  /// Records a use of each text. Most often all are in the first buffer.
  private mutating func add(_ payloads: [Payload]) {
    if payloads.isEmpty { return }
    var others: UInt32 = 0
    var size = 0
    payloads.withUnsafeBufferPointer { payloads in
      for payload in payloads {
        others |= payload.buffer
        size &+= Int(payload.length)
      }
    }
    guard others == 0 else {
      for payload in payloads { add(payload) }
      return
    }
    uses[0].count += payloads.count
    uses[0].size += size
    textSize += size
  }

  /// Adds buffers whose texts are not those of the list. They are kept until the next call of
  /// ``releaseUnused()``, before which no others are added.
  mutating func keep(_ others: [SharedBytes]) {
    kept = buffers.count..<buffers.count + others.count
    uses.reserveCapacity(kept.upperBound)
    buffers += others
    uses += repeatElement(Use(), count: others.count)
  }

  /// Returns the bytes of a text, valid while its buffer is kept.
  func bytes(of payload: Payload) -> UnsafeRawBufferPointer {
    let start = Int(payload.start)
    return UnsafeRawBufferPointer(
      rebasing: buffers[Int(payload.buffer)].bytes[start..<start + Int(payload.length)])
  }

  /// Adds a buffer, unless it is the one that was added last, and returns its number. The buffer is
  /// kept at least until the next call of ``releaseUnused()`` or ``releaseUnusedNew()``.
  mutating func number(of buffer: SharedBytes) -> UInt32 {
    // The edits of a request have their texts in one buffer.
    if let latest, buffers[Int(latest)] === buffer { return latest }
    bufferSize += buffer.count
    addedSize += buffer.count
    let number: UInt32
    if let reused = free.popLast() {
      number = reused
      buffers[Int(number)] = buffer
    } else {
      number = UInt32(truncatingIfNeeded: buffers.count)
      buffers.append(buffer)
      uses.append(Use())
    }
    uses[Int(number)].isNew = true
    added.append(number)
    emptiedNew.append(number)
    latest = number
    return number
  }

  /// Records a use of a text.
  mutating func add(_ payload: Payload) {
    uses[Int(payload.buffer)].count += 1
    uses[Int(payload.buffer)].size += Int(payload.length)
    textSize += Int(payload.length)
  }

  /// Records that a use of a text ended.
  mutating func remove(_ payload: Payload) {
    uses[Int(payload.buffer)].count -= 1
    uses[Int(payload.buffer)].size -= Int(payload.length)
    textSize -= Int(payload.length)
    guard uses[Int(payload.buffer)].count == 0 else { return }
    if uses[Int(payload.buffer)].isNew {
      emptiedNew.append(payload.buffer)
    } else {
      emptied.append(payload.buffer)
    }
  }

  /// Whether most bytes of the buffers are not texts of the list.
  var isWasteful: Bool { bufferSize - textSize > textSize + Snapshot.smallWaste }

  /// Whether most bytes of a buffer are not texts of the list.
  func isSparse(_ number: UInt32) -> Bool {
    uses[Int(number)].size * 2 < buffers[Int(number)].count
  }

  /// Returns the size, in bytes, of the buffers that were added since the last call.
  mutating func takeAddedSize() -> Int {
    defer { addedSize = 0 }
    return addedSize
  }

  /// Releases the buffers without texts.
  ///
  /// - Complexity: O(*k*), where *k* is the number of buffers that lost their last text.
  mutating func releaseUnused() {
    // Most trees of views have no texts.
    if added.isEmpty, emptied.isEmpty, emptiedNew.isEmpty, kept.isEmpty { return }
    if !kept.isEmpty {
      precondition(kept.upperBound == buffers.count, "no others were added")
      buffers.removeSubrange(kept)
      uses.removeSubrange(kept)
      kept = 0..<0
    }
    while let number = emptied.popLast() { release(number) }
    releaseUnusedNew()
    while let number = added.popLast() { uses[Int(number)].isNew = false }
  }

  /// Releases the buffers without texts that were added since the last call of ``releaseUnused()``, and
  /// which are not needed to undo the change.
  ///
  /// - Complexity: As of ``releaseUnused()``.
  mutating func releaseUnusedNew() {
    while let number = emptiedNew.popLast() { release(number) }
    latest = nil
  }

  private mutating func release(_ number: UInt32) {
    guard uses[Int(number)].count == 0, buffers[Int(number)].count > 0 else { return }
    if number == 0 { depth = 0 }
    bufferSize -= buffers[Int(number)].count
    buffers[Int(number)] = .empty
    free.append(number)
  }

  /// Stops the program if the counts are not those of the texts of a list.
  ///
  /// - Complexity: O(*n*), where *n* is the number of texts.
  func checkInvariants(_ texts: [Payload]) {
    var uses = [Use](repeating: Use(), count: buffers.count)
    for text in texts {
      uses[Int(text.buffer)].count += 1
      uses[Int(text.buffer)].size += Int(text.length)
    }
    precondition(
      zip(uses, self.uses).allSatisfy { $0.count == $1.count && $0.size == $1.size },
      "uses of buffers are counted")
    precondition(textSize == texts.reduce(0) { $0 + Int($1.length) }, "sizes of texts are summed")
    precondition(
      bufferSize == buffers.reduce(0) { $0 + $1.count }, "sizes of buffers are summed")
  }
}

extension SharedBytes {
  /// A buffer without bytes, in the place of one that is not used any more.
  static let empty = SharedBytes(copying: [])
}
