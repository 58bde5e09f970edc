import Testing

@testable import JSONBytes

/// Members of objects by name, alone and several at a time.
@Suite struct MemberTests {
  /// Returns the value of a member as text, read alone and with others.
  private func member(_ name: String, of json: String) -> String? {
    withBytes(Array(json.utf8)) { item in
      func text(_ value: UnsafeRawBufferPointer?) -> String? {
        value.map { String(decoding: $0, as: UTF8.self) }
      }
      let alone = text(item.member(Array(name.utf8)))
      var members = MemberPaths()
      _ = members.index(of: Array("a".utf8))
      _ = members.index(of: Array("b.a".utf8))
      let index = members.index(of: Array(name.utf8))
      var values = MemberValues(members)
      // A second item is read like the first one.
      for _ in 0..<2 { values.read(item) }
      #expect(text(values[index]) == alone, "\(name) of \(json)")
      return alone
    }
  }

  @Test(arguments: [
    ("a", #"{"a":1}"#, "1"), ("a", #"{"b":1}"#, nil), ("a.b", #"{"a":{"b":1}}"#, "1"),
    ("a.b", #"{"a.b":1,"a":{"b":2}}"#, "1"), ("a.b", #"{"a":{"b":2},"a.b":1}"#, "1"),
    ("a.b", #"{"a\u002eb":1,"\u0061":{"b":2}}"#, "1"), ("a.b", #"{"\u0061":{"\u0062":2}}"#, "2"),
    ("a.b", #"{"a.b":null,"a":{"b":2}}"#, "null"), ("a.b.c", #"{"a.b":{"c":1}}"#, nil),
    ("a.b.c", #"{"a":{"b.c":1,"b":{"c":2}}}"#, "2"), ("a.b.c", #"{"a":{"b.c":1}}"#, nil),
    ("a.b", #"{"a":{"b":1},"a":{"c":2}}"#, nil), ("a.b", #"{"a":{"b":1},"a":3}"#, nil),
    ("a.b", #"{"a":3,"a":{"b":1,"b":[2]},"c":4}"#, "[2]"), ("a.b", #"{"a":[{"b":1}]}"#, nil),
    ("a.b.c", #"{"a":{"b":{"c":1,"d":2},"b":{"d":3}},"e":4}"#, nil),
    ("a.b.c", #"{"a":{"x":{},"b":{"c":{"c":1}},"d":2},"e":4}"#, #"{"c":1}"#),
    ("a.", #"{"a":{"":1}}"#, "1"), (".", #"{"":{"":1},"a":2}"#, "1"), ("", #"{"":1}"#, "1"),
    ("..", #"{"..":1}"#, "1"), ("a.a.a", #"{"a":{"a":{"a":1},"a.a":2},"a.a":3}"#, "1"),
  ])
  func members(_ name: String, _ json: String, _ expected: String?) {
    #expect(member(name, of: json) == expected, "\(name) of \(json)")
  }

  /// Objects are compared beside a member as far as their first difference shows it.
  @Test(arguments: [
    (#"{"a":1,"p":[1],"b":2}"#, #"{"a":1,"p":[2,3],"b":2}"#, true),
    (#"{"a":1,"p":[1],"b":2}"#, #"{"a":1,"p":[2],"b":3}"#, nil),
    (#"{"a":1,"p":[1]}"#, #"{"a":2,"p":[2]}"#, false), (#"{"a":1}"#, #"{"a":1.0}"#, nil),
    (#"{"a":1,"p":1}"#, #"{"a":2,"p":1,"a":1}"#, nil), (#"{"p":1}"#, #"{"p":1,"a":2}"#, nil),
    (#"{"p":1,"p":2}"#, #"{"p":3,"p":2}"#, true), (#"{"a":1}"#, #"{"p":1}"#, nil),
    ("[1]", "[2]", nil), ("{}", "{}", nil),
  ])
  func besideAMember(_ one: String, _ other: String, _ expected: Bool?) {
    withBytes(Array(one.utf8)) { one in
      withBytes(Array(other.utf8)) { other in
        #expect(JSONEquality.equal(one, other, besides: "p") == expected)
      }
    }
  }

  /// Values that are not objects have no members.
  @Test func otherValues() {
    for json in ["[]", "[1]", "3", "null", "{}"] { #expect(member("x.y", of: json) == nil) }
  }

  @Test func aDeepMember() {
    let depth = 500
    let json =
      String(repeating: #"{"b":[1],"a":"#, count: depth) + "7"
      + String(repeating: "}", count: depth)
    #expect(member(Array(repeating: "a", count: depth).joined(separator: "."), of: json) == "7")
    #expect(member(Array(repeating: "a", count: depth + 1).joined(separator: "."), of: json) == nil)
  }
}
