import ByteBuffers
import JSONBytes
import JSONRPC
import ListProtocol

/// The severity of a message to people, numbered as in the Language Server Protocol.
package enum LogLevel: Int, Sendable, CaseIterable {
  case error = 1
  case warning
  case info
  case debug

  /// Returns the level with a name, if there is one.
  package init?(named name: String) {
    guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = level
  }
}

extension ClientSession {
  /// Logs a message to the client if the session is initialized, otherwise to the daemon's
  /// diagnostics.
  mutating func log(_ level: LogLevel, _ words: String) {
    guard level.rawValue <= options.logLevel.rawValue else { return }
    guard phase == .initialized else {
      diagnostics.append(words)
      return
    }
    notify("window/logMessage") { buffer in
      buffer.append("{\"type\":")
      buffer.append(decimal: level.rawValue)
      buffer.append(member: "message")
      buffer.append(string: words)
      buffer.append("}")
    }
  }

  /// Sends the trace of the message that was just answered.
  mutating func logTrace(_ envelope: Envelope, _ message: SharedBytes) {
    let name = name(of: envelope, message)
    let id = envelope.id.map { String(decoding: message.bytes[$0], as: UTF8.self) }
    let isVerbose = trace == .verbose
    notify("$/logTrace") { buffer in
      buffer.append("{\"message\":")
      buffer.append(string: id.map { "answered \(name) (\($0))" } ?? "took \(name)")
      if isVerbose {
        buffer.append(member: "verbose")
        buffer.append(string: "\(envelope.range.count) bytes")
      }
      buffer.append("}")
    }
  }

  private mutating func notify(_ method: String, _ params: (inout ByteBuffer) -> Void) {
    var buffer = ByteBuffer()
    buffer.append("{\"jsonrpc\":\"2.0\",\"method\":")
    buffer.append(string: method)
    buffer.append(member: "params")
    params(&buffer)
    buffer.append("}")
    notifications.append(buffer.shared())
  }
}
