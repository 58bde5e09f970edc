import ByteBuffers
import ListText

/// The columns of lines below a line of headers, such as the output of `ps`, `df` and `kubectl`.
struct HeaderColumns: Equatable {
  let titles: [String]

  /// Where a line is divided.
  private enum Division: Equatable {
    /// Between words. Only the last of so many fields may have several words.
    case words(Int)
    /// At columns of the terminal.
    case columns([Int])
  }

  private let division: Division

  /// The number of lines that are read to find the columns.
  static let sampleCount = 200

  /// Finds the columns of lines, of which the first one may be a header: its words are in capitals,
  /// or above a column of numbers. Returns nil if it is not.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the first `sampleCount` lines.
  init?(_ lines: [UnsafeRawBufferPointer]) {
    let sample = lines.prefix(Self.sampleCount).filter { line in line.contains { $0 > 0x20 } }
    guard sample.count > 1, lines.first.map({ $0.contains { $0 > 0x20 } }) == true else {
      return nil
    }
    let grids = sample.map { Grid($0) }
    var cuts = Self.gaps(grids)
    let below = grids.dropFirst().map { grid in grid.fields(cuts) }
    // A word of a header with nothing below it is part of the header before.
    cuts = cuts.enumerated().filter { index, _ in below.contains { !$0[index + 1].isEmpty } }
      .map { $0.element }
    let words = Self.words(of: sample[0], limit: .max).map { Self.text(sample[0], $0) }
    let isCapital = words.allSatisfy { word in
      word == word.uppercased() && word.utf8.contains { $0 &- 0x41 < 26 || $0 == 0x25 }
    }
    guard !cuts.isEmpty else {
      // Words that are not below each other.
      let areAlike = sample.allSatisfy { Self.words(of: $0, limit: .max).count == words.count }
      guard isCapital, areAlike, words.count > 1 else { return nil }
      (titles, division) = (words, .words(words.count))
      return
    }
    let rows = zip(sample, grids).map { line, grid in
      grid.fields(cuts).map { Self.text(line, $0) }
    }
    let head = rows[0]
    let isAboveNumbers = head.indices.contains { column in
      !Self.isNumber(head[column]) && Self.areNumbers(rows.dropFirst().map { $0[column] })
    }
    guard head.allSatisfy({ !$0.isEmpty }), isCapital || isAboveNumbers else { return nil }
    // Wide values move those after them. Words do not depend on positions.
    let divided = sample.map { line in
      Self.words(of: line, limit: words.count).map { Self.text(line, $0) }
    }
    if head == words && divided == rows || Self.areMoved(head, divided) {
      titles = words
      division = .words(words.count)
    } else {
      titles = head
      division = .columns(cuts)
    }
  }

  /// Returns the fields of a line: as many as there are titles, or fewer.
  func fields(of line: UnsafeRawBufferPointer) -> [Range<Int>] {
    switch division {
    case .words(let count): Self.words(of: line, limit: count)
    case .columns(let cuts): Grid(line).fields(cuts)
    }
  }

  private static func words(of line: UnsafeRawBufferPointer, limit: Int) -> [Range<Int>] {
    RecordTable.columns(of: 0..<line.count, in: line, limit: limit)
  }

  private static func text(_ line: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
    DisplayText.string(UnsafeRawBufferPointer(rebasing: line[range]))
  }

  /// Whether fields are numbers, or empty, and one is a number.
  private static func areNumbers(_ fields: [String]) -> Bool {
    fields.contains { !$0.isEmpty } && fields.allSatisfy { $0.isEmpty || isNumber($0) }
  }

  private static func isNumber(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { TableReader.isNumber(UnsafeRawBufferPointer($0)) }
  }

  /// Whether one column of fields is several ones, which wide numbers in all but the last one have
  /// moved together.
  private static func areMoved(_ head: [String], _ words: [[String]]) -> Bool {
    guard words.allSatisfy({ $0.count == words[0].count }) else { return false }
    var column = 0
    for title in head {
      let count = title.split(separator: " ").count
      let others = column..<min(column + count - 1, words[0].count)
      if count > 1,
        others.allSatisfy({ column in areNumbers(words.dropFirst().map { $0[column] }) })
      {
        return true
      }
      column += count
    }
    return false
  }

  /// The columns between the words of the first line at which all lines have a blank.
  private static func gaps(_ grids: [Grid]) -> [Int] {
    var cuts: [Int] = []
    var gap: Range<Int>?
    for column in 0..<grids[0].count {
      if grids[0].isBlank(column) {
        if column > 0, gap != nil || !grids[0].isBlank(column - 1) {
          gap = (gap?.lowerBound ?? column)..<column + 1
        }
      } else {
        if let gap, let cut = gap.last(where: { c in grids.allSatisfy { $0.isBlank(c) } }) {
          cuts.append(cut)
        }
        gap = nil
      }
    }
    return cuts
  }
}

/// The characters of a line by the columns in which a terminal shows them.
private struct Grid {
  /// The offset of each column in the line, and the number of bytes; nil if offsets are columns.
  private var offsets: [Int]?
  private let line: UnsafeRawBufferPointer

  init(_ line: UnsafeRawBufferPointer) {
    self.line = line.last == 0x0D ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    guard line.contains(where: { $0 >= 0x80 || $0 == 0x09 }) else { return }
    var offsets: [Int] = []
    DisplayText.forEachCharacter(of: Array(self.line)) { scalar, _, offset in
      let columns = scalar == "\t" ? 8 - offsets.count % 8 : DisplayWidth.of(scalar)
      offsets += Array(repeating: offset, count: columns)
    }
    self.offsets = offsets + [self.line.count]
  }

  /// The number of columns.
  var count: Int { offsets.map { $0.count - 1 } ?? line.count }

  private func offset(_ column: Int) -> Int {
    column >= count ? line.count : offsets?[column] ?? column
  }

  /// Whether there is no character in a column but a blank.
  func isBlank(_ column: Int) -> Bool {
    column >= count || line[offset(column)] == 0x20 || line[offset(column)] == 0x09
  }

  /// The parts between columns, without the blanks around them.
  func fields(_ cuts: [Int]) -> [Range<Int>] {
    zip([0] + cuts, cuts + [count]).map { start, end in
      var range = offset(start)..<max(offset(start), offset(end))
      while let first = range.first, line[first] <= 0x20 { range.removeFirst() }
      while let last = range.last, line[last] <= 0x20 { range.removeLast() }
      return range
    }
  }
}
