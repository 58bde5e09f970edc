import JSONBytes

/// A text as a terminal or a page shows it: characters that would move the cursor or turn the
/// direction of writing are escaped as in JSON.
struct DisplayText {
  /// Calls `body` with each character: the bytes to show, how many columns they take, and the
  /// offset of the character.
  ///
  /// `text` is UTF-8; what is not is shown as U+FFFD. A tab takes the columns up to the next
  /// multiple of eight after `column`.
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

  /// What is shown instead of a character; nil for the character itself.
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

  /// The number of columns of a terminal that a character takes: 0 for what combines with the one
  /// before, 2 for wide characters.
  static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return wide.contains { $0.contains(value) } ? 2 : 1
    }
  }

  /// The blocks of wide and full-width characters.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x25FD...0x25FE, 0x2614...0x2615,
    0x2648...0x2653, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x2705...0x2705,
    0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x2753...0x2755, 0x2795...0x2797,
    0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E, 0x3041...0x33FF,
    0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
    0x1AFF0...0x1B2FF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320,
    0x1F32D...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3E0...0x1F3F0, 0x1F400...0x1F4FC,
    0x1F4FF...0x1F53D, 0x1F54B...0x1F567, 0x1F595...0x1F596, 0x1F5FB...0x1F64F,
    0x1F680...0x1F6C5, 0x1F6D0...0x1F6FF, 0x1F7E0...0x1F7EB, 0x1F90C...0x1F9FF,
    0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
  ]
}
