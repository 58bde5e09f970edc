import ByteBuffers
import JSONBytes

/// Reports the progress of long work to a client that asked for it.
struct Progress {
  private let token: Value
  private let singleLine: Bool
  private let send: (borrowing ByteBuffer) -> Void

  /// The number of rows above which the work is long.
  private static let longRows = 50_000

  /// Reports the begin. Fails if the request has no token or the work is short.
  init?(
    of method: Method, _ params: Params, rows: Int, _ singleLine: Bool,
    _ send: @escaping (borrowing ByteBuffer) -> Void
  ) {
    guard rows > Self.longRows, let token = params.workDoneToken else { return nil }
    self.token = token
    self.singleLine = singleLine
    self.send = send
    notify { buffer in
      buffer.append("\"begin\",\"title\":")
      buffer.append(string: method.rawValue)
      buffer.append(",\"cancellable\":true,\"message\":\"comparing rows\"")
      buffer.append(",\"percentage\":0")
    }
  }

  func report(_ message: StaticString, percentage: Int) {
    notify { buffer in
      buffer.append("\"report\",\"message\":\"")
      buffer.append(message)
      buffer.append("\",\"percentage\":")
      buffer.append(decimal: percentage)
    }
  }

  func end() { notify { $0.append("\"end\"") } }

  private func notify(_ value: (inout ByteBuffer) -> Void) {
    var buffer = ByteBuffer(capacity: 256)
    buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"$/progress\",\"params\":{\"token\":")
    buffer.append(token.bytes)
    buffer.append(",\"value\":{\"kind\":")
    value(&buffer)
    buffer.append("}}}")
    send(buffer)
  }
}
