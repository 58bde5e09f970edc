import ListDiff
import ListStages
import Testing

@testable import ListText

@Suite("Edits of texts")
struct EditTests {
  private func check(
    _ old: String, _ new: String, _ expected: [LineEdit],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = ModelList(old)
    let after = ModelList(new)
    let edits = before.edits(to: after)
    #expect(edits == expected, sourceLocation: sourceLocation)
    #expect(
      before.lines(after: edits, from: after) == after.lines, sourceLocation: sourceLocation)
  }

  @Test("Unchanged lines are not edited")
  func same() {
    check("1=a 2=b", "1=a 2=b", [])
    check("", "", [])
  }

  @Test("An inserted row is inserted lines")
  func inserts() {
    check("", "1=a", [LineEdit(old: 0..<0, new: 0..<1)])
    check("1=a 2=b", "1=a 3=c/d 2=b", [LineEdit(old: 1..<1, new: 1..<3)])
  }

  @Test("A moved row is deleted and inserted lines")
  func moves() {
    check(
      "1=a 2=b 3=c", "3=c 1=a 2=b",
      [LineEdit(old: 0..<0, new: 0..<1), LineEdit(old: 2..<3, new: 3..<3)])
  }

  @Test("Rows with fewer lines are moved")
  func heavyRows() {
    check(
      "1=a/b/c 2=d", "2=d 1=a/b/c",
      [LineEdit(old: 0..<0, new: 0..<1), LineEdit(old: 3..<4, new: 4..<4)])
  }

  @Test("The common first and last lines of a changed row are kept")
  func changedRows() {
    check("1=a/b/c", "1=a/x/y/c", [LineEdit(old: 1..<2, new: 1..<3)])
    check("1=a/a", "1=a/a/a", [LineEdit(old: 2..<2, new: 2..<3)])
    check("1=a 2=b", "1=x 2=y", [LineEdit(old: 0..<2, new: 0..<2)])
  }

  @Test("Headers and footers have their own lines")
  func headers() {
    check("#h 1=a .f", "#h 1=a .f", [])
    check("#h 1=a", "#i 1=a", [LineEdit(old: 0..<1, new: 0..<1)])
    check("1=a .f", "#h 1=a", [LineEdit(old: 0..<0, new: 0..<1), LineEdit(old: 1..<2, new: 2..<2)])
  }

  @Test("A row that changes its section without a visible boundary is kept")
  func boundaries() {
    check("1=a 2=b | 3=c", "1=a | 2=b 3=c", [])
    check("1=a | 2=b", "1=a | #h 2=b", [LineEdit(old: 1..<1, new: 1..<2)])
  }

  @Test("Swapped rows with equal text are kept")
  func equalRows() {
    check("1=a 2=a", "2=a 1=a", [])
    check("1=x", "2=x", [])
  }

  @Test("Random edits lead to the new text, are ascending and do not touch")
  func randomPairs() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<400 {
      let old = ModelList.random(using: &generator)
      let new = ModelList.random(using: &generator)
      let edits = old.edits(to: new)
      #expect(old.lines(after: edits, from: new) == new.lines)
      for (edit, next) in zip(edits, edits.dropFirst()) {
        #expect(edit.old.upperBound < next.old.lowerBound)
        #expect(edit.new.upperBound < next.new.lowerBound)
      }
      #expect(edits.allSatisfy { !$0.old.isEmpty || !$0.new.isEmpty })
    }
  }

  @Test("Blocks that are copied from the old text do not change the difference")
  func copiedBlocks() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<400 {
      let old = ModelList.random(using: &generator)
      var new = ModelList.random(using: &generator)
      if Bool.random(using: &generator) { new = old.copyWithSwappedRows(using: &generator) }
      let before = old.text
      let pairs = old.pairsOfEqualRows(with: new)
      let after = new.text(copying: before, pairs)
      after.checkInvariants()
      #expect(after.bytes == new.text.bytes)
      #expect(before.hasSameBytes(as: after, pairs) == (before.bytes == after.bytes))
      #expect(before.difference(to: after, pairs).edits == old.edits(to: new))
    }
  }
}

extension ModelList {
  /// The same list, perhaps with two rows of a section exchanged, and with another text of one row.
  func copyWithSwappedRows(using generator: inout SeededGenerator) -> ModelList {
    var copy = self
    let section = Int.random(in: 0..<sections.count, using: &generator)
    let rows = sections[section].rows.indices
    guard let one = rows.randomElement(using: &generator),
      let other = rows.randomElement(using: &generator)
    else { return copy }
    copy.sections[section].rows.swapAt(one, other)
    if Bool.random(using: &generator) { copy.sections[section].rows[one].text = "b" }
    return copy
  }

  /// Returns the pairs of blocks, of which equal rows are known to be equal.
  func pairsOfEqualRows(with other: ModelList) -> RowPairs {
    let rows = sections.flatMap(\.rows)
    let others = other.sections.flatMap(\.rows)
    var engine = DiffEngine()
    engine.match(arrangement, other.arrangement, universe: 1000)
    return RowPairs(text, other.arrangement.starts, engine.matching) { new in
      guard let old = rows.firstIndex(where: { $0 == others[new.lowerBound] }) else { return 0..<0 }
      return old..<old + 1
    }
  }

  /// The text, with the blocks copied that are known to be equal in an old text.
  func text(copying old: RenderedText, _ pairs: RowPairs) -> RenderedText {
    var builder = TextBuilder(copying: old)
    var runs = pairs.runs.filter(\.isSame)[...]
    for section in sections {
      builder.addHeader(section.header.map(Words.init(text:)), .plain) { _ in }
      for row in section.rows {
        while let run = runs.first, Int(run.new + run.count) <= builder.blockCount {
          runs.removeFirst()
        }
        if let run = runs.first, Int(run.new) <= builder.blockCount {
          let block = Int(run.old - run.new) + builder.blockCount
          builder.copy(block..<block + 1)
        } else {
          builder.addRow(Words(text: row.text), .plain, RowMarks()) { _ in }
        }
      }
      builder.addFooter(section.footer.map(Words.init(text:)), .plain) { _ in }
    }
    return builder.finish()
  }

  /// A list of up to eight rows in random sections.
  static func random(using generator: inout SeededGenerator) -> ModelList {
    let words = ["a", "b", "a\nb", "", "a\nb\nc"]
    let ids = (0..<8).filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator)
    var sections = (0..<Int.random(in: 1...3, using: &generator)).map { index in
      ModelSection(
        id: UInt32(index), header: words.randomElement(using: &generator),
        footer: Bool.random(using: &generator) ? "f" : nil)
    }
    for id in ids {
      let section = Int.random(in: 0..<sections.count, using: &generator)
      sections[section].rows.append((UInt32(id), words.randomElement(using: &generator)!))
    }
    return ModelList(sections: sections.shuffled(using: &generator))
  }
}

/// Random numbers that are the same in every run (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014).
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
