import Testing

@testable import ListText

@Suite("Steps between texts")
struct StepTests {
  private var steps = TextSteps()

  private mutating func step(_ from: (Int, String), _ to: (Int, String)) {
    let (old, new) = (ModelList(from.1), ModelList(to.1))
    let pairs = old.pairs(with: new)
    let edits = old.text.difference(to: new.text, pairs).edits
    steps.append(from: (from.0, old.text), to: (to.0, new.text), pairs, edits)
    steps.checkInvariants()
  }

  private func owner(_ line: Int, _ number: Int, _ present: (Int, String)) -> LineOwner? {
    steps.owner(ofLine: line, in: number, present: (present.0, ModelList(present.1).text))
  }

  @Test("A step without moved lines is not kept")
  mutating func identity() {
    for _ in 0..<3 { step((1, "#h 1=a 2=b | 3=c"), (1, "#h 1=a 2=b | 3=c")) }
    #expect(steps.count == 0)
    step((1, "1=a 2=b"), (1, "2=b 1=a"))
    #expect(steps.count == 1, "equal lines have other owners")
    #expect(owner(0, 1, (1, "2=b 1=a")) == .row(0), "each number has one text")
  }

  @Test("A line is mapped to its row through several texts")
  mutating func moves() {
    step((1, "1=a 2=b"), (2, "2=b 3=c 1=a/x"))
    step((2, "2=b 3=c 1=a/x"), (3, "3=c 1=a/x 2=b"))
    #expect(owner(0, 1, (3, "3=c 1=a/x 2=b")) == .row(1))
    #expect(owner(1, 1, (3, "3=c 1=a/x 2=b")) == .row(2))
    #expect(owner(1, 2, (3, "3=c 1=a/x 2=b")) == .row(0))
    #expect(owner(0, 4, (3, "3=c 1=a/x 2=b")) == nil)
  }

  @Test("Edits since an earlier random text lead to the current one")
  mutating func randomSteps() throws {
    var generator = SeededGenerator(seed: 11)
    var lists = [ModelList.random(using: &generator)]
    for number in 1..<60 {
      let old = lists[number - 1]
      let new = ModelList.random(using: &generator)
      let pairs = old.pairs(with: new)
      let edits = old.text.difference(to: new.text, pairs).edits
      steps.append(from: (number - 1, old.text), to: (number, new.text), pairs, edits)
      steps.checkInvariants()
      lists.append(new)
      for since in [0, number / 2, number] {
        let difference = steps.difference(since: since, present: number, comparingSpans: false)
        let edits = try #require(difference).edits
        #expect(lists[since].lines(after: edits, from: new) == new.lines)
      }
    }
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
