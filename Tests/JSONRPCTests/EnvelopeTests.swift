import ByteBuffers
import JSONBytes
import JSONRPC
import Testing

/// Summarizes each message in a line: kind, id, method, params.
private func summary(_ text: String) -> [String] {
  let shared = SharedBytes(copying: text.utf8)
  func line(_ envelope: Envelope) -> String {
    func text(_ range: Range<Int>?) -> String {
      range.map { String(decoding: shared.bytes[$0], as: UTF8.self) } ?? "-"
    }
    return "\(envelope.kind) \(text(envelope.id)) \(text(envelope.method?.range)) "
      + text(envelope.params)
  }
  return withExtendedLifetime(shared) {
    do throws(JSONError) {
      switch try Message.read(shared.bytes) {
      case .single(let envelope): return [line(envelope)]
      case .batch(let batch):
        let lines = batch.map(line)
        precondition(lines.count == batch.count)
        return ["batch"] + lines
      case .emptyBatch: return ["emptyBatch"]
      }
    } catch {
      return ["parse error"]
    }
  }
}

@Suite struct EnvelopeTests {
  /// Members may be in any order, with or without white space, also beside those of a response.
  @Test func readsMembersInAnyOrder() {
    let members = [
      #""jsonrpc":"2.0""#, #""id":7"#, #""method":"m""#, #""params":{"id":1}"#, #""result":1"#,
    ]
    var random = SeededGenerator(seed: 1)
    for separator in [",", ", ", "\n,"] {
      for _ in 0..<200 {
        let text = members.shuffled(using: &random).joined(separator: separator)
        #expect(summary("{\(text)}") == [#"request 7 m {"id":1}"#], "{\(text)}")
        #expect(summary("{,\(text)}") == ["parse error"])
        #expect(summary("{\(text),}") == ["parse error"])
      }
    }
  }

  /// The examples of section 7 of the JSON-RPC 2.0 specification.
  @Test func readsTheExamplesOfTheSpecification() {
    #expect(
      summary(#"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#)
        == ["request 1 subtract [42, 23]"])
    #expect(
      summary(
        #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42}, "id": 3}"#)
        == [#"request 3 subtract {"minuend": 42}"#])
    #expect(
      summary(#"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#)
        == ["notification - update [1,2,3,4,5]"])
    #expect(summary(#"{"jsonrpc": "2.0", "method": "foobar"}"#) == ["notification - foobar -"])
    #expect(
      summary(#"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#)
        == [#"request "1" foobar -"#])
    #expect(
      summary(#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#) == ["parse error"])
    #expect(
      summary(#"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#) == [
        "invalid(JSONRPC.InvalidRequest.method) - - -"
      ])
    #expect(
      summary(
        #"""
        [
          {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
          {"jsonrpc": "2.0", "method"
        ]
        """#) == ["parse error"])
    #expect(summary("[]") == ["emptyBatch"])
    #expect(summary("[1]") == ["batch", "invalid(JSONRPC.InvalidRequest.notAnObject) - - -"])
    #expect(
      summary("[1,2,3]")
        == ["batch"]
        + Array(repeating: "invalid(JSONRPC.InvalidRequest.notAnObject) - - -", count: 3))
    #expect(
      summary(
        #"""
        [
          {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
          {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
          {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
          {"foo": "boo"},
          {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
          {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
        ]
        """#) == [
          "batch", #"request "1" sum [1,2,4]"#, "notification - notify_hello [7]",
          #"request "2" subtract [42,23]"#, "invalid(JSONRPC.InvalidRequest.version) - - -",
          #"request "5" foo.get {"name": "myself"}"#, #"request "9" get_data -"#,
        ])
  }

  @Test(arguments: [
    "1", "-1", "0", "1.50", "1e2", "12345678901234567890123", "\"\"", "\"a\\u0062\\n\"", "null",
  ])
  func keepsIDs(_ id: String) {
    #expect(
      summary("{\"jsonrpc\":\"2.0\",\"id\": \(id) ,\"method\":\"m\"}") == ["request \(id) m -"])
  }

  @Test(arguments: ["true", "false", "[1]", "{}"])
  func rejectsOtherIDs(_ id: String) {
    #expect(
      summary("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"m\"}") == [
        "invalid(JSONRPC.InvalidRequest.id) - m -"
      ])
  }

  @Test func rejectsInvalidRequests() {
    func check(_ text: String, _ wanted: InvalidRequest, id: String = "7") {
      #expect(
        summary(text).first?.hasPrefix("invalid(JSONRPC.InvalidRequest.\(wanted)) \(id) ") == true,
        "\(text)")
    }
    check(#"{"id":7,"method":"m"}"#, .version)
    check(#"{"jsonrpc":2.0,"id":7,"method":"m"}"#, .version)
    check(#"{"jsonrpc":"1.0","id":7,"method":"m"}"#, .version)
    check(#"{"jsonrpc":"2.0 ","id":7,"method":"m"}"#, .version)
    check(#"{"jsonrpc":null,"id":7,"method":"m"}"#, .version)
    check(#"{"jsonrpc":"2.0","id":7}"#, .missingMethod)
    check(#"{"jsonrpc":"2.0","id":7,"method":null}"#, .method)
    check(#"{"jsonrpc":"2.0","id":7,"method":["m"]}"#, .method)
    check(#"{"jsonrpc":"2.0","id":7,"method":"m","params":"p"}"#, .params)
    check(#"{"jsonrpc":"2.0","id":7,"method":"m","params":1}"#, .params)
    check(#"{"jsonrpc":"2.0","id":7,"method":"m","params":true}"#, .params)
    check(#"{}"#, .version, id: "-")
    check(#"null"#, .notAnObject, id: "-")
    check(#""text""#, .notAnObject, id: "-")
    check(#" 12 "#, .notAnObject, id: "-")
    #expect(InvalidRequest.params.pointer.description == "/params")
    #expect(InvalidRequest.id.expected.description == "a string, a number or null")
  }

  @Test func readsMembersInAnyNotation() {
    #expect(
      summary(
        #"{"\u0069d":1,"jsonrpc":"2\u002e0","params":null,"method":"a","_x":[{}],"id":2,"method":"b"}"#
      )
        == ["request 2 b null"])
    #expect(summary(#"{"jsonrpc":"2.0","id":1,"result":null}"#) == ["response 1 - -"])
    #expect(summary(#"{"jsonrpc":"2.0","id":1,"error":{}}"#) == ["response 1 - -"])
    #expect(
      summary(#"{"jsonrpc":"2.0","id":1,"method":"m","result":0}"#) == ["request 1 m -"])
  }

  @Test func rejectsInvalidJSON() {
    for text in ["", " ", "{", "{}{}", "[1", "[1]]", "{\"a\":\"\u{1}\"}", "nope", "[{}, ]"] {
      #expect(summary(text) == ["parse error"], "\(text)")
    }
    #expect(summary(String(repeating: "[", count: 3_000_000)) == ["parse error"])
  }

  @Test func namesErrors() {
    #expect(ErrorCode.listNotFound.rawValue == -31001)
    #expect("\(ErrorCode.listNotFound)" == "listNotFound")
    #expect("\(ErrorCode.parseError)" == "parseError")
  }
}
