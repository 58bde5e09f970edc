import ListDiff

/// The steps from the last texts of a list to the current one. They map a line of an earlier text
/// to its row, and return the edits since an earlier text.
///
/// A step has the runs of blocks that both texts have, not the texts:
///
/// ```
///   text 7:  | header | row a | row b |     | row c |      runs: header-a, c; b was deleted
///   text 8:  | header | row a |     | row x | row c |
/// ```
package struct TextSteps: Sendable {
  /// Consecutive blocks of two texts. Either each block has the same number of lines in both texts,
  /// or there is only one block.
  struct Run: Sendable {
    var block: Int32
    var newBlock: Int32
    var count: Int32
    var line: Int32
    var newLine: Int32
    var lineCount: Int32
    var newLineCount: Int32
  }

  /// The step from a text to the next one, which copies of the steps share.
  final class SharedStep: Sendable {
    /// The numbers of the text before and after.
    let from: Int
    let to: Int

    /// The runs in the order of the old text.
    let runs: [Run]
    let edits: [LineEdit]

    /// The revision of the list that the old text shows, and its first rows that the new text does
    /// not have, in order.
    let revision: Int
    let lost: [LostRow]

    init(
      from: Int, to: Int, runs: [Run], edits: [LineEdit], revision: Int, lost: [LostRow]
    ) {
      (self.from, self.to) = (from, to)
      (self.runs, self.edits) = (runs, edits)
      (self.revision, self.lost) = (revision, lost)
    }
  }

  /// A row of an old text that the next text does not have.
  struct LostRow: Sendable {
    var line: Int32
    var lineCount: Int32
    var path: Path
  }

  /// The maximum number of lost rows that a step has.
  static let lostLimit = 1_024

  /// The maximum number of kept changes of the text's number.
  static let limit = 64

  /// The maximum number of steps. A step need not change the number of the text: rows without lines
  /// are inserted and deleted.
  static let stepLimit = 1_024

  private var steps: [SharedStep] = []
  private var numberCount = 0

  package init() {}

  /// The number of steps.
  package var count: Int { steps.count }

  /// Appends a step, unless all blocks and lines keep their indices, and there are no edits.
  /// Edits without a new number replace lines of which only the spans have changed.
  ///
  /// - Complexity: O(*r* log *r*), where *r* is the number of runs of blocks that both texts have,
  ///   plus the number of blocks that may differ.
  package mutating func append(
    from: (number: Int, text: RenderedText), to: (number: Int, text: RenderedText),
    _ pairs: RowPairs, _ edits: [LineEdit], revision: Int
  ) {
    let runs = Self.runs(pairs, from.text, to.text)
    if from.number == to.number {
      if edits.isEmpty, Self.keepAll(runs, from.text, to.text) { return }
    } else {
      numberCount += 1
    }
    steps.append(
      SharedStep(
        from: from.number, to: to.number, runs: runs, edits: edits, revision: revision,
        lost: Self.lostRows(of: from.text, runs)))
    while numberCount > Self.limit || steps.count > Self.stepLimit {
      let first = steps.removeFirst()
      if first.from != first.to { numberCount -= 1 }
    }
  }

  /// Reports whether runs keep the index and the number of lines of every block.
  private static func keepAll(
    _ runs: [Run], _ old: RenderedText, _ new: RenderedText
  ) -> Bool {
    guard old.blockCount == new.blockCount else { return false }
    var count: Int32 = 0
    for run in runs {
      guard run.block == count, run.newBlock == count, run.lineCount == run.newLineCount else {
        return false
      }
      count += run.count
    }
    return count == old.blockCount
  }

  private static func runs(
    _ pairs: RowPairs, _ old: RenderedText, _ new: RenderedText
  ) -> [Run] {
    var runs: [Run] = []
    var (reader, newReader) = (TextReader(old), TextReader(new))
    for pair in pairs.runs.sorted(by: { $0.old < $1.old }) {
      // Equal blocks have the same number of lines in both texts.
      let step = pair.isSame ? pair.count : 1
      for index in stride(from: 0, to: pair.count, by: Int(step)) {
        let (block, newBlock) = (pair.old + index, pair.new + index)
        let run = Run(
          block, newBlock, count: step, reader.lines(ofBlocks: Int(block)..<Int(block + step)),
          newReader.lines(ofBlocks: Int(newBlock)..<Int(newBlock + step)))
        if let last = runs.last, last.block + last.count == run.block,
          last.newBlock + last.count == run.newBlock, last.lineCount == last.newLineCount,
          run.lineCount == run.newLineCount
        {
          runs[runs.count - 1].count += run.count
          runs[runs.count - 1].lineCount += run.lineCount
          runs[runs.count - 1].newLineCount += run.lineCount
        } else {
          runs.append(run)
        }
      }
    }
    return runs
  }

  /// Returns the first rows with lines that are in no run.
  ///
  /// - Complexity: O(*r* + *k* log *n*), where *r* is the number of runs and *k* that of the rows.
  private static func lostRows(of text: RenderedText, _ runs: [Run]) -> [LostRow] {
    var lost: [LostRow] = []
    func add(_ blocks: Range<Int>) {
      for block in blocks {
        if lost.count == lostLimit { return }
        guard case .row(let row) = text.owner(ofBlock: block) else { continue }
        let lines = text.lines(ofBlock: block)
        if lines.isEmpty { continue }
        lost.append(
          LostRow(
            line: Int32(truncatingIfNeeded: lines.lowerBound),
            lineCount: Int32(truncatingIfNeeded: lines.count), path: text.path(ofRow: row)))
      }
    }
    var next = 0
    for run in runs {
      add(next..<Int(run.block))
      next = Int(run.block + run.count)
    }
    add(next..<text.blockCount)
    return lost
  }

  /// Returns the steps after a text, or `nil` if the text is not known.
  private func steps(since number: Int, present: Int) -> ArraySlice<SharedStep>? {
    if number == present { return [] }
    guard let first = steps.firstIndex(where: { $0.to > number }), steps[first].from == number
    else { return nil }
    return steps[first...]
  }

  /// Returns what a line of an earlier text belongs to, and its index among the lines that this had
  /// then; or `nil` if the text or the line is not known, or its header or footer was deleted.
  ///
  /// - Complexity: O(*k* log *r*), where *k* is the number of steps and *r* the number of their
  ///   runs.
  package func target(
    ofLine line: Int, in number: Int, present: (number: Int, text: RenderedText)
  ) -> (target: LineTarget, index: Int)? {
    guard var rest = steps(since: number, present: present.number),
      line >= 0, line <= Int(Int32.max)
    else { return nil }
    var line = Int32(line)
    /// The index, once the number of lines has changed.
    var index: Int32?
    while let step = rest.popFirst() {
      guard let run = step.runs.last(atMost: line, \.line), line < run.line + run.lineCount else {
        guard let row = step.lost.last(atMost: line, \.line), line < row.line + row.lineCount
        else { return nil }
        return (.lost(row.path, revision: step.revision), Int(index ?? line - row.line))
      }
      if run.lineCount == run.newLineCount {
        line += run.newLine - run.line
        continue
      }
      let first = index ?? line - run.line
      index = first
      line = run.newLine
      if run.newLineCount == 0 {
        return owner(ofBlock: run.newBlock, after: rest, present.text)
          .map { (.owner($0), Int(first)) }
      }
    }
    guard let (owner, start) = present.text.ownerAndStart(ofLine: Int(line)) else { return nil }
    return (.owner(owner), index.map(Int.init) ?? Int(line) - start)
  }

  /// Returns the owner of a block that had no lines after some step.
  private func owner(
    ofBlock block: Int32, after steps: ArraySlice<SharedStep>, _ text: RenderedText
  ) -> LineOwner? {
    var block = block
    for step in steps {
      guard let run = step.runs.last(atMost: block, \.block), block < run.block + run.count else {
        return nil
      }
      block += run.newBlock - run.block
    }
    return text.owner(ofBlock: Int(block))
  }

  /// Returns the edits that turn an earlier text into the current one, and the moves among their
  /// lines; or `nil` if the earlier text is not known. If `comparingSpans`, the edits also replace
  /// lines of which the spans may have changed since a text had that number.
  ///
  /// - Complexity: O(*e* + *r* log *r*), where *e* is the number of edits and *r* the number of runs
  ///   of all steps.
  package func difference(
    since number: Int, present: Int, comparingSpans: Bool
  ) -> TextDifference? {
    guard var steps = steps(since: number, present: present) else { return nil }
    if comparingSpans, let first = self.steps.firstIndex(where: { $0.from == number }) {
      steps = self.steps[first...]
    }
    var difference = TextDifference()
    for step in steps where comparingSpans || step.from != step.to {
      difference.edits = Self.compose(difference.edits, step.edits)
    }
    if !difference.edits.isEmpty {
      difference.moves = difference.edits.moves(of: Self.movedLines(steps.map(\.runs)))
    }
    return difference
  }
}

extension TextSteps {
  /// Stops the program if an invariant is violated: each step starts with the text of the step before,
  /// the numbers of steps are within their limits, and runs are in order and do not overlap.
  ///
  /// - Complexity: O(*r*), where *r* is the number of runs of all steps.
  package func checkInvariants() {
    precondition(numberCount == steps.count { $0.from != $0.to }, "changed numbers are counted")
    precondition(numberCount <= Self.limit && steps.count <= Self.stepLimit, "steps are limited")
    for (step, next) in zip(steps, steps.dropFirst()) {
      precondition(step.to == next.from, "steps follow each other")
    }
    for step in steps {
      for run in step.runs {
        precondition(run.count > 0, "no run is empty")
        precondition(
          run.count == 1 || run.lineCount == run.newLineCount, "several blocks keep their lines")
      }
      precondition(step.lost.count <= Self.lostLimit, "lost rows are limited")
      for (row, next) in zip(step.lost, step.lost.dropFirst()) {
        precondition(row.line + row.lineCount <= next.line, "lost rows are in order")
      }
      for (run, next) in zip(step.runs, step.runs.dropFirst()) {
        precondition(run.block + run.count <= next.block, "runs are in order")
        precondition(run.line + run.lineCount <= next.line, "lines are in order")
      }
      for (edit, next) in zip(step.edits, step.edits.dropFirst()) {
        precondition(edit.old.upperBound < next.old.lowerBound, "edits do not touch")
        precondition(edit.new.upperBound < next.new.lowerBound, "edits do not touch")
      }
    }
  }
}

extension TextSteps.Run {
  /// Consecutive blocks of two texts, with their lines.
  fileprivate init(
    _ block: Int32, _ newBlock: Int32, count: Int32, _ lines: Range<Int>, _ newLines: Range<Int>
  ) {
    self.init(
      block: block, newBlock: newBlock, count: count,
      line: Int32(truncatingIfNeeded: lines.lowerBound),
      newLine: Int32(truncatingIfNeeded: newLines.lowerBound),
      lineCount: Int32(truncatingIfNeeded: lines.count),
      newLineCount: Int32(truncatingIfNeeded: newLines.count))
  }
}

extension Array {
  /// Returns the last element whose key is at most `value`. The keys ascend.
  func last(atMost value: Int32, _ key: (Element) -> Int32) -> Element? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if key(self[middle]) <= value { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? self[low - 1] : nil
  }
}
