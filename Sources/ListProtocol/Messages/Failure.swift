import ByteBuffers
import JSONBytes
import JSONRPC
import ListState

/// Why a request failed, as its reply reports it. Nothing has changed.
package struct Failure: Error {
  package var code: ErrorCode

  /// The description of the failure for people.
  package var message: String

  /// The members of `data` after `reason`, as JSON, each after a comma.
  package var data: [UInt8] = []

  /// The `reason`, if it is not that of the code.
  var reason: StaticString?

  package init(_ code: ErrorCode, _ message: String, data: FailureData = [:]) {
    self.code = code
    self.message = message
    self.data = data.bytes
  }

  /// Appends members of `data`.
  mutating func add(_ data: FailureData) { self.data += data.bytes }

  /// Appends the value of the member `error` of an error reply.
  package func write(to buffer: inout ByteBuffer) {
    buffer.append("{")
    buffer.append(member: "code", code.rawValue)
    buffer.append(member: "message", string: message)
    buffer.append(member: "data")
    buffer.append("{")
    buffer.append(member: "reason", string: reason.map { "\($0)" } ?? "\(code)")
    buffer.append(contentsOf: data)
    buffer.append("}}")
  }

  /// A value that is missing or of the wrong kind.
  package static func invalidParams(
    _ pointer: String, expected: String, _ message: String? = nil
  ) -> Failure {
    Failure(
      .invalidParams, message ?? "\(pointer): expected \(expected)",
      data: ["pointer": .text(pointer), "expected": .text(expected)])
  }

  /// A required member of the parameters that is missing.
  package static func missing(_ pointer: String, expected: String) -> Failure {
    invalidParams(pointer, expected: expected, "\(pointer): missing, expected \(expected)")
  }

  /// The name of a member that begins with `$` and is not one of the words that may.
  static func unknownMember(_ name: String, _ words: [String], at pointer: String) -> Failure {
    let nearest = name.nearest(among: words) ?? String(name.dropFirst())
    let all = (words + ["a name that does not begin with \"$\""]).joined(separator: ", ")
    return .invalidParams(
      pointer, expected: words.isEmpty ? all : "one of " + all,
      "\(pointer): unknown member \"\(name)\"; did you mean \"\(nearest)\"?")
  }

  /// A message that is JSON but not a valid request.
  package static func invalidRequest(_ problem: InvalidRequest) -> Failure {
    Failure(
      .invalidRequest, problem.reason,
      data: ["pointer": .text("\(problem.pointer)"), "expected": .text("\(problem.expected)")])
  }

  /// A message that is not JSON; `isLine` if it was a line of NDJSON.
  package static func parseError(_ error: JSONError, isLine: Bool = false) -> Failure {
    let isCut = isLine && error.problem == .unexpectedEnd
    return Failure(
      .parseError, error.description + (isCut ? "; in NDJSON each message is on one line" : ""),
      data: ["offset": .number(error.offset), "problem": .text(error.problem.description)])
  }

  /// A request that was cancelled before it changed anything.
  package static let cancelled = Failure(.requestCancelled, "the request was cancelled")

  /// A message that was ignored because of its size.
  package static func messageTooLarge(limit: Int, bytes: Int) -> Failure {
    Failure(
      .messageTooLarge, "a message of \(bytes) bytes is over the limit of \(limit)",
      data: ["limit": .number(limit), "bytes": .number(bytes)])
  }

  /// A request of a batch that is not served because the answer to the ones before it is long.
  package static func answerTooLarge(limit: Int, bytes: Int) -> Failure {
    Failure(
      .messageTooLarge,
      "the answer to the batch has \(bytes) bytes, the limit is \(limit); the rest is not served",
      data: ["limit": .number(limit), "bytes": .number(bytes)])
  }

  /// An unknown method, with the name of the one that was probably meant.
  package static func methodNotFound(_ name: String, nearest: String?) -> Failure {
    let hint = nearest.map { "; did you mean \($0)?" } ?? ""
    return Failure(
      .methodNotFound, "no method \(name)\(hint)",
      data: ["method": .text(name), "nearest": nearest.map { .text($0) }])
  }
}

/// Members of an error's `data`, one after the other. Those that are `nil` are left out.
package struct FailureData: ExpressibleByDictionaryLiteral {
  /// The value of a member.
  package enum Member {
    case text(String)
    case number(Int)

    /// A string, which may have lone surrogates.
    case name([UInt8])
    case names([[UInt8]])
    case object(FailureData)

    /// What a closure appends.
    case json((inout ByteBuffer) -> Void)

    /// Values of a message, as an array on one line.
    static func values(_ values: [ListProtocol.Value]) -> Member {
      .json { buffer in
        buffer.append(array: values.count) { $1.append(json: values[$0].bytes, singleLine: true) }
      }
    }
  }

  /// The members as JSON, each after a comma.
  fileprivate private(set) var bytes: [UInt8] = []

  package init(dictionaryLiteral members: (StaticString, Member?)...) {
    for (name, member) in members {
      guard let member else { continue }
      var buffer = ByteBuffer()
      buffer.append(member: name)
      switch member {
      case .text(let text): buffer.append(string: text)
      case .number(let number): buffer.append(decimal: number)
      case .name(let name): name.withUnsafeBytes { buffer.append(string: $0) }
      case .names(let names): buffer.append(names: names)
      case .object(let data):
        buffer.append("{")
        buffer.append(contentsOf: data.bytes.dropFirst())
        buffer.append("}")
      case .json(let write): write(&buffer)
      }
      bytes.append(0x2C)
      buffer.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
  }
}

extension Failure {
  /// A request that is not allowed in the present phase of the session.
  package static func wrongPhase(_ message: String) -> Failure {
    Failure(.invalidRequest, message)
  }

  /// An empty batch.
  package static let emptyBatch = Failure(.invalidRequest, "a batch holds at least one request")

  /// A header block that cannot be parsed.
  package static func badHeader(_ problem: HeaderProblem) -> Failure {
    Failure(.parseError, problem.rawValue, data: ["problem": .text(problem.rawValue)])
  }
}
