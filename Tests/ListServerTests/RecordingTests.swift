import ByteBuffers
import JSONRPC
import ListServer
import Testing

/// Sessions that are recorded and replayed.
///
/// Promise: The answers of every method, every error and every broken message are kept, except for
///   the words for people. Also `Tests/Sessions`,
///   `test_versions_times_and_log_messages_are_not_compared`.
@Suite struct RecordingTests {
  private func recorded(_ text: String) throws -> RecordedSession {
    try RecordedSession(SharedBytes(copying: text.utf8))
  }

  private func line(_ from: String, _ message: String) -> String {
    "{\"at\":1,\"from\":\"\(from)\",\"message\":\(message)}\n"
  }

  private let question = #"{"jsonrpc":"2.0","id":1,"method":"getLists"}"#
  private let answer = #"{"jsonrpc":"2.0","id":1,"result":{"lists":[]}}"#

  @Test func replaysEqualAnswers() throws {
    let replay = try Replay(
      try recorded(line("client", question) + line("server", answer)), SessionOptions())
    #expect(replay.difference == nil && replay.answers == 1 && !replay.endsUnanswered)
  }

  @Test func reportsTheFirstDifference() throws {
    let other = #"{"jsonrpc":"2.0","id":1,"result":{"lists":[1]}}"#
    let replay = try Replay(
      try recorded(line("client", question) + line("server", other)), SessionOptions())
    #expect(replay.difference?.line == 2)
    #expect(replay.difference?.location?.pointer == "/result/lists/0")
    #expect(replay.difference?.description.contains("getLists") == true)
  }

  @Test func reportsMissingAndExtraAnswers() throws {
    let few = try Replay(
      try recorded(line("client", question) + line("client", question) + line("server", answer)),
      SessionOptions())
    #expect(few.difference?.recorded == nil && few.difference?.answered != nil)
    let many = try Replay(
      try recorded(line("client", question) + line("server", answer) + line("server", answer)),
      SessionOptions())
    #expect(many.difference?.line == 3 && many.difference?.answered == nil)
  }

  @Test func recordsEveryKindOfFrame() throws {
    var recording = Recording()
    let bytes: [UInt8] = [0x7B, 0xFF, 0x0A]
    recording.record(.message(SharedBytes(copying: bytes)), isLast: true, at: 5)
    recording.record(.broken(.tooLong, SharedBytes(copying: bytes)), isLast: false, at: 6)
    recording.record(.tooLarge(bytes: 99), isLast: false, at: 7)
    let session = try RecordedSession(recording.takeLines())
    #expect(session.entries.map(\.at) == [5, 6, 7])
    guard case .client(.message(let raw), isLast: true) = session.entries[0].event,
      case .client(.broken(.tooLong, let header), isLast: false) = session.entries[1].event,
      case .client(.tooLarge(bytes: 99), isLast: false) = session.entries[2].event
    else {
      Issue.record("other frames")
      return
    }
    #expect(raw.bytes.elementsEqual(bytes) && header.bytes.elementsEqual(bytes))
  }

  @Test(arguments: ["hello\n", "{}\n", "{\"at\":1,\"from\":\"nobody\",\"message\":1}\n", "[]\n"])
  func refusesOtherFiles(_ text: String) {
    #expect(throws: RecordedSession.Problem.self) { try recorded(text) }
  }

  @Test func ignoresAnIncompleteLastLine() throws {
    let session = try recorded(line("client", question) + "{\"at\":2,\"fr")
    #expect(session.tornLine == 2 && session.entries.count == 1)
  }

  @Test func readsATitleWithoutMessages() throws {
    let session = try recorded("{\"title\":\"a story\"}\n{\"at\":2,\"fr")
    #expect(session.tornLine == 2 && session.entries.isEmpty && session.title == "a story")
  }

  /// A message that is nested as deeply as allowed is nested more deeply in its line.
  @Test func replaysTheDeepestMessage() throws {
    let deep = String(repeating: "[", count: 510) + String(repeating: "]", count: 510)
    let question = #"{"jsonrpc":"2.0","id":1,"method":"getLists","params":{"_":\#(deep)}}"#
    let replay = try Replay(
      try recorded(line("client", question) + line("server", answer)), SessionOptions())
    #expect(replay.difference == nil && replay.answers == 1)
  }

  /// The lists are restored, and the revisions of their texts are continued.
  @Test func restoresTheListsAtTheStart() throws {
    let records =
      #"[[{"textRevision":7}],[{"removed":"b","revision":4}],[{"list":"a","revision":3,"#
      + #""sections":[{"own":{"id":"s"},"items":["x","y"]}],"selection":[[1,1]],"cursor":0}]]"#
    let story = #"{"title":"t","journal":\#(records)}"# + "\n"
    let change = #"{"jsonrpc":"2.0","id":1,"method":"getText","params":{"list":"a"}}"#
    let text =
      #"{"jsonrpc":"2.0","id":1,"result":{"list":"a","revision":3,"textRevision":8,"#
      + #""text":"x\ny\n","cursorLine":0}}"#
    let replay = try Replay(
      try recorded(story + line("client", change) + line("server", text)), SessionOptions())
    #expect(replay.difference == nil, "\(replay.difference?.description ?? "")")
  }

  @Test(arguments: ["[1]", "[[{}]]", #"[[{"list":"a","revision":-1}]]"#, "[[],1]"])
  func refusesInvalidLists(_ records: String) throws {
    let session = try recorded(
      "{\"title\":\"t\",\"journal\":\(records)}\n" + line("client", question))
    #expect(throws: RecordedSession.Problem.self) { try Replay(session, SessionOptions()) }
  }
}
