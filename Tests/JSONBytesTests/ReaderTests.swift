import JSONBytes
import Testing

@Suite struct ReaderTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1", "-1", "10", "0.0", "1.5", "-0.25", "1e5", "1E5",
    "1e+5",
    "1e-5", "0e0", "0E-0", "1.5e10", "123456789012345678901234567890", "1e400", "1e-999999999999",
    "\"\"", "\"a\"", "\" \"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0000\"", "\"\\uD83D\\uDE00\"",
    "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\u{7F}\"", "\"é\"", "\"漢\"", "\"😀\"", "\"\u{10FFFF}\"",
    "\"\u{FFFF}\"", "[]", "[ ]", "[\n]", "{}", "{ }", "[1]", "[1,2]", "[ 1 , 2 ]", "[[]]",
    "[[],[]]",
    "{\"\":0}", "{\"a\":1,\"a\":2}", "{ \"a\" : [ { } ] }", " 1", "1 ", "\t\r\n 1 \t\r\n",
    "[1,\"2\",true,false,null,{},[]]", "\"0123456789abcdef0123456789abcdef\"", "[1.0,-1]",
    "                                                                  [                    ]",
  ])
  func accepts(_ text: String) {
    #expect(problem(text) == nil)
  }

  @Test(arguments: [
    "", " ", "nul", "nulL", "truefalse", "tru", "fals", "f", "t", "n", "True", "NaN", "Infinity",
    "-Infinity", "undefined", "-", "+1", "01", "-01", "00", "1.", ".5", "1.e5", "1e", "1e+", "1e-",
    "0x10", "1_000", "--1", "1-", "1e5.5", "0e", "-a", "1 2", "1,", "\"", "\"a", "\"\\", "\"\\\"",
    "\"\\x41\"", "\"\\u\"", "\"\\u1\"", "\"\\u12\"", "\"\\u123\"", "\"\\u123g\"", "\"\\u 123\"",
    "\"\\U0041\"", "\"\\a\"", "\"\\'\"", "'a'", "\"\n\"", "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"",
    "\"a\u{1}\"", "[", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1 2]", "[1,,2]", "]", "[}", "[1}",
    "[\"a\"", "[\"a", "{", "{]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}",
    "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":}", "{\"a\",1}", "{\"a\":1 \"b\":2}",
    "{\"a\":1,,\"b\":2}",
    "{\"a\":1]", "{null:1}", "{[]:1}", "{}}", "[]]", "[],", "{},{}", "// c\n1", "1 // c", "/**/1",
    "\u{FEFF}1", "1\u{A0}", "\u{B}1", "\u{C}1", "1\u{0}", "\u{0}", "\"a\"b", "[1]x", "é",
    "{\"a\":1:2}",
    "[\"a\":1]", "{\"a\"}", "[\u{2028}1]", "\"\\uD83D\\u\"", "\"\\ud800\\ud80\"", "[-]",
    "{\"\\\":1}",
  ])
  func rejects(_ text: String) {
    #expect(problem(text) != nil)
  }

  @Test func reportsOffsetAndProblem() {
    func check(_ text: String, _ offset: Int, _ wanted: JSONError.Problem) {
      #expect(problem(text) == JSONError(offset: offset, problem: wanted))
    }
    check("[1 2]", 3, .unexpectedByte(0x32, expected: .commaOrArrayEnd))
    check("{\"a\":1 \"b\"}", 7, .unexpectedByte(0x22, expected: .commaOrObjectEnd))
    check("{a}", 1, .unexpectedByte(0x61, expected: .memberNameOrEnd))
    check("{\"a\":1,}", 7, .unexpectedByte(0x7D, expected: .memberName))
    check("{\"a\" 1}", 5, .unexpectedByte(0x31, expected: .colon))
    check("[1,]", 3, .unexpectedByte(0x5D, expected: .value))
    check("[\"ab", 4, .unexpectedEnd)
    check("\"a\u{1}\"", 2, .controlCharacter(1))
    check("\"a\\q\"", 3, .badEscape)
    check("[01]", 2, .badNumber)
    check("1 2", 2, .trailingBytes)
    check("nulx", 0, .unexpectedByte(0x6E, expected: .literal))
    #expect(
      JSONError(offset: 3, problem: .unexpectedByte(0x32, expected: .commaOrArrayEnd)).description
        == "expected , or ], found 2 at byte 3")
    #expect(
      JSONError(offset: 0, problem: .controlCharacter(1)).description
        == "unescaped control character byte 0x1 at byte 0")
  }

  @Test func allowsDepth512AndNoMore() {
    for (opening, closing) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
      let levels = opening.hasPrefix("[{") ? 2 : 1
      func nested(_ depth: Int) -> String {
        String(repeating: opening, count: depth / levels) + "1"
          + String(repeating: closing, count: depth / levels)
      }
      #expect(problem(nested(512)) == nil)
      #expect(problem(nested(512 + levels))?.problem == .tooDeep)
    }
    #expect(problem([UInt8](repeating: 0x5B, count: 3_000_000))?.problem == .tooDeep)
    // Containers that are already open count.
    withBytes(Array("[[[]]]".utf8)) {
      var fits = JSONReader($0, depth: 509)
      #expect(throws: Never.self) { try fits.skip() }
      var deep = JSONReader($0, depth: 510)
      #expect(throws: JSONError(offset: 2, problem: .tooDeep)) { try deep.skip() }
    }
  }

  @Test func nestsInAnyOrderOfKinds() {
    // The kinds change at random, also at the boundaries of the words that store them.
    var generator = SeededGenerator(seed: 7)
    for depth in [1, 2, 62, 63, 64, 65, 66, 127, 128, 129, 200, 511, 512] {
      let kinds = (0..<depth).map { _ in Bool.random(using: &generator) }
      let text =
        kinds.map { $0 ? "{\"k\":" : "[" }.joined() + "0"
        + kinds.reversed().map { $0 ? ",\"l\":[]}" : ",{}]" }.joined()
      #expect(problem(text) == nil || depth == 512)
      var wrong = Array(text.utf8)
      let last = wrong.count - 1
      wrong[last] = wrong[last] == 0x7D ? 0x5D : 0x7D
      #expect(problem(wrong) != nil)
    }
  }

  @Test func readsMembersInOrder() throws {
    let text = #" { "a" : 1 , "\u0062" : [ 2 , [ ] , {} ] , "c":"x\ny", "d":{"e":null} } "#
    try withBytes(Array(text.utf8)) { bytes in
      var reader = JSONReader(bytes)
      #expect(try reader.peek() == .object)
      try reader.openObject()
      let a = try #require(try reader.nextMember())
      #expect(reader.matches(a, "a") && !reader.matches(a, "b") && !reader.matches(a, "aa"))
      #expect(String(decoding: reader.bytes(try reader.skip()), as: UTF8.self) == "1")
      let b = try #require(try reader.nextMember())
      #expect(b.hasEscapes && reader.matches(b, "b") && !reader.matches(b, "a"))
      try reader.openArray()
      #expect(try reader.nextElement())
      #expect(JSONNumber(reader, try reader.skip()).integer == 2)
      #expect(try reader.nextElement())
      try reader.openArray()
      #expect(reader.depth == 3)
      #expect(try !reader.nextElement())
      #expect(try reader.nextElement())
      #expect(try reader.skip().count == 2)
      #expect(try !reader.nextElement())
      _ = try reader.nextMember()
      var decoded: [UInt8] = []
      reader.decode(try reader.string(), into: &decoded)
      #expect(decoded == Array("x\ny".utf8))
      _ = try reader.nextMember()
      try reader.openObject()
      _ = try reader.nextMember()
      #expect(try reader.peek() == .null)
      _ = try reader.skip()
      #expect(try reader.nextMember() == nil)
      #expect(try reader.nextMember() == nil)
      #expect(reader.depth == 0)
      try reader.end()
    }
  }

  @Test func findsMembers() throws {
    let sought = MemberKeys("id", "template", "secondaryText", "secondaryTexu", "")
    let text =
      #"[{"id":1,"ix":9,"secondaryText":[1],"\u0069d" : "two" ,"":0},{},{"template":{"id":5}}]"#
    try withBytes(Array(text.utf8)) { bytes in
      var reader = JSONReader(bytes)
      var found = MemberRanges()
      func text(_ index: Int) -> String? {
        found[index].map { String(decoding: bytes[$0], as: UTF8.self) }
      }
      try reader.openArray()
      #expect(try reader.nextElement())
      let range = try reader.object(seeking: sought, into: &found)
      #expect(bytes[range].first == 0x7B && bytes[range].last == 0x7D)
      #expect((0..<5).map(text) == ["\"two\"", nil, "[1]", nil, "0"])
      #expect(try reader.nextElement())
      _ = try reader.object(seeking: sought, into: &found)
      #expect((0..<5).allSatisfy { found[$0] == nil })
      #expect(try reader.nextElement())
      _ = try reader.object(seeking: sought, into: &found)
      #expect(text(1) == #"{"id":5}"#)
      #expect(try !reader.nextElement())
      try reader.end()
    }
  }

  @Test func readsEmptyInput() {
    var reader = JSONReader(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(throws: JSONError(offset: 0, problem: .unexpectedEnd)) { try reader.peek() }
    #expect(throws: JSONError(offset: 0, problem: .unexpectedEnd)) { try reader.skip() }
    #expect(throws: Never.self) { try reader.end() }
  }
}
