import JSONBytes
import JSONRPC
import ListProtocol
import ListState

/// Lists that are asked by a method's name and the text of its parameters.
final class Service {
  private var service = ListService(historyBytes: 64 << 20)

  init(singleLine: Bool = true) { service.singleLine = singleLine }

  /// Changes how much a composite may hold.
  func limitComposites(_ set: (inout SnapshotSize) -> Void) { set(&service.store.compositeLimit) }

  /// The result as text; of a failure the code, the words and the data.
  func ask(_ method: Method, _ params: String) -> String {
    let message = SharedBytes(copying: params.utf8)
    var out = ByteBuffer()
    do throws(Failure) {
      try service.perform(method, message, 0..<message.count, to: &out)
      return out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    } catch {
      let data = String(decoding: error.data, as: UTF8.self)
      return "\(error.code.rawValue) \(error.message) \(data)"
    }
  }

  /// Whether parameters are taken.
  func takes(_ method: Method, _ params: String) -> Bool {
    ask(method, params).first == "{"
  }

  /// Where a parameter that is refused stands, and what belongs there.
  func refusal(_ method: Method, _ params: String) -> String {
    let told = ask(method, params)
    guard told.hasPrefix("-32602"), let data = told.firstRange(of: " ,\"pointer\":") else {
      return told
    }
    return String(told[told.index(after: data.lowerBound)...])
  }
}
