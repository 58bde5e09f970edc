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

  /// Items that are found again wherever they stand, and what only looks like them.
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
    func show(_ list: String, _ items: [String]) {
      let items = items.joined(separator: separator)
      let params = #"{"list":"\#(list)","items":[\#(items)],"content":true}"#
      messages.append(request("\(messages.count)", "applySnapshot", params))
    }
    let numbers = Array(0..<700)
    show("a", numbers.map { text($0) })
    show("b", numbers.reversed().map { text($0) })
    for round in 1..<6 {
      let shuffled = numbers.shuffled(using: &random)
      show("a", shuffled.map { text($0) })
      show("b", shuffled.map { text($0, $0 % 50 < round ? round : 0) } + ["7", "8"])
      show("a", shuffled.map { text($0 + 20 * round, $0 % 3) })
      // Side by side for a while, then elsewhere.
      let others = numbers.filter { !shuffled[..<300].contains($0) }
      show("a", (shuffled[..<300] + others).map { text($0) })
      show("b", shuffled.map { text($0) } + [text(shuffled[9])])
      show("b", shuffled.map { text($0) } + [#"{"id":"i1"#])
    }
    messages.append(request("0", "getSnapshot", #"{"list":"a"}"#))
    messages.append(request("0", "getSnapshot", #"{"list":"b"}"#))
    check(messages)
  }

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
