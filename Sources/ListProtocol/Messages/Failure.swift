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

  package init(_ code: ErrorCode, _ message: String, data: [UInt8] = []) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// Appends the value of the member `error` of an error reply.
  package func write(to buffer: inout ByteBuffer) {
    buffer.append("{")
    buffer.append(member: "code", code.rawValue)
    buffer.append(member: "message", string: message)
    buffer.append(member: "data")
    buffer.append("{")
    buffer.append(member: "reason", string: "\(reason ?? code.reason)")
    buffer.append(contentsOf: data)
    buffer.append("}}")
  }

  /// A value that is missing or of the wrong kind.
  package static func invalidParams(
    _ pointer: String, expected: String, _ message: String? = nil
  ) -> Failure {
    var data = FailureData()
    data.add("pointer", pointer)
    data.add("expected", expected)
    return Failure(
      .invalidParams, message ?? "\(pointer): expected \(expected)", data: data.bytes)
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
    var data = FailureData()
    data.add("pointer", "\(problem.pointer)")
    data.add("expected", "\(problem.expected)")
    return Failure(.invalidRequest, "\(problem.reason)", data: data.bytes)
  }

  /// A message that is not JSON; `isLine` if it was a line of NDJSON.
  package static func parseError(_ error: JSONError, isLine: Bool = false) -> Failure {
    var data = FailureData()
    data.add("offset", error.offset)
    data.add("problem", error.problem.description)
    let isCut = isLine && error.problem == .unexpectedEnd
    return Failure(
      .parseError,
      error.description + (isCut ? "; in NDJSON each message is on one line" : ""), data: data.bytes
    )
  }

  /// A request that was cancelled before it changed anything.
  package static let cancelled = Failure(.requestCancelled, "the request was cancelled")

  /// A message that was ignored because of its size.
  package static func messageTooLarge(limit: Int, bytes: Int) -> Failure {
    var data = FailureData()
    data.add("limit", limit)
    data.add("bytes", bytes)
    return Failure(
      .messageTooLarge, "a message of \(bytes) bytes is over the limit of \(limit)",
      data: data.bytes)
  }

  /// A request of a batch that is not served because the answer to the ones before it is long.
  package static func answerTooLarge(limit: Int, bytes: Int) -> Failure {
    var data = FailureData()
    data.add("limit", limit)
    data.add("bytes", bytes)
    return Failure(
      .messageTooLarge,
      "the answer to the batch has \(bytes) bytes, the limit is \(limit); the rest is not served",
      data: data.bytes)
  }

  /// An unknown method, with the name of the one that was probably meant.
  package static func methodNotFound(_ name: String, nearest: String?) -> Failure {
    var data = FailureData()
    data.add("method", name)
    if let nearest { data.add("nearest", nearest) }
    let hint = nearest.map { "; did you mean \($0)?" } ?? ""
    return Failure(.methodNotFound, "no method \(name)\(hint)", data: data.bytes)
  }
}

/// Members of an error's `data`, one after the other.
package struct FailureData {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Appends a member that is a string.
  package mutating func add(_ name: StaticString, _ value: String) {
    add(name) { $0.append(string: value) }
  }

  /// Appends a member that is an integer.
  package mutating func add(_ name: StaticString, _ value: Int) {
    add(name) { $0.append(decimal: value) }
  }

  /// Appends a member that is a string, which may have lone surrogates.
  package mutating func add(_ name: StaticString, wtf8 value: [UInt8]) {
    add(name) { buffer in value.withUnsafeBytes { buffer.append(string: $0) } }
  }

  /// Appends a member whose value `write` appends as JSON.
  package mutating func add(_ name: StaticString, _ write: (inout ByteBuffer) -> Void) {
    var buffer = ByteBuffer()
    buffer.append(member: name)
    write(&buffer)
    bytes.append(0x2C)
    buffer.withUnsafeBytes { bytes.append(contentsOf: $0) }
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
    var data = FailureData()
    data.add("problem", problem.rawValue)
    return Failure(.parseError, problem.rawValue, data: data.bytes)
  }
}
