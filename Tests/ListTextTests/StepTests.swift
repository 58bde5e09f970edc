import ListDiff
import Testing

@testable import ListText

@Suite("Steps between texts")
struct StepTests {
  private var steps = TextSteps()

  private mutating func step(_ from: (Int, String), _ to: (Int, String)) {
    let (old, new) = (ModelList(from.1), ModelList(to.1))
    let pairs = old.pairs(with: new)
    let edits = old.text.difference(to: new.text, pairs).edits
    steps.append(from: (from.0, old.text), to: (to.0, new.text), pairs, edits, revision: from.0)
    steps.checkInvariants()
  }

  private func target(_ line: Int, _ number: Int, _ present: (Int, String)) -> LineTarget? {
    steps.target(ofLine: line, in: number, present: (present.0, ModelList(present.1).text))?.target
  }

  private func owner(_ line: Int, _ number: Int, _ present: (Int, String)) -> LineOwner? {
    if case .owner(let owner) = target(line, number, present) { owner } else { nil }
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

  @Test("A line has the index that it had in its row")
  mutating func indices() {
    func index(_ line: Int, _ number: Int) -> Int? {
      steps.target(ofLine: line, in: number, present: (4, ModelList("3=c 1=a/x/y 2=b").text))?.index
    }
    step((1, "1=a/x/y 2=b/c 3=c"), (2, "3=c 2=b/c 1=a/x/y"))
    step((2, "3=c 2=b/c 1=a/x/y"), (3, "3=c 1=a 2=b/c"))
    step((3, "3=c 1=a 2=b/c"), (4, "3=c 1=a/x/y 2=b"))
    #expect((0...5).map { index($0, 1) } == [0, 1, 2, 0, 1, 0])
    #expect((0...5).map { index($0, 2) } == [0, 0, 1, 0, 1, 2])
    #expect((0...3).map { index($0, 3) } == [0, 0, 0, 1])
    #expect((0...4).map { index($0, 4) } == [0, 0, 1, 2, 0])
  }

  @Test("A line of a row that is gone is mapped to the row in the last text that had it")
  mutating func lostRows() {
    step((1, "1=a 2=b | 3=c"), (2, "2=b | 4=d 3=c/x"))
    step((2, "2=b | 4=d 3=c/x"), (3, "2=b | 4=d"))
    step((3, "2=b | 4=d"), (4, "1=a | 4=d"))
    let present = (4, "1=a | 4=d")
    #expect(target(0, 1, present) == .lost(Path(section: 0, row: 0), revision: 1))
    #expect(target(1, 1, present) == .lost(Path(section: 0, row: 0), revision: 3))
    #expect(target(2, 1, present) == .lost(Path(section: 1, row: 1), revision: 2))
    #expect(target(3, 2, present) == .lost(Path(section: 1, row: 1), revision: 2))
    #expect(target(1, 2, present) == .owner(.row(1)))
    #expect(target(4, 2, present) == nil)
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
      steps.append(
        from: (number - 1, old.text), to: (number, new.text), pairs, edits, revision: number - 1)
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
