import JSONBytes

/// Takes bytes as they come and gives whole messages.
///
/// No byte is searched twice, and however the bytes are cut into pieces, the frames are the same. A
/// message that fills more than half of the buffer that it was read into is handed over with that
/// memory; smaller ones are copied, so that they keep no large buffer alive.
package struct FrameReader: ~Copyable {
  /// The length of a message, in bytes, up to which it is taken where nothing else is said.
  package static let defaultLimit = 256 << 20

  /// How messages are told apart, `auto` until the first byte has decided.
  package private(set) var framing: Framing

  /// The length, in bytes, up to which a message is taken.
  package let limit: Int

  var buffer = ByteBuffer()

  /// Where the bytes begin that belong to no frame yet.
  var start = 0

  /// Up to where a line end has been looked for.
  var searched = 0

  var state = State.beginning

  /// Whether the stream has ended inside a message that was passed over.
  private var isCut = false

  enum State {
    /// Before the first byte that is neither white space nor a byte-order mark.
    case beginning
    case line
    case skippingLine(bytes: Int, endsInReturn: Bool, JSONOutline)
    case header(HeaderBlock)
    case body(Int)
    /// A body that was handed over when so many bytes of it had come.
    case arriving(SharedBytes, Int)
    case skippingBody(Int)
    /// After a broken header, until a line begins with `Content-Length:`.
    case searchingHeader(atLineStart: Bool)
  }

  /// A reader at the beginning of a stream.
  package init(framing: Framing = .auto, limit: Int = FrameReader.defaultLimit) {
    self.framing = framing
    self.limit = min(max(limit, 0), Int.max / 4)
  }

  /// Takes the next bytes of the stream.
  package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    var bytes = bytes
    if case .arriving = state {
      let taken = withTail { tail in
        let count = min(tail.count, bytes.count)
        tail.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        return count
      }
      bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(taken))
    }
    makeRoom(bytes.count)
    buffer.append(bytes)
  }

  /// Lends room for at least `minimum` of the next bytes, or for what is missing of a message that
  /// was handed over early; `body` returns how many it wrote there.
  package mutating func withTail<E: Error>(
    minimum: Int = 1 << 16, _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) -> Int {
    if case .arriving(let message, let count) = state, count < message.count {
      let written = try message.receive(from: count, body)
      state = .arriving(message, count + written)
      return written
    }
    makeRoom(minimum)
    return try buffer.withTail(minimum: minimum, body)
  }

  /// The next frame that the bytes so far make, or nil.
  package mutating func next() -> Frame? {
    while true {
      switch step() {
      case .frame(let frame): return frame
      case .again: continue
      case .wait: return nil
      }
    }
  }

  /// At the end of the stream, the next frame of what is left, or nil.
  ///
  /// A last line without a line end is a message; whether it is whole is for its reader to tell,
  /// but of one that is too large, after which `unterminated` says that it is not.
  package mutating func finish() -> Frame? {
    if isCut {
      isCut = false
      return .unterminated
    }
    if let frame = next() { return frame }
    let rest = start..<buffer.count
    defer { leaveNothing() }
    switch state {
    case .line:
      guard !rest.isEmpty else { return nil }
      var outline = JSONOutline()
      if withoutReturn(rest).count > limit {
        buffer.withUnsafeBytes { outline.pass(UnsafeRawBufferPointer(rebasing: $0[rest])) }
      }
      isCut = !outline.isClosed
      return lineFrame(rest, next: buffer.count)
    case .skippingLine(let bytes, let endsInReturn, let outline):
      isCut = !outline.isClosed
      return .tooLarge(bytes: endsInReturn ? bytes - 1 : bytes)
    case .body, .arriving, .skippingBody: return .unterminated
    case .header(let block):
      let isBlank = block.length == 0 && isBlank(rest)
      return isBlank ? nil : .unterminated
    case .beginning, .searchingHeader: return rest.isEmpty ? nil : .unterminated
    }
  }

  /// What a step over the bytes has led to.
  enum Step {
    case frame(Frame)
    case again
    case wait
  }

  private mutating func step() -> Step {
    switch state {
    case .beginning: begin()
    case .line: readLine()
    case .skippingLine(let bytes, let endsInReturn, let outline):
      skipLine(after: bytes, endsInReturn: endsInReturn, outline)
    case .header(let block): readHeader(block)
    case .body(let length): readBody(length)
    case .arriving(let message, let count): endArrival(message, count)
    case .skippingBody(let rest): skipBody(rest)
    case .searchingHeader(let atLineStart): searchHeader(atLineStart: atLineStart)
    }
  }

  /// Passes white space and byte-order marks and lets the byte after them choose the framing.
  private mutating func begin() -> Step {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    while start < buffer.count {
      let byte = buffer[start]
      if isSpace(byte) {
        start += 1
        continue
      }
      let seen = min(3, buffer.count - start)
      if (0..<seen).allSatisfy({ buffer[start + $0] == mark[$0] }) {
        guard seen == 3 else { return .wait }
        start += 3
        continue
      }
      if framing == .auto { framing = byte == 0x7B || byte == 0x5B ? .ndjson : .lsp }
      searched = start
      state = framing == .ndjson ? .line : .header(HeaderBlock())
      return .again
    }
    return .wait
  }

  private mutating func leaveNothing() {
    buffer.removeAll()
    start = 0
    searched = 0
    state = framing == .auto ? .beginning : framing == .ndjson ? .line : .header(HeaderBlock())
  }

  /// The bytes of a range of the buffer, which has been used up to `next` with them.
  mutating func take(_ range: Range<Int>, next: Int) -> SharedBytes {
    defer { searched = start }
    start = next
    guard range.count >= 1 << 15 && range.count > buffer.capacity / 2 else {
      return buffer.withUnsafeBytes { SharedBytes(copying: .init(rebasing: $0[range])) }
    }
    var rest = ByteBuffer(capacity: buffer.count - next)
    buffer.withUnsafeBytes { rest.append(.init(rebasing: $0[next...])) }
    start = 0
    swap(&rest, &buffer)
    return SharedBytes(adopting: rest, range: range)
  }

  /// Makes room for the next bytes, in front of which the pending ones may move once a frame.
  private mutating func makeRoom(_ minimum: Int) {
    if start == buffer.count {
      // What a burst has left behind is given back.
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
      start = 0
      searched = 0
    }
    var room = minimum
    if case .body(let length) = state { room = max(room, length - (buffer.count - start)) }
    guard buffer.capacity - buffer.count < room else { return }
    if start > 0 {
      buffer.remove(0..<start)
      searched -= start
      start = 0
    }
    if case .body = state {
      // The length is known: no doubling, and nothing of the next message is read with it.
      buffer.reserve(exactly: buffer.count + room)
    } else {
      buffer.reserve(room)
    }
  }

  /// The place of the next line end after `start`, or nil where more bytes must come.
  mutating func lineEnd() -> Int? {
    let from = max(start, searched)
    let found = buffer.withUnsafeBytes { Bytes.firstIndex(of: 0x0A, in: $0, from: from) }
    searched = found ?? buffer.count
    return found
  }

  /// A range without the carriage return at its end.
  func withoutReturn(_ range: Range<Int>) -> Range<Int> {
    !range.isEmpty && buffer[range.upperBound - 1] == 0x0D
      ? range.lowerBound..<range.upperBound - 1 : range
  }

  /// Whether there is only white space in a range.
  func isBlank(_ range: Range<Int>) -> Bool {
    range.allSatisfy { isSpace(buffer[$0]) }
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
