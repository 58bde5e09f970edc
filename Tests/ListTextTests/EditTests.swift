import ListDiff
import Testing

@testable import ListText

@Suite("Edits of texts")
struct EditTests {
  private func check(
    _ old: String, _ new: String, _ wanted: [LineEdit],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = PlainList(old)
    let after = PlainList(new)
    let edits = before.edits(to: after)
    #expect(edits == wanted, sourceLocation: sourceLocation)
    #expect(
      before.lines(after: edits, from: after) == after.lines, sourceLocation: sourceLocation)
  }

  @Test("What stays is not touched")
  func same() {
    check("1=a 2=b", "1=a 2=b", [])
    check("", "", [])
  }

  @Test("A row that comes is lines that come")
  func inserts() {
    check("", "1=a", [LineEdit(old: 0..<0, new: 0..<1)])
    check("1=a 2=b", "1=a 3=c/d 2=b", [LineEdit(old: 1..<1, new: 1..<3)])
  }

  @Test("A move is lines that go and lines that come")
  func moves() {
    check(
      "1=a 2=b 3=c", "3=c 1=a 2=b",
      [LineEdit(old: 0..<0, new: 0..<1), LineEdit(old: 2..<3, new: 3..<3)])
  }

  @Test("The rows that move are those with fewer lines")
  func heavyRows() {
    check(
      "1=a/b/c 2=d", "2=d 1=a/b/c",
      [LineEdit(old: 0..<0, new: 0..<1), LineEdit(old: 3..<4, new: 4..<4)])
  }

  @Test("Of a changed row the common first and last lines stay")
  func changedRows() {
    check("1=a/b/c", "1=a/x/y/c", [LineEdit(old: 1..<2, new: 1..<3)])
    check("1=a/a", "1=a/a/a", [LineEdit(old: 2..<2, new: 2..<3)])
    check("1=a 2=b", "1=x 2=y", [LineEdit(old: 0..<2, new: 0..<2)])
  }

  @Test("Headers and footers are lines of their own")
  func headers() {
    check("#h 1=a .f", "#h 1=a .f", [])
    check("#h 1=a", "#i 1=a", [LineEdit(old: 0..<1, new: 0..<1)])
    check("1=a .f", "#h 1=a", [LineEdit(old: 0..<0, new: 0..<1), LineEdit(old: 1..<2, new: 2..<2)])
  }

  @Test("A row that crosses a border that nobody sees stays")
  func borders() {
    check("1=a 2=b | 3=c", "1=a | 2=b 3=c", [])
    check("1=a | 2=b", "1=a | #h 2=b", [LineEdit(old: 1..<1, new: 1..<2)])
  }

  @Test("Rows that look alike need not change places")
  func lookalikes() {
    check("1=a 2=a", "2=a 1=a", [])
    check("1=x", "2=x", [])
  }

  @Test("Random pairs: the edits lead to the new text, are in order and apart")
  func randomPairs() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<400 {
      let old = randomList(using: &generator)
      let new = randomList(using: &generator)
      let edits = old.edits(to: new)
      #expect(old.lines(after: edits, from: new) == new.lines)
      for (edit, next) in zip(edits, edits.dropFirst()) {
        #expect(edit.old.upperBound < next.old.lowerBound)
        #expect(edit.new.upperBound < next.new.lowerBound)
      }
      #expect(edits.allSatisfy { !$0.old.isEmpty || !$0.new.isEmpty })
    }
  }

  private func randomList(using generator: inout SeededGenerator) -> PlainList {
    let words = ["a", "b", "a\nb", "", "a\nb\nc"]
    let ids = (0..<8).filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator)
    var sections = (0..<Int.random(in: 1...3, using: &generator)).map { index in
      Paragraph(
        id: UInt32(index), header: words.randomElement(using: &generator),
        footer: Bool.random(using: &generator) ? "f" : nil)
    }
    for id in ids {
      let section = Int.random(in: 0..<sections.count, using: &generator)
      sections[section].rows.append((UInt32(id), words.randomElement(using: &generator)!))
    }
    return PlainList(sections: sections.shuffled(using: &generator))
  }
}

/// The same numbers for the same seed (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
