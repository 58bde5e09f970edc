import ByteBuffers
import JSONBytes

/// The messages of a frame.
package enum Message {
  case single(Envelope)
  case batch(Batch)

  /// The message `[]`, which is answered like a single value that is not a request.
  case emptyBatch

  /// Calls `body` with each message that it consists of.
  package func forEachEnvelope(_ body: (Envelope) -> Void) {
    switch self {
    case .single(let envelope): body(envelope)
    case .batch(let batch): for envelope in batch { body(envelope) }
    case .emptyBatch: break
    }
  }

  /// Reads and checks a whole message.
  ///
  /// `body` reads the `params` of a single request, as in `Envelope.read`. If the message is still
  /// being received, `body` also extends the reader to the whole message.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, _ arrival: PartialMessage? = nil,
    params body: (JSONString, Range<Int>?, inout JSONReader) -> ParamsReading = Envelope.refuse
  ) throws(JSONError) -> Message {
    guard let arrival else { return try read(JSONReader(bytes), params: body) }
    let count = arrival.wait(min(arrival.margin * 2, bytes.count))
    var reader = JSONReader(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
    if (try? reader.peek()) == .object,
      let envelope = try? Envelope.read(from: &reader, params: body)
    {
      if envelope.isCutShort { return .single(envelope) }
      if reader.limit == bytes.count {
        try reader.end()
        return .single(envelope)
      }
    }
    // The bytes received so far end inside of a value that is read as a whole.
    let received = bytes.prefix(arrival.wait(bytes.count))
    return try read(JSONReader(UnsafeRawBufferPointer(rebasing: received)), params: Envelope.refuse)
  }

  private static func read(
    _ reader: consuming JSONReader,
    params body: (JSONString, Range<Int>?, inout JSONReader) -> ParamsReading
  ) throws(JSONError) -> Message {
    var reader = reader
    guard try reader.peek() == .array else {
      let envelope = try Envelope.read(from: &reader, params: body)
      if !envelope.isCutShort { try reader.end() }
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
