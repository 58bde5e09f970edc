import ByteBuffers
import JSONBytes
import ListProtocol
import ListServer

/// A message of a daemon and the range of a value in it.
struct MessagePart {
  let message: SharedBytes
  private let range: Range<Int>

  /// Creates a part of a valid message.
  init(_ message: SharedBytes, _ range: Range<Int>) {
    self.message = message
    self.range = range
  }

  /// Calls `body` with the JSON value of a member, or with nil if there is none.
  func with<R: ~Copyable>(_ name: String, body: (UnsafeRawBufferPointer?) -> R) -> R {
    message.withBytes { bytes in
      let part = UnsafeRawBufferPointer(rebasing: bytes[range])
      return body(part.member(Array(name.utf8)))
    }
  }

  /// The integer that a member has; nil if there is none.
  func integer(_ name: String) -> Int? {
    with(name) { $0.flatMap { $0.first == 0x22 ? nil : JSONNumber($0).integer } }
  }

  /// The string that a member has; nil if there is none.
  func text(_ name: String) -> String? { with(name) { $0?.decodedText } }
}

extension UnsafeRawBufferPointer {
  /// The characters of a valid JSON string; nil for other values.
  fileprivate var decodedText: String? {
    guard first == 0x22 else { return nil }
    var reader = JSONReader(self)
    var bytes: [UInt8] = []
    checked { () throws(JSONError) in reader.decode(try reader.string(), into: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The version information in a daemon's reply to `initialize`.
struct DaemonGreeting {
  /// The version of the program; nil if the reply has none.
  let version: String?
  let protocolVersion: Int?

  /// Reads the result of `initialize`.
  init(_ result: MessagePart) {
    version = result.text("serverInfo.version")
    protocolVersion = result.integer("protocolVersion")
  }

  /// This program.
  static let own = "listd \(ClientSession.version) (protocol \(Initialize.protocolVersion))"

  /// Whether the daemon is the same version, as far as is known.
  var isOwn: Bool {
    version == ClientSession.version && protocolVersion == Initialize.protocolVersion
  }

  /// A message that the daemon's version differs.
  func difference(at path: String) -> String {
    let number = protocolVersion.map { "\($0)" } ?? "unknown"
    return "the daemon at \(path) is listd \(version ?? "of an unknown version") "
      + "(protocol \(number)), and this is \(Self.own)"
  }
}
