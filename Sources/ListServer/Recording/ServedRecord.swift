import ByteBuffers
import JSONBytes
import JSONRPC

/// A record that replaces the daemon: it expects the recorded messages of one client in order, and
/// answers them with the recorded answers.
///
/// Requests keep the ids that the client gives them: in answers and notifications, these replace
/// the recorded ones. The members `clientInfo` and `processId` of `initialize` are ignored, and so
/// are members of all parameters whose names begin with `_` or `$`.
package struct ServedRecord {
  /// The first message of a client that is not the recorded one.
  package struct Difference: Error {
    /// The number of the line in the record; the last one if the record has no more messages.
    package var line: Int

    /// The recorded message; `nil` if the record has no more messages.
    package var recorded: SharedBytes?

    /// The message that was received; `nil` if the client ended before.
    package var received: SharedBytes?

    /// The JSON pointer to the first difference; empty if the messages as a whole differ.
    package var pointer = ""
  }

  private typealias Expected = (line: Int, frame: Frame)

  /// The client's frames, and the number of those that were received.
  private var expected: [Expected] = []
  private var received = 0

  /// The server's messages, each with the number of client frames that precede it, and the number of those
  /// that were returned.
  private var answers: [(after: Int, message: SharedBytes)] = []
  private var answered = 0

  /// The ids of the client by the recorded ones.
  private var ids: [[UInt8]: SharedBytes] = [:]

  private let lastLine: Int

  /// Creates an instance that serves the first connection of a record.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the record.
  package init(_ record: RecordedSession) {
    lastLine = record.entries.last?.line ?? 1
    var requests: [[UInt8]: Int] = [:]
    for entry in record.entries where entry.connection == 1 {
      switch entry.event {
      case .client(let frame, _):
        expected.append((entry.line, frame))
        for id in Self.ids(in: frame) { requests[Cancellation.key(of: id.bytes)] = expected.count }
      case .server(let message):
        // A client may wait for an answer before it sends what the recorded one had sent already.
        let causes = message.withBytes { bytes in
          Self.idRanges(in: bytes).compactMap { range in
            requests[Cancellation.key(of: UnsafeRawBufferPointer(rebasing: bytes[range]))]
          }
        }
        answers.append((causes.max() ?? expected.count, message))
      case .connection: break
      }
    }
  }

  /// Whether the client has sent all messages.
  package var isComplete: Bool { received == expected.count }

  /// Whether the client has sent all messages, of which the last one is `exit`.
  package var isOver: Bool {
    guard isComplete, case .message(let message)? = expected.last?.frame else { return false }
    return message.withBytes { bytes in
      guard case .single(let envelope) = try? Message.read(bytes), let method = envelope.method
      else { return false }
      return JSONReader(bytes).matches(method, "exit")
    }
  }

  /// The message that the client has to send next, as a difference; `nil` if there is none.
  package var missing: Difference? {
    guard !isComplete else { return nil }
    let (line, frame) = expected[received]
    return Difference(line: line, recorded: Self.bytes(of: frame))
  }

  /// Compares a frame with the next recorded one and returns the messages that answer it.
  ///
  /// - Throws: the difference, if the frame is another one.
  package mutating func receive(_ frame: Frame) throws(Difference) -> [SharedBytes] {
    guard !isComplete else {
      throw Difference(line: lastLine, received: Self.bytes(of: frame))
    }
    let (line, wanted) = expected[received]
    if let pointer = Self.difference(wanted, frame) {
      throw Difference(
        line: line, recorded: Self.bytes(of: wanted), received: Self.bytes(of: frame),
        pointer: pointer)
    }
    for (recorded, own) in zip(Self.ids(in: wanted), Self.ids(in: frame)) {
      ids[Cancellation.key(of: recorded.bytes)] = own
    }
    received += 1
    var messages: [SharedBytes] = []
    while answered < answers.count, answers[answered].after <= received {
      messages.append(withOwnIDs(answers[answered].message))
      answered += 1
    }
    return messages
  }

  /// Replaces the recorded ids in a server's message by those of the client.
  private func withOwnIDs(_ message: SharedBytes) -> SharedBytes {
    message.withBytes { bytes in
      var out = ByteBuffer(capacity: bytes.count + 16)
      var start = 0
      for range in Self.idRanges(in: bytes) {
        let key = Cancellation.key(of: UnsafeRawBufferPointer(rebasing: bytes[range]))
        guard let own = ids[key] else { continue }
        out.append(UnsafeRawBufferPointer(rebasing: bytes[start..<range.lowerBound]))
        own.withBytes { out.append($0) }
        start = range.upperBound
      }
      out.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
      return out.shared()
    }
  }

  private static func envelopes(in bytes: UnsafeRawBufferPointer) -> [Envelope]? {
    switch try? Message.read(bytes) {
    case .single(let envelope): [envelope]
    case .batch(let batch): Array(batch)
    case .emptyBatch: []
    case nil: nil
    }
  }

  /// Returns the ids of the requests in a frame of a client, in order.
  private static func ids(in frame: Frame) -> [SharedBytes] {
    guard case .message(let message) = frame else { return [] }
    return message.withBytes { bytes in
      (envelopes(in: bytes) ?? []).compactMap { envelope in
        envelope.id.map { SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[$0])) }
      }
    }
  }

  private static let requestMember = MemberKeys("request")

  /// Returns the ranges of ids in a message of a server: those of responses, and of notifications the id of
  /// the request that caused it.
  private static func idRanges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
    (envelopes(in: bytes) ?? []).compactMap { envelope in
      guard envelope.kind == .notification, let params = envelope.params else {
        return envelope.id
      }
      var reader = JSONReader(bytes, from: params.lowerBound)
      var found = MemberRanges()
      _ = try? reader.object(seeking: requestMember, into: &found)
      return found[0]
    }
  }

  private static func bytes(of frame: Frame) -> SharedBytes? {
    switch frame {
    case .message(let bytes), .broken(_, let bytes): bytes
    case .tooLarge, .unterminated: nil
    }
  }

  /// Returns the JSON pointer to the first difference of two frames of clients; `nil` if there is none.
  private static func difference(_ recorded: Frame, _ received: Frame) -> String? {
    switch (recorded, received) {
    case (.message(let a), .message(let b)):
      if let first = comparable(a), let second = comparable(b) {
        return first.withBytes { first in
          second.withBytes { JSONDifference.between(first, $0)?.pointer }
        }
      }
      return a.withBytes { a in b.withBytes { a.elementsEqual($0) } } ? nil : ""
    case (.broken(let a, let first), .broken(let b, let second)):
      let isSame = first.withBytes { first in second.withBytes { first.elementsEqual($0) } }
      return a == b && isSame ? nil : ""
    case (.tooLarge(let a), .tooLarge(let b)): return a == b ? nil : ""
    default: return ""
    }
  }

  /// Returns the canonical form of a message, without ids and what a client is free to send; `nil` if the
  /// message is not JSON.
  private static func comparable(_ message: SharedBytes) -> SharedBytes? {
    message.withBytes { bytes in
      guard let kind = try? Message.read(bytes) else { return nil }
      var plain = ByteBuffer()
      switch kind {
      case .single(let envelope): append(envelope, of: bytes, to: &plain)
      case .emptyBatch: plain.append("[]")
      case .batch(let batch):
        var separator: StaticString = "["
        for envelope in batch {
          plain.append(separator)
          append(envelope, of: bytes, to: &plain)
          separator = ","
        }
        plain.append("]")
      }
      var canonical = JSONCanonical(writesJSON: true)
      var out = ByteBuffer()
      plain.shared().withBytes { canonical.append($0, to: &out) }
      return out.shared()
    }
  }

  /// Appends a message without what a client is free to send; an id is `true`.
  private static func append(
    _ envelope: Envelope, of bytes: UnsafeRawBufferPointer, to out: inout ByteBuffer
  ) {
    var reader = JSONReader(bytes, from: envelope.range.lowerBound, depth: RecordedSession.depth)
    guard bytes[envelope.range.lowerBound] == 0x7B else {
      return out.append(UnsafeRawBufferPointer(rebasing: bytes[envelope.range]))
    }
    func isMethod(_ name: StaticString) -> Bool {
      envelope.method.map { reader.matches($0, name) } ?? false
    }
    let freeParams: [StaticString] =
      isMethod("initialize")
      ? ["clientInfo", "processId"] : isMethod("$/cancelRequest") ? ["id"] : []
    do throws(JSONError) {
      try appendObject(&reader, to: &out) { (name, reader, out) throws(JSONError) in
        if reader.matches(name, "id") {
          _ = try reader.skip()
          out.append("true")
        } else if reader.matches(name, "params"), try reader.peek() == .object {
          try appendObject(&reader, to: &out) { (name, reader, out) throws(JSONError) in
            out.append(reader.bytes(try reader.skip()))
            return !freeParams.contains { reader.matches(name, $0) }
              && ![0x5F, 0x24].contains(reader.bytes(name.range).first)
          }
        } else {
          out.append(reader.bytes(try reader.skip()))
        }
        return true
      }
    } catch {
      preconditionFailure("a message that was not checked: \(error)")
    }
  }

  /// Appends an object with the members for which `appendValue` returns `true`.
  private static func appendObject(
    _ reader: inout JSONReader, to out: inout ByteBuffer,
    _ appendValue: (JSONString, inout JSONReader, inout ByteBuffer) throws(JSONError) -> Bool
  ) throws(JSONError) {
    var separator: StaticString = ""
    out.append("{")
    try reader.openObject()
    while let name = try reader.nextMember() {
      let start = out.count
      out.append(separator)
      out.append("\"")
      out.append(reader.bytes(name.range))
      out.append("\":")
      if try appendValue(name, &reader, &out) {
        separator = ","
      } else {
        out.truncate(to: start)
      }
    }
    out.append("}")
  }
}
