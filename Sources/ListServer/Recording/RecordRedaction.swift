import ByteBuffers
import JSONBytes
import JSONRPC

/// Redacts a record, so that it does not reveal the contents of lists: identifiers and strings
/// become tokens. Equal texts become equal tokens, and different ones different tokens.
///
/// These are kept: the words of the protocol, the names of the members of items and sections,
/// templates, numbers that are not identifiers, times, line ends and slashes, and the lengths of
/// the texts between these, rounded up to a multiple of `lengthUnit`.
package struct RecordRedaction {
  /// The tokens of texts, by their bytes. Strings would be equal if they look the same.
  private var tokens: [[UInt8]: String] = [RecordRedaction.mainSection: "main"]
  private var numbers: [String: Int] = [:]

  /// Lengths of tokens, in characters, are multiples of this.
  private static let lengthUnit = 8

  /// The identifier of the section of a list without sections.
  private static let mainSection = Array("main".utf8)

  package init() {}

  /// Returns the lines of a record with redacted requests and unchanged answers.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  ///
  /// - Throws: if the record begins with the lists of a journal, which cannot be redacted.
  package mutating func lines(of session: RecordedSession) throws(RecordedSession.Problem)
    -> [UInt8]
  {
    guard session.journal == nil else {
      throw RecordedSession.Problem(
        line: 1, words: "a record that begins with the lists of a journal cannot be redacted")
    }
    var output = ByteBuffer()
    appendTitle(session.options, to: &output)
    for entry in session.entries {
      switch entry.event {
      case .client(.message(let message), isLast: _): append(message, of: entry, to: &output)
      case .client(.broken(_, let bytes), isLast: _): append(raw: bytes, of: entry, to: &output)
      default: entry.text.withBytes { output.append($0) }
      }
      output.append("\n")
    }
    return output.withUnsafeBytes { Array($0) }
  }

  private func append(connectionOf entry: RecordedSession.Entry, to output: inout ByteBuffer) {
    guard entry.connection > 1 else { return }
    output.append(member: "connection")
    output.append(decimal: entry.connection)
  }

  private func appendTitle(_ options: [String], to output: inout ByteBuffer) {
    output.append("{\"title\":\"redacted\"")
    output.append(list: "options", options.count) { $1.append(string: options[$0]) }
    output.append("}\n")
  }

  private mutating func append(
    _ message: SharedBytes, of entry: RecordedSession.Entry, to output: inout ByteBuffer
  ) {
    defer { withExtendedLifetime(message) {} }
    guard (try? Message.read(message.bytes)) != nil else {
      append(raw: message, of: entry, to: &output)
      return
    }
    var reader = JSONReader(message.bytes)
    output.append("{\"at\":")
    output.append(decimal: entry.at)
    output.append(",\"from\":\"client\"")
    append(connectionOf: entry, to: &output)
    output.append(member: "message")
    do throws(JSONError) {
      try append(&reader, Position(), to: &output)
    } catch {
      preconditionFailure("a message that was not checked: \(error)")
    }
    output.append("}")
  }

  private static let rawMember = MemberKeys("raw")

  /// Appends the line of an invalid message, with the letters and digits of the client's bytes
  /// replaced.
  private func append(
    raw bytes: SharedBytes, of entry: RecordedSession.Entry, to output: inout ByteBuffer
  ) {
    let hidden = bytes.withBytes { bytes in
      bytes.map { byte -> UInt8 in
        let isLetter = byte >= 0x80 || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
        return isLetter ? 0x78 : byte
      }
    }
    entry.text.withBytes { line in
      var reader = JSONReader(line, from: 0, depth: RecordedSession.depth)
      var found = MemberRanges()
      guard (try? reader.object(seeking: Self.rawMember, into: &found)) != nil, let raw = found[0]
      else { return }
      output.append(UnsafeRawBufferPointer(rebasing: line[..<raw.lowerBound]))
      output.append("\"")
      hidden.withUnsafeBytes { output.append(base64: $0) }
      output.append("\"")
      output.append(UnsafeRawBufferPointer(rebasing: line[raw.upperBound...]))
    }
  }
}

extension RecordRedaction {
  /// The position of a value in a message.
  private struct Position {
    /// The name of the member whose value this is, or that contains the array.
    var member = ""

    /// The nesting depth; a message has depth 0, also in a batch.
    var depth = 0

    /// Whether the value is an element of an array.
    var isElement = false

    /// Whether the value is inside an item or a section, where the client chooses all names.
    var isContent = false
  }

  /// The members whose strings are words of the protocol, and the arrays whose elements are.
  private static let words: Set<String> = [
    "jsonrpc", "method", "format", "edit", "cursorPolicy", "value", "order", "as", "direction",
    "selectionMode", "selection", "sections", "case", "open", "trace", "action", "depth", "type",
  ]

  /// Those of them that sections and items have, too: `type` is that of a file that is made.
  private static let contentWords: Set<String> = ["selectionMode", "type"]
  private static let wordLists: Set<String> = ["require", "positionEncodings"]

  /// The members whose strings are names of members of items; so are the elements of `members`.
  private static let paths: Set<String> = ["by", "member", "distinct", "parent"]

  /// The members whose strings are names of templates.
  private static let templates: Set<String> = ["template", "headerTemplate", "footerTemplate"]

  /// The members whose numbers are identifiers, and the arrays whose elements are.
  private static let identifiers: Set<String> = [
    "id", "before", "after", "section", "cursor", "item",
  ]
  private static let lists: Set<String> = ["items", "sections", "selected", "parts"]

  private mutating func append(
    _ reader: inout JSONReader, _ position: Position, to output: inout ByteBuffer
  ) throws(JSONError) {
    switch try reader.peek() {
    case .object: try appendObject(&reader, position, to: &output)
    case .array:
      output.append("[")
      var inside = position
      inside.isElement = true
      if position.depth > 0 { inside.depth += 1 }
      try reader.openArray()
      while try reader.nextElement() {
        output.appendSeparator()
        var element = inside
        if Self.lists.contains(position.member), try reader.peek() == .object {
          element.isContent = true
        }
        try append(&reader, element, to: &output)
      }
      output.append("]")
    case .string:
      let string = try reader.string()
      let text = decoded(string, in: reader)
      let shown = isKept(text, at: position) ? text : Array(token(for: text).utf8)
      shown.withUnsafeBytes { output.append(string: $0) }
    case .number:
      let number = reader.bytes(try reader.skip())
      let isID =
        position.isElement
        ? Self.lists.contains(position.member) : Self.identifiers.contains(position.member)
      // The ids of requests are kept, also in the parameters of `$/cancelRequest`.
      if isID, position.depth > (position.member == "id" ? 2 : 1),
        let token = token(forNumber: number)
      {
        output.append(decimal: token)
      } else {
        output.append(number)
      }
    default: output.append(reader.bytes(try reader.skip()))
    }
  }

  private mutating func appendObject(
    _ reader: inout JSONReader, _ position: Position, to output: inout ByteBuffer
  ) throws(JSONError) {
    output.append("{")
    try reader.openObject()
    while let name = try reader.nextMember() {
      output.appendSeparator()
      let text = decoded(name, in: reader)
      let shown = position.isContent ? text : redacted(memberName: text)
      shown.withUnsafeBytes { output.append(string: $0) }
      output.append(":")
      var inside = position
      inside.member = String(decoding: text, as: UTF8.self)
      inside.depth += 1
      inside.isElement = false
      if !position.isContent, inside.member == "templates" {
        output.append(reader.bytes(try reader.skip()))
      } else {
        try append(&reader, inside, to: &output)
      }
    }
    output.append("}")
  }

  private func decoded(_ string: JSONString, in reader: JSONReader) -> [UInt8] {
    var decoded: [UInt8] = []
    reader.decode(string, into: &decoded)
    return decoded
  }

  /// Whether a string is a word of the protocol, the name of a member or of a template.
  private func isKept(_ text: [UInt8], at position: Position) -> Bool {
    let member = position.member
    if Self.templates.contains(member) { return true }
    if position.isContent, !Self.contentWords.contains(member) { return false }
    if position.isElement ? member == "members" : Self.paths.contains(member) { return true }
    let words = position.isElement ? Self.wordLists : Self.words
    return words.contains(member) && ProtocolWords.all.contains(text)
  }

  /// Returns the name of a member if it is one of the protocol. Other names keep the first
  /// character that makes them a client's own.
  private mutating func redacted(memberName name: [UInt8]) -> [UInt8] {
    if ProtocolWords.all.contains(name) { return name }
    let mark = name.prefix { $0 == 0x24 || $0 == 0x5F }.prefix(1)
    return Array(mark) + token(for: name).utf8
  }

  /// Returns a token with about as many characters as the text. Each line, and each part between
  /// slashes, has its own, as sections of composites are named `list/section`.
  private mutating func token(for text: [UInt8]) -> String {
    var result = ""
    var rest = text[...]
    while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0x2F }) {
      result += token(forPart: rest[..<end])
      result.unicodeScalars.append(Unicode.Scalar(rest[end]))
      rest = rest[(end + 1)...]
    }
    return result + token(forPart: rest)
  }

  private mutating func token(forPart part: ArraySlice<UInt8>) -> String {
    if part.isEmpty { return "" }
    let part = Array(part)
    if let token = tokens[part] { return token }
    let name = "s\(tokens.count)"
    let length = max(name.utf8.count, part.count { $0 & 0xC0 != 0x80 })
    let rounded = (length + Self.lengthUnit - 1) / Self.lengthUnit * Self.lengthUnit
    let token = name + String(repeating: "x", count: rounded - name.utf8.count)
    tokens[part] = token
    return token
  }

  /// Returns the token of an integer; `nil` for other numbers.
  private mutating func token(forNumber number: UnsafeRawBufferPointer) -> Int? {
    var canonical = ByteBuffer()
    JSONNumber(number).appendCanonical(to: &canonical)
    let key = canonical.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    if let token = numbers[key] { return token }
    let parts = key.split(separator: "e")
    guard parts.count < 2 || parts[1].first != "-" else { return nil }
    numbers[key] = numbers.count + 1
    return numbers.count
  }
}
