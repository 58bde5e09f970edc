import ByteBuffers
import JSONBytes
import ListState

/// The parameters of a request by name. A member that is `null` is absent.
struct Params {
  private var values: [(name: String, value: Value)] = []

  /// The known members that are `null`.
  private var nulls: [String] = []

  /// The object; `nil` if there is none.
  private let object: Value?

  /// Reads the members of an object. Each must be known, or begin with `_` or `$`.
  ///
  /// - Throws: -32602 if the value is not an object, or for an unknown member, with the nearest
  ///   known one.
  init(_ value: Value, known: [String]) throws(Failure) {
    object = value
    try read(value, known)
  }

  /// Reads the members of a request's `params`. If it is missing or `null`, there are none.
  init(_ message: SharedBytes, _ range: Range<Int>?, known: [String]) throws(Failure) {
    object = range.map { Value(message: message, range: $0, pointer: "/params") }
    if let value = object, value.kind != .null { try read(value, known) }
  }

  /// Reads the members of the next object of a message that has not been checked.
  ///
  /// `body` reads the value of a member and returns its range, or returns `nil` and reads nothing.
  /// Fails if anything is invalid or unusual; the message must then be checked first.
  init?(
    _ message: SharedBytes, _ reader: inout JSONReader, known: [String],
    _ body: (String, Params, inout JSONReader) throws(Failure) -> Range<Int>?
  ) {
    do {
      guard try reader.peek() == .object else { return nil }
      // The end is not known yet.
      let object = Value(
        message: message, range: reader.offset..<reader.offset, pointer: "/params")
      self.object = object
      try reader.openObject()
      while let name = try reader.nextMember() {
        let text = reader.text(name)
        guard known.contains(text) || text == Self.token, self[text] == nil else { return nil }
        _ = try reader.peek()
        let range = try body(text, self, &reader) ?? reader.skip()
        let value = Value(in: object, range: range)
        if value.kind == .null || text == Self.token && !value.isProgressToken { return nil }
        values.append((text, value))
      }
    } catch { return nil }
  }

  private mutating func read(_ value: Value, _ known: [String]) throws(Failure) {
    guard let members = value.members else { throw value.failure(expected: "an object") }
    for (name, value) in members {
      if known.contains(name) {
        set(name, value)
      } else if name == Self.token {
        guard value.kind == .null || value.isProgressToken else {
          throw value.failure(expected: "a string or an integer")
        }
        set(name, value)
      } else if name != Self.partialResultToken, !name.hasPrefix("_"), !name.hasPrefix("$") {
        throw Self.unknown(name, value, known)
      }
    }
  }

  /// Records a member. Of duplicate names, the last one counts.
  private mutating func set(_ name: String, _ value: Value) {
    values.removeAll { $0.name == name }
    nulls.removeAll { $0 == name }
    if value.kind == .null { nulls.append(name) } else { values.append((name, value)) }
  }

  static func unknown(_ name: String, _ value: Value, _ known: [String]) -> Failure {
    let nearest = name.nearest(among: known)
    let all = known.isEmpty ? "no members" : "one of " + known.joined(separator: ", ")
    return .invalidParams(
      value.pointer, expected: nearest.map { "\"\($0)\"" } ?? all,
      "\(value.pointer): unknown member \"\(name)\""
        + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""))
  }

  private static let token = "workDoneToken"

  /// A member of many LSP requests, which listd ignores.
  private static let partialResultToken = "partialResultToken"

  /// The token for the request's progress, if it has one.
  var workDoneToken: Value? { self[Self.token] }

  subscript(name: String) -> Value? { values.first { $0.name == name }?.value }

  /// Reports whether a member is present and `null`.
  func isNull(_ name: String) -> Bool { nulls.contains(name) }

  func require(_ name: String, expected: String = "a string") throws(Failure) -> Value {
    guard let value = self[name] else {
      throw .missing(
        (object?.pointer ?? "/params").appending(member: name), expected: expected)
    }
    return value
  }
}

extension Value {
  /// Whether the value is a valid token for progress.
  fileprivate var isProgressToken: Bool {
    kind == .string
      || kind == .number && JSONNumber(bytes).integerDigits(limit: IDTable.mostDigits) != nil
  }
}
