import JSONBytes

/// Messages on their way out, framed one behind the other in one buffer.
///
/// With headers, a message's body is written before its length is known. Before the first body is
/// headroom for the header to grow backwards into; later bodies move up to their headers.
package struct Outbox: ~Copyable {
  /// How the messages are framed; `auto` is written as `ndjson`.
  package let framing: Framing

  /// Where the body of the message that was begun is appended, and nothing else changed.
  package var buffer = ByteBuffer()

  /// Where the finished messages begin and end.
  private var start: Int
  private var end: Int

  /// Where the body of the message that was begun starts.
  private var body: Int?

  /// Room for `Content-Length: `, the digits of any length and two line ends.
  private static let headroom = 48

  /// An empty outbox.
  package init(framing: Framing) {
    self.framing = framing
    start = 0
    end = 0
  }

  /// Whether there is no finished message.
  package var isEmpty: Bool { start == end }

  /// How many bytes the finished messages have.
  package var count: Int { end - start }

  /// Begins a message, whose body the caller appends to `buffer`.
  package mutating func beginMessage() {
    precondition(body == nil)
    buffer.truncate(to: end)
    if framing == .lsp {
      for _ in 0..<Self.headroom { buffer.append(0x20) }
    }
    body = buffer.count
  }

  /// Ends the message that was begun.
  ///
  /// - Complexity: O(1), but with headers O(*n*) for a message that is not the first, where *n* is
  ///   its length.
  package mutating func endMessage() {
    guard let body else { preconditionFailure("no message was begun") }
    self.body = nil
    if framing == .lsp { writeHeader(ofBodyAt: body) } else { buffer.append(0x0A) }
    end = buffer.count
  }

  /// Forgets the message that was begun.
  package mutating func discardMessage() {
    precondition(body != nil)
    body = nil
    buffer.truncate(to: end)
  }

  /// Lends the finished messages, to be written.
  package func withUnsafeBytes<R: ~Copyable, E: Error>(
    _ read: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try buffer.withUnsafeBytes { (bytes) throws(E) in
      try read(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }
  }

  /// Empties the outbox; a message that was begun is forgotten.
  ///
  /// Memory is kept up to `keptCapacity` bytes.
  package mutating func removeAll(keptCapacity: Int = 1 << 20) {
    buffer.removeAll(keepingCapacity: buffer.capacity <= keptCapacity)
    start = 0
    end = 0
    body = nil
  }

  /// What comes before a message of a length, in bytes, with headers.
  package static func header(ofLength length: Int) -> ByteBuffer {
    var header = ByteBuffer(capacity: headroom)
    header.append("Content-Length: ")
    header.append(decimal: length)
    header.append("\r\n\r\n")
    return header
  }

  private mutating func writeHeader(ofBodyAt body: Int) {
    let header = Self.header(ofLength: buffer.count - body)
    let place = body - header.count
    header.withUnsafeBytes { buffer.replace(at: place, with: $0) }
    if isEmpty {
      start = place
    } else {
      buffer.remove(end..<place)
    }
  }
}
