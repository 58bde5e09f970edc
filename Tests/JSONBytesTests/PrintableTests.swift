import JSONBytes
import Testing

/// Text for a terminal contains no control characters except the tab.
@Suite struct PrintableTests {
  @Test func everyScalarOfTheBasicPlane() {
    // Each one at every offset in a word, because the fast path reads a word at a time.
    for value in (UInt32(0)...0xFFFF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isControl = scalar.properties.generalCategory == .control && value != 9
      let length = value < 0x180 ? 9 : 1
      for offset in 0..<length {
        let before = String(repeating: "x", count: offset)
        let printable = "\(before)\(scalar)yyyyyyyy\(scalar)".printable
        #expect(printable.hasPrefix(before) || !isControl)
        #expect(
          printable.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control || $0.value == 9
          })
        if !isControl { #expect(printable == "\(before)\(scalar)yyyyyyyy\(scalar)") }
      }
    }
  }

  @Test func escapesAreThoseOfJSON() {
    let text = "a\u{1B}]0;title\u{7}\r\n\u{7F}\u{9B}1m\té\u{A0}\\\""
    #expect(text.printable == #"a\u001b]0;title\u0007\r\n\u007f\u009b1m"# + "\té\u{A0}\\\"")
    #expect("".printable == "")
  }
}
