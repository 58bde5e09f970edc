import ListDiff
import Testing

@testable import ListText

@Suite("Steps between texts")
struct StepTests {
  private var steps = TextSteps()

  private mutating func step(_ from: (Int, String), _ to: (Int, String)) {
    let (old, new) = (PlainList(from.1), PlainList(to.1))
    var engine = DiffEngine()
    engine.match(old.arrangement, new.arrangement, universe: 1000)
    let pairs = RowPairs(old.text, new.text, engine.matching)
    let edits = old.text.difference(to: new.text, pairs).edits
    steps.append(from: (from.0, old.text), to: (to.0, new.text), pairs, edits)
  }

  private func owner(_ line: Int, _ number: Int, _ present: (Int, String)) -> LineOwner? {
    steps.owner(ofLine: line, in: number, present: (present.0, PlainList(present.1).text))
  }

  @Test("A step at which every line stays is not kept")
  mutating func identity() {
    for _ in 0..<3 { step((1, "#h 1=a 2=b | 3=c"), (1, "#h 1=a 2=b | 3=c")) }
    #expect(steps.count == 0)
    step((1, "1=a 2=b"), (1, "2=b 1=a"))
    #expect(steps.count == 1, "lines that look alike have other owners")
    #expect(owner(0, 1, (1, "2=b 1=a")) == .row(0), "there is one text of a number")
  }

  @Test("A line is followed to its row through texts")
  mutating func moves() {
    step((1, "1=a 2=b"), (2, "2=b 3=c 1=a/x"))
    step((2, "2=b 3=c 1=a/x"), (3, "3=c 1=a/x 2=b"))
    #expect(owner(0, 1, (3, "3=c 1=a/x 2=b")) == .row(1))
    #expect(owner(1, 1, (3, "3=c 1=a/x 2=b")) == .row(2))
    #expect(owner(1, 2, (3, "3=c 1=a/x 2=b")) == .row(0))
    #expect(owner(0, 4, (3, "3=c 1=a/x 2=b")) == nil)
  }

  @Test("The number of steps is bounded")
  mutating func bounds() {
    for number in 1...100 { step((number, "1=a"), (number + 1, "1=b")) }
    #expect(steps.count == TextSteps.limit)
    #expect(owner(0, 101 - TextSteps.limit, (101, "1=b")) == .row(0))
    #expect(owner(0, 100 - TextSteps.limit, (101, "1=b")) == nil)
    for number in 0..<1_100 {
      let texts = number % 2 == 0 ? ("1=a 2=b", "2=b 1=a") : ("2=b 1=a", "1=a 2=b")
      step((101, texts.0), (101, texts.1))
    }
    #expect(steps.count == TextSteps.stepLimit)
  }
}
