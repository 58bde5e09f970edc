import JSONBytes

/// What one frame says.
package enum Message {
  case single(Envelope)
  case batch(Batch)

  /// `[]`, which is answered like a single value that is no request.
  case emptyBatch

  /// Reads a whole message; all of it has been checked when this returns.
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

  /// Reads a whole message that is a single request, as `Envelope.read(from:params:)` does; of one
  /// that is still coming, `body` waits for the rest.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, _ arrival: Arrival?,
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

/// The messages of a batch that has been checked, read one by one.
///
/// They are not kept in an array, for a batch may hold millions of bare values. Valid as long as
/// the bytes of the message are.
package struct Batch: Sequence, IteratorProtocol {
  /// How many values the batch holds.
  package let count: Int

  private var reader: JSONReader

  fileprivate init(_ beginning: JSONReader, count: Int) throws(JSONError) {
    self.count = count
    reader = beginning
    try reader.openArray()
  }

  /// The next message; a value that is no object is `invalid`.
  package mutating func next() -> Envelope? {
    do {
      guard try reader.nextElement() else { return nil }
      return try Envelope.read(from: &reader)
    } catch {
      preconditionFailure("a batch that was not checked")
    }
  }
}
