import ByteBuffers

/// Framed messages to be written, one after the other in a buffer.
///
/// With headers, the body of a message is written before its length is known. Free space is
/// reserved before the first body, and the header is written into its end; later bodies are moved
/// to follow their headers.
package struct Outbox: ~Copyable {
  /// The framing of the messages; `auto` is written as `ndjson`.
  package let framing: Framing

  /// The buffer to which the caller appends the body of the current message.
  ///
  /// It has room for the answers that are usually written together.
  package var buffer = ByteBuffer(capacity: 5 << 14)

  /// The range of the finished messages.
  private var start: Int
  private var end: Int

  /// The offset of the body of the current message.
  private var body: Int?

  /// Memory for the headers.
  private var header = ByteBuffer()

  /// Room for `Content-Length: `, the digits of any length, and two line ends.
  private static let headroom = 48

  /// Creates an empty outbox.
  package init(framing: Framing) {
    self.framing = framing
    start = 0
    end = 0
  }

  /// Whether there is no finished message.
  package var isEmpty: Bool { start == end }

  /// The size of the finished messages in bytes.
  package var count: Int { end - start }

  /// Begins a message. The caller appends its body to `buffer`.
  package mutating func beginMessage() {
    precondition(body == nil)
    buffer.truncate(to: end)
    if framing == .lsp {
      buffer.append(repeating: 0x20, count: Self.headroom)
    }
    body = buffer.count
  }

  /// Ends the current message.
  ///
  /// - Complexity: O(1); with headers O(*n*) for each message but the first, where *n* is its
  ///   length.
  package mutating func endMessage() {
    guard let body else { preconditionFailure("no message was begun") }
    self.body = nil
    if framing == .lsp { writeHeader(ofBodyAt: body) } else { buffer.append(0x0A) }
    end = buffer.count
  }

  /// Discards the current message.
  package mutating func discardMessage() {
    precondition(body != nil)
    body = nil
    buffer.truncate(to: end)
  }

  /// Calls `body` with the bytes of the finished messages.
  package func withUnsafeBytes<R: ~Copyable, E: Error>(
    _ read: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try buffer.withUnsafeBytes { (bytes) throws(E) in
      try read(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }
  }

  /// Removes all messages, including the current one.
  ///
  /// Memory of up to `keptCapacity` bytes is kept.
  package mutating func removeAll(keptCapacity: Int = 1 << 20) {
    buffer.removeAll(keepingCapacity: buffer.capacity <= keptCapacity)
    start = 0
    end = 0
    body = nil
  }

  /// Returns the header of a message with the given length in bytes.
  package static func header(ofLength length: Int) -> ByteBuffer {
    var header = ByteBuffer(capacity: headroom)
    append(headerOfLength: length, to: &header)
    return header
  }

  private static func append(headerOfLength length: Int, to header: inout ByteBuffer) {
    header.append("Content-Length: ")
    header.append(decimal: length)
    header.append("\r\n\r\n")
  }

  private mutating func writeHeader(ofBodyAt body: Int) {
    header.removeAll()
    Self.append(headerOfLength: buffer.count - body, to: &header)
    let headerStart = body - header.count
    header.withUnsafeBytes { buffer.replace(at: headerStart, with: $0) }
    if isEmpty {
      start = headerStart
    } else {
      buffer.remove(end..<headerStart)
    }
  }
}
