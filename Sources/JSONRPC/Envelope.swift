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

  /// Whether the request was cancelled while its `params` were read, so that the rest was not read.
  package var isCutShort = false
}

/// The outcome of reading `params` in a message that has not been checked.
package enum ParamsReading {
  case read(Range<Int>)
  /// Nothing was read. The message must be checked first.
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
  /// The members of an envelope, by their position in `MemberRanges`.
  private enum Member: Int {
    case jsonrpc, id, method, params, result, error
  }
  private static let members = MemberKeys("jsonrpc", "id", "method", "params", "result", "error")

  /// Reads the next value completely. If a member repeats, the last one counts.
  ///
  /// `body` reads the value of `params`, if the method comes before them, in a message that may
  /// not have been checked, or refuses to and reads nothing.
  ///
  /// - Throws: `JSONError` if the bytes are not JSON. JSON that is not a request is `invalid`.
  package static func read(
    from reader: inout JSONReader,
    params body: (JSONString, Range<Int>?, inout JSONReader) -> ParamsReading = refuse
  ) throws(JSONError) -> Envelope {
    let outer = reader.depth + 1
    guard try reader.peek() == .object else {
      return Envelope(kind: .invalid(.notAnObject), range: try reader.skip(), depth: outer)
    }
    let start = reader.offset
    var found = MemberRanges()
    var method: JSONString?
    try reader.openObject()
    while let name = try reader.nextMember() {
      guard let member = reader.index(of: name, in: members).flatMap(Member.init) else {
        _ = try reader.skip()
        continue
      }
      if member == .method {
        method = nil
        if try reader.peek() == .string {
          let start = reader.offset
          method = try reader.string()
          found.set(Member.method.rawValue, start..<reader.offset)
          continue
        }
      }
      if member == .params, found[Member.params] == nil, let method {
        _ = try reader.peek()
        switch body(method, found[Member.id], &reader) {
        case .read(let range):
          found.set(Member.params.rawValue, range)
          continue
        case .refused: break
        case .stopped:
          let range = start..<reader.offset
          var envelope = Envelope(kind: .request, range: range, depth: outer)
          envelope.id = found[Member.id]
          envelope.method = method
          envelope.isCutShort = true
          return envelope
        }
      }
      found.set(member.rawValue, try reader.skip())
    }
    var envelope = Envelope(kind: .notification, range: start..<reader.offset, depth: outer)
    envelope.method = method
    envelope.fill(from: found, reader)
    return envelope
  }

  /// Reads no `params`, so that they are read like any other member.
  package static func refuse(
    _ method: JSONString, _ id: Range<Int>?, _ reader: inout JSONReader
  ) -> ParamsReading { .refused }

  private init(kind: Kind, range: Range<Int>, depth: Int) {
    self.kind = kind
    self.range = range
    self.depth = depth
  }

  private mutating func fill(from found: MemberRanges, _ reader: JSONReader) {
    func first(_ range: Range<Int>) -> UInt8 { reader.bytes(range)[0] }
    if let id = found[Member.id], first(id) == 0x22 || first(id) == 0x6E || Self.isNumber(first(id))
    {
      self.id = id
    }
    if let params = found[Member.params], [0x7B, 0x5B, 0x6E].contains(first(params)) {
      self.params = params
    }
    result = found[Member.result]
    error = found[Member.error]
    if found[Member.method] == nil && (result != nil || error != nil) {
      kind = .response
    } else if found[Member.id] != nil && id == nil {
      kind = .invalid(.id)
    } else if !Self.isVersion(found[Member.jsonrpc], reader) {
      kind = .invalid(.version)
    } else if method == nil {
      kind = .invalid(found[Member.method] == nil ? .missingMethod : .method)
    } else if found[Member.params] != nil && params == nil && !isOptional(reader) {
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

extension MemberRanges {
  /// Returns the range of the value of a member, by its position among the names that were sought.
  @inline(__always)
  package subscript<Key: RawRepresentable<Int>>(key: Key) -> Range<Int>? { self[key.rawValue] }
}
