import ByteBuffers
import JSONRPC
import ListState

@testable import ListProtocol

/// A service that is called with a method and the text of its parameters, and always sweeps its
/// identifiers.
final class Service {
  private var service = ListService(historyBytes: 64 << 20)

  init(_ framing: Framing = .ndjson) {
    service.context.beginMessage(of: 1, framing: framing)
    service.store.isAlwaysSwept = true
  }

  /// Changes the maximum size of composites.
  func limitComposites(_ set: (inout SnapshotSize) -> Void) { set(&service.store.compositeLimit) }

  /// Calls a closure with the service.
  func withService<Result, Failed: Error>(
    _ body: (inout ListService) throws(Failed) -> Result
  ) throws(Failed) -> Result {
    try body(&service)
  }

  /// Returns the result as text; for a failure, its code, message and data.
  func ask(_ method: Method, _ params: String) -> String {
    let message = SharedBytes(copying: params.utf8)
    var out = ByteBuffer()
    defer { service.sweepIfGrown() }
    do throws(Failure) {
      try service.perform(method, message, 0..<message.count, to: &out)
      return out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    } catch {
      let data = String(decoding: error.data, as: UTF8.self)
      return "\(error.code.rawValue) \(error.message) \(data)"
    }
  }

  /// Reports whether a request succeeds with an object as result.
  func succeeds(_ method: Method, _ params: String) -> Bool {
    ask(method, params).first == "{"
  }

  /// Returns the data of a request that fails with -32602.
  func refusal(_ method: Method, _ params: String) -> String {
    let answer = ask(method, params)
    guard answer.hasPrefix("-32602"), let data = answer.firstRange(of: " ,\"pointer\":") else {
      return answer
    }
    return String(answer[answer.index(after: data.lowerBound)...])
  }
}
