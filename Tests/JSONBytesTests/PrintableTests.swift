import ByteBuffers
import JSONBytes
import Testing

/// Text for a terminal contains no control characters except the tab, and no invisible ones.
///
/// Promise: Control characters in names and items are not sent to a terminal, and invisible ones
///   are shown. Also `test_control_and_invisible_characters_are_not_shown_raw`.
@Suite struct PrintableTests {
  @Test func everyScalarOfTheBasicPlane() {
    // Each one at every offset in a word, because the fast path reads a word at a time.
    for value in (UInt32(0)...0xFFFF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isEscaped = Self.isHidden(scalar)
      let length = value < 0x180 ? 9 : 1
      for offset in 0..<length {
        let before = String(repeating: "x", count: offset)
        let printable = "\(before)\(scalar)yyyyyyyy\(scalar)".printable
        let shown = isEscaped ? Self.escape(of: scalar) : "\(scalar)"
        #expect(printable == "\(before)\(shown)yyyyyyyy\(shown)")
      }
    }
  }

  /// Whether a character acts on a terminal, or on the direction or the lines of the text around
  /// it, without being seen.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: scalar != "\t"
    case .lineSeparator, .paragraphSeparator: true
    default:
      scalar.properties.isBidiControl
        || scalar.properties.isDefaultIgnorableCodePoint
          && (0x2000..<0x2070 ~= scalar.value || [0xAD, 0x180E, 0xFEFF].contains(scalar.value))
    }
  }

  private static func escape(of scalar: Unicode.Scalar) -> String {
    let short = ["\u{8}": "b", "\n": "n", "\u{C}": "f", "\r": "r"]
    let digits = String(0x10000 + scalar.value, radix: 16).dropFirst()
    return "\\" + (short[String(scalar)] ?? "u\(digits)")
  }

  @Test func bytesThatAreNotUTF8AreCopied() {
    for bytes: [UInt8] in [
      [0xE2], [0xE2, 0x80], [0xE2, 0x80, 0x41], [0xD8], [0xF0, 0x9F], [0xAE],
    ] {
      var buffer = ByteBuffer()
      bytes.withUnsafeBytes { buffer.append(printable: $0) }
      #expect(buffer.withUnsafeBytes { Array($0) } == bytes)
    }
  }

  @Test func escapesAreThoseOfJSON() {
    let text = "a\u{1B}]0;title\u{7}\r\n\u{7F}\u{9B}1m\té\u{A0}\\\""
    #expect(text.printable == #"a\u001b]0;title\u0007\r\n\u007f\u009b1m"# + "\té\u{A0}\\\"")
    #expect("".printable == "")
  }
}
