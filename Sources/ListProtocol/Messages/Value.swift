import ByteBuffers
import JSONBytes
import ListState

/// A value that has been checked, in a message of which more may not have been.
///
/// It fits into three registers, because requests pass many of them on.
package struct Value {
  let message: SharedBytes

  /// Where the value is in the message, which is shorter than 4 GiB.
  private let bounds: Range<UInt32>

  /// The value that this one was read from, which contains it: where it starts in the message, and
  /// the pointer to it.
  private let start: UInt32
  private let root: Root

  /// A value that others are read from, by the pointer to it.
  package enum Root: String {
    case whole = ""
    case params = "/params"
    case edits = "/params/edits"
    case feed = "/params/from"
    case view = "/params/view"
  }

  /// Creates a value that others are read from.
  init(message: SharedBytes, range: Range<Int>, _ root: Root = .whole) {
    self.message = message
    bounds = Range<UInt32>(range)
    start = bounds.lowerBound
    self.root = root
  }

  /// Creates the value that is a whole message.
  package init(_ message: SharedBytes, _ root: Root = .whole) {
    self.init(message: message, range: 0..<message.count, root)
  }

  /// Creates a value inside of another one, at any depth.
  init(in root: Value, range: Range<Int>) {
    message = root.message
    bounds = Range<UInt32>(range)
    start = root.start
    self.root = root.root
  }

  var range: Range<Int> { bounds.wide }

  /// The location of the value in the message, as a JSON Pointer (RFC 6901).
  ///
  /// It is found again in the message, since most values are read without a failure.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes between the start of the value that this
  ///   one was read from, and the end of this one.
  var pointer: String {
    var pointer = root.rawValue
    var reader = JSONReader(message.bytes, from: Int(start), depth: Self.depth)
    // Nobody is sent the pointers of a message that is invalid.
    while reader.offset < range.lowerBound,
      let step = try? reader.enter(whatContains: range.lowerBound)
    {
      pointer = pointer.appending(member: step)
    }
    return pointer
  }

  /// The depth at which values are read. Answers, which are read for checks, are nested deeper than the
  /// messages that their content is from.
  static let depth = -64

  var reader: JSONReader {
    JSONReader(message.bytes, from: range.lowerBound, depth: Self.depth)
  }

  /// The value as it was written.
  package var bytes: UnsafeRawBufferPointer { .init(rebasing: message.bytes[range]) }

  /// What kind of value it is.
  package var kind: JSONKind {
    var reader = reader
    return checked { () throws(JSONError) in try reader.peek() }
  }

  /// The elements of the array; an empty object counts as an empty array. `nil` for anything else.
  package var elements: [Value]? {
    if kind == .object, members?.isEmpty == true { return [] }
    guard kind == .array else { return nil }
    var values: [Value] = []
    reader.forEachElement { values.append(Value(in: self, range: $0)) }
    return values
  }

  /// The members of the object, with decoded names; an empty array counts as an empty object. `nil`
  /// for anything else.
  package var members: [(name: String, value: Value)]? {
    if kind == .array {
      var reader = reader
      let isEmpty = checked { () throws(JSONError) in
        try reader.openArray()
        return try !reader.nextElement()
      }
      return isEmpty ? [] : nil
    }
    guard kind == .object else { return nil }
    var members: [(name: String, value: Value)] = []
    reader.forEachMember { reader, name, range in
      members.append((reader.text(name), Value(in: self, range: range)))
    }
    return members
  }

  /// Returns the member of the object with a name; of duplicate names, the last one. Returns `nil` if
  /// there is none, and for anything but an object.
  package subscript(name: String) -> Value? {
    guard kind == .object else { return nil }
    var found: Value?
    reader.forEachMember { reader, member, range in
      if reader.text(member) == name { found = Value(in: self, range: range) }
    }
    return found
  }

  /// The string as WTF-8; `nil` for anything else.
  var string: [UInt8]? { withString { [UInt8]($0) } }

  /// The string as text, in which a lone surrogate becomes the replacement character; `nil` for anything
  /// else.
  package var text: String? { string.map { String(decoding: $0, as: UTF8.self) } }

  /// Returns what `body` returns for the string as WTF-8; `nil` for anything else.
  @inline(__always)
  func withString<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard message.bytes[range.lowerBound] == 0x22 else { return nil }
    // It was checked, so only its escapes must be found.
    let inside = range.lowerBound + 1..<range.upperBound - 1
    let content = UnsafeRawBufferPointer(rebasing: message.bytes[inside])
    guard Bytes.firstIndex(of: 0x5C, in: content, from: 0) != nil else { return body(content) }
    var decoded: [UInt8] = []
    reader.decode(JSONString(range: inside, hasEscapes: true), into: &decoded)
    return decoded.withUnsafeBytes(body)
  }

  /// The integer, in any spelling, if it fits a machine word; `nil` for anything else.
  package var integer: Int? {
    guard kind == .number else { return nil }
    let number = JSONNumber(bytes)
    if let integer = number.integer { return integer }
    guard !number.isInteger, let value = number.integer(within: Int.min...Int.max), value.isExact
    else { return nil }
    return value.value
  }

  var boolean: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The failure that this value is not what is expected.
  func failure(expected: String) -> Failure { .invalidParams(pointer, expected: expected) }

  func requireString() throws(Failure) -> [UInt8] {
    guard let string else { throw failure(expected: "a string") }
    return string
  }

  func requireText() throws(Failure) -> String {
    String(decoding: try requireString(), as: UTF8.self)
  }

  func requireBoolean() throws(Failure) -> Bool {
    guard let boolean else { throw failure(expected: "true or false") }
    return boolean
  }

  /// Returns the value as an integer that is 0 or more.
  func requireCount() throws(Failure) -> Int {
    guard let integer, integer >= 0 else {
      throw failure(expected: "an integer that is 0 or more")
    }
    return integer
  }

  func requireElements() throws(Failure) -> [Value] {
    guard let elements else { throw failure(expected: "an array") }
    return elements
  }

  /// Returns what `read` reads of each element of the array.
  func requireElements<Element>(
    _ read: (Value) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    try requireElements(with: ()) { value, _ throws(Failure) in try read(value) }
  }

  /// Returns what `read` reads of each element of the array, given a table of identifiers or another value. A
  /// closure that has the table from outside would copy it.
  func requireElements<Element, Table: ~Copyable>(
    with table: borrowing Table, _ read: (Value, borrowing Table) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    guard kind == .array else {
      _ = try requireElements()
      return []
    }
    var elements: [Element] = []
    var reader = reader
    checked { () throws(JSONError) in try reader.openArray() }
    while let range = reader.nextCheckedElement() {
      elements.add(try read(Value(in: self, range: range), table))
    }
    return elements
  }

  /// Returns the value as one of the names of `type`.
  func requireChoice<Choice: RawRepresentable<String> & CaseIterable>(
    of type: Choice.Type
  ) throws(Failure) -> Choice {
    let choices = Array(Choice.allCases)
    return choices[try requireWord(among: choices.map(\.rawValue))]
  }

  /// Returns the index of the value among some words.
  func requireWord(_ words: String...) throws(Failure) -> Int { try requireWord(among: words) }

  private func requireWord(among words: [String]) throws(Failure) -> Int {
    let word = text
    if let index = words.firstIndex(where: { $0 == word }) { return index }
    let quoted = words.map { "\"\($0)\"" }
    let expected = quoted.dropLast().joined(separator: ", ") + " or " + quoted.last!
    guard let word else { throw failure(expected: expected) }
    let nearest = word.nearest(among: words)
    throw .invalidParams(
      pointer, expected: expected,
      "\(pointer): expected \(expected)" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""))
  }

  /// Returns the value as a selection mode.
  func requireSelectionMode() throws(Failure) -> SelectionMode {
    [.none, .single, .multiple][try requireWord("none", "single", "multiple")]
  }

  /// Returns a member of the object; `nil` if it is absent or `null`.
  func given(_ name: String) -> Value? { self[name].flatMap { $0.kind == .null ? nil : $0 } }
}

extension Array {
  /// Appends an element. The first one of an empty array, which is often the only one, takes no growth.
  @inline(__always)
  mutating func add(_ element: Element) {
    if isEmpty { self = [element] } else { append(element) }
  }
}

extension Range<UInt32> {
  /// A range of a message, in half the memory.
  init(_ range: Range<Int>) { self = UInt32(range.lowerBound)..<UInt32(range.upperBound) }

  var wide: Range<Int> { Range<Int>(uncheckedBounds: (Int(lowerBound), Int(upperBound))) }
}

extension JSONReader {
  /// Returns a string as text. A lone surrogate becomes the replacement character.
  func text(_ string: JSONString) -> String {
    if !string.hasEscapes { return String(decoding: bytes(string.range), as: UTF8.self) }
    var bytes: [UInt8] = []
    decode(string, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Moves from the start of an object or array to the member or element that contains an offset.
  /// Returns its name or index; `nil` if there is none.
  fileprivate mutating func enter(whatContains offset: Int) throws(JSONError) -> String? {
    var index = 0
    let isObject = try peek() == .object
    if isObject { try openObject() } else { try openArray() }
    while true {
      var name: JSONString?
      if isObject {
        name = try nextMember()
        if name == nil { return nil }
      } else if try !nextElement() {
        return nil
      }
      _ = try peek()
      let start = self
      if try skip().contains(offset) {
        self = start
        return name.map { text($0) } ?? "\(index)"
      }
      index += 1
    }
  }
}

extension String {
  /// Returns the pointer to a member of the value that this pointer refers to.
  func appending(member: String) -> String {
    var result = self + "/"
    for scalar in member.unicodeScalars {
      switch scalar {
      case "~": result += "~0"
      case "/": result += "~1"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
