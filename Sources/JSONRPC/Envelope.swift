import JSONBytes

/// The envelope of a message: its kind, id and method, without the content of `params`.
///
/// All ranges refer to the bytes that the message was read from.
package struct Envelope {
  /// The kind of a message.
  package enum Kind: Equatable, Sendable {
    case request
    case notification

    /// A reply to a request sent by the server: it has `result` or `error` and no `method`.
    case response
    case invalid(InvalidRequest)
  }

  package var kind: Kind

  /// The range of the whole value.
  package var range: Range<Int>

  /// The range of the `id`, to be echoed in the reply; nil if it is missing or of an invalid type.
  package var id: Range<Int>?

  /// The name of the method, if it is a string.
  package var method: JSONString?

  /// The range of `params`, if it is an object, an array or `null`.
  package var params: Range<Int>?

  /// The range of the result of a response.
  package var result: Range<Int>?

  /// The range of the error of a response.
  package var error: Range<Int>?

  /// The number of containers that are open around the value of `params`.
  package var depth: Int
}

/// The outcome of reading `params` in a message that has not been validated.
package enum ParamsReading {
  case read(Range<Int>)
  /// The message must be validated first.
  case refused
  /// The request was cancelled meanwhile; the rest of the message need not be read.
  case stopped
}

/// The reason why a value is not a request object.
package enum InvalidRequest: Sendable {
  case notAnObject, version, id, method, missingMethod, params

  /// The location in the request object, as a JSON pointer (RFC 6901).
  package var pointer: StaticString {
    switch self {
    case .notAnObject: ""
    case .version: "/jsonrpc"
    case .id: "/id"
    case .method, .missingMethod: "/method"
    case .params: "/params"
    }
  }

  /// The expected value at that location.
  package var expected: StaticString {
    switch self {
    case .notAnObject: "an object"
    case .version: "\"2.0\""
    case .id: "a string, a number or null"
    case .method, .missingMethod: "a string"
    case .params: "an object, an array or null"
    }
  }

  /// The complete reason, for people.
  package var reason: StaticString {
    switch self {
    case .notAnObject: "a request is an object"
    case .version: "jsonrpc must be \"2.0\""
    case .id: "id must be a string, a number or null"
    case .method: "method must be a string"
    case .missingMethod: "a request needs a method"
    case .params: "params must be an object, an array or null"
    }
  }
}

extension Envelope {
  private static let members = MemberKeys(
    "jsonrpc", "id", "method", "params", "result", "error")

  /// Reads the next value completely. If a member repeats, the last one counts.
  ///
  /// - Throws: `JSONError` if the bytes are not JSON. JSON that is not a request is `invalid`.
  package static func read(from reader: inout JSONReader) throws(JSONError) -> Envelope {
    guard try reader.peek() == .object else {
      return Envelope(
        kind: .invalid(.notAnObject), range: try reader.skip(), depth: reader.depth + 1)
    }
    var found = MemberRanges()
    let range = try reader.object(seeking: members, into: &found)
    var envelope = Envelope(kind: .notification, range: range, depth: reader.depth + 1)
    envelope.fill(from: found, reader)
    return envelope
  }

  /// Reads the next request. `body` reads the value of its `params`, or refuses to.
  ///
  /// This is for messages with large `params`, which are read in a single pass. Returns nil if
  /// something is unusual: use `read(from:)` to find out what the message is. Do the same if this
  /// function throws.
  package static func read(
    from reader: inout JSONReader,
    params body: (JSONString, Range<Int>?, inout JSONReader) -> ParamsReading
  ) throws(JSONError) -> Envelope? {
    guard try reader.peek() == .object else { return nil }
    let start = reader.offset
    let outer = reader.depth + 1
    var found = MemberRanges()
    var method: JSONString?
    try reader.openObject()
    while let name = try reader.nextMember() {
      guard let index = index(of: name, reader), found[index] == nil else { return nil }
      if index == 2, try reader.peek() == .string {
        var ahead = reader
        method = try ahead.string()
      }
      guard index == 3 else {
        found.set(index, try reader.skip())
        continue
      }
      guard let method else { return nil }
      switch body(method, found[1], &reader) {
      case .read(let range): found.set(index, range)
      case .refused: return nil
      case .stopped:
        let range = start..<reader.offset
        var envelope = Envelope(kind: .request, range: range, depth: outer)
        envelope.id = found[1]
        envelope.method = method
        return envelope
      }
    }
    guard found[3] != nil else { return nil }
    var envelope = Envelope(kind: .notification, range: start..<reader.offset, depth: outer)
    envelope.fill(from: found, reader)
    return envelope
  }

  /// Returns the index of a known member, or nil if the name is unknown or has escapes.
  private static func index(of name: JSONString, _ reader: JSONReader) -> Int? {
    if reader.matches(name, "jsonrpc") { return 0 }
    if reader.matches(name, "id") { return 1 }
    if reader.matches(name, "method") { return 2 }
    return reader.matches(name, "params") ? 3 : nil
  }

  private init(kind: Kind, range: Range<Int>, depth: Int) {
    self.kind = kind
    self.range = range
    self.depth = depth
  }

  private mutating func fill(from found: MemberRanges, _ reader: JSONReader) {
    func first(_ range: Range<Int>) -> UInt8 { reader.bytes(range)[0] }
    if let id = found[1], first(id) == 0x22 || first(id) == 0x6E || Self.isNumber(first(id)) {
      self.id = id
    }
    if let method = found[2], first(method) == 0x22 {
      var moved = reader.moved(to: method.lowerBound, depth: depth)
      self.method = try? moved.string()
    }
    if let params = found[3], [0x7B, 0x5B, 0x6E].contains(first(params)) { self.params = params }
    result = found[4]
    error = found[5]
    if found[2] == nil && (result != nil || error != nil) {
      kind = .response
    } else if found[1] != nil && id == nil {
      kind = .invalid(.id)
    } else if !Self.isVersion(found[0], reader) {
      kind = .invalid(.version)
    } else if method == nil {
      kind = .invalid(found[2] == nil ? .missingMethod : .method)
    } else if found[3] != nil && params == nil && !isOptional(reader) {
      kind = .invalid(.params)
    } else {
      kind = id == nil ? .notification : .request
    }
  }

  /// Whether the method begins with `$/`: unknown methods of this form are ignored, whatever their
  /// parameters are.
  private func isOptional(_ reader: JSONReader) -> Bool {
    method.map { reader.bytes($0.range).starts(with: [0x24, 0x2F]) } ?? false
  }

  private static func isNumber(_ byte: UInt8) -> Bool {
    byte == 0x2D || (0x30...0x39).contains(byte)
  }

  private static func isVersion(_ range: Range<Int>?, _ reader: JSONReader) -> Bool {
    guard let range else { return false }
    var moved = reader.moved(to: range.lowerBound, depth: 0)
    guard let string = try? moved.string() else { return false }
    return reader.matches(string, "2.0")
  }
}
