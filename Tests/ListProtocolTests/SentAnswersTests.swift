import JSONBytes
import JSONRPC
import ListState
import Testing

@testable import ListProtocol

/// Faults in answers and notifications of every kind, as the check before they are sent sees them.
@Suite struct SentAnswersTests {
  @Test(arguments: SentCases.all.indices)
  func everyNumberAndContentIsChecked(_ index: Int) throws {
    let sent = SentCases.all[index]
    let lists = try CheckedLists(sent.before)
    let asked = try lists.ask(sent.method, sent.params)
    do throws(Failure) { try lists.check(asked, asked.answers) } catch {
      Issue.record("\(sent.params): \(error.message) \(asked.texts)")
      return
    }
    var faults = 0
    for (place, answer) in asked.answers.enumerated() {
      for (offset, byte) in answer.enumerated() {
        guard let wrong = Self.fault(in: answer, at: offset, byte) else { continue }
        var answers = asked.answers
        answers[place][offset] = wrong
        faults += 1
        let text = String(decoding: answers[place], as: UTF8.self)
        #expect(throws: Failure.self, "\(sent.params): \(text) at \(offset)") {
          try lists.check(asked, answers)
        }
      }
      // A notification that is not sent is missed, unless only a text or a selection has changed.
      if place > 0, sent.isChange {
        var answers = asked.answers
        answers.removeSubrange(1...)
        #expect(throws: Failure.self, "\(sent.params)") { try lists.check(asked, answers) }
      }
    }
    #expect(faults > 0)
  }

  /// Another digit for the last digit of a number, another letter for the value of a member "v"; else `nil`.
  private static func fault(in answer: [UInt8], at offset: Int, _ byte: UInt8) -> UInt8? {
    let digits: ClosedRange<UInt8> = 0x30...0x39
    if digits.contains(byte) {
      if offset + 1 < answer.count, digits.contains(answer[offset + 1]) { return nil }
      return byte == 0x39 ? 0x30 : byte + 1
    }
    return answer[..<offset].suffix(5).elementsEqual(#""v":""#.utf8) ? 0x3F : nil
  }

  @Test(arguments: SentCases.all.indices)
  func aRequestWithAWrongAnswerIsUndone(_ index: Int) throws {
    let sent = SentCases.all[index]
    let lists = try CheckedLists(sent.before)
    let before = lists.state()
    let error = #expect(throws: Failure.self) {
      try lists.refuse(sent.method, sent.params)
    }
    #expect(error?.code == .internalError)
    #expect(lists.state() == before)
  }

  @Test func editsOfASinceTextAreChecked() throws {
    let lists = try CheckedLists([
      (.subscribe, #"{"list":"l","format":"textEdits"}"#),
      (.editSnapshot, #"{"list":"l",\#(SentCases.edits)}"#),
    ])
    let asked = try lists.ask(
      .subscribe, #"{"list":"l","format":"textEdits","sinceText":1,"spans":true}"#)
    try lists.check(asked, asked.answers)
    let text = asked.texts[0]
    for (part, wrong) in [
      (#""baseTextRevision":1"#, #""baseTextRevision":2"#), (#"\n8"#, #"\n9"#),
      (#""textRevision":2"#, #""textRevision":3"#), (#""line":1"#, #""line":2"#),
      (#""cursor":[0,2]"#, #""cursor":[0,1]"#), (#"F "#, #"f "#),
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
      let answer = text.replacing(part, with: wrong, maxReplacements: 1)
      #expect(throws: Failure.self, "\(answer)") { try lists.check(asked, [Array(answer.utf8)]) }
    }
  }

  /// A list in a tree, a composite and views, each left as it was before an edit, which is what a list
  /// would be whose tree, composition or view goes wrong.
  @Test(arguments: ["l", "c", "sorted", "grouped", "window", "merged", "outline", "of a view"])
  func aListThatDoesNotFollowIsNoticed(_ name: String) throws {
    let lists = try CheckedLists(SentCases.made + [(.editSnapshot, SentCases.update(3))])
    let asked = try lists.ask(.editSnapshot, SentCases.update(5))
    try lists.check(asked, asked.answers)
    lists.forgetEdits(of: name)
    let error = #expect(throws: Failure.self) { try lists.check(asked, asked.answers) }
    #expect(error?.message.contains("make of it") == true)
  }
}
