import JSONBytes
import JSONRPC
import ListServer
import Testing

/// Sessions that are recorded, and run again.
@Suite struct RecordingTests {
  private func recorded(_ text: String) throws -> RecordedSession {
    try RecordedSession(SharedBytes(copying: text.utf8))
  }

  private func line(_ from: String, _ message: String) -> String {
    "{\"at\":1,\"from\":\"\(from)\",\"message\":\(message)}\n"
  }

  private let asked = #"{"jsonrpc":"2.0","id":1,"method":"getLists"}"#
  private let told = #"{"jsonrpc":"2.0","id":1,"result":{"lists":[]}}"#

  @Test func sameAnswers() throws {
    let replay = try Replay(
      try recorded(line("client", asked) + line("server", told)), SessionOptions())
    #expect(replay.difference == nil && replay.answers == 1 && !replay.endsUnanswered)
  }

  @Test func theDifferenceHasItsPlace() throws {
    let other = #"{"jsonrpc":"2.0","id":1,"result":{"lists":[1]}}"#
    let replay = try Replay(
      try recorded(line("client", asked) + line("server", other)), SessionOptions())
    #expect(replay.difference?.line == 2)
    #expect(replay.difference?.place?.pointer == "/result/lists/0")
    #expect(replay.difference?.description.contains("getLists") == true)
  }

  @Test func anAnswerThatIsMissingOrTooMany() throws {
    let few = try Replay(
      try recorded(line("client", asked) + line("client", asked) + line("server", told)),
      SessionOptions())
    #expect(few.difference?.recorded == nil && few.difference?.answered != nil)
    let many = try Replay(
      try recorded(line("client", asked) + line("server", told) + line("server", told)),
      SessionOptions())
    #expect(many.difference?.line == 3 && many.difference?.answered == nil)
  }

  @Test func everyFrameComesBack() throws {
    var recording = Recording()
    let bytes: [UInt8] = [0x7B, 0xFF, 0x0A]
    recording.note(.message(SharedBytes(copying: bytes)), isLast: true, at: 5)
    recording.note(.broken(.tooLong, SharedBytes(copying: bytes)), isLast: false, at: 6)
    recording.note(.tooLarge(bytes: 99), isLast: false, at: 7)
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
  func whatIsNoRecord(_ text: String) {
    #expect(throws: RecordedSession.Problem.self) { try recorded(text) }
  }

  @Test func aLastLineThatIsCutShort() throws {
    let session = try recorded(line("client", asked) + "{\"at\":2,\"fr")
    #expect(session.isTorn && session.entries.count == 1)
  }
}
