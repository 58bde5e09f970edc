import ByteBuffers
import JSONBytes

/// The messages that report the progress of long work to a client that asked for it.
struct Progress {
  let token: Value

  /// The number of rows above which the work is long.
  static let longRows = 50_000

  func begin(_ method: Method) -> ByteBuffer {
    notification { buffer in
      buffer.append("\"begin\",\"title\":")
      buffer.append(string: method.rawValue)
      buffer.append(member: "cancellable", true)
      buffer.append(member: "message", string: "comparing rows")
      buffer.append(member: "percentage", 0)
    }
  }

  func report(_ message: StaticString, percentage: Int) -> ByteBuffer {
    notification { buffer in
      buffer.append("\"report\",\"message\":\"")
      buffer.append(message)
      buffer.append("\",\"percentage\":")
      buffer.append(decimal: percentage)
    }
  }

  func end() -> ByteBuffer { notification { $0.append("\"end\"") } }

  private func notification(_ value: (inout ByteBuffer) -> Void) -> ByteBuffer {
    var buffer = ByteBuffer(capacity: 256)
    buffer.append(notification: "$/progress")
    buffer.append("{\"token\":")
    buffer.append(token.bytes)
    buffer.append(",\"value\":{\"kind\":")
    value(&buffer)
    buffer.append("}}}")
    return buffer
  }
}
