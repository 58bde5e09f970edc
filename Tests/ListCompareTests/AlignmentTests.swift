import Testing

@testable import ListCompare

/// Checks that as few lines as possible are deleted and inserted.
///
/// Promise: A text has no more changed lines than necessary, and no more than GNU diff and git
///   report. Also `test_blocks_among_similar_ones`, `test_the_history_of_this_repository`.
@Suite struct AlignmentTests {
  /// The length of a longest common subsequence, row by row.
  private func commonLength(_ a: [UInt32], _ b: [UInt32]) -> Int {
    var lengths = [Int](repeating: 0, count: b.count + 1)
    for key in a {
      var before = 0
      for (index, other) in b.enumerated() {
        let above = lengths[index + 1]
        lengths[index + 1] = key == other ? before + 1 : max(above, lengths[index])
        before = above
      }
    }
    return lengths[b.count]
  }

  /// The number of rows that are kept, after a check that they are equal and in order.
  private func kept(_ alignment: LineAlignment, _ a: [UInt32], _ b: [UInt32]) -> Int {
    let old = a.indices.filter { !alignment.deleted[$0] }
    let new = b.indices.filter { !alignment.inserted[$0] }
    #expect(old.map { a[$0] } == new.map { b[$0] })
    return old.count
  }

  private func randomKeys(
    _ count: Int, kinds: UInt32, using random: inout SplitMix
  ) -> [UInt32] {
    // Some keys are more frequent than others, as blank lines and braces are.
    (0..<count).map { _ in
      let numbers = (random.next(), random.next())
      return UInt32(min(numbers.0 % UInt64(kinds), numbers.1 % UInt64(kinds)))
    }
  }

  @Test(arguments: 0..<20) func asManyRowsAsPossibleAreKept(seed: UInt64) {
    var random = SplitMix(state: seed)
    let noPaths = LineAlignment.Effort(pathSteps: { _ in 1 })
    for size in [3, 8, 30, 100] {
      for _ in 0..<(size < 100 ? 20 : 2) {
        let kinds = UInt32.random(in: 1...UInt32(size), using: &random)
        let a = randomKeys(Int.random(in: 0...size, using: &random), kinds: kinds, using: &random)
        let b = randomKeys(Int.random(in: 0...size, using: &random), kinds: kinds, using: &random)
        for effort in [LineAlignment.Effort(), noPaths] {
          let alignment = LineAlignment(a, b, universe: Int(kinds) + 1, effort: effort)
          #expect(kept(alignment, a, b) == commonLength(a, b), "\(a) \(b)")
        }
      }
    }
  }

  /// Long sequences with many changes are aligned by the lengths of common subsequences.
  @Test(arguments: 0..<4) func longPathsAreShortestToo(seed: UInt64) {
    var random = SplitMix(state: seed)
    let kinds: UInt32 = [20, 100, 400, 2_000][Int(seed)]
    let a = randomKeys(700, kinds: kinds, using: &random)
    let b = randomKeys(650, kinds: kinds, using: &random)
    let alignment = LineAlignment(a, b, universe: Int(kinds))
    #expect(kept(alignment, a, b) == commonLength(a, b))
  }

  /// If rows are equal too often, an alignment is still found, and the rarest rows are kept.
  @Test(arguments: 0..<10) func fewStepsSuffice(seed: UInt64) {
    var random = SplitMix(state: seed)
    for steps in [0, 1, 10, 100] {
      let effort = LineAlignment.Effort(
        pathSteps: { _ in 2 }, lengthSteps: { _ in steps }, repetitions: seed % 2 == 0 ? 2 : 500)
      let a = randomKeys(60, kinds: 5, using: &random)
      let b = randomKeys(50, kinds: 5, using: &random)
      let alignment = LineAlignment(a, b, universe: 5, effort: effort)
      #expect(kept(alignment, a, b) <= commonLength(a, b))
      // The rows that occur once, in order, with blank ones around them.
      let numbers = Array(1...40 as ClosedRange<UInt32>)
      let c: [UInt32] = numbers.flatMap { [0, 0, $0, 0] as [UInt32] }
      let d: [UInt32] = numbers.dropFirst(8).flatMap { [0, $0, 0, 0] as [UInt32] } + [0, 0, 0]
      let rare = LineAlignment(c, d, universe: 41, effort: effort)
      let isKept = kept(rare, c, d) >= 32
      #expect(isKept || steps < 100 || seed % 2 == 0)
    }
  }
}

/// Checks what is drawn of changes that are often made.
///
/// Promise: A change of lines begins and ends where blocks of lines do; moves replace deletions and
///   insertions.
@Suite struct ChangePlaceTests {
  /// The marks and lines of changes.
  private func changes(_ old: String, _ new: String, moves: Bool = false) -> [String] {
    let comparison = LineComparison(file(old), file(new), moves: moves, seed: 3)
    let (before, after) = (lines(of: old), lines(of: new))
    return comparison.steps.flatMap { step in
      (0..<step.count).compactMap { offset in
        switch step.kind {
        case .same, .changed: nil
        case .deleted: "-" + before[step.old + offset].dropLast()
        case .departed: "<" + before[step.old + offset].dropLast()
        case .inserted: "+" + after[step.new + offset].dropLast()
        case .arrived: ">" + after[step.new + offset].dropLast()
        }
      }
    }
  }

  private func package(_ name: Int, _ hash: Int, engines: Int = 18, needs: [Int] = []) -> String {
    "  /package-\(name)@1.\(name % 3).0:\n    resolution: {integrity: sha512-\(hash * 7919)}\n"
      + "    engines: {node: '>=\(engines)'}\n    dev: true\n"
      + (needs.isEmpty ? "" : "    dependencies:\n")
      + needs.map { "      package-\($0): 1.\($0 % 3).0\n" }.joined() + "\n"
  }

  /// Blocks with many equal lines, of which some are inserted, deleted and changed. No line is
  /// deleted and inserted because a block like others is new.
  @Test func blocksAmongSimilarOnes() {
    var old = (0..<120).map { package($0 * 10, $0, needs: $0 % 4 == 0 ? [$0, $0 + 1] : []) }
    var new = old
    var deleted = 0
    var inserted = 0
    for block in stride(from: 110, to: 10, by: -9) {
      switch block % 3 {
      case 0:
        new.insert(package(block * 10 + 5, block + 1_000, needs: [block, 7]), at: block + 1)
        inserted += 8
      case 1:
        deleted += new.remove(at: block).split(separator: "\n").count + 1
      default:
        let needs = block % 4 == 0 ? [block, block + 1] : []
        new[block] = package(block * 10, block + 2_000, needs: needs)
        deleted += 1
        inserted += 1
      }
    }
    old.insert(package(3, 3), at: 1)
    deleted += 5
    let found = changes(old.joined(), new.joined())
    #expect(found.count { $0.first == "-" } == deleted)
    #expect(found.count { $0.first == "+" } == inserted)
  }

  /// A change of a block among others begins and ends where blocks do.
  @Test func changesBeginWhereBlocksDo() {
    func function(_ name: String) -> String {
      "func \(name)() {\n  if ready {\n    call(\(name))\n  }\n}\n\n"
    }
    let (a, b, c) = (function("a"), function("b"), function("c"))
    let block = ["func b() {", "  if ready {", "    call(b)", "  }", "}", ""]
    for (old, new) in [(a + c, a + b + c), (a + a, a + b + a), ("x\n\n" + c, "x\n\n" + b + c)] {
      #expect(changes(old, new) == block.map { "+" + $0 })
      #expect(changes(new, old) == block.map { "-" + $0 })
    }
    // Without blank lines, too.
    let tight = block.dropLast().map { "+" + $0 }
    let (d, e) = (a.dropLast() + c.dropLast(), a.dropLast() + b.dropLast() + c.dropLast())
    #expect(changes(String(d), String(e)) == tight)
    // In a text of paragraphs, the blank line belongs to the paragraph before it.
    let (two, three) = ("One.\n\nThree.\n\n4.\n", "One.\n\nTwo.\n\nThree.\n\n4.\n")
    #expect(changes(two, three) == ["+Two.", "+"])
  }

  /// Changes that can be made at one place are.
  @Test func changesMeet() {
    #expect(changes("a\nx\nb\nx\nc\n", "a\nx\nc\n") == ["-b", "-x"])
    #expect(changes("a\nb\nx\ny\n", "a\nx\nx\ny\n") == ["-b", "+x"])
    #expect(changes("{\nold\n}\n{\nend\n}\n", "{\nnew\n}\n{\nnew\n}\n{\nend\n}\n").count == 5)
  }

  /// Moves replace deletions and insertions, and never add any.
  @Test(arguments: 0..<20) func movesSaveLines(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<10 {
      let kinds = Int.random(in: 5...120, using: &random)
      func text() -> String {
        (0..<80).map { _ in "line number \(Int.random(in: 0..<kinds, using: &random))\n" }.joined()
      }
      let (old, new) = (text(), text())
      let (plain, marked) = (changes(old, new), changes(old, new, moves: true))
      #expect(plain.count == marked.count)
      #expect(marked.count { "<>".contains($0.first!) } > 0 || kinds < 40)
    }
  }
}
