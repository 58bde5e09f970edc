import JSONBytes
import JSONRPC
import ListServer
import Synchronization

/// How a daemon of its own would end that gets what a client sends.
///
/// One thread notes bytes; any may ask how the session has ended.
final class ConnectionEnd: @unchecked Sendable {
  private var reader = FrameReader()
  private var session = Session()

  /// The exit code, -1 until it is known.
  private let code = Atomic(-1)

  /// The code that the session has ended with; `nil` if it goes on.
  var exitCode: Int? {
    let code = code.load(ordering: .acquiring)
    return code < 0 ? nil : code
  }

  /// Notes the next bytes of the client, none at the end of its input.
  func note(_ bytes: UnsafeRawBufferPointer) {
    if bytes.isEmpty {
      while let frame = reader.finish() { take(frame, isLast: true) }
      session.client.finish()
    } else {
      reader.feed(bytes)
      while let frame = reader.next() { take(frame, isLast: false) }
    }
    if let known = session.exitCode { code.store(known, ordering: .releasing) }
  }

  /// The length of a message, in bytes, that may be about the session alone.
  private static let shortMessage = 1 << 12

  /// Messages about lists do not end a session.
  private func take(_ frame: Frame, isLast: Bool) {
    if case .message(let message) = frame {
      let isCut = isLast && (try? Message.read(message.bytes)) == nil
      guard isCut || Self.isAboutTheEnd(message) else { return }
    }
    session.receive(frame, isLast: isLast)
    session.outbox.removeAll()
    _ = session.client.takeDiagnostics()
  }

  private static func isAboutTheEnd(_ message: SharedBytes) -> Bool {
    guard message.count <= shortMessage,
      case .single(let envelope)? = try? Message.read(message.bytes), let method = envelope.method
    else { return false }
    let reader = JSONReader(message.bytes)
    return reader.matches(method, "shutdown") || reader.matches(method, "exit")
  }
}
