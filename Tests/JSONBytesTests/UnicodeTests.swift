import JSONBytes
import Testing

@Suite struct UnicodeTests {
  /// Returns whether a sequence is accepted, at all offsets relative to the words that are read at
  /// once.
  private func results(_ sequence: [UInt8]) -> Set<Bool> {
    var results: Set<Bool> = []
    for before in 0...40 {
      let plain = [UInt8](repeating: 0x61, count: before)
      for after in [0, 1, 20] {
        let rest = [UInt8](repeating: 0x62, count: after)
        let text = [0x22] + plain + sequence + rest + [0x22]
        results.insert(problem(text) == nil)
      }
      // Truncated by the end of the text.
      precondition(problem([0x22] + plain + sequence) != nil)
    }
    return results
  }

  @Test func acceptsTheLimitsOfEachLength() {
    for scalar: UInt32 in [
      0x20, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xCFFF, 0xD000, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF,
      0x10000, 0x3FFFF, 0x40000, 0xFFFFF, 0x100000, 0x10FFFF,
    ] {
      let text = String(UnicodeScalar(scalar).map(Character.init) ?? " ")
      #expect(results(Array(text.utf8)) == [true], "U+\(String(scalar, radix: 16))")
    }
  }

  @Test(arguments: [
    [0x80], [0xBF], [0xC0], [0xC1], [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xC2], [0xC2, 0x22],
    [0xC2, 0xC0], [0xDF], [0xDF, 0x7F], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE0, 0xA0],
    [0xE1, 0x80], [0xE1, 0x80, 0x41], [0xE1, 0x41, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xAF, 0xBF],
    [0xED, 0xB0, 0x80], [0xED, 0xBF, 0xBF], [0xEF, 0xBF], [0xEF, 0xBF, 0xC0],
    [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80],
    [0xF1, 0x80, 0x80, 0x41],
    [0xF1, 0x80, 0x41, 0x80], [0xF1, 0x41, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
    [0xF4, 0xBF, 0xBF, 0xBF], [0xF5, 0x80, 0x80, 0x80], [0xF7, 0xBF, 0xBF, 0xBF],
    [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    [0xC3, 0xA9, 0x80], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
  ])
  func rejects(_ sequence: [UInt8]) {
    #expect(results(sequence) == [false])
  }

  @Test func agreesWithTheStandardLibraryOnTwoAndThreeBytes() {
    for first in UInt8(0xC0)...0xEF {
      for second in stride(from: UInt8(0x70), through: 0xF0, by: 1) {
        for third: UInt8? in [nil, 0x7F, 0x80, 0xBF, 0xC0] {
          let sequence = [first, second] + (third.map { [$0] } ?? [])
          let isValid = String(validating: sequence, as: UTF8.self) != nil
          let isPlain = !sequence.contains(0x22) && !sequence.contains(0x5C)
          guard isPlain else { continue }
          let text = [0x22] + sequence + [0x22]
          let found = withBytes(text) {
            var reader = JSONReader($0)
            return (try? reader.skip()) != nil
          }
          if found != isValid { Issue.record("\(sequence)") }
        }
      }
    }
  }

  @Test func decodesEscapes() {
    func check(_ escaped: String, _ bytes: [UInt8]) {
      withBytes(Array("\"\(escaped)\"".utf8)) {
        var reader = JSONReader($0)
        var decoded: [UInt8] = []
        if let string = try? reader.string() { reader.decode(string, into: &decoded) }
        #expect(decoded == bytes, "\(escaped)")
      }
    }
    check(#"a\"\\\/\b\f\n\r\tz"#, Array("a\"\\/\u{8}\u{C}\n\r\tz".utf8))
    check(#"\u0041\u00e9\u6F22"#, Array("Aé漢".utf8))
    check(#"\ud83d\ude00"#, Array("😀".utf8))
    check(#"\uD800"#, [0xED, 0xA0, 0x80])
    check(#"\udc00\ud800"#, [0xED, 0xB0, 0x80, 0xED, 0xA0, 0x80])
    check(#"\ud83d\ud83d\ude00"#, [0xED, 0xA0, 0xBD] + Array("😀".utf8))
    check(#"\ud83dx\ude00"#, [0xED, 0xA0, 0xBD, 0x78, 0xED, 0xB8, 0x80])
    check(#"\ud83d\n"#, [0xED, 0xA0, 0xBD, 0x0A])
    check(#"\u0000"#, [0])
    check("plain", Array("plain".utf8))
  }
}
