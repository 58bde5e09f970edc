import ByteBuffers
import JSONBytes
import JSONRPC
import ListProtocol

/// An event of a connection that is not a message.
package enum ConnectionEvent: String, Sendable, CaseIterable {
  /// The client does not read, and notifications to it are paused.
  case stops
  /// The client has read everything, and is sent the least changes since the pause.
  case reads
  /// The client has left.
  case leaves
}

/// Writes the lines of a record: the messages received and sent, with their times.
package struct Recording: ~Copyable {
  /// The lines that were not taken yet.
  package var lines = ByteBuffer()

  /// The number of the connection that the next line is about.
  private var connection = 1

  package init() {}

  /// Removes and returns the lines.
  package mutating func takeLines() -> SharedBytes {
    var taken = ByteBuffer()
    swap(&taken, &lines)
    return taken.shared()
  }

  /// Records the options that change how the daemon answers, and the lists that it restored from a
  /// journal.
  package mutating func record(options: [String], listsOf lists: inout SharedLists) {
    var journal = ByteBuffer()
    var content = lists.service.journalContent()
    while true {
      let start = journal.count
      journal.append(start == 0 ? ",\"journal\":[" : ",")
      guard content.append(atMost: 1 << 20, to: &journal) else {
        journal.truncate(to: start)
        break
      }
    }
    guard !options.isEmpty || !journal.isEmpty else { return }
    let title = (["listd"] + options).joined(separator: " ")
    lines.append("{\"title\":")
    lines.append(string: journal.isEmpty ? title : title + ", begun with the lists of a journal")
    lines.append(list: "options", options.count) { $1.append(string: options[$0]) }
    lines.append(contentsOf: journal)
    lines.append(journal.isEmpty ? "}\n" : "]}\n")
  }

  /// Records a frame of a client, `milliseconds` after the start.
  package mutating func record(
    _ frame: Frame, isLast: Bool, of connection: Int = 1, at milliseconds: Int
  ) {
    self.connection = connection
    switch frame {
    case .message(let message):
      message.withBytes { bytes in
        if (try? Message.read(bytes)) != nil {
          open(milliseconds, "client")
          append(message: bytes)
          lines.append("}\n")
        } else {
          record(raw: bytes, at: milliseconds, isLast ? ",\"last\":true" : "")
        }
      }
    case .broken(let problem, let bytes):
      var words = ByteBuffer()
      words.append(string: problem.rawValue)
      let problem = words.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      bytes.withBytes { record(raw: $0, at: milliseconds, ",\"header\":\(problem)") }
    case .tooLarge(let bytes):
      record(
        raw: UnsafeRawBufferPointer(start: nil, count: 0), at: milliseconds, ",\"bytes\":\(bytes)")
    // There is no answer to it.
    case .unterminated: break
    }
  }

  /// Records the cancellation of a request at the time when it took effect.
  package mutating func record(
    cancelled id: SharedBytes, of connection: Int = 1, at milliseconds: Int
  ) {
    self.connection = connection
    open(milliseconds, "client")
    lines.append(
      ",\"message\":{\"jsonrpc\":\"2.0\",\"method\":\"$/cancelRequest\",\"params\":{\"id\":")
    id.withBytes { lines.append(json: $0, singleLine: true) }
    lines.append("}}}\n")
  }

  /// Records messages that were sent, framed one after the other.
  package mutating func record(
    sent bytes: UnsafeRawBufferPointer, _ framing: Framing, to connection: Int = 1,
    at milliseconds: Int
  ) {
    self.connection = connection
    for range in SentMessages(bytes, framing) {
      open(milliseconds, "server")
      append(message: UnsafeRawBufferPointer(rebasing: bytes[range]))
      lines.append("}\n")
    }
  }

  /// Records a notification that another client has caused, or one after a pause.
  package mutating func record(_ notification: ListNotification, at milliseconds: Int) {
    connection = notification.client
    var message = ByteBuffer()
    notification.write(to: &message)
    open(milliseconds, "server")
    message.withUnsafeBytes { append(message: $0) }
    lines.append("}\n")
  }

  /// Records an event of a connection.
  package mutating func record(
    _ event: ConnectionEvent, of connection: Int, at milliseconds: Int
  ) {
    self.connection = connection
    open(milliseconds, "client")
    lines.append(member: "event")
    lines.append(string: event.rawValue)
    lines.append("}\n")
  }

  private mutating func open(_ milliseconds: Int, _ side: StaticString) {
    lines.append("{\"at\":")
    lines.append(decimal: milliseconds)
    lines.append(",\"from\":\"")
    lines.append(side)
    lines.append("\"")
    if connection > 1 {
      lines.append(member: "connection")
      lines.append(decimal: connection)
    }
  }

  private mutating func append(message bytes: UnsafeRawBufferPointer) {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    let start = bytes.firstIndex { !isSpace($0) } ?? 0
    let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
    lines.append(member: "message")
    lines.append(json: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), singleLine: true)
  }

  private mutating func record(
    raw bytes: UnsafeRawBufferPointer, at milliseconds: Int, _ members: String
  ) {
    open(milliseconds, "client")
    lines.append(",\"raw\":\"")
    lines.append(base64: bytes)
    lines.append("\"")
    lines.append(contentsOf: members.utf8)
    lines.append("}\n")
  }
}

/// The messages in the framed bytes of an outbox.
package struct SentMessages: Sequence, IteratorProtocol {
  private let bytes: UnsafeRawBufferPointer
  private let framing: Framing
  private var start = 0

  package init(_ bytes: UnsafeRawBufferPointer, _ framing: Framing) {
    self.bytes = bytes
    self.framing = framing
  }

  /// Returns the range of the next message in the bytes.
  package mutating func next() -> Range<Int>? {
    guard start < bytes.count else { return nil }
    guard let lineEnd = Bytes.firstIndex(of: 0x0A, in: bytes, from: start) else { return nil }
    guard framing == .lsp else {
      defer { start = lineEnd + 1 }
      return start..<lineEnd
    }
    let digits = bytes[start..<lineEnd].filter { (0x30...0x39).contains($0) }
    let length = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    let body = lineEnd + 3
    start = body + length
    return body..<start
  }
}
