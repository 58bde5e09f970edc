import ByteBuffers
import JSONBytes

/// Text as a terminal or a page displays it. Characters that have a `printableEscape` are replaced
/// by it, and bytes that are not UTF-8 by `\x` and two digits.
struct DisplayText {
  /// Calls `body` with each character, its replacement if it is not shown as it is, and its offset.
  ///
  /// A byte that is not UTF-8 is the character U+FFFD with a replacement.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func forEachCharacter(
    of text: [UInt8], _ body: (_ scalar: Unicode.Scalar, _ shown: String?, _ offset: Int) -> Void
  ) {
    var offset = 0
    while offset < text.count {
      if text[offset] < 0x80 {
        let scalar = Unicode.Scalar(text[offset])
        body(scalar, scalar.printableEscape, offset)
        offset += 1
        continue
      }
      var decoder = UTF8()
      var iterator = text[offset...].makeIterator()
      if case .scalarValue(let scalar) = decoder.decode(&iterator) {
        body(scalar, escape(of: scalar, at: offset, in: text), offset)
        offset += UTF8.width(scalar)
      } else {
        body("\u{FFFD}", escape(of: text[offset]), offset)
        offset += 1
      }
    }
  }

  private static func escape(of byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return "\\x" + (digits.count < 2 ? "0" : "") + digits
  }

  /// The replacement of a character. Joiners between other characters than ASCII are part of the
  /// spelling of many languages and of emoji.
  private static func escape(
    of scalar: Unicode.Scalar, at offset: Int, in text: [UInt8]
  ) -> String? {
    let isJoiner = scalar.value == 0x200C || scalar.value == 0x200D
    let next = offset + 3
    let isInside = offset > 0 && text[offset - 1] >= 0x80 && next < text.count && text[next] >= 0x80
    return isJoiner && isInside ? nil : scalar.printableEscape
  }

  /// Text for a message or a label, with bytes that are not UTF-8 replaced.
  static func string(_ bytes: UnsafeRawBufferPointer) -> String {
    guard Bytes.firstInvalidUTF8(in: bytes) != nil else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var result = ""
    forEachCharacter(of: Array(bytes)) { scalar, shown, _ in
      if scalar == "\u{FFFD}", let shown {
        result += shown
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
