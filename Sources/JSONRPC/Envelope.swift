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
  package var reason: String {
    switch self {
    case .notAnObject: "a request is an object"
    case .missingMethod: "a request needs a method"
    default: "\("\(pointer)".dropFirst()) must be \(expected)"
    }
  }
}

extension Envelope {
  private enum Member: Int {
    case jsonrpc, id, method, params, result, error

    /// The member after this one in a request as most clients write it.
    var usuallyNext: Member? {
      switch self {
      case .jsonrpc: .id
      case .id: .method
      case .method: .params
      case .params, .result, .error: nil
      }
    }

    /// What is before the value of the member in such a request.
    var opening: StaticString {
      switch self {
      case .jsonrpc: "\"jsonrpc\":"
      case .id: ",\"id\":"
      case .method: ",\"method\":"
      default: ",\"params\":"
      }
    }
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
    guard try reader.peek() == .object else {
      return Envelope(kind: .invalid(.notAnObject), range: try reader.skip())
    }
    let start = reader.offset
    var envelope = Envelope(kind: .notification, range: start..<start)
    var isVersion = false
    var isID = false
    var hasMethod = false
    var hasParams = false
    try reader.openObject()
    var expected: Member? = .jsonrpc
    while true {
      let member: Member?
      if let expected, reader.skip(expected.opening) {
        member = expected
      } else if let name = try reader.nextMember() {
        member = reader.index(of: name, in: members).flatMap(Member.init)
      } else {
        break
      }
      expected = member?.usuallyNext
      let kind = try reader.peek()
      switch member {
      case .jsonrpc:
        isVersion = false
        if kind == .string {
          let version = try reader.string()
          isVersion = reader.matches(version, "2.0")
        } else {
          _ = try reader.skip()
        }
      case .id:
        envelope.id = try reader.skip()
        isID = kind == .string || kind == .number || kind == .null
      case .method:
        envelope.method = kind == .string ? try reader.string() : nil
        if kind != .string { _ = try reader.skip() }
        hasMethod = true
      case .params:
        if !hasParams, let method = envelope.method {
          switch body(method, envelope.id, &reader) {
          case .read(let range):
            envelope.params = range
            hasParams = true
            continue
          case .refused: break
          case .stopped:
            envelope.kind = .request
            envelope.range = start..<reader.offset
            envelope.isCutShort = true
            return envelope
          }
        }
        let range = try reader.skip()
        envelope.params = kind == .object || kind == .array || kind == .null ? range : nil
        hasParams = true
      case .result: envelope.result = try reader.skip()
      case .error: envelope.error = try reader.skip()
      case nil: _ = try reader.skip()
      }
    }
    envelope.range = start..<reader.offset
    let hasInvalidID = envelope.id != nil && !isID
    if hasInvalidID { envelope.id = nil }
    if !hasMethod && (envelope.result != nil || envelope.error != nil) {
      envelope.kind = .response
    } else if hasInvalidID {
      envelope.kind = .invalid(.id)
    } else if !isVersion {
      envelope.kind = .invalid(.version)
    } else if envelope.method == nil {
      envelope.kind = .invalid(hasMethod ? .method : .missingMethod)
    } else if hasParams && envelope.params == nil && !envelope.isOptional(reader) {
      envelope.kind = .invalid(.params)
    } else if envelope.id != nil {
      envelope.kind = .request
    }
    return envelope
  }

  /// Reads no `params`, so that they are read like any other member.
  package static func refuse(
    _ method: JSONString, _ id: Range<Int>?, _ reader: inout JSONReader
  ) -> ParamsReading { .refused }

  /// Whether the method begins with `$/`: unknown methods of this form are ignored, whatever their
  /// parameters are.
  private func isOptional(_ reader: JSONReader) -> Bool {
    method.map { reader.bytes($0.range).starts(with: [0x24, 0x2F]) } ?? false
  }
}

extension MemberRanges {
  /// Returns the range of the value of a member, by its position among the names that were sought.
  @inline(__always)
  package subscript<Key: RawRepresentable<Int>>(key: Key) -> Range<Int>? { self[key.rawValue] }
}
