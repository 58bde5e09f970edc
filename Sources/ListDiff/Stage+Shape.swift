extension Changes.Stage {
  /// Returns the number of rows of each section after the stage, or `nil` if the stage does not
  /// fit.
  ///
  /// - Complexity: O(*s* + *k* log *k*), where *s* is the number of sections and *k* of operations.
  func shape(after shape: [Int]) -> [Int]? {
    var taken: [Range<Int>] = []
    var inserted: [(range: Range<Int>, from: Int?, rows: [Int])] = []
    var takenRows: [Int: [Range<Int>]] = [:]
    var insertedRows: [Int: [Range<Int>]] = [:]
    var counts = insertedRowCounts[...]
    for op in ops {
      switch op {
      case .deleteSections(let at, let count): taken.append(at..<at + count)
      case .insertSections(let at, let count):
        guard counts.count >= count, counts.prefix(count).allSatisfy({ $0 >= 0 }) else {
          return nil
        }
        inserted.append((at..<at + count, nil, Array(counts.prefix(count))))
        counts = counts.dropFirst(count)
      case .moveSections(let from, let to, let count):
        taken.append(from..<from + count)
        inserted.append((to..<to + count, from, []))
      case .deleteItems(let at, let count):
        takenRows[at.section, default: []].append(at.row..<at.row + count)
      case .insertItems(let at, let count):
        insertedRows[at.section, default: []].append(at.row..<at.row + count)
      case .moveItems(let from, let to, let count):
        takenRows[from.section, default: []].append(from.row..<from.row + count)
        insertedRows[to.section, default: []].append(to.row..<to.row + count)
      case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: break
      }
    }
    guard counts.isEmpty, taken.areDisjoint(below: shape.count) else { return nil }
    var rows = shape
    for (section, ranges) in takenRows {
      guard shape.indices.contains(section), ranges.areDisjoint(below: shape[section]) else {
        return nil
      }
      rows[section] -= ranges.reduce(0) { $0 + $1.count }
    }
    // A moved section contains the rows that its row operations leave in it.
    let left = Set(taken.joined())
    inserted.sort { $0.range.lowerBound < $1.range.lowerBound }
    var staying = rows.indices.lazy.filter { !left.contains($0) }.map { rows[$0] }[...]
    var result: [Int] = []
    for part in inserted {
      let before = part.range.lowerBound - result.count
      guard before >= 0, staying.count >= before else { return nil }
      result += staying.prefix(before)
      staying = staying.dropFirst(before)
      result += part.from.map { Array(rows[$0..<$0 + part.range.count]) } ?? part.rows
    }
    result += staying
    for (section, ranges) in insertedRows {
      guard result.indices.contains(section) else { return nil }
      result[section] += ranges.reduce(0) { $0 + $1.count }
      guard ranges.areDisjoint(below: result[section]) else { return nil }
    }
    for op in ops where op.isOfContents && !op.fits(result) { return nil }
    return result
  }
}

extension Changes.Op {
  /// Returns whether an update refers to existing rows or sections; true for other operations.
  fileprivate func fits(_ shape: [Int]) -> Bool {
    switch self {
    case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
      at >= 0 && at + count <= shape.count
    case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
      at.section < shape.count && at.row + count <= shape[at.section]
    default: true
    }
  }
}

extension [Range<Int>] {
  /// Returns whether the ranges do not overlap and are in `0..<end`.
  fileprivate func areDisjoint(below end: Int) -> Bool {
    var last = 0
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound < last || range.upperBound > end { return false }
      last = range.upperBound
    }
    return true
  }
}
