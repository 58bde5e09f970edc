import JSONBytes
import Testing

@Suite struct CanonicalTests {
  private static let nines = String(repeating: "9", count: 30)

  @Test func objectsThatDifferInOneMemberAreCompared() {
    var generator = SeededGenerator(seed: 11)
    let names = ["a", "b", "ab", "\\u0061", "id"]
    let values = [
      "1", "12", "-1", "-12", "10", "1.0", "0", "-0", "1e1", "\"\"", "\"a\"", "\"a\\\":\"",
      "\"\\u0061\"",
      "true", "null", "{}", "[]", " 1", "{\"a\":1}", "[1,2]",
    ]
    func one(_ choices: [String]) -> String { choices.randomElement(using: &generator) ?? "" }
    var equal = 0
    for _ in 0..<5000 {
      var members = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        (name: one(names), value: one(values))
      }
      func text() -> String {
        "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
      }
      let before = text()
      let changed = Int.random(in: members.indices, using: &generator)
      if Bool.random(using: &generator) {
        members[changed].name = one(names)
      } else {
        members[changed].value = one(values)
      }
      if same(before, text()) { equal += 1 }
    }
    #expect(equal > 100 && equal < 4900)
  }

  @Test(arguments: [
    [
      "1", "1.0", "1e0", "10e-1", "0.1e1", "1E+0", "100e-2", "0.00001e5", "1.000000000000000000000",
    ],
    ["0", "-0", "0.0", "0e5", "-0.0e-7", "0e\(nines)"],
    ["1e400", "10e399", "0.1e401"],
    ["1e\(nines)", "10e\(nines.dropLast())8", "0.1e1\(String(repeating: "0", count: 30))"],
    ["1e-\(nines)", "10e-1\(String(repeating: "0", count: 30))", "0.1e-\(nines.dropLast())8"],
    ["1e1000000000000000000", "10e999999999999999999", "1e0001000000000000000000"],
    ["1e-1000000000000000000", "0.1e-999999999999999999"],
    [
      "123456789012345678901234567890", "123456789012345678901234567890.0",
      "12345678901234567890123456789e1",
    ],
    ["\"a\"", "\"\\u0061\""], ["\"/\"", "\"\\/\""],
    ["\"😀\"", "\"\\ud83d\\ude00\"", "\"\\uD83D\\uDE00\""],
    ["\"\\n\"", "\"\\u000a\""], ["\"\\ud800\"", "\"\\uD800\""],
    [
      "{\"a\":1,\"b\":2}", "{ \"b\" : 2.0 , \"a\" : 1 }", "{\"a\":0,\"b\":2,\"a\":1}",
      "{\"\\u0061\":1,\"b\":2}",
    ],
    ["[{\"x\":[1,2],\"y\":{}}]", "[{\"y\":{},\"x\":[1.0,2]}]"],
    ["[]", "[ ]"], ["{}", "{ }"], ["{\"a\":{\"c\":1,\"b\":2}}", "{\"a\":{\"b\":2,\"c\":1}}"],
  ])
  func equalValuesHaveEqualForms(_ texts: [String]) {
    for a in texts {
      for b in texts { #expect(same(a, b), "\(a) \(b)") }
    }
  }

  @Test func differentValuesHaveDifferentForms() {
    let texts = [
      "1", "2", "-1", "0", "10", "0.1", "1e400", "1e401", "-1e400", "1e-400", "1e\(Self.nines)",
      "1e-\(Self.nines)", "12345678901234567890", "12345678901234567891", "1.00000000000000000001",
      "null", "true", "false", "\"\"", "\"1\"", "\"null\"", "\"a\"", "\"A\"", "\"e\u{301}\"",
      "\"é\"",
      "\"\\ud800\"", "\"\\udc00\"", "\"\u{FFFD}\"", "\"\\\\\"", "\"\\\"\"", "\"\\u0000\"", "\"n\"",
      "[]", "[[]]", "[{}]", "[1]", "[1,2]", "[2,1]", "[\"1,2\"]", "[null]", "{}", "{\"a\":1}",
      "{\"a\":2}", "{\"b\":1}", "{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":1}", "{\"a\":null}",
      "{\"\":1}",
      "{\"a\":[]}", "{\"a\":{}}", "{\"a\":\"1\"}", "{\"\\ud800\":1}", "{\"a\":1,\"b\":2,\"c\":3}",
    ]
    for (index, a) in texts.enumerated() {
      for b in texts[(index + 1)...] { #expect(!same(a, b), "\(a) \(b)") }
    }
  }

  @Test func acceptsAnyDepth() {
    func nested(_ innermost: String, _ depth: Int) -> String {
      String(repeating: "{\"b\":1,\"a\":[", count: depth / 2) + innermost
        + String(repeating: "]}", count: depth / 2)
    }
    func reordered(_ innermost: String, _ depth: Int) -> String {
      String(repeating: "{\"a\":[", count: depth / 2) + innermost
        + String(repeating: "],\"b\":1.0}", count: depth / 2)
    }
    #expect(same(nested("1", 512), reordered("1e0", 512)))
    #expect(!same(nested("1", 512), reordered("2", 512)))
  }

  @Test func acceptsManyMembers() {
    let members = (0..<100_000).map { "\"member \($0 &* 7919 % 100_000)\":\($0)" }
    func form(_ members: [String]) -> [UInt8] {
      canonical(Array("{\(members.joined(separator: ","))}".utf8))
    }
    let wanted = form(members)
    #expect(form(members.reversed()) == wanted)
    #expect(form(["\"member 5\":[]"] + members) == wanted)
    #expect(form(members.dropLast()) != wanted)
  }

  /// Pairs of notations of random values: equal forms if and only if the values are equal.
  @Test func formsDoNotDependOnTheNotation() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let value = SampleValue.random(depth: 0, &generator)
      let other = SampleValue.random(depth: 0, &generator)
      let a = value.written(&generator)
      let b = value.written(&generator)
      #expect(problem(a) == nil && problem(b) == nil)
      #expect(same(a, b), "\(a) \(b)")
      let c = other.written(&generator)
      #expect(same(a, c) == (value == other), "\(a) \(c)")
    }
  }

  /// Objects compared member by member are the same as by their forms, also if names repeat or have
  /// escapes.
  @Test func objectsAreComparedLikeTheirForms() {
    var generator = SeededGenerator(seed: 11)
    let names = ["a", "b", "c", #"\u0061"#]
    let values = ["1", "1.0", "2", #""x""#, #""\u0078""#, "{}", #"{"a":1}"#]
    var answers = [false: 0, true: 0]
    for _ in 0..<20_000 {
      let texts = (0..<2).map { _ in
        let members = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          let name = names.randomElement(using: &generator)!
          return "\"\(name)\":\(values.randomElement(using: &generator)!)"
        }
        return "{\(members.joined(separator: ","))}"
      }
      answers[same(texts[0], texts[1]), default: 0] += 1
    }
    #expect(answers.values.allSatisfy { $0 > 100 }, "\(answers)")
  }
}

/// A value that can be written in many ways.
private indirect enum SampleValue: Equatable {
  case literal(String)
  case number(Int)
  case string([String])
  case array([SampleValue])
  case object([String: SampleValue])

  static func random(depth: Int, _ generator: inout SeededGenerator) -> SampleValue {
    let count = Int.random(in: 0..<4, using: &generator)
    switch Int.random(in: 0..<(depth < 3 ? 5 : 3), using: &generator) {
    case 0: return .literal(["true", "false", "null"].randomElement(using: &generator) ?? "")
    case 1: return .number(Int.random(in: -20...20, using: &generator))
    case 2:
      return .string(
        (0..<count).map { _ in ["a", "b", "é", "n"].randomElement(using: &generator) ?? "" })
    case 3: return .array((0..<count).map { _ in random(depth: depth + 1, &generator) })
    default:
      var members: [String: SampleValue] = [:]
      for _ in 0..<count {
        members[["a", "b", "aa", "é"].randomElement(using: &generator) ?? ""] =
          random(depth: depth + 1, &generator)
      }
      return .object(members)
    }
  }

  func written(_ generator: inout SeededGenerator) -> String {
    let space = ["", " ", "\n", "\t "].randomElement(using: &generator) ?? ""
    switch self {
    case .literal(let text): return text
    case .number(let number):
      return ["\(number)", "\(number).0", "\(number)e0", number == 0 ? "-0e7" : "\(number)00e-2"]
        .randomElement(using: &generator) ?? ""
    case .string(let letters): return Self.quoted(letters, &generator)
    case .array(let elements):
      let texts = elements.map { $0.written(&generator) }
      return "[" + space + texts.joined(separator: "," + space) + space + "]"
    case .object(let members):
      var texts = members.shuffled(using: &generator).map {
        Self.quoted([$0.key], &generator) + space + ":" + space + $0.value.written(&generator)
      }
      if let key = members.keys.randomElement(using: &generator), Bool.random(using: &generator) {
        texts.insert(Self.quoted([key], &generator) + ":17", at: 0)
      }
      return "{" + space + texts.joined(separator: space + ",") + space + "}"
    }
  }

  private static func quoted(_ letters: [String], _ generator: inout SeededGenerator) -> String {
    let text = letters.joined().unicodeScalars.map { scalar -> String in
      guard Bool.random(using: &generator) else { return String(scalar) }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"" + text.joined() + "\""
  }
}
