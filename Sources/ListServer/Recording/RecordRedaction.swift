import ByteBuffers
import JSONBytes
import JSONRPC

/// Redacts a record, so that it does not reveal the contents of lists: identifiers and strings
/// become tokens. Equal texts become equal tokens.
///
/// Numbers that are not identifiers, member names, templates and the words of the protocol are
/// kept.
package struct RecordRedaction {
  private var tokens: [String: String] = [:]
  private var numbers: [String: Int] = [:]

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
    output.append("{\"title\":\"redacted\",\"options\":[")
    for (index, option) in options.enumerated() {
      if index > 0 { output.append(",") }
      output.append(string: option)
    }
    output.append("]}\n")
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

    /// The nesting depth; a message has depth 0.
    var depth = 0

    /// Whether the value is an element of an array.
    var isElement = false

    /// Whether the value is inside an item or a section, where the client chooses all names.
    var isContent = false
  }

  /// The members whose strings are words of the protocol.
  private static let words: Set<String> = [
    "jsonrpc", "method", "format", "edit", "cursorPolicy", "value", "order", "as", "direction",
    "selectionMode", "selection", "require", "positionEncodings", "by", "member", "mode",
  ]

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
      inside.depth += 1
      var isFirst = true
      try reader.openArray()
      while try reader.nextElement() {
        if !isFirst { output.append(",") }
        isFirst = false
        var element = inside
        if Self.lists.contains(position.member), try reader.peek() == .object {
          element.isContent = true
        }
        try append(&reader, element, to: &output)
      }
      output.append("]")
    case .string:
      let string = try reader.string()
      let isWord = !position.isContent && Self.words.contains(position.member)
      if isWord || Self.templates.contains(position.member) {
        output.append("\"")
        output.append(reader.bytes(string))
        output.append("\"")
      } else {
        var decoded: [UInt8] = []
        reader.decode(string, into: &decoded)
        output.append(string: token(for: String(decoding: decoded, as: UTF8.self)))
      }
    case .number:
      let number = reader.bytes(try reader.skip())
      let isID =
        position.isElement
        ? Self.lists.contains(position.member) : Self.identifiers.contains(position.member)
      if isID, position.depth > 1 {
        output.append(decimal: token(forNumber: number))
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
    var isFirst = true
    try reader.openObject()
    while let name = try reader.nextMember() {
      if !isFirst { output.append(",") }
      isFirst = false
      output.append("\"")
      output.append(reader.bytes(name))
      output.append("\":")
      var inside = position
      inside.member = String(decoding: reader.bytes(name), as: UTF8.self)
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

  /// Returns a token with as many characters as the text, if it has enough. Each line has its own.
  private mutating func token(for text: String) -> String {
    var result = ""
    var line = ""
    for scalar in text.unicodeScalars {
      guard scalar == "\n" || scalar == "\r" else {
        line.unicodeScalars.append(scalar)
        continue
      }
      result += token(forLine: line)
      result.unicodeScalars.append(scalar)
      line = ""
    }
    return result + token(forLine: line)
  }

  private mutating func token(forLine line: String) -> String {
    if line.isEmpty { return "" }
    if let token = tokens[line] { return token }
    let name = "s\(tokens.count + 1)"
    let rest = max(0, line.unicodeScalars.count - name.count)
    let token = name + String(repeating: "x", count: rest)
    tokens[line] = token
    return token
  }

  private mutating func token(forNumber number: UnsafeRawBufferPointer) -> Int {
    var canonical = ByteBuffer()
    JSONNumber(number).appendCanonical(to: &canonical)
    let key = canonical.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    if let token = numbers[key] { return token }
    numbers[key] = numbers.count + 1
    return numbers.count
  }
}
