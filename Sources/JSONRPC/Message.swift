import ByteBuffers
import JSONBytes

/// The messages of a frame.
package enum Message {
  case single(Envelope)
  case batch(Batch)

  /// The message `[]`, which is answered like a single value that is not a request.
  case emptyBatch

  /// Reads and validates a whole message.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package static func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Message {
    var reader = JSONReader(bytes)
    guard try reader.peek() == .array else {
      let envelope = try Envelope.read(from: &reader)
      try reader.end()
      return .single(envelope)
    }
    let beginning = reader
    var count = 0
    try reader.openArray()
    while try reader.nextElement() {
      _ = try reader.skip()
      count += 1
    }
    try reader.end()
    return count == 0 ? .emptyBatch : .batch(try Batch(beginning, count: count))
  }

  /// Reads a whole message that is a single request, as `Envelope.read(from:params:)` does. If the
  /// message is still being received, `body` waits for the rest.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, _ arrival: PartialMessage?,
    params body: (JSONString, Range<Int>?, inout JSONReader) -> ParamsReading
  ) throws(JSONError) -> Message? {
    let count = arrival.map { $0.wait(min($0.margin * 2, bytes.count)) } ?? bytes.count
    var reader = JSONReader(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
    guard let envelope = try Envelope.read(from: &reader, params: body) else { return nil }
    if envelope.params != nil {
      guard reader.limit == bytes.count else { return nil }
      try reader.end()
    }
    return .single(envelope)
  }
}

/// The messages of a validated batch, read one by one.
///
/// They are not stored in an array, because a batch may consist of millions of bare values. Valid
/// as long as the bytes of the message.
package struct Batch: Sequence, IteratorProtocol {
  /// The number of values in the batch.
  package let count: Int

  private var reader: JSONReader

  fileprivate init(_ beginning: JSONReader, count: Int) throws(JSONError) {
    self.count = count
    reader = beginning
    try reader.openArray()
  }

  /// Returns the next message. A value that is not an object is `invalid`.
  package mutating func next() -> Envelope? {
    do {
      guard try reader.nextElement() else { return nil }
      return try Envelope.read(from: &reader)
    } catch {
      preconditionFailure("not a validated batch")
    }
  }
}
