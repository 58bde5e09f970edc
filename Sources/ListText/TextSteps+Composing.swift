import ListDiff

extension TextSteps {
  /// Returns the composition of two lists of edits.
  static func compose(_ first: [LineEdit], _ second: [LineEdit]) -> [LineEdit] {
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

  /// Returns the lines that edits keep. The last run of a text is unbounded, so that the length of
  /// the text is not needed.
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

  /// Returns the lines of rows that consecutive steps move, in the order of the last text.
  ///
  /// Of the lines that the first and the last text have, as many as possible are not moved.
  static func movedLines(_ steps: [[Run]]) -> [LineMove] {
    guard let first = steps.first else { return [] }
    var lines = first.map {
      LineMove(from: Int($0.line), to: Int($0.newLine), count: $0.commonLineCount)
    }
    for runs in steps.dropFirst() { lines = lines.flatMap { carried($0, by: runs) } }
    lines = lines.filter { $0.count > 0 }.sorted { $0.to < $1.to }
    let kept = heaviestIncreasing(
      lines.map { Int32(truncatingIfNeeded: $0.from) }, weights: lines.map(\.count),
      universe: (lines.map(\.from).max() ?? 0) + 1)
    for index in kept.reversed() { lines.remove(at: Int(index)) }
    return lines
  }

  /// Returns the lines of a step to which those of earlier steps lead.
  private static func carried(_ lines: LineMove, by runs: [Run]) -> [LineMove] {
    var result: [LineMove] = []
    let wanted = lines.to..<lines.to + lines.count
    var index = runs.firstIndex(atLeast: wanted.lowerBound)
    while index < runs.count, Int(runs[index].line) < wanted.upperBound {
      let run = runs[index]
      let own = wanted.clamped(to: Int(run.line)..<Int(run.line) + run.commonLineCount)
      result.append(
        LineMove(
          from: lines.from + own.lowerBound - lines.to,
          to: Int(run.newLine - run.line) + own.lowerBound, count: own.count))
      index += 1
    }
    return result
  }
}

extension TextSteps.Run {
  /// The number of lines at the start that both texts have.
  fileprivate var commonLineCount: Int { Int(min(lineCount, newLineCount)) }
}

extension [TextSteps.Run] {
  /// Returns the index of the first run that ends after a line. The runs are in order.
  fileprivate func firstIndex(atLeast line: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if Int(self[middle].line + self[middle].lineCount) <= line {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
