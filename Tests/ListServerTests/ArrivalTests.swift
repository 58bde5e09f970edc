import ByteBuffers
import JSONBytes
import ListServer
import Testing

/// A message that is read while it is received is answered like one that was received before.
///
/// Promise: A message that is parsed while it is received is answered like one that is complete;
///   half of one changes nothing. Also `test_large_messages_in_pieces`.
@Suite struct ArrivalTests {
  /// A message that is received in pieces, into memory that has other contents before.
  private final class PartialInput {
    let message: SharedBytes
    private let bytes: [UInt8]
    private let end: Int
    private var random: SeededGenerator
    private var received = 0
    private(set) var waits = 0

    /// Creates a message of which at most `end` bytes are ever received.
    init(_ text: String, end: Int? = nil, _ random: SeededGenerator) {
      bytes = Array(text.utf8)
      self.end = end ?? bytes.count
      self.random = random
      var memory = ByteBuffer(capacity: bytes.count)
      let other = Array(#""}],{"id":"w1","t":[1,{"a":1}]},"#.utf8)
      memory.append(contentsOf: bytes.indices.map { other[$0 % other.count] })
      message = SharedBytes(receivingInto: memory, range: 0..<bytes.count)
    }

    func arrival(margin: Int) -> PartialMessage {
      PartialMessage(margin: margin) { [self] wanted in
        waits += 1
        while received < min(wanted, end) { received += message.receive(from: received, write) }
        return received
      }
    }

    private func write(_ room: UnsafeMutableRawBufferPointer) -> Int {
      let count = Int.random(in: 1...40, using: &random)
      let piece = bytes[received..<min(end, received + count)]
      room.copyBytes(from: piece)
      return piece.count
    }
  }

  private static func takeOutput(_ session: inout Session) -> String {
    defer { session.outbox.removeAll() }
    return session.outbox.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func check(_ messages: [String], margins: [Int]) {
    for margin in margins {
      var whole = Session()
      var partial = Session()
      for (index, text) in messages.enumerated() {
        whole.receive(.message(SharedBytes(copying: text.utf8)))
        let message = PartialInput(text, SeededGenerator(seed: UInt64(index)))
        partial.receive(.message(message.message), arrival: message.arrival(margin: margin))
        let (expected, answer) = (Self.takeOutput(&whole), Self.takeOutput(&partial))
        guard answer == expected else {
          Issue.record("margin \(margin): \(text)\nwhole   \(expected)partial \(answer)")
          return
        }
      }
    }
  }

  @Test func unusualRequests() {
    check(unusuallySpelledRequests(), margins: [0, 1, 7, 30, 64, 1000])
  }

  @Test func randomRequests() {
    var writer = RandomRequests(SeededGenerator(seed: 21))
    check((0..<150).map { writer.request($0) }, margins: [0, 20, 50, 100, 200, 1000])
  }

  @Test func readsWhileReceiving() {
    let items = (0..<3000).map { #"{"id":"item-\#($0)","text":"Message number \#($0)"}"# }
    let text = request(
      "1", "applySnapshot", #"{"list":"l","items":[\#(items.joined(separator: ","))]}"#)
    var session = Session()
    for _ in 0..<2 {
      let message = PartialInput(text, SeededGenerator(seed: 3))
      session.receive(.message(message.message), arrival: message.arrival(margin: 1000))
      #expect(message.waits > text.utf8.count / 2100)
    }
  }

  @Test func incompleteMessagesChangeNothing() {
    func apply(_ items: String) -> String {
      request("1", "applySnapshot", #"{"list":"l","items":[\#(items)]}"#)
    }
    let state = request("2", "getSnapshot", #"{"list":"l"}"#)
    let next = apply(#""a",{"id":"b","t":1},"c","d",{"id":"e"}"#)
    for end in next.utf8.indices.map({ next.utf8.distance(from: next.utf8.startIndex, to: $0) }) {
      var session = Session()
      session.receive(.message(SharedBytes(copying: apply(#""a","b""#).utf8)))
      session.receive(.message(SharedBytes(copying: state.utf8)))
      let before = Self.takeOutput(&session).split(separator: "\n").last ?? ""
      let message = PartialInput(next, end: end, SeededGenerator(seed: 5))
      session.receive(.message(message.message), arrival: message.arrival(margin: 4))
      #expect(Self.takeOutput(&session).isEmpty)
      session.receive(.message(SharedBytes(copying: state.utf8)))
      #expect(Self.takeOutput(&session) == before + "\n")
    }
  }
}
