import ByteBuffers
import Commands
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

  /// The process with which the session ends, -1 until it is known.
  private let process = Atomic(-1)

  /// The exit code of the session; `nil` if the session has not ended.
  var exitCode: Int? {
    let code = code.load(ordering: .acquiring)
    if code >= 0 { return code }
    let process = process.load(ordering: .acquiring)
    return process >= 0 && !System.isAlive(process) ? 0 : nil
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
    if let known = session.client.clientProcess { process.store(known, ordering: .releasing) }
    if let known = session.exitCode { code.store(known, ordering: .releasing) }
  }

  /// Messages after the first that are longer than this, in bytes, are not `shutdown` or `exit`.
  private static let shortMessage = 1 << 12

  /// Whether the next message is the first, which may be a long `initialize`.
  private var isFirst = true

  /// Ignores messages about lists, because they do not end a session.
  private func take(_ frame: Frame, isLast: Bool) {
    if case .message(let message) = frame {
      let isCut = isLast && (try? Message.read(message.bytes)) == nil
      guard isCut || isAboutTheEnd(message) else { return }
    }
    session.receive(frame, isLast: isLast)
    session.outbox.removeAll()
    _ = session.client.takeDiagnostics()
  }

  private func isAboutTheEnd(_ message: SharedBytes) -> Bool {
    defer { isFirst = false }
    guard message.count <= Self.shortMessage || isFirst,
      case .single(let envelope)? = try? Message.read(message.bytes), let method = envelope.method
    else { return false }
    let reader = JSONReader(message.bytes)
    return ["initialize", "shutdown", "exit"].contains { reader.matches(method, $0) }
  }
}
