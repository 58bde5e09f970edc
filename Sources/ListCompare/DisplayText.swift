import JSONBytes

/// Text as a terminal or a page displays it. Characters that would move the cursor or change the
/// direction of writing are escaped as in JSON.
struct DisplayText {
  /// Calls `body` with each character, its replacement if it is not shown as it is, and its offset.
  ///
  /// `text` is UTF-8. Invalid bytes are replaced by U+FFFD.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func forEachCharacter(
    of text: [UInt8], _ body: (_ scalar: Unicode.Scalar, _ shown: String?, _ offset: Int) -> Void
  ) {
    var offset = 0
    var iterator = text.makeIterator()
    var decoder = UTF8()
    while true {
      let scalar: Unicode.Scalar
      switch decoder.decode(&iterator) {
      case .scalarValue(let value): scalar = value
      case .emptyInput: return
      case .error: scalar = "\u{FFFD}"
      }
      body(scalar, replacement(of: scalar), offset)
      offset += UTF8.width(scalar)
    }
  }

  /// The replacement for a character; nil if the character is shown as it is.
  private static func replacement(of scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x09: return nil
    case 0x00..<0x20, 0x7F..<0xA0: return String(scalar).printable
    case 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF:
      return "\\u" + hexadecimal(scalar.value)
    default: return nil
    }
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: false)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
