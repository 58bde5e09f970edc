import ByteBuffers
import JSONBytes
import Testing

@Suite struct WritingTests {
  @Test func writesStrings() {
    func check(_ bytes: [UInt8], _ wanted: String) {
      #expect(written { out in bytes.withUnsafeBytes { out.append(string: $0) } } == wanted)
    }
    check([], #""""#)
    check(Array("plain é 漢 😀 /".utf8), "\"plain é 漢 😀 /\"")
    check(Array("a\"b\\c".utf8), #""a\"b\\c""#)
    check(
      Array(0..<0x20),
      #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#
        + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f""#
    )
    check([0x7F], "\"\u{7F}\"")
    check([0xED, 0xA0, 0x80, 0x61, 0xED, 0xBF, 0xBF], #""\ud800a\udfff""#)
    check(Array("\u{D7FF}".utf8), "\"\u{D7FF}\"")
    #expect(written { $0.append(string: "x\ny") } == #""x\ny""#)
  }

  @Test func copiesJSONOnOneLine() {
    let json = Array("{\r\n  \"a\\n\": [1,\n2]\r}".utf8)
    func copied(singleLine: Bool) -> String {
      written { out in json.withUnsafeBytes { out.append(json: $0, singleLine: singleLine) } }
    }
    #expect(copied(singleLine: true) == "{    \"a\\n\": [1, 2] }")
    #expect(Array(copied(singleLine: false).utf8) == json)
  }
}
