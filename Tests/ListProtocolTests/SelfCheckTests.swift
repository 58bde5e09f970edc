import ByteBuffers
import ListState
import Testing

@testable import ListProtocol

/// The check accepts correct answers and finds wrong ones.
///
/// Promise: A wrong answer is not sent: `--self-check` detects it in every format and on every
///   path, down to each number in results and notifications. Also `SentAnswersTests`,
///   `SecondLookTests`, `Tests/Corpus`.
@Suite struct SelfCheckTests {
  private func value(_ text: String) -> Value {
    let bytes = SharedBytes(copying: text.utf8)
    return Value(message: bytes, range: 0..<bytes.count)
  }

  private func check(_ answer: String, _ format: Format) throws {
    var service = ListService(historyBytes: 0)
    func snapshot(_ text: String) throws -> Snapshot {
      let value = value(text)
      return try SnapshotReader(value.message)
        .read(sections: value, items: nil, &service.store)
    }
    let old = try snapshot(#"[{"id":"s","header":"h","items":["a",{"id":"b","v":1}]}]"#)
    let new = try snapshot(#"[{"id":"s","header":"h","items":[{"id":"b","v":2},"a"]}]"#)
    try SelfCheck.check(value(answer), format, from: old, to: new)
  }

  private let move = #"{"op":"moveItems","from":[0,1],"to":[0,0],"count":1}"#
  private let update =
    #"{"op":"reconfigureItems","at":[0,0],"count":1,"items":[{"v":2.0,"id":"b"}]}"#

  @Test func acceptsCorrectAnswers() throws {
    try check("[[\(move)],[\(update)]]", .stages)
    try check("[\(move),\(update)]", .ops)
    try check(
      #"[{"op":"move","from":"/sections/0/items/1","path":"/sections/0/items/0"},"#
        + #"{"op":"replace","path":"/sections/0/items/0","value":{"id":"b","v":2}}]"#, .jsonPatch)
  }

  @Test(arguments: [
    "[]", #"[[{"op":"deleteItems","at":[0,5],"count":1}]]"#,
    #"[[{"op":"deleteItems","at":[0,0],"count":1},{"op":"deleteItems","at":[0,0],"count":1}]]"#,
    #"[[{"op":"deleteSections","at":0,"count":1},{"op":"deleteItems","at":[0,0],"count":1}]]"#,
    #"[[{"op":"insertItems","at":[0,9],"count":1,"items":["x"]}]]"#, #"[[{"op":"fly"}]]"#,
    #"[[{"op":"insertItems","at":[0,0],"count":2,"items":["x"]}]]"#,
  ])
  func refusesWrongStages(_ answer: String) {
    #expect(throws: InvariantViolation.self) { try check(answer, .stages) }
  }

  @Test func refusesContentsBesideMoves() {
    #expect(throws: InvariantViolation.self) { try check("[[\(move),\(update)]]", .stages) }
    #expect(throws: InvariantViolation.self) { try check("[[\(move)]]", .stages) }
  }

  @Test(arguments: [
    "[]", #"[{"op":"remove","path":"/sections/0/items/7"}]"#, #"[{"op":"remove","path":"/x"}]"#,
    #"[{"op":"add","path":"/sections/0/own","value":1}]"#,
  ])
  func refusesWrongPatches(_ answer: String) {
    #expect(throws: InvariantViolation.self) { try check(answer, .jsonPatch) }
  }

  @Test func checksTextEdits() throws {
    func edit(_ start: Int, _ end: Int, _ text: String) -> String {
      #"{"range":{"start":{"line":\#(start),"character":0},"#
        + #""end":{"line":\#(end),"character":0}},"newText":"\#(text)"}"#
    }
    let old = Array("a\nb\nc\n".utf8)
    let new = Array("x\nb\n".utf8)
    try SelfCheck.check(
      value("[\(edit(0, 1, #"x\n"#)),\(edit(2, 3, ""))]"), from: old, to: new)
    #expect(throws: InvariantViolation.self) {
      try SelfCheck.check(value("[\(edit(2, 3, "")),\(edit(0, 1, #"x\n"#))]"), from: old, to: new)
    }
    #expect(throws: InvariantViolation.self) {
      try SelfCheck.check(value("[\(edit(0, 9, ""))]"), from: old, to: new)
    }
  }
}
