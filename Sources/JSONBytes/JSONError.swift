/// An error in JSON and its position.
@usableFromInline
package struct JSONError: Error, Equatable, Sendable {
  /// The offset of the byte where reading stopped.
  package var offset: Int

  /// The problem at that offset.
  package var problem: Problem

  package init(offset: Int, problem: Problem) {
    self.offset = offset
    self.problem = problem
  }

  /// The token that was expected in place of another byte.
  @usableFromInline
  package enum Expected: String, Equatable, Sendable {
    case value = "a value"
    case memberName = "a member's name"
    case memberNameOrEnd = "a member's name or }"
    case colon = ":"
    case commaOrObjectEnd = ", or }"
    case commaOrArrayEnd = ", or ]"
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case number = "a number"
    case literal = "true, false or null"
    case digit = "a digit"
  }

  /// The kind of an error.
  package enum Problem: Equatable, Sendable {
    case unexpectedByte(UInt8, expected: Expected)
    case unexpectedEnd
    case invalidUTF8
    case badEscape
    case badNumber
    case controlCharacter(UInt8)
    case tooDeep
    case trailingBytes
  }
}

extension JSONError: CustomStringConvertible {
  /// The problem and its offset, for people.
  @usableFromInline package var description: String { "\(problem) at byte \(offset)" }
}

extension JSONError.Problem: CustomStringConvertible {
  /// The problem, for people.
  @usableFromInline package var description: String {
    switch self {
    case .unexpectedByte(let byte, let expected):
      "expected \(expected.rawValue), found \(Self.name(of: byte))"
    case .unexpectedEnd: "unexpected end"
    case .invalidUTF8: "invalid UTF-8"
    case .badEscape: "bad escape in a string"
    case .badNumber: "bad number"
    case .controlCharacter(let byte): "unescaped control character \(Self.name(of: byte))"
    case .tooDeep: "nested deeper than \(JSONReader.maximumDepth)"
    case .trailingBytes: "something after the value"
    }
  }

  private static func name(of byte: UInt8) -> String {
    byte > 0x20 && byte < 0x7F
      ? String(UnicodeScalar(byte)) : "byte 0x" + String(byte, radix: 16, uppercase: true)
  }
}
