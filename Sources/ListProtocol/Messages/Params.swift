import ByteBuffers
import JSONBytes
import ListState

/// The members of a request's parameters, or of an object in them, by name. A member that is `null`
/// is absent.
struct Params: ~Copyable {
  /// The object; `nil` if there is none.
  private let object: Value?

  /// The members with known names, in order. No object may have more. Messages are shorter than
  /// 4 GiB.
  private var names = InlineArray<20, ParamName>(repeating: .list)
  private var ranges = InlineArray<20, Range<UInt32>>(repeating: 0..<0)

  /// The number of members in `names`.
  private var count = 0

  /// Whether the object has members that are not in `names`, and do not begin with `_` or `$`.
  private var hasOthers = false

  /// Whether the object has several members with the same known name.
  private var hasDuplicates = false

  /// Reads the members of an object. Each must be known, or begin with `_` or `$`.
  ///
  /// - Throws: -32602 if the value is not an object, or for an unknown member, with the nearest
  ///   known one.
  init(_ value: Value, known: [ParamName]) throws(Failure) {
    self.init(of: value)
    try read(value)
    try check(known: known)
  }

  /// Reads the members of an object, which the caller checks when it knows which ones are allowed.
  ///
  /// - Throws: -32602 if the value is not an object.
  init(_ value: Value) throws(Failure) {
    self.init(of: value)
    try read(value)
  }

  private mutating func read(_ value: Value) throws(Failure) {
    guard value.kind == .object else {
      // An empty array counts as an empty object.
      guard value.members != nil else { throw value.failure(expected: "an object") }
      return
    }
    var reader = value.reader
    checked { () throws(JSONError) in
      try read(&reader) { (_, _, reader) throws(JSONError) in try reader.skip() }
    }
  }

  /// Reads the members of a request's `params`, which the caller checks. If it is missing or `null`,
  /// there are none.
  init(_ message: SharedBytes, _ range: Range<Int>?) throws(Failure) {
    guard let range, message.bytes[range.lowerBound] != Self.startOfNull else {
      self.init(of: nil)
      return
    }
    try self.init(Value(message: message, range: range, pointer: "/params"))
  }

  /// Reads the members of the next object of a message that has not been checked. The caller checks
  /// which ones are allowed.
  ///
  /// `body` reads the value of a member and returns its range, or returns `nil` and reads nothing.
  /// Fails if anything is invalid or unusual; the message must then be checked first.
  init?(
    _ message: SharedBytes, _ reader: inout JSONReader,
    _ body: (ParamName, borrowing Params, inout JSONReader) -> Range<Int>?
  ) {
    let start = reader.offset
    // The end is not known yet.
    self.init(of: Value(message: message, range: start..<start, pointer: "/params"))
    do throws(JSONError) {
      guard try reader.peek() == .object else { return nil }
      try read(&reader) { (name, params, reader) throws(JSONError) in
        if let range = body(name, params, &reader) { return range }
        return try reader.skip()
      }
    } catch { return nil }
    if hasOthers || hasDuplicates { return nil }
  }

  private init(of object: Value?) { self.object = object }

  /// Reads the members of the next object; `body` reads the value of a known member. Of duplicate
  /// names, the last one counts.
  private mutating func read(
    _ reader: inout JSONReader,
    _ body: (ParamName, borrowing Params, inout JSONReader) throws(JSONError) -> Range<Int>
  ) throws(JSONError) {
    try reader.openObject()
    while let text = try reader.nextMember() {
      _ = try reader.peek()
      guard let name = ParamName.table.find(text, in: reader) else {
        if !reader.isExtra(text) { hasOthers = true }
        _ = try reader.skip()
        continue
      }
      let range = try body(name, self, &reader)
      let earlier = index(of: name)
      if earlier != nil { hasDuplicates = true }
      let index = earlier ?? count
      guard index < names.count else {
        hasOthers = true
        continue
      }
      names[index] = name
      ranges[index] = UInt32(range.lowerBound)..<UInt32(range.upperBound)
      count = max(count, index + 1)
    }
  }

  /// Checks that each member is known, or begins with `_` or `$`.
  ///
  /// - Throws: -32602 for the first unknown member.
  func check(known: [ParamName]) throws(Failure) {
    var isValid = !hasOthers
    for index in 0..<count where !known.allow(names[index]) { isValid = false }
    if !isValid {
      for (name, value) in object?.members ?? [] where !name.isExtra {
        guard let member = ParamName(rawValue: name), known.allow(member) else {
          throw Self.unknown(name, value, known.map(\.rawValue))
        }
      }
    }
    if let token = self[.workDoneToken], !token.isProgressToken {
      throw token.failure(expected: "a string or an integer")
    }
  }

  static func unknown(_ name: String, _ value: Value, _ known: [String]) -> Failure {
    let nearest = name.nearest(among: known)
    let all = known.isEmpty ? "no members" : "one of " + known.joined(separator: ", ")
    return .invalidParams(
      value.pointer, expected: nearest.map { "\"\($0)\"" } ?? all,
      "\(value.pointer): unknown member \"\(name)\""
        + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""))
  }

  private static let startOfNull = UInt8(ascii: "n")

  @inline(__always)
  private func index(of name: ParamName) -> Int? {
    for index in 0..<count where names[index] == name { return index }
    return nil
  }

  // Most members are absent.
  @inline(__always)
  subscript(name: ParamName) -> Value? {
    guard let index = index(of: name) else { return nil }
    return value(at: index)
  }

  /// Returns the value of the member with an index; `nil` if it is `null`.
  private func value(at index: Int) -> Value? {
    guard let object else { return nil }
    let range = Int(ranges[index].lowerBound)..<Int(ranges[index].upperBound)
    guard object.message.bytes[range.lowerBound] != Self.startOfNull else { return nil }
    return Value(in: object, range: range)
  }

  /// Reports whether a member is present and `null`.
  func isNull(_ name: ParamName) -> Bool { index(of: name) != nil && self[name] == nil }

  func require(_ name: ParamName, expected: String = "a string") throws(Failure) -> Value {
    guard let value = self[name] else {
      throw .missing(
        (object?.pointer ?? "/params").appending(member: name.rawValue), expected: expected)
    }
    return value
  }

  /// Checks that exactly one of some members is present.
  ///
  /// - Throws: -32602 for the second one, or for the object if there is none.
  func requireOne(of names: ParamName..., expected: String) throws(Failure) {
    var isPresent = false
    for name in names where index(of: name) != nil {
      guard let value = self[name] else { continue }
      if isPresent { throw value.failure(expected: expected) }
      isPresent = true
    }
    if !isPresent { throw .missing(object?.pointer ?? "/params", expected: expected) }
  }

  /// The token for the request's progress, if it has one.
  var workDoneToken: Value? { self[.workDoneToken] }

  /// Returns the first of some members that is present.
  func first(of names: ParamName...) -> Value? {
    for name in names { if let value = self[name] { return value } }
    return nil
  }
}

extension String {
  /// Whether a member of this name is ignored.
  fileprivate var isExtra: Bool { hasPrefix("_") || hasPrefix("$") }
}

extension JSONReader {
  /// Reports whether a member of this name is ignored.
  fileprivate func isExtra(_ name: JSONString) -> Bool { text(name).isExtra }
}

extension Value {
  /// Whether the value is a valid token for progress.
  fileprivate var isProgressToken: Bool {
    kind == .string
      || kind == .number && JSONNumber(bytes).integerDigits(limit: IDTable.mostDigits) != nil
  }
}
