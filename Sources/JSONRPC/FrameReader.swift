import ByteBuffers
import JSONBytes

/// Splits a stream of bytes into messages.
///
/// No byte is searched twice, and the frames do not depend on how the stream is cut into pieces. A
/// message that fills more than half of the buffer takes over its memory; smaller ones are copied,
/// so that they do not keep a large buffer alive.
package struct FrameReader: ~Copyable {
  /// The default maximum length of a message in bytes.
  package static let defaultLimit = 256 << 20

  /// The framing; `auto` until the first byte was received.
  package private(set) var framing: Framing

  /// The maximum length of a message in bytes.
  package let limit: Int

  var buffer = ByteBuffer()

  /// The offset of the first byte that belongs to no frame yet.
  var start = 0

  /// The offset up to which a line end was searched.
  var searched = 0

  var state = State.beginning

  /// Whether the stream ended inside a message that was skipped.
  private var isCut = false

  enum State {
    /// Before the first byte that is neither white space nor part of a byte-order mark.
    case beginning
    case line
    case skippingLine(bytes: Int, endsInReturn: Bool, JSONOutline)
    case header(HeaderBlock)
    case body(Int)
    /// A body that was returned early, and the number of its bytes received.
    case receivingBody(SharedBytes, Int)
    case skippingBody(Int)
    /// After an invalid header, until a line begins with `Content-Length:`.
    case searchingHeader(atLineStart: Bool)
  }

  /// Creates a reader at the start of a stream.
  package init(framing: Framing = .auto, limit: Int = FrameReader.defaultLimit) {
    self.framing = framing
    self.limit = min(max(limit, 0), Int.max / 4)
  }

  /// Processes the next bytes of the stream.
  package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    var bytes = bytes
    if case .receivingBody = state {
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

  /// Calls `body` with memory for at least `minimum` of the next bytes, or for the rest of a
  /// message that was returned early. `body` returns the number of bytes that it wrote.
  package mutating func withTail<E: Error>(
    minimum: Int = 1 << 16, _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) -> Int {
    if case .receivingBody(let message, let count) = state, count < message.count {
      let written = try message.receive(from: count, body)
      state = .receivingBody(message, count + written)
      return written
    }
    makeRoom(minimum)
    return try buffer.withTail(minimum: minimum, body)
  }

  /// Returns the next complete frame of the bytes received so far, or nil.
  package mutating func next() -> Frame? {
    while true {
      switch step() {
      case .frame(let frame): return frame
      case .again: continue
      case .wait: return nil
      }
    }
  }

  /// Returns the next frame at the end of the stream, or nil.
  ///
  /// A final line without a line end is a message; the caller decides whether it is complete. An
  /// oversized one is followed by `unterminated` if it was cut off.
  package mutating func finish() -> Frame? {
    if isCut {
      isCut = false
      return .unterminated
    }
    if let frame = next() { return frame }
    let rest = start..<buffer.count
    defer { reset() }
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
    case .body, .receivingBody, .skippingBody: return .unterminated
    case .header(let block):
      let isBlank = block.length == 0 && isBlank(rest)
      return isBlank ? nil : .unterminated
    case .beginning, .searchingHeader: return rest.isEmpty ? nil : .unterminated
    }
  }

  /// The outcome of a step.
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
    case .receivingBody(let message, let count): endPartialMessage(message, count)
    case .skippingBody(let rest): skipBody(rest)
    case .searchingHeader(let atLineStart): searchHeader(atLineStart: atLineStart)
    }
  }

  /// Skips white space and byte-order marks, and determines the framing by the next byte.
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

  private mutating func reset() {
    buffer.removeAll()
    start = 0
    searched = 0
    state = framing == .auto ? .beginning : framing == .ndjson ? .line : .header(HeaderBlock())
  }

  /// Returns the bytes of a range of the buffer. The buffer was processed up to `next`.
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

  /// Makes room for the next bytes. Moves the pending bytes to the front at most once per frame.
  private mutating func makeRoom(_ minimum: Int) {
    if start == buffer.count {
      // Memory left over from a burst is released.
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
      // The length is known, so the capacity is not doubled, and no bytes of the next message are
      // read.
      buffer.reserve(exactly: buffer.count + room)
    } else {
      buffer.reserve(room)
    }
  }

  /// Returns the offset of the next line end after `start`, or nil if more bytes are needed.
  mutating func lineEnd() -> Int? {
    let from = max(start, searched)
    let found = buffer.withUnsafeBytes { Bytes.firstIndex(of: 0x0A, in: $0, from: from) }
    searched = found ?? buffer.count
    return found
  }

  /// Reads a whole block with the length in its only line, as most are written. Returns the length, and the
  /// offset of the body; `nil` if the next bytes are anything else.
  func usualHeader() -> (length: Int, end: Int)? {
    let limit = buffer.count
    return buffer.withUnsafeBytes { bytes in
      func word(_ offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      }
      // `Content-Length: `
      guard start + 16 <= limit, word(start) == 0x2D74_6E65_746E_6F43,
        word(start + 8) == 0x203A_6874_676E_654C
      else { return nil }
      var offset = start + 16
      var length = 0
      // Longer numbers might overflow.
      while offset < min(limit, start + 32), bytes[offset] &- 0x30 < 10 {
        length = length &* 10 &+ Int(bytes[offset] &- 0x30)
        offset &+= 1
      }
      guard offset > start + 16, offset + 4 <= limit,
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian == 0x0A0D_0A0D
      else { return nil }
      return (length, offset + 4)
    }
  }

  /// Returns a range without the carriage return at its end.
  func withoutReturn(_ range: Range<Int>) -> Range<Int> {
    !range.isEmpty && buffer[range.upperBound - 1] == 0x0D
      ? range.lowerBound..<range.upperBound - 1 : range
  }

  /// Returns whether a range consists of white space.
  func isBlank(_ range: Range<Int>) -> Bool {
    range.allSatisfy { isSpace(buffer[$0]) }
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
