import JSONBytes
import JSONRPC
import ListState
import Testing

@testable import ListProtocol

/// The check finds errors of every kind in answers and notifications before they are sent.
@Suite struct SentAnswersTests {
  @Test(arguments: SentCases.all.indices)
  func checksEveryNumberAndContent(_ index: Int) throws {
    let sent = SentCases.all[index]
    let lists = try CheckedLists(sent.before)
    let exchange = try lists.ask(sent.method, sent.params)
    do throws(Failure) { try lists.check(exchange, exchange.answers) } catch {
      Issue.record("\(sent.params): \(error.message) \(exchange.texts)")
      return
    }
    var faults = 0
    for (index, answer) in exchange.answers.enumerated() {
      for (offset, byte) in answer.enumerated() {
        guard let wrong = Self.fault(in: answer, at: offset, byte) else { continue }
        var answers = exchange.answers
        answers[index][offset] = wrong
        faults += 1
        let text = String(decoding: answers[index], as: UTF8.self)
        #expect(throws: Failure.self, "\(sent.params): \(text) at \(offset)") {
          try lists.check(exchange, answers)
        }
      }
      // A missing notification is noticed unless only a text or a selection has changed.
      if index > 0, sent.isChange {
        var answers = exchange.answers
        answers.removeSubrange(1...)
        #expect(throws: Failure.self, "\(sent.params)") { try lists.check(exchange, answers) }
      }
    }
    #expect(faults > 0)
  }

  /// Returns another digit for the last digit of a number, another letter for the value of a member
  /// "v", or `nil`.
  private static func fault(in answer: [UInt8], at offset: Int, _ byte: UInt8) -> UInt8? {
    let digits: ClosedRange<UInt8> = 0x30...0x39
    if digits.contains(byte) {
      if offset + 1 < answer.count, digits.contains(answer[offset + 1]) { return nil }
      return byte == 0x39 ? 0x30 : byte + 1
    }
    return answer[..<offset].suffix(5).elementsEqual(#""v":""#.utf8) ? 0x3F : nil
  }

  @Test(arguments: SentCases.all.indices)
  func undoesRequestsWithWrongAnswers(_ index: Int) throws {
    let sent = SentCases.all[index]
    let lists = try CheckedLists(sent.before)
    let before = lists.state()
    let error = #expect(throws: Failure.self) {
      try lists.refuse(sent.method, sent.params)
    }
    #expect(error?.code == .internalError)
    #expect(lists.state() == before)
  }

  @Test func checksEditsSinceAText() throws {
    let lists = try CheckedLists([
      (.subscribe, #"{"list":"l","format":"textEdits"}"#),
      (.editSnapshot, #"{"list":"l",\#(SentCases.edits)}"#),
    ])
    let exchange = try lists.ask(
      .subscribe, #"{"list":"l","format":"textEdits","sinceText":1,"spans":true}"#)
    try lists.check(exchange, exchange.answers)
    let text = exchange.texts[0]
    for (part, wrong) in [
      (#""baseTextRevision":1"#, #""baseTextRevision":2"#), (#"\n8"#, #"\n9"#),
      (#""textRevision":2"#, #""textRevision":3"#), (#""line":1"#, #""line":2"#),
      (#""cursor":[0,2]"#, #""cursor":[0,1]"#), (#"F "#, #"f "#),
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
      let answer = text.replacing(part, with: wrong, maxReplacements: 1)
      #expect(throws: Failure.self, "\(answer)") { try lists.check(exchange, [Array(answer.utf8)]) }
    }
  }

  /// A list kept as a tree, a composite, or a view has the contents from before an edit, as if it
  /// were not updated correctly.
  @Test(arguments: ["l", "c", "sorted", "grouped", "window", "merged", "outline", "of a view"])
  func detectsListsThatDoNotFollow(_ name: String) throws {
    let lists = try CheckedLists(SentCases.made + [(.editSnapshot, SentCases.update(3))])
    let exchange = try lists.ask(.editSnapshot, SentCases.update(5))
    try lists.check(exchange, exchange.answers)
    lists.forgetEdits(of: name)
    let error = #expect(throws: Failure.self) { try lists.check(exchange, exchange.answers) }
    #expect(error?.message.contains("is not the result of") == true)
  }
}
