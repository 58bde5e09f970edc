import ByteBuffers
import JSONBytes
import ListState

/// The members of a request's parameters, or of an object in them, by name. A member that is `null`
/// is absent.
package struct Params: ~Copyable {
  /// The object; `nil` if there is none.
  private var object: Value?

  /// A member with a known name. Messages are shorter than 4 GiB.
  private struct Member {
    var name = ParamName.list
    var range: Range<UInt32> = 0..<0
  }

  /// The first of these members, which are all in most objects, and the others.
  private var few = InlineArray<6, Member>(repeating: Member())
  private var others: [Member] = []
  private var count = 0

  /// The names of the members that are present, and of those that are `null`.
  private var present: UInt128 = 0
  private var nulls: UInt128 = 0

  /// Whether the object has members with unknown names that do not begin with `_` or `$`.
  private var hasOthers = false

  /// Whether the object has several members with the same known name.
  private var hasDuplicates = false

  /// What was read with the members.
  var content = Content.none

  /// What is read of a request in the pass in which its message is checked.
  enum Content {
    case none
    case snapshot(ReadSnapshot)

    /// The edits of a list that exists.
    case edits(Edits, of: [UInt8])
  }

  /// Creates the parameters of a request that has none, or of which none were read yet.
  package init() {}

  /// Reads the members of an object. Each must be known, or begin with `_` or `$`.
  ///
  /// - Throws: -32602 if the value is not an object, or for an unknown member, with the nearest
  ///   known one.
  init(_ value: Value, known: ParamNames) throws(Failure) {
    self.init()
    object = value
    try read(value)
    try check(known: known)
  }

  /// Reads the members of an object, which the caller checks when it knows which ones are allowed.
  ///
  /// - Throws: -32602 if the value is not an object.
  init(_ value: Value) throws(Failure) {
    self.init()
    object = value
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
    guard let range, !message.isNull(at: range) else {
      self.init()
      return
    }
    try self.init(Value(message: message, range: range, .params))
  }

  /// Reads the members of the next object of a message, which may not have been checked, and moves
  /// `reader` to its end. `object` is where it starts. The caller checks which members are allowed.
  ///
  /// `body` reads the value of a member, before which there may be white space, and returns its range, or
  /// returns `nil` and reads nothing.
  mutating func read(
    _ object: Value, _ reader: inout JSONReader,
    _ body: (ParamName, inout Params, inout JSONReader) -> Range<Int>?
  ) throws(JSONError) {
    self.object = object
    try read(&reader) { (name, params, reader) throws(JSONError) in
      if let range = body(name, &params, &reader) { return range }
      return try reader.skip()
    }
    self.object = Value(in: object, range: object.range.lowerBound..<reader.offset)
  }

  /// Whether all members are known and different, or ignored.
  var isUsual: Bool { !hasOthers && !hasDuplicates }

  /// Whether a snapshot or edits were read.
  var hasContent: Bool { if case .none = content { false } else { true } }

  /// Removes and returns what was read with the members.
  mutating func takeContent() -> Content {
    var taken = Content.none
    swap(&taken, &content)
    return taken
  }

  /// The range of the object; `nil` if there is none.
  var range: Range<Int>? { object?.range }

  /// Reads the members of the next object; `body` reads the value of a known member. Of duplicate
  /// names, the last one counts.
  private mutating func read(
    _ reader: inout JSONReader,
    _ body: (ParamName, inout Params, inout JSONReader) throws(JSONError) -> Range<Int>
  ) throws(JSONError) {
    try reader.openObject()
    while let text = try reader.nextMember() {
      guard let name = ParamName.table.find(text, in: reader) else {
        if !reader.isExtra(text) { hasOthers = true }
        _ = try reader.skip()
        continue
      }
      let range = try body(name, &self, &reader)
      // No other value begins with this letter.
      let isNull = reader.bytes(range)[0] == 0x6E
      let member = Member(name: name, range: Range<UInt32>(range))
      if (present | nulls) & name.bit != 0 {
        hasDuplicates = true
        set(member, at: index(of: name))
      } else {
        set(member, at: count)
        count += 1
      }
      present = isNull ? present & ~name.bit : present | name.bit
      nulls = isNull ? nulls | name.bit : nulls & ~name.bit
    }
  }

  /// Checks that each member is known, or begins with `_` or `$`.
  ///
  /// - Throws: -32602 for the first unknown member.
  func check(known: ParamNames) throws(Failure) {
    if hasOthers || hasAny(~known.bits) {
      let words = known.names.map { $0.rawValue }
      for (name, value) in object?.members ?? []
      where !name.isExtra && !words.contains(name) && !ParamNames.wordsOfAll.contains(name) {
        throw Self.unknown(name, value, words)
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

  private mutating func set(_ member: Member, at index: Int) {
    if index < few.count {
      few[index] = member
    } else if index == count {
      others.append(member)
    } else {
      others[index - few.count] = member
    }
  }

  private func member(at index: Int) -> Member {
    index < few.count ? few[index] : others[index - few.count]
  }

  /// Returns the index of a member that was read.
  private func index(of name: ParamName) -> Int {
    var index = 0
    while member(at: index).name != name { index += 1 }
    return index
  }

  // Most members are absent.
  @inline(__always)
  subscript(name: ParamName) -> Value? { present & name.bit == 0 ? nil : value(of: name) }

  private func value(of name: ParamName) -> Value? {
    Value(in: object!, range: member(at: index(of: name)).range.wide)
  }

  /// Reports whether any member of a set of names is present or `null`.
  func hasAny(_ names: UInt128) -> Bool { (present | nulls) & names != 0 }

  /// Reports whether a member is present and `null`.
  func isNull(_ name: ParamName) -> Bool { nulls & name.bit != 0 }

  func require(_ name: ParamName, expected: String = "a string") throws(Failure) -> Value {
    guard let value = self[name] else {
      throw .missing(pointer.appending(member: name.rawValue), expected: expected)
    }
    return value
  }

  /// Returns a member that is an integer of 0 or more.
  func requireCount(_ name: ParamName) throws(Failure) -> Int {
    try require(name, expected: "an integer that is 0 or more").requireCount()
  }

  /// The location of the object.
  var pointer: String { object?.pointer ?? "/params" }

  /// Checks that exactly one of some members is present.
  ///
  /// - Throws: -32602 for the second one, or for the object if there is none.
  func requireOne(of names: ParamName..., expected: String) throws(Failure) {
    var isPresent = false
    for name in names where present & name.bit != 0 {
      if isPresent { throw value(of: name)!.failure(expected: expected) }
      isPresent = true
    }
    if !isPresent { throw .missing(pointer, expected: expected) }
  }

  /// The token for the request's progress, if it has one.
  var workDoneToken: Value? { self[.workDoneToken] }

  /// Returns the first of some members that is present.
  func first(of names: ParamName...) -> Value? {
    for name in names { if let value = self[name] { return value } }
    return nil
  }
}

extension SharedBytes {
  /// Reports whether the value at a range is `null`.
  fileprivate func isNull(at range: Range<Int>) -> Bool { bytes[range.lowerBound] == 0x6E }
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
