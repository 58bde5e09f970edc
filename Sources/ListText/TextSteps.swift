/// How the last texts of a list became the present one: what carries a line of one of them to the row
/// that it belongs to, and what edits have been made since.
///
/// A step keeps the runs of blocks that both texts have, not the texts:
///
/// ```
///   text 7:  | header | row a | row b |     | row c |      runs: header-a, c; b was deleted
///   text 8:  | header | row a |     | row x | row c |
/// ```
package struct TextSteps: Sendable {
  /// Blocks that follow each other in two texts, of which either each has as many lines in both, or
  /// there is only one.
  struct Run: Sendable {
    var block: Int32
    var newBlock: Int32
    var count: Int32
    var line: Int32
    var newLine: Int32
    var lineCount: Int32
    var newLineCount: Int32
  }

  private struct Step: Sendable {
    /// The numbers of the text before and after.
    var from: Int
    var to: Int

    /// In the order of the old text.
    var runs: [Run]
    var edits: [LineEdit]
  }

  /// How many changes of the number of the text are kept.
  static let limit = 64

  /// The maximum number of steps. Steps can keep the number of the text: rows without lines are inserted and
  /// deleted.
  static let stepLimit = 1_024

  private var steps: [Step] = []
  private var numberCount = 0

  package init() {}

  /// The number of steps.
  package var count: Int { steps.count }

  /// Appends a step, unless no block and no line changes its index.
  ///
  /// - Complexity: O(*r* log *r*), where *r* is the number of runs of blocks that both texts have, plus
  ///   the number of blocks that may look different.
  package mutating func append(
    from: (number: Int, text: RenderedText), to: (number: Int, text: RenderedText),
    _ pairs: RowPairs, _ edits: [LineEdit]
  ) {
    let runs = Self.runs(pairs, from.text, to.text)
    if from.number == to.number {
      if Self.keepAll(runs, from.text, to.text) { return }
    } else {
      numberCount += 1
    }
    steps.append(Step(from: from.number, to: to.number, runs: runs, edits: edits))
    while numberCount > Self.limit || steps.count > Self.stepLimit {
      let first = steps.removeFirst()
      if first.from != first.to { numberCount -= 1 }
    }
  }

  /// Whether runs keep the index and the number of lines of every block.
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
    for pair in pairs.runs.sorted(by: { $0.old < $1.old }) {
      // Blocks that look the same have as many lines in both texts.
      let step = pair.isSame ? pair.count : 1
      for index in stride(from: 0, to: pair.count, by: Int(step)) {
        let run = Self.run(pair.old + index, pair.new + index, step, old, new)
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

  private static func run(
    _ block: Int32, _ newBlock: Int32, _ count: Int32, _ old: RenderedText, _ new: RenderedText
  ) -> Run {
    let lines = old.lines(ofBlocks: Int(block)..<Int(block + count))
    let newLines = new.lines(ofBlocks: Int(newBlock)..<Int(newBlock + count))
    return Run(
      block: block, newBlock: newBlock, count: count,
      line: Int32(truncatingIfNeeded: lines.lowerBound),
      newLine: Int32(truncatingIfNeeded: newLines.lowerBound),
      lineCount: Int32(truncatingIfNeeded: lines.count),
      newLineCount: Int32(truncatingIfNeeded: newLines.count))
  }

  /// The index of the first step after a text; `nil` if that text is not known.
  private func steps(since number: Int, present: Int) -> ArraySlice<Step>? {
    if number == present { return [] }
    guard let first = steps.firstIndex(where: { $0.to > number }), steps[first].from == number
    else { return nil }
    return steps[first...]
  }

  /// Whose a line of an earlier text is, in the present one; `nil` if that text or the line is not known,
  /// or its row, header or footer was deleted.
  ///
  /// - Complexity: O(*k* log *r*), where *k* is the number of steps and *r* that of their runs.
  package func owner(
    ofLine line: Int, in number: Int, present: (number: Int, text: RenderedText)
  ) -> LineOwner? {
    guard var rest = steps(since: number, present: present.number),
      line >= 0, line <= Int(Int32.max)
    else { return nil }
    var line = Int32(line)
    while let step = rest.popFirst() {
      guard let run = step.runs.last(below: line, \.line), line < run.line + run.lineCount else {
        return nil
      }
      if run.lineCount == run.newLineCount {
        line += run.newLine - run.line
      } else if run.newLineCount > 0 {
        line = run.newLine
      } else {
        return owner(ofBlock: run.newBlock, after: rest, present.text)
      }
    }
    return present.text.owner(ofLine: Int(line))
  }

  /// Whose a block is, which had no lines for a while.
  private func owner(
    ofBlock block: Int32, after steps: ArraySlice<Step>, _ text: RenderedText
  ) -> LineOwner? {
    var block = block
    for step in steps {
      guard let run = step.runs.last(below: block, \.block), block < run.block + run.count else {
        return nil
      }
      block += run.newBlock - run.block
    }
    return text.owner(ofBlock: Int(block))
  }

  /// The edits that make the present text of an earlier one; `nil` if that text is not known.
  ///
  /// - Complexity: O(*e*), where *e* is the number of edits of all steps.
  package func edits(since number: Int, present: Int) -> [LineEdit]? {
    guard let steps = steps(since: number, present: present) else { return nil }
    return steps.reduce([]) { Self.compose($0, $1.edits) }
  }

  /// The edits that do what two lists of edits do one after the other.
  private static func compose(_ first: [LineEdit], _ second: [LineEdit]) -> [LineEdit] {
    var kept: [(old: Int, new: Int, count: Int)] = []
    var others = self.kept(second)[...]
    for run in self.kept(first) {
      while let other = others.first {
        let lower = max(run.new, other.old)
        let upper = min(run.new + run.count, other.old + other.count)
        if lower < upper {
          kept.append((lower - run.new + run.old, lower - other.old + other.new, upper - lower))
        }
        guard other.old + other.count <= run.new + run.count else { break }
        others.removeFirst()
      }
    }
    var edits: [LineEdit] = []
    var (old, new) = (0, 0)
    for run in kept {
      if run.old > old || run.new > new {
        edits.append(LineEdit(old: old..<run.old, new: new..<run.new))
      }
      (old, new) = (run.old + run.count, run.new + run.count)
    }
    return edits
  }

  /// The lines that edits keep. All texts end with a run that has no end, so that their lengths need
  /// not be known.
  private static func kept(_ edits: [LineEdit]) -> [(old: Int, new: Int, count: Int)] {
    var kept: [(old: Int, new: Int, count: Int)] = []
    var (old, new) = (0, 0)
    for edit in edits {
      kept.append((old, new, edit.old.lowerBound - old))
      (old, new) = (edit.old.upperBound, edit.new.upperBound)
    }
    kept.append((old, new, Int.max / 4))
    return kept
  }
}

extension Array {
  /// The last element whose key is not above a value; keys ascend.
  fileprivate func last(below value: Int32, _ key: (Element) -> Int32) -> Element? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if key(self[middle]) <= value { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? self[low - 1] : nil
  }
}
