import ListStages
import Testing

@testable import ListDiff

@Suite struct RowLengthsTests {
  /// The stages of a short list, expanded, lead to the same list as the short list's, expanded. Sections
  /// whose rows are unchanged may stand for several, of which the first has the rows.
  @Test(arguments: 0..<40)
  func expandedStagesMakeTheExpandedList(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let old = (0..<Int.random(in: 1...5, using: &random)).map { section in
      let rows = (0..<Int.random(in: 0..<9, using: &random)).map { section * 100 + $0 }
      return Changes.Section(id: section, items: rows)
    }
    var new = old
    for step in 0..<Int.random(in: 1...8, using: &random) { edit(&new, &random, step) }
    let rowCount = old.reduce(0) { $0 + $1.items.count }
    let counts = (0..<rowCount).map { _ in Int32.random(in: 1...3, using: &random) }
    var starts: [Int32] = [0]
    var ends: [Int] = [0]
    for section in old { starts.append(starts.last! + Int32(section.items.count)) }
    for count in counts { ends.append(ends.last! + Int(count)) }

    let lengths = Dictionary(uniqueKeysWithValues: zip(old.flatMap(\.items), counts))
    var newStarts: [Int32] = [0]
    for section in new { newStarts.append(newStarts.last! + Int32(section.items.count)) }
    let newCounts = new.flatMap(\.items).map { lengths[$0] ?? 1 }

    let kept = Dictionary(uniqueKeysWithValues: new.map { ($0.id, $0.items) })
    let widths = old.map { section in
      kept[section.id] == section.items ? Int32.random(in: 1...3, using: &random) : 1
    }
    var indices: [Int32] = [0]
    for width in widths { indices.append(indices.last! + width) }
    var newIndices: [Int32] = [0]
    for section in new {
      newIndices.append(newIndices.last! + (old.indices ~= section.id ? widths[section.id] : 1))
    }

    let stages = Changes(fromSections: old, to: new).stages
    var expandedStages = stages
    RowLengths(counts, starts: starts).standing(forSections: indices)
      .expand(
        &expandedStages,
        to: RowLengths(newCounts, starts: newStarts).standing(forSections: newIndices))
    var short = ListLayout(shape: old.map(\.items.count))
    var long = ListLayout(
      shape: old.indices.flatMap { section in
        [ends[Int(starts[section + 1])] - ends[Int(starts[section])]]
          + Array(repeating: 0, count: Int(widths[section]) - 1)
      })
    for (stage, expandedStage) in zip(stages, expandedStages) {
      long = long.after(expandedStage)
      short = short.after(stage)
      let expanded = short.sections.flatMap { section in
        let rows = section.rows.flatMap { row in
          row < 0 ? [row] : (ends[Int(row)]..<ends[Int(row) + 1]).map { Int32($0) }
        }
        let width = section.token < 0 ? 1 : Int(widths[Int(section.token)])
        return [rows] + Array(repeating: [], count: width - 1)
      }
      let tokens = short.sections.flatMap { section in
        let token = Int(section.token)
        return token < 0 ? [section.token] : Array(indices[token]..<indices[token + 1])
      }
      #expect(long.sections.map { $0.rows } == expanded)
      #expect(long.sections.map { $0.token } == tokens)
    }
  }

  /// Inserts, deletes or moves a section or a row.
  private func edit(
    _ list: inout [Changes.Section<Int, Int>], _ random: inout SplitMix, _ step: Int
  ) {
    let rows = list.indices.flatMap { section in
      list[section].items.indices.map { Path(section: section, row: $0) }
    }
    let place = Int.random(in: 0...list.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: list.insert(Changes.Section(id: 1000 + step, items: [2000 + step]), at: place)
    case 1 where !list.isEmpty: list.remove(at: Int.random(in: 0..<list.count, using: &random))
    case 2 where !list.isEmpty:
      let moved = list.remove(at: Int.random(in: 0..<list.count, using: &random))
      list.insert(moved, at: Int.random(in: 0...list.count, using: &random))
    case 3 where !list.isEmpty:
      list[Int.random(in: 0..<list.count, using: &random)].items.insert(3000 + step, at: 0)
    case let kind where !rows.isEmpty:
      let from = rows[Int.random(in: 0..<rows.count, using: &random)]
      let row = list[from.section].items.remove(at: from.row)
      if kind == 4 { break }
      let to = Int.random(in: 0..<list.count, using: &random)
      list[to].items.insert(row, at: Int.random(in: 0...list[to].items.count, using: &random))
    default: break
    }
  }
}
