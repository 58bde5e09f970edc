import JSONBytes
import JSONRPC
import ListServer
import Synchronization

/// Computes the exit code that a private daemon would have after the bytes that a client sends.
///
/// One thread adds bytes. Any thread may read the exit code.
final class ConnectionEnd: @unchecked Sendable {
  private var reader = FrameReader()
  private var session = Session()

  /// The exit code, -1 until it is known.
  private let code = Atomic(-1)

  /// The exit code of the session; `nil` if the session has not ended.
  var exitCode: Int? {
    let code = code.load(ordering: .acquiring)
    return code < 0 ? nil : code
  }

  /// Adds the next bytes of the client. No bytes mean the end of its input.
  func append(_ bytes: UnsafeRawBufferPointer) {
    if bytes.isEmpty {
      while let frame = reader.finish() { take(frame, isLast: true) }
      session.client.finish()
    } else {
      reader.feed(bytes)
      while let frame = reader.next() { take(frame, isLast: false) }
    }
    if let known = session.exitCode { code.store(known, ordering: .releasing) }
  }

  /// Messages longer than this, in bytes, are not `shutdown` or `exit`.
  private static let shortMessage = 1 << 12

  /// Ignores messages about lists, because they do not end a session.
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
