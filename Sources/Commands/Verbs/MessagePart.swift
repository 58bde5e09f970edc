import ByteBuffers
import JSONBytes

/// A message of a daemon and the range of a value in it.
package struct MessagePart {
  package let message: SharedBytes
  private let range: Range<Int>

  /// Creates a part of a valid message.
  package init(_ message: SharedBytes, _ range: Range<Int>) {
    self.message = message
    self.range = range
  }

  /// Calls `body` with the JSON value of a member, or with nil if there is none.
  package func with<R: ~Copyable>(_ name: String, body: (UnsafeRawBufferPointer?) -> R) -> R {
    message.withBytes { bytes in
      let part = UnsafeRawBufferPointer(rebasing: bytes[range])
      return body(part.member(Array(name.utf8)))
    }
  }

  var isObject: Bool { message.withBytes { $0[range.lowerBound] == 0x7B } }

  /// The elements of an array; none for other values.
  var elements: [MessagePart] {
    message.withBytes { bytes in
      guard bytes[range.lowerBound] == 0x5B else { return [] }
      var reader = JSONReader(bytes, from: range.lowerBound)
      return checked { () throws(JSONError) in
        var found: [MessagePart] = []
        try reader.openArray()
        while try reader.nextElement() { found.append(MessagePart(message, try reader.skip())) }
        return found
      }
    }
  }

  /// The members of an object; none for other values.
  package var members: [(name: String, value: MessagePart)] {
    message.withBytes { bytes in
      guard bytes[range.lowerBound] == 0x7B else { return [] }
      var reader = JSONReader(bytes, from: range.lowerBound)
      return checked { () throws(JSONError) in
        var found: [(name: String, value: MessagePart)] = []
        try reader.openObject()
        while let name = try reader.nextMember() {
          var bytes: [UInt8] = []
          reader.decode(name, into: &bytes)
          let value = MessagePart(message, try reader.skip())
          found.append((String(decoding: bytes, as: UTF8.self), value))
        }
        return found
      }
    }
  }

  /// The value of the member with a name.
  package subscript(name: String) -> MessagePart? { members.last { $0.name == name }?.value }

  /// The characters of a string, or another value as JSON.
  package var plain: String {
    message.withBytes { bytes in
      let part = UnsafeRawBufferPointer(rebasing: bytes[range])
      return part.decodedText ?? String(decoding: part, as: UTF8.self)
    }
  }

  /// Appends the value as JSON.
  package func append(to out: inout ByteBuffer) {
    message.withBytes { out.append(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// Appends an object with more members at its end.
  func appendObject(to out: inout ByteBuffer, with more: (inout ByteBuffer) -> Void) {
    message.withBytes {
      out.append(UnsafeRawBufferPointer(rebasing: $0[range.lowerBound..<range.upperBound - 1]))
    }
    more(&out)
    out.append("}")
  }

  /// The value as JSON.
  package var json: String {
    message.withBytes { String(decoding: $0[range], as: UTF8.self) }
  }

  /// The value at a path of names as text: empty if there is none or it is null.
  ///
  /// A string is the member `text` of itself, as in a list.
  func cell(_ path: [UInt8]) -> String {
    message.withBytes { bytes in
      let part = UnsafeRawBufferPointer(rebasing: bytes[range])
      guard part.first == 0x7B else { return path == Array("text".utf8) ? plain : "" }
      guard let value = part.member(path), value.first != 0x6E else { return "" }
      if let text = value.decodedText { return text }
      var line = ByteBuffer()
      line.append(json: value, singleLine: true)
      return line.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The integer that a member has; nil if there is none.
  package func integer(_ name: String) -> Int? {
    with(name) { $0.flatMap { $0.first == 0x22 ? nil : JSONNumber($0).integer } }
  }

  /// The string that a member has; nil if there is none.
  package func text(_ name: String) -> String? { with(name) { $0?.decodedText } }
}

extension UnsafeRawBufferPointer {
  /// The characters of a valid JSON string; nil for other values.
  var decodedText: String? {
    guard first == 0x22 else { return nil }
    var reader = JSONReader(self)
    var bytes: [UInt8] = []
    checked { () throws(JSONError) in reader.decode(try reader.string(), into: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The version information in a daemon's reply to `initialize`.
package struct DaemonGreeting {
  /// The version of the program; nil if the reply has none.
  package let version: String?
  package let protocolVersion: Int?

  /// Reads the result of `initialize`.
  package init(_ result: MessagePart) {
    version = result.text("serverInfo.version")
    protocolVersion = result.integer("protocolVersion")
  }

  /// Whether the daemon is the same version, as far as is known.
  package var isOwn: Bool {
    version == OwnDaemon.shared.version && protocolVersion == OwnDaemon.shared.protocolVersion
  }

  /// A message that the daemon's version differs.
  package func difference(at path: String) -> String {
    let number = protocolVersion.map { "\($0)" } ?? "unknown"
    return "the daemon at \(path) is listd \(version ?? "of an unknown version") "
      + "(protocol \(number)), and this is \(OwnDaemon.shared.title)"
  }
}
