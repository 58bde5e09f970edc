import ListServer
import Testing

/// A single request may be read in one pass, one in a batch never is: both have the same answer.
///
/// Promise: A request that is read in one pass is answered like one that is read in two.
@Suite struct SinglePassTests {
  /// Returns the answers to single messages, and to the same messages in batches of one.
  private static func answers(_ messages: [String]) -> (alone: [String], batched: [String]) {
    var alone: [String] = []
    var batched: [String] = []
    var one = Conversation(.ndjson)
    var other = Conversation(.ndjson)
    for message in messages {
      let before = (one.output.count, other.output.count)
      one.receive("\(message)\n".utf8)
      other.receive("[\(message)]\n".utf8)
      let line = String(decoding: one.output[before.0...], as: UTF8.self)
      let array = String(decoding: other.output[before.1...], as: UTF8.self)
      alone.append(comparable(line))
      batched.append(
        comparable(array.hasPrefix("[") ? array.dropFirst().dropLast(2) + "\n" : array))
    }
    return (alone, batched)
  }

  /// Returns a reply without what depends on offsets in the message.
  private static func comparable(_ reply: some StringProtocol) -> String {
    reply.contains("\"code\":-32700") ? "-32700\n" : String(reply)
  }

  private func check(_ messages: [String]) {
    let (alone, batched) = Self.answers(messages)
    for (index, message) in messages.enumerated() where alone[index] != batched[index] {
      Issue.record("\(message)\nalone   \(alone[index])batched \(batched[index])")
      return
    }
  }

  @Test func unusualRequests() { check(unusuallySpelledRequests()) }

  /// Items that are found again at other indices, and items that only look like them.
  @Test(arguments: [",", ", ", " , "])
  func scatteredItems(_ separator: String) {
    var random = SeededGenerator(seed: 11)
    func text(_ number: Int, _ version: Int = 0) -> String {
      let inner = #"[{"id":"i\#(number + 1)","t":"}{"},{"id":"i\#(number)""#
      return switch number % 16 {
      case 0: #"{"id":"i\#(number)","t":\#(inner),"v":\#(version)}]}"#
      case 1: #"{"id": "i\#(number)", "v": \#(version)}"#
      case 2: #"{"id":"i\#(number)","template":"T\#(version)"}"#
      case 3: #"{"id":"i\#(number)","selectable":false,"v":\#(version)}"#
      case 4: #"{"id":\#(number),"v":\#(version)}"#
      case 5: #"{"v":\#(version),"id":"i\#(number)"}"#
      case 6: #"{"id":"\u0069\#(number)","v":\#(version)}"#
      case 7: #""i\#(number)""#
      default: #"{"id":"i\#(number)","text":"{\#(number * number)","v":\#(version)}"#
      }
    }
    var messages: [String] = []
    func apply(_ list: String, _ items: [String]) {
      let items = items.joined(separator: separator)
      let params = #"{"list":"\#(list)","items":[\#(items)],"content":true}"#
      messages.append(request("\(messages.count)", "applySnapshot", params))
    }
    let numbers = Array(0..<700)
    apply("a", numbers.map { text($0) })
    apply("b", numbers.reversed().map { text($0) })
    for round in 1..<6 {
      let shuffled = numbers.shuffled(using: &random)
      apply("a", shuffled.map { text($0) })
      apply("b", shuffled.map { text($0, $0 % 50 < round ? round : 0) } + ["7", "8"])
      apply("a", shuffled.map { text($0 + 20 * round, $0 % 3) })
      // Consecutive items first, then items in another order.
      let others = numbers.filter { !shuffled[..<300].contains($0) }
      apply("a", (shuffled[..<300] + others).map { text($0) })
      apply("b", shuffled.map { text($0) } + [text(shuffled[9])])
      apply("b", shuffled.map { text($0) } + [#"{"id":"i1"#])
    }
    messages.append(request("0", "getSnapshot", #"{"list":"a"}"#))
    messages.append(request("0", "getSnapshot", #"{"list":"b"}"#))
    check(messages)
  }

  /// Similar snapshots of a few lists, in all spellings and with errors.
  @Test func randomRequests() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<15 {
      var writer = RandomRequests(random)
      check((0..<120).map { writer.request($0) })
      random = writer.random
    }
  }
}
