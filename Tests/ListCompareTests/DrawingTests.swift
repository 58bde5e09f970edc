import ByteBuffers
import Testing

@testable import ListCompare

@Suite struct DrawingTests {
  private func comparison(
    _ old: String, _ new: String, key: String..., context: Int = 3
  ) throws -> Comparison {
    var options = ComparisonOptions()
    options.key = key
    options.context = context
    return try Comparison(file(old), file(new), options, by: noSnapshots)
  }

  @Test func longMovesAreAbbreviatedAtTheirOldPosition() throws {
    let block = (0..<12).map { "moved line number \($0)\n" }.joined()
    let rest = (0..<30).map { "other line number \($0)\n" }.joined()
    let picture = drawn(try comparison(block + rest, rest + block))
    #expect(picture.contains("⋮ 8 more rows"))
    #expect(picture.split(separator: "\n").filter { $0.contains("  < ") }.count == 4)
    #expect(picture.split(separator: "\n").filter { $0.contains("  > ") }.count == 12)
  }

  @Test func valuesThatLookAlikeAreQuoted() throws {
    let picture = drawn(
      try comparison(
        #"[{"id":1,"a":1,"b":"x","c":null}]"#, #"[{"id":1,"a":"1","b":"","d":[]}]"#, key: "id"))
    for line in [#"1  a: 1 → "1""#, #"b: "x" → """#, "c: null → (absent)", "d: (absent) → []"] {
      #expect(picture.contains(line), "\(picture)")
    }
  }

  @Test func longValuesAreCutToTheirDifference() throws {
    let long = String(repeating: "a", count: 300)
    let picture = drawn(
      try comparison(
        #"[{"id":1,"v":"\#(long)x\#(long)"}]"#, #"[{"id":1,"v":"\#(long)y\#(long)"}]"#, key: "id"))
    #expect(picture.contains("…aaaaaaaaaaaaaaaaxaaaaaaaaaaaaaaaa… → …aaaaaaaaaaaaaaaay"))
  }

  @Test func patternsMatchMembersAndTheirContent() {
    func matches(_ pattern: String, _ path: String...) -> Bool {
      FieldPattern(pattern).matches(path)
    }
    #expect(matches("a", "a") && matches("a", "a", "b") && !matches("a", "b", "a"))
    #expect(matches("a.*", "a", "b", "c") && !matches("a.*", "a"))
    #expect(matches("*.time*", "x", "timestamp") && !matches("*.time*", "x", "a-time"))
    #expect(matches("a.0.b", "a", "0", "b") && matches("k.x/y.z", "k", "x/y.z"))
    #expect(matches("*a*b*", "xaxbx") && !matches("*a*b", "xbxa"))
  }

  @Test func differingWordsAreHighlighted() {
    var old = StyledText("let count = items.count")
    var new = StyledText("let total = items.count + 1")
    WordMarks.mark(&old, &new)
    #expect(old.marks.map { String(decoding: old.bytes[$0.range], as: UTF8.self) } == ["count"])
    #expect(
      new.marks.map { String(decoding: new.bytes[$0.range], as: UTF8.self) } == ["total", " + 1"])
    let pairs = WordMarks.pairs(
      [Array("alpha beta".utf8), Array("nothing".utf8), Array("gamma delta eps".utf8)],
      [Array("alpha bets".utf8), Array("gamma delta epsilon".utf8)])
    #expect(pairs.map { [$0.0, $0.1] } == [[0, 0], [2, 1]])
  }

  @Test func delimitedTextIsSplitIntoRecords() throws {
    let text = "a,b\r\n1,\"x, \"\"y\"\"\nz\"\n\n2,\n"
    let content = SharedBytes(copying: text.utf8)
    try content.withBytes { bytes in
      var scanner = DelimitedScanner(bytes, 0x2C)
      var records: [[String]] = []
      var lines: [Int] = []
      while try scanner.next() {
        lines.append(scanner.line)
        records.append(
          scanner.fields.map { RecordTable.value(UnsafeRawBufferPointer(rebasing: bytes[$0])) })
      }
      #expect(records == [["a", "b"], ["1", "x, \"y\"\nz"], [""], ["2", ""]])
      #expect(lines == [1, 2, 4, 5])
    }
  }

  /// Hunks draw each row near a change exactly once.
  @Test func hunksCoverRowsNearChanges() {
    var random = SplitMix(state: 11)
    for _ in 0..<500 {
      var steps: [ChangeStep] = []
      var (old, new) = (0, 0)
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        let count = Int.random(in: 1...9, using: &random)
        if steps.last?.kind != .same, Bool.random(using: &random) {
          steps.append(ChangeStep(kind: .same, old: old, new: new, count: count))
          old += count
          new += count
        } else {
          steps.append(ChangeStep(kind: .deleted, old: old, new: -1, count: count))
          old += count
        }
      }
      let context = Int.random(in: 0...4, using: &random)
      var hunks = Hunks(steps, context: context)
      var shown: [Int] = []
      var ends = 0
      while let hunk = hunks.next() {
        #expect(hunk.old.lowerBound >= ends && hunk.count > 0)
        ends = hunk.old.upperBound
        shown += Array(hunk.old)
        let count = (0..<hunk.count).reduce(0) { $0 + hunk[$1].count }
        #expect(count == hunk.old.count)
      }
      let changed = steps.filter { $0.kind == .deleted }.flatMap { $0.old..<$0.old + $0.count }
      let wanted = (0..<old).filter { row in
        changed.contains { abs($0 - row) <= context }
      }
      #expect(shown == wanted)
    }
  }
}
