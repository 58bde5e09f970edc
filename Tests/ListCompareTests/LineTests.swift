import ByteBuffers
import Testing

@testable import ListCompare

/// Checks the steps between lines against the lines.
@Suite struct LineTests {
  /// Applies the steps to both texts. Returns what is wrong with them; nil if they are correct.
  private func problem(_ steps: [ChangeStep], _ old: [String], _ new: [String]) -> String? {
    var (i, j) = (0, 0)
    var departed: [Int: Int] = [:]
    var arrived: [Int: Int] = [:]
    var isNewSeen = false
    for step in steps {
      for offset in 0..<step.count {
        switch step.kind {
        case .same:
          guard step.old + offset == i, step.new + offset == j, old[i] == new[j] else {
            return "same \(step)"
          }
          i += 1
          j += 1
          isNewSeen = false
        case .deleted, .departed:
          guard step.old + offset == i else { return "old \(step)" }
          if isNewSeen { return "a deletion below an insertion: \(step)" }
          if step.kind == .departed { departed[i] = step.new + offset }
          i += 1
        case .inserted, .arrived:
          guard step.new + offset == j else { return "new \(step)" }
          if step.kind == .arrived { arrived[step.old + offset] = j }
          j += 1
          isNewSeen = true
        case .changed: return "lines do not change: \(step)"
        }
      }
    }
    if i != old.count || j != new.count { return "not all lines" }
    if departed != arrived { return "a move without one of its ends" }
    for (from, to) in departed where old[from] != new[to] { return "a move of another line" }
    return nil
  }

  @Test(arguments: 0..<40) func stepsLeadFromOneTextToTheOther(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<60 {
      let kinds = Int.random(in: 1...300, using: &random)
      let count = Int.random(in: 0...[5, 60, 600].randomElement(using: &random)!, using: &random)
      var before = (0..<count).map { _ in "line \(Int.random(in: 0..<kinds, using: &random))" }
      let old = before.joined(separator: "\n") + (Bool.random(using: &random) ? "\n" : "")
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let start = Int.random(in: 0...before.count, using: &random)
        let end = min(before.count, start + Int.random(in: 0...20, using: &random))
        let block = before[start..<end]
        before.removeSubrange(start..<end)
        if Bool.random(using: &random) {
          before.insert(contentsOf: block, at: Int.random(in: 0...before.count, using: &random))
        }
        if Bool.random(using: &random) {
          before.insert("new \(start)", at: min(start, before.count))
        }
      }
      let new = before.joined(separator: "\n") + (Bool.random(using: &random) ? "\n" : "")
      for moves in [true, false] {
        let steps = LineComparison(file(old), file(new), moves: moves, seed: seed + 1).steps
        #expect(problem(steps, lines(of: old), lines(of: new)) == nil)
        if !moves { #expect(!steps.contains { $0.kind == .arrived }) }
      }
    }
  }

  /// The number of moved distinct lines is minimal, also if parts of the texts are compared as
  /// bytes.
  @Test func movesAreMinimal() {
    var random = SplitMix(state: 7)
    for _ in 0..<30 {
      let old = (0..<400).map { "row number \($0)" }
      var new = old
      var least = 0
      for start in [50, 150, 250, 350].shuffled(using: &random).prefix(2) {
        let block = new[start..<start + 3]
        new.removeSubrange(start..<start + 3)
        new.insert(contentsOf: block, at: start < 200 ? start + 20 : start - 20)
        least += 3
      }
      let comparison = LineComparison(
        file(old.joined(separator: "\n")), file(new.joined(separator: "\n")), seed: 3)
      #expect(comparison.steps.counts.rows.moved == least)
    }
  }

  /// If all blocks begin and end with the same lines, a block that moves is moved as a whole,
  /// regardless of how the texts were split.
  @Test func blocksWithEqualEndsMoveAsAWhole() {
    func block(_ name: Int, _ count: Int) -> String {
      let body = (0..<count).map { "  work \(name) \($0)\n" }.joined()
      return "begin\n{\n\(body)  return\n}\n\n"
    }
    var random = SplitMix(state: 11)
    for round in 0..<60 {
      let count = Int.random(in: 3...9, using: &random)
      var blocks = (0..<count).map { $0 }
      let moved = Int.random(in: 0..<count, using: &random)
      let length = { (name: Int) in name == moved ? 2 : 12 + name }
      let old = blocks.map { block($0, length($0)) }.joined()
      blocks.remove(at: moved)
      blocks.insert(moved, at: Int.random(in: 0..<count, using: &random))
      let new = blocks.map { block($0, length($0)) }.joined()
      let steps = LineComparison(file(old), file(new), seed: UInt64(round)).steps
      #expect(problem(steps, lines(of: old), lines(of: new)) == nil)
      let counts = steps.counts.rows
      #expect(counts.deleted == 0 && counts.inserted == 0, "\(old)---\n\(new)")
      #expect(old == new || counts.moved == 7, "\(counts) \(blocks)")
    }
  }

  /// Lines far before the first change and far after the last one are only counted.
  ///
  /// Promise: Equal ends of two texts are compared as bytes, without splitting them into lines.
  @Test func equalEndsAreNotSplitIntoLines() {
    let old = (0..<20_000).map { "row number \($0)" }
    var new = old
    for index in [8_000, 8_001, 9_000] { new[index] = "other" }
    new.remove(at: 9_100)
    let comparison = LineComparison(
      file(old.joined(separator: "\n")), file(new.joined(separator: "\n")), seed: 3)
    #expect(comparison.rows.old.count < 1_400)
    #expect(comparison.rows.old.lineCount == 20_000 && comparison.rows.new.lineCount == 19_999)
    #expect(comparison.steps.summary == "4 deleted, 3 inserted")
  }

  @Test func linesAreFoundByNumber() {
    let old = (0..<3_000).map { "row number \($0)" }
    var new = old
    new[1_500] = "other"
    let text = old.joined(separator: "\n")
    let comparison = LineComparison(
      file(text), file(new.joined(separator: "\n")), seed: 3)
    var cursor = LineCursor(comparison.old, comparison.rows.old)
    var random = SplitMix(state: 9)
    let bytes = Array(text.utf8)
    for _ in 0..<500 {
      let line = Int.random(in: 0..<3_000, using: &random)
      for next in line..<min(3_000, line + 3) {
        let range = cursor.range(ofLine: next)
        #expect(String(decoding: bytes[range], as: UTF8.self).hasPrefix(old[next]))
      }
    }
  }

  @Test func hashesOfLinesDependOnlyOnTheirBytes() {
    let content = SharedBytes(
      copying: "same line of some length\nsame line of some length\nsame line of some lengtH\n".utf8
    )
    content.withBytes { bytes in
      let first = Bytes.line(from: 0, in: bytes, seed: 5)
      let second = Bytes.line(from: first.end, in: bytes, seed: 5)
      let third = Bytes.line(from: second.end, in: bytes, seed: 5)
      #expect(first.hash == second.hash && second.hash != third.hash)
      #expect(first.end == 25 && third.end == bytes.count)
    }
  }

  @Test func invalidBytesAreReportedWithTheirOffset() {
    for length in [0, 31, 32, 33, 300, 5_000] {
      for (bytes, words) in [([0], "NUL"), ([0xFF], "UTF-8"), ([0xE2, 0x82], "UTF-8")]
        as [([UInt8], String)]
      {
        for filler in ["a", "é", "€"] {
          let text =
            Array(String(repeating: filler, count: length).utf8) + bytes + Array("end".utf8)
          let content = SharedBytes(copying: text)
          let failure = #expect(throws: ComparisonFailure.self) {
            try content.withBytes { try ComparedFile.checkText($0, at: 7, of: "f") }
          }
          let offset = length * filler.utf8.count + 7
          #expect(failure?.words.contains(words) == true)
          #expect(failure?.words.contains("byte \(offset)") == true)
        }
      }
    }
  }
}
