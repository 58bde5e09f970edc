import JSONBytes
import ListDiff

/// Two lists as they are shown to people.
protocol DrawnLists {
  var matching: Matching { get }
  var movement: Movement { get }
  var oldStarts: [Int32] { get }
  var newStarts: [Int32] { get }

  /// How many rows there are before those that are drawn.
  var rowsBefore: Int { get }

  /// Whether sections have headings.
  var hasHeadings: Bool { get }

  func isChanged(row: Int) -> Bool
  func isChanged(section: Int) -> Bool
  func append(oldRow: Int, to buffer: inout ByteBuffer)
  func append(newRow: Int, to buffer: inout ByteBuffer)
  func append(oldSection: Int, to buffer: inout ByteBuffer)
  func append(newSection: Int, to buffer: inout ByteBuffer)
}

/// Draws a change for people: the new list, what went where it was, and what moved with both places.
struct Drawing<Lists: DrawnLists> {
  private let lists: Lists
  private let isColoured: Bool
  private let width: Int
  private var lines: [Line] = []

  /// How many unchanged rows are drawn before and after what changed.
  static var context: Int { 2 }

  private static var flushSize: Int { 1 << 16 }

  init(_ lists: Lists, isColoured: Bool) {
    self.lists = lists
    self.isColoured = isColoured
    let rows = max(lists.matching.rowsToNew.count, lists.matching.rowsToOld.count)
    width = max(2, String(rows + lists.rowsBefore).utf8.count)
    drawSections()
  }

  /// A row or a heading, by its old and its new index; -1 where it has none.
  private struct Line {
    var mark: Mark
    var isHeading = false
    var old: Int
    var new: Int
  }

  private enum Mark {
    case same
    case gone
    case come
    case moved
    case changed
    case movedAndChanged

    var sign: StaticString {
      switch self {
      case .same: "  "
      case .gone: "- "
      case .come: "+ "
      case .moved, .movedAndChanged: "> "
      case .changed: "~ "
      }
    }

    var colour: StaticString {
      switch self {
      case .same: "\u{1B}[2m"
      case .gone: "\u{1B}[31m"
      case .come: "\u{1B}[32m"
      case .moved, .movedAndChanged: "\u{1B}[36m"
      case .changed: "\u{1B}[33m"
      }
    }
  }

  private static func mark(isKept: Bool, isMoved: Bool, isChanged: Bool) -> Mark {
    guard isKept else { return .come }
    if isMoved { return isChanged ? .movedAndChanged : .moved }
    return isChanged ? .changed : .same
  }
}

extension Drawing {
  private mutating func drawSections() {
    let matching = lists.matching
    var next = 0
    for section in matching.sectionsToOld.indices {
      let old = Int(matching.sectionsToOld[section])
      let isMoved = old >= 0 && lists.movement.movedSections[old]
      if old >= 0, !isMoved {
        drawGoneSections(next..<max(next, old))
        next = max(next, old + 1)
      }
      let mark = Self.mark(
        isKept: old >= 0, isMoved: isMoved,
        isChanged: old >= 0 && lists.isChanged(section: section))
      lines.append(Line(mark: mark, isHeading: true, old: old, new: section))
      drawRows(of: section, old)
    }
    drawGoneSections(next..<max(next, matching.sectionsToNew.count))
  }

  private mutating func drawGoneSections(_ sections: Range<Int>) {
    for section in sections where lists.matching.sectionsToNew[section] < 0 {
      lines.append(Line(mark: .gone, isHeading: true, old: section, new: -1))
      drawGone(Int(lists.oldStarts[section])..<Int(lists.oldStarts[section + 1]))
    }
  }

  private mutating func drawGone(_ rows: Range<Int>) {
    for row in rows where lists.matching.rowsToNew[row] < 0 {
      lines.append(Line(mark: .gone, old: row, new: -1))
    }
  }

  /// The rows of a new section, and before each that stayed those that went.
  private mutating func drawRows(of section: Int, _ oldSection: Int) {
    let home =
      oldSection < 0
      ? 0..<0 : Int(lists.oldStarts[oldSection])..<Int(lists.oldStarts[oldSection + 1])
    var next = home.lowerBound
    for row in Int(lists.newStarts[section])..<Int(lists.newStarts[section + 1]) {
      let old = Int(lists.matching.rowsToOld[row])
      let isMoved = old >= 0 && lists.movement.movedRows[old]
      if old >= 0, !isMoved, home.contains(old) {
        drawGone(next..<old)
        next = old + 1
      }
      let mark = Self.mark(
        isKept: old >= 0, isMoved: isMoved, isChanged: old >= 0 && lists.isChanged(row: row))
      lines.append(Line(mark: mark, old: old, new: row))
    }
    drawGone(next..<home.upperBound)
  }
}

extension Drawing {
  /// Appends the picture: what changed, and a few rows around it; calls `flush` whenever a good deal
  /// has been appended.
  func append(to buffer: inout ByteBuffer, flush: (inout ByteBuffer) -> Void) {
    var shown = [Bool](repeating: false, count: lines.count)
    for (place, line) in lines.enumerated() where line.mark != .same {
      let around = place - Self.context...place + Self.context
      for near in around.clamped(to: 0...lines.count - 1) { shown[near] = true }
    }
    var heading: Int?
    var isGap = false
    for (place, line) in lines.enumerated() {
      if line.isHeading {
        heading = place
        isGap = false
        guard line.mark != .same else { continue }
      } else if !shown[place] {
        isGap = true
        continue
      }
      if let place = heading {
        if lists.hasHeadings { append(lines[place], to: &buffer) }
        heading = nil
      }
      if line.isHeading { continue }
      if isGap { appendGap(to: &buffer) }
      isGap = false
      append(line, to: &buffer)
      if buffer.count >= Self.flushSize { flush(&buffer) }
    }
    appendSummary(to: &buffer)
  }

  private func appendGap(to buffer: inout ByteBuffer) {
    for _ in 0..<width { buffer.append(0x20) }
    buffer.append(" ⋮\n")
  }

  private func append(_ line: Line, to buffer: inout ByteBuffer) {
    if isColoured { buffer.append(line.mark.colour) }
    append(number: number(line.old, line.isHeading, lists.oldStarts), to: &buffer)
    let isMove = line.mark == .moved || line.mark == .movedAndChanged
    buffer.append(isMove ? " → " : "   ")
    append(number: number(line.new, line.isHeading, lists.newStarts), to: &buffer)
    buffer.append("  ")
    buffer.append(line.mark.sign)
    if line.isHeading {
      buffer.append("§ ")
      if line.new >= 0 {
        lists.append(newSection: line.new, to: &buffer)
      } else {
        lists.append(oldSection: line.old, to: &buffer)
      }
    } else if line.old >= 0, line.mark != .same {
      lists.append(oldRow: line.old, to: &buffer)
      if isMove { appendOrigin(of: line, to: &buffer) }
    } else {
      lists.append(newRow: line.new, to: &buffer)
    }
    if !line.isHeading, line.mark == .changed || line.mark == .movedAndChanged {
      buffer.append("\n")
      for _ in 0..<2 * width + 3 { buffer.append(0x20) }
      buffer.append("  = ")
      lists.append(newRow: line.new, to: &buffer)
    }
    if isColoured { buffer.append("\u{1B}[m") }
    buffer.append("\n")
  }

  /// Appends from which section a row came, where it was another.
  private func appendOrigin(of line: Line, to buffer: inout ByteBuffer) {
    guard lists.hasHeadings else { return }
    let old = lists.oldStarts.section(ofRow: line.old)
    let new = lists.newStarts.section(ofRow: line.new)
    guard Int(lists.matching.sectionsToNew[old]) != new else { return }
    buffer.append("  (from ")
    lists.append(oldSection: old, to: &buffer)
    buffer.append(")")
  }

  /// The number of a row in its section, or of a section, counted from one.
  private func number(_ index: Int, _ isHeading: Bool, _ starts: [Int32]) -> Int? {
    guard index >= 0 else { return nil }
    if isHeading { return index + 1 }
    return index - Int(starts[starts.section(ofRow: index)]) + 1 + lists.rowsBefore
  }

  private func append(number: Int?, to buffer: inout ByteBuffer) {
    let digits = number.map { String($0) } ?? ""
    for _ in digits.utf8.count..<max(width, digits.utf8.count) { buffer.append(0x20) }
    buffer.append(contentsOf: digits.utf8)
  }

  private func appendSummary(to buffer: inout ByteBuffer) {
    func words(_ counts: Counts) -> String {
      let all = [
        (counts.deletes, "deleted"), (counts.inserts, "inserted"), (counts.moves, "moved"),
        (counts.updates, "changed"),
      ]
      return all.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
    let rows = words(lists.movement.rowCounts)
    let sections = words(lists.movement.sectionCounts)
    buffer.append(contentsOf: rows.utf8)
    if !sections.isEmpty {
      if !rows.isEmpty { buffer.append("; ") }
      buffer.append("sections: ")
      buffer.append(contentsOf: sections.utf8)
    }
    buffer.append("\n")
  }
}
