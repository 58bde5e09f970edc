import ByteBuffers
import JSONBytes

/// The words of the protocol: names of members, methods and kinds, as the document of the protocol
/// has them.
enum ProtocolWords {
  /// All words, as UTF-8. Descriptions are among them.
  static let all: Set<[UInt8]> = {
    let envelope = ["jsonrpc", "2.0", "params", "error", "workDoneToken", "partialResultToken"]
    var words = Set(envelope.map { Array($0.utf8) })
    ProtocolDocument.text.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      do throws(JSONError) { try add(&reader, to: &words) } catch {
        preconditionFailure("the document is not JSON: \(error)")
      }
    }
    return words
  }()

  private static func add(
    _ reader: inout JSONReader, to words: inout Set<[UInt8]>
  ) throws(JSONError) {
    switch try reader.peek() {
    case .object:
      try reader.openObject()
      while let name = try reader.nextMember() {
        words.insert(Array(reader.bytes(name)))
        try add(&reader, to: &words)
      }
    case .array:
      try reader.openArray()
      while try reader.nextElement() { try add(&reader, to: &words) }
    case .string: words.insert(Array(reader.bytes(try reader.string())))
    default: _ = try reader.skip()
    }
  }
}
