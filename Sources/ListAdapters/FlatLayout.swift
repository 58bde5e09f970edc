import ListDiff

/// The lines of a list with sections in a view without sections: of each section its header, if it has
/// one, its rows, and its footer.
struct FlatLayout: Equatable {
  struct Section: Equatable {
    var hasHeader = false
    var rowCount = 0
    var hasFooter = false

    var header: Int { hasHeader ? 1 : 0 }
    var count: Int { header + rowCount + (hasFooter ? 1 : 0) }
  }

  /// What a line shows.
  enum Line: Hashable {
    case header(Int)
    case row(ListPath)
    case footer(Int)
  }

  /// An operation on lines, which applies to the result of the one before it.
  ///
  /// A move removes lines and then inserts them at `to`.
  enum Op: Equatable {
    case delete(Range<Int>)
    case insert(Range<Int>)
    case move(Range<Int>, to: Int)
    case update(Range<Int>)
  }

  private(set) var sections: [Section]

  init(_ sections: [Section] = []) { self.sections = sections }

  /// The number of lines.
  var count: Int { start(of: sections.count) }

  /// Returns the index of the first line of a section.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  func start(of section: Int) -> Int { sections[..<section].reduce(0) { $0 + $1.count } }

  /// Returns the index of the line of a row.
  func index(of path: ListPath) -> Int {
    start(of: path.section) + sections[path.section].header + path.row
  }

  /// Returns what a line shows, or `nil` if there is no such line.
  func line(at index: Int) -> Line? {
    if index < 0 { return nil }
    var rest = index
    for (index, section) in sections.enumerated() {
      if rest < section.count {
        let row = rest - section.header
        if row < 0 { return .header(index) }
        return row < section.rowCount ? .row(ListPath(section: index, row: row)) : .footer(index)
      }
      rest -= section.count
    }
    return nil
  }

  /// Makes the layout that after a stage, and returns the operations that lead to it.
  ///
  /// - Complexity: O(*k* *s*), where *k* is the number of operations and *s* of sections.
  mutating func apply(_ stage: Changes.Stage, to new: [Section]) -> [Op] {
    var ops: [Op] = []
    for op in OpSequence([stage]).ops { apply(op, new, &ops) }
    for index in sections.indices where index < new.count { adjustEnds(index, new[index], &ops) }
    return ops
  }

  private mutating func apply(_ op: Changes.Op, _ new: [Section], _ ops: inout [Op]) {
    switch op {
    case .deleteSections(let at, let count):
      ops.append(.delete(lines(ofSections: at..<at + count)))
      sections.removeSubrange(at..<at + count)
    case .insertSections(let at, let count):
      sections.insert(contentsOf: new[at..<at + count], at: at)
      ops.append(.insert(lines(ofSections: at..<at + count)))
    case .moveSections(let from, let to, let count):
      let lines = lines(ofSections: from..<from + count)
      let moved = sections[from..<from + count]
      sections.removeSubrange(from..<from + count)
      ops.append(.move(lines, to: start(of: to)))
      sections.insert(contentsOf: moved, at: to)
    case .deleteItems(let at, let count):
      ops.append(.delete(lines(at, count)))
      sections[at.section].rowCount -= count
    case .insertItems(let at, let count):
      sections[at.section].rowCount += count
      ops.append(.insert(lines(at, count)))
    case .moveItems(let from, let to, let count):
      let lines = lines(from, count)
      sections[from.section].rowCount -= count
      ops.append(.move(lines, to: index(of: to)))
      sections[to.section].rowCount += count
    case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
      ops.append(.update(lines(at, count)))
    case .reloadSections(let at, let count):
      ops.append(.update(lines(ofSections: at..<at + count)))
    case .reconfigureSections(let at, let count):
      for index in at..<at + count {
        let (section, start) = (sections[index], start(of: index))
        if section.hasHeader { ops.append(.update(start..<start + 1)) }
        let end = start + section.count
        if section.hasFooter { ops.append(.update(end - 1..<end)) }
      }
    }
    ops.removeAll { $0.isEmpty }
  }

  /// Inserts or deletes the header and the footer of a section that has got or lost it.
  private mutating func adjustEnds(_ index: Int, _ new: Section, _ ops: inout [Op]) {
    let start = start(of: index)
    if sections[index].hasHeader != new.hasHeader {
      ops.append(new.hasHeader ? .insert(start..<start + 1) : .delete(start..<start + 1))
      sections[index].hasHeader = new.hasHeader
    }
    if sections[index].hasFooter != new.hasFooter {
      let end = start + sections[index].count
      ops.append(new.hasFooter ? .insert(end..<end + 1) : .delete(end - 1..<end))
      sections[index].hasFooter = new.hasFooter
    }
  }

  private func lines(ofSections range: Range<Int>) -> Range<Int> {
    start(of: range.lowerBound)..<start(of: range.upperBound)
  }

  private func lines(_ at: ListPath, _ count: Int) -> Range<Int> {
    let start = index(of: at)
    return start..<start + count
  }
}

extension FlatLayout.Op {
  /// Whether there are no lines, as in sections without lines.
  var isEmpty: Bool {
    switch self {
    case .delete(let lines), .insert(let lines), .move(let lines, _), .update(let lines):
      lines.isEmpty
    }
  }
}

extension PresentedList {
  /// The sections as those of a flat layout.
  func flatSections(
    hasHeader: (Any) -> Bool, hasFooter: (Any) -> Bool
  ) -> [FlatLayout.Section] {
    (0..<sectionCount).map { index in
      let section = content(ofSection: index)
      return FlatLayout.Section(
        hasHeader: section.map(hasHeader) ?? false, rowCount: itemCount(inSection: index),
        hasFooter: section.map(hasFooter) ?? false)
    }
  }
}
