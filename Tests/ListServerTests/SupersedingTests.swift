import ByteBuffers
import ListServer
import Testing

/// Requests with `latest: true` cancel earlier ones for the same method and list, and no others.
///
/// Promise: A request with `latest` is superseded by a later one for the same method and list, and
///   by nothing else; each is answered in order. Also `test_superseding.py`.
@Suite struct SupersedingTests {
  private func requests(_ text: String) -> [(subject: [UInt8], id: String)] {
    Superseding.requests(in: SharedBytes(copying: text.utf8)).map { request in
      (request.subject, request.id.withBytes { String(decoding: $0, as: UTF8.self) })
    }
  }

  private func ask(_ id: String, _ method: String, _ params: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
  }

  @Test(arguments: [
    #"{"list":"l","latest":true}"#, #"{"latest":true,"items":["\"latest\""],"list":"l"}"#,
    #"{"latest":false,"list":"k","list":"l","latest":true}"#,
    #"{"list":"\u006c","items":[{"latest":false}],"latest":true}"#,
  ])
  func findsRequests(_ params: String) {
    for padding in ["", String(repeating: " ", count: 15), String(repeating: " ", count: 1_000)] {
      let found = requests(padding + ask("7", "compose", params) + padding)
      #expect(found.map(\.id) == ["7"], "\(params)")
      #expect(found.map(\.subject) == [[1] + Array("l".utf8)])
    }
    #expect(requests(ask("1", "applySnapshot", params)).map(\.subject) == [[0, 0x6C]])
  }

  @Test(arguments: [
    (#"1"#, "compose", #"{"list":"l"}"#), ("1", "compose", #"{"list":"l","latest":false}"#),
    ("1", "compose", #"{"list":"l","latest":1}"#), ("1", "compose", #"{"list":5,"latest":true}"#),
    ("1", "compose", #"{"latest":true}"#), ("1", "select", #"{"list":"l","latest":true}"#),
    ("1", "compose", #"{"list":"l","view":{"latest":true}}"#), ("1", "compose", #"["latest"]"#),
  ])
  func ignoresOtherRequests(_ id: String, _ method: String, _ params: String) {
    #expect(requests(ask(id, method, params)).isEmpty)
  }

  @Test func ignoresNotificationsAndInvalidMessages() {
    #expect(
      requests(
        #"{"jsonrpc":"2.0","method":"compose","params":{"list":"l","latest":true}}"#
      ).isEmpty)
    #expect(requests(#"{"latest":true"#).isEmpty)
    #expect(requests("\"latest\"").isEmpty)
    let one = ask("1", "compose", #"{"list":"a","latest":true}"#)
    let two = ask("\"x\"", "applySnapshot", #"{"list":"a","latest":true}"#)
    #expect(requests("[\(one),7,\(two)]").map(\.id) == ["1", "\"x\""])
  }

  /// A request is cancelled exactly if a later frame that is pending has the same subject.
  @Test func behavesLikeAReferenceList() {
    var random = SeededGenerator(seed: 12)
    var pending = PendingCancellations()
    var frames: [[(subject: Int, id: Int)]] = []
    var taken = 0
    var nextID = 0
    for _ in 0..<3_000 {
      if taken + 1 < frames.count, Bool.random(using: &random) {
        taken += 1
        pending.forget(upToFrame: taken)
      } else {
        let frame = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          nextID += 1
          return (subject: Int.random(in: 0..<3, using: &random), id: nextID)
        }
        let requests = frame.map { subject, id in
          ask("\(id)", "compose", #"{"list":"\#(subject)","latest":true}"#)
        }
        let message = SharedBytes(copying: "[\(requests.joined(separator: ","))]".utf8)
        pending.record(Superseding.requests(in: message), inFrame: frames.count)
        frames.append(frame)
      }
      for number in taken..<frames.count {
        for (subject, id) in frames[number] {
          let isSuperseded = frames[(number + 1)...].contains { later in
            later.contains { $0.subject == subject }
          }
          let isCancelled = SharedBytes(copying: "\(id)".utf8).withBytes { pending.contains($0) }
          #expect(isCancelled == isSuperseded)
        }
      }
    }
  }
}
