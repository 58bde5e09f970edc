import ListServer
import Testing

/// A request alone may be read in one pass, and in a batch never is: both say the same.
@Suite struct SinglePassTests {
  /// What is said to messages that come alone, and to the same in batches of one.
  private static func said(_ messages: [String]) -> (alone: [String], batched: [String]) {
    var alone: [String] = []
    var batched: [String] = []
    var one = Conversation(.ndjson)
    var other = Conversation(.ndjson)
    for message in messages {
      let before = (one.said.count, other.said.count)
      one.hear("\(message)\n".utf8)
      other.hear("[\(message)]\n".utf8)
      let line = String(decoding: one.said[before.0...], as: UTF8.self)
      let array = String(decoding: other.said[before.1...], as: UTF8.self)
      alone.append(comparable(line))
      batched.append(
        comparable(array.hasPrefix("[") ? array.dropFirst().dropLast(2) + "\n" : array))
    }
    return (alone, batched)
  }

  /// A reply without what the places in a message make different.
  private static func comparable(_ reply: some StringProtocol) -> String {
    reply.contains("\"code\":-32700") ? "-32700\n" : String(reply)
  }

  private func check(_ messages: [String]) {
    let (alone, batched) = Self.said(messages)
    for (place, message) in messages.enumerated() where alone[place] != batched[place] {
      Issue.record("\(message)\nalone   \(alone[place])batched \(batched[place])")
      return
    }
  }

  @Test func odd() { check(oddRequests()) }

  /// Snapshots of a few lists, one like the other, in all writings and with mistakes.
  @Test func randomRequests() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<15 {
      var writer = RandomRequests(random)
      check((0..<120).map { writer.request($0) })
      random = writer.random
    }
  }
}
