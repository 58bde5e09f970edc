import FuzzyMatch

/// A line that matches, with what it is ranked by.
struct RankedLine: Sendable {
  let line: Int
  let score: Int32

  /// What decides among equal scores, the lowest first.
  let tie: UInt64
}

/// The order of lines that match.
struct LineRanking: Sendable, Hashable {
  /// What decides among lines with the same score.
  enum Criterion: String, CaseIterable {
    case length, chunk, pathname, begin, end, index
  }

  var criteria: [Criterion] = [.length]

  /// Whether lines are ranked, and not in the order of the input.
  var isSorted = true

  /// Whether the last line of the input is the first one.
  var isReversed = false

  /// Reads the value of `--tiebreak`.
  init(criteria value: String? = nil) throws(CommandProblem) {
    guard let value else { return }
    criteria = []
    for word in value.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      guard let criterion = Criterion(rawValue: String(word)) else {
        let names = Criterion.allCases.map { $0.rawValue }.joined(separator: ", ")
        throw CommandProblem(words: "--tiebreak is a list of \(names), not \(word)")
      }
      guard !criteria.contains(criterion), criteria.last != .index else {
        throw CommandProblem(words: "--tiebreak: each criterion once, and index at the end")
      }
      criteria.append(criterion)
    }
    criteria.removeAll { $0 == .index }
    guard criteria.count <= 3 else {
      throw CommandProblem(words: "--tiebreak takes at most three criteria and index")
    }
  }

  /// Whether the engine's own order is this one.
  var isPlain: Bool { criteria.isEmpty || criteria == [.length] }

  var comparesLengths: Bool { criteria == [.length] }

  /// Whether a line is before another one.
  func precedes(_ a: RankedLine, _ b: RankedLine) -> Bool {
    guard isSorted else { return (a.line < b.line) != isReversed }
    if a.score != b.score { return a.score > b.score }
    if a.tie != b.tie { return a.tie < b.tie }
    return (a.line < b.line) != isReversed
  }

  /// Merges arrays in this order, the lines of each of which follow those of the one before in the input.
  func merge(_ parts: [[RankedLine]]) -> [RankedLine] {
    guard isSorted else {
      return isReversed ? Array(parts.reversed().joined()) : Array(parts.joined())
    }
    var parts = parts
    while parts.count > 1 {
      var next: [[RankedLine]] = []
      for index in stride(from: 0, to: parts.count, by: 2) {
        guard index + 1 < parts.count else {
          next.append(parts[index])
          continue
        }
        let (a, b) = (parts[index], parts[index + 1])
        var merged: [RankedLine] = []
        merged.reserveCapacity(a.count + b.count)
        var (i, j) = (0, 0)
        while i < a.count, j < b.count {
          if precedes(b[j], a[i]) {
            merged.append(b[j])
            j += 1
          } else {
            merged.append(a[i])
            i += 1
          }
        }
        merged += a[i...]
        merged += b[j...]
        next.append(merged)
      }
      parts = next
    }
    return parts.first ?? []
  }

  /// What decides about a line that a query matches.
  func tie(of text: RowText, _ query: Query) -> UInt64 {
    let ranges = query.match(in: text)?.ranges.first ?? []
    let points = text.string().unicodeScalars.map { $0.value }
    let (start, end) = (ranges.first?.lowerBound ?? 0, ranges.last?.upperBound ?? 0)
    let blanks = points.prefix { Self.isBlank($0) }.count
    return criteria.reduce(0) { tie, criterion in
      let value: Int
      switch criterion {
      case .length: value = points.count
      case .begin:
        value = ranges.isEmpty ? 0 : start - blanks
      case .end:
        // The share of the line that is behind the match, in 1/65,535.
        let length = points.count - blanks - points.reversed().prefix { Self.isBlank($0) }.count
        let most = Int(UInt16.max)
        value = ranges.isEmpty ? 0 : most - most * (end - blanks) / (max(length, 0) + 1)
      case .chunk:
        guard !ranges.isEmpty else {
          value = points.count
          break
        }
        let first = points[..<start].lastIndex { Self.isBlank($0) } ?? -1
        let last = points[end...].firstIndex { Self.isBlank($0) } ?? points.count
        value = last - first - 1
      case .pathname:
        let slash = points.lastIndex(of: 0x2F) ?? -1
        value = ranges.isEmpty || slash > start ? Int(UInt16.max) : start - slash
      case .index: value = 0
      }
      return tie << 16 | UInt64(max(0, min(value, Int(UInt16.max))))
    }
  }

  private static func isBlank(_ point: UInt32) -> Bool { point == 0x20 || point == 0x09 }
}
