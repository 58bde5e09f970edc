import class JSONBytes.SharedBytes

/// The buffers that the texts of a list are in, each kept while any text is in it.
struct TextBuffers: Sendable {
  /// By number the buffer; one that was given up is empty.
  private(set) var buffers: [SharedBytes] = []

  /// By number how many texts are in the buffer.
  private var counts: [Int32] = []

  private var free: [UInt32] = []

  /// Buffers that had no text left at some time since the last call of ``releaseUnused()``.
  private var emptied: [UInt32] = []

  /// The buffer that was given last, if that was since that call.
  private var latest: UInt32?

  /// The sizes, in bytes, of all texts and of all buffers.
  private(set) var textSize = 0
  private(set) var bufferSize = 0

  /// The buffers of a snapshot, with the texts of its sections and items.
  ///
  /// - Complexity: O(*n*), where *n* is the number of texts.
  init(_ snapshot: Snapshot) {
    buffers = snapshot.buffers
    counts = Array(repeating: 0, count: buffers.count)
    bufferSize = buffers.reduce(0) { $0 + $1.count }
    for section in snapshot.sections { add(section.own) }
    for payload in snapshot.payloads { add(payload) }
  }

  /// The bytes of a text, valid as long as its buffer is kept.
  func bytes(of payload: Payload) -> UnsafeRawBufferPointer {
    let start = Int(payload.start)
    return UnsafeRawBufferPointer(
      rebasing: buffers[Int(payload.buffer)].bytes[start..<start + Int(payload.length)])
  }

  /// The number of a buffer, which is kept until the next call of ``releaseUnused()`` at least.
  mutating func number(of buffer: SharedBytes) -> UInt32 {
    // The edits of one request have their texts in one buffer.
    if let latest, buffers[Int(latest)] === buffer { return latest }
    bufferSize += buffer.count
    let number: UInt32
    if let reused = free.popLast() {
      number = reused
      buffers[Int(number)] = buffer
    } else {
      number = UInt32(truncatingIfNeeded: buffers.count)
      buffers.append(buffer)
      counts.append(0)
    }
    emptied.append(number)
    latest = number
    return number
  }

  /// Notes that a text is used once more.
  mutating func add(_ payload: Payload) {
    counts[Int(payload.buffer)] += 1
    textSize += Int(payload.length)
  }

  /// Notes that a text is used once less.
  mutating func remove(_ payload: Payload) {
    counts[Int(payload.buffer)] -= 1
    textSize -= Int(payload.length)
    if counts[Int(payload.buffer)] == 0 { emptied.append(payload.buffer) }
  }

  /// Whether most of what the buffers hold is not the list's.
  var isWasteful: Bool { bufferSize - textSize > textSize + 1 << 20 }

  /// Gives up the buffers that have no text.
  ///
  /// - Complexity: O(*k*), where *k* is the number of buffers that lost their last text.
  mutating func releaseUnused() {
    for number in emptied where counts[Int(number)] == 0 && buffers[Int(number)].count > 0 {
      bufferSize -= buffers[Int(number)].count
      buffers[Int(number)] = Self.none
      free.append(number)
    }
    emptied.removeAll(keepingCapacity: true)
    latest = nil
  }

  private static let none = SharedBytes(copying: [])

  /// Stops the program if what is counted is not what the texts of a list are.
  ///
  /// - Complexity: O(*n*), where *n* is the number of texts.
  func checkInvariants(_ texts: [Payload]) {
    var counts = [Int32](repeating: 0, count: buffers.count)
    for text in texts { counts[Int(text.buffer)] += 1 }
    precondition(counts == self.counts, "texts are counted")
    precondition(textSize == texts.reduce(0) { $0 + Int($1.length) }, "sizes of texts are summed")
    precondition(
      bufferSize == buffers.reduce(0) { $0 + $1.count }, "sizes of buffers are summed")
  }
}
