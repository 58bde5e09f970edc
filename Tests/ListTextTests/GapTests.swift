import ListDiff
import Testing

@testable import ListText

/// Lines that are kept between changed rows.
@Suite("Lines between rows") struct GapTests {
  private func edits(_ old: String, _ new: String) -> [LineEdit] {
    let before = ModelList(old)
    let after = ModelList(new)
    let edits = before.edits(to: after)
    #expect(before.lines(after: edits, from: after) == after.lines)
    return edits
  }

  @Test("The common lines of replaced rows after a changed row are kept")
  func afterAChangedRow() {
    #expect(
      edits("1=one/two-a 2=one/two-b", "1=one/two-A 3=one/two-c")
        == [LineEdit(old: 1..<2, new: 1..<2), LineEdit(old: 3..<4, new: 3..<4)])
    #expect(
      edits("2=b/end 1=a/end", "3=c/end 1=A/end")
        == [LineEdit(old: 0..<1, new: 0..<1), LineEdit(old: 2..<3, new: 2..<3)])
  }

  @Test("The common lines of replaced rows after a row without common lines are kept")
  func afterARowWithoutCommonLines() {
    #expect(
      edits("1=a 2=one/b", "1=A 3=one/c")
        == [LineEdit(old: 0..<1, new: 0..<1), LineEdit(old: 2..<3, new: 2..<3)])
    #expect(edits("1=a 2=b", "1=A 3=c") == [LineEdit(old: 0..<2, new: 0..<2)])
  }

  @Test("The common lines of a gap are kept across rows")
  func acrossRows() {
    #expect(
      edits("1=x 2=y 4=q", "3=x 1=y 5=r") == [LineEdit(old: 2..<3, new: 2..<3)])
  }

  @Test("Edits of random lists match the reference")
  func randomLists() {
    for seed in [UInt64(200_386), 201_442, 1, 2, 3] {
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<600 {
        let (old, new) = randomPair(using: &generator)
        let edits = old.edits(to: new)
        #expect(old.lines(after: edits, from: new) == new.lines)
        #expect(edits == reference(old, new), "\(old.sections[0].rows) \(new.sections[0].rows)")
      }
    }
  }

  /// Returns two lists of one section whose common rows have the same order.
  private func randomPair(using generator: inout SeededGenerator) -> (ModelList, ModelList) {
    let words = ["a", "b", "a\nb", "a\na", "", "a\nb\nc", "b\nc", "c\nb\nc"]
    func rows(_ ids: [UInt32]) -> ModelList {
      ModelList(
        sections: [
          ModelSection(
            id: 0, rows: ids.map { ($0, words.randomElement(using: &generator)!) })
        ])
    }
    let ids = (UInt32(0)..<9)
    let old = ids.filter { _ in Bool.random(using: &generator) }
    let new = ids.filter { _ in Bool.random(using: &generator) }
    return (rows(old), rows(new))
  }

  /// A second implementation of the edits, with rows as text: keeps lines of common rows, and then
  /// lines of the gaps.
  private func reference(_ old: ModelList, _ new: ModelList) -> [LineEdit] {
    let a = old.lines
    let b = new.lines
    guard a != b, !a.isEmpty else {
      return a == b ? [] : [LineEdit(old: 0..<0, new: 0..<b.count)]
    }
    // The new line of each kept old line.
    var kept: [Int: Int] = [:]
    var cuts: [(Int, Int)] = []
    func keepEnds(_ i: Range<Int>, _ j: Range<Int>) {
      var (low, high) = (0, 0)
      let limit = min(i.count, j.count)
      while low < limit, a[i.lowerBound + low] == b[j.lowerBound + low] {
        kept[i.lowerBound + low] = j.lowerBound + low
        low += 1
      }
      while low + high < limit, a[i.upperBound - 1 - high] == b[j.upperBound - 1 - high] {
        kept[i.upperBound - 1 - high] = j.upperBound - 1 - high
        high += 1
      }
    }
    let (oldRows, newRows) = (ranges(old), ranges(new))
    for (id, i) in oldRows {
      guard let (_, j) = newRows.first(where: { $0.0 == id }) else { continue }
      keepEnds(i, j)
      cuts += [(i.lowerBound, j.lowerBound), (i.upperBound, j.upperBound)]
    }
    func keepEndsBetween(_ ends: [(Int, Int)]) {
      for (from, to) in zip(ends, ends.dropFirst()) where from.0 <= to.0 && from.1 <= to.1 {
        keepEnds(from.0..<to.0, from.1..<to.1)
      }
    }
    func gaps() -> [LineEdit] {
      var result: [LineEdit] = []
      var (i, j) = (0, 0)
      for old in kept.keys.sorted() + [a.count] {
        let new = old == a.count ? b.count : kept[old]!
        if old > i || new > j { result.append(LineEdit(old: i..<old, new: j..<new)) }
        (i, j) = (old + 1, new + 1)
      }
      return result
    }
    for gap in gaps() { keepEnds(gap.old, gap.new) }
    for gap in gaps() {
      let inside = cuts.filter {
        (gap.old.lowerBound...gap.old.upperBound).contains($0.0)
          && (gap.new.lowerBound...gap.new.upperBound).contains($0.1)
      }
      keepEndsBetween(
        [(gap.old.lowerBound, gap.new.lowerBound)] + inside
          + [(gap.old.upperBound, gap.new.upperBound)])
    }
    return gaps()
  }

  /// The lines of each row.
  private func ranges(_ list: ModelList) -> [(UInt32, Range<Int>)] {
    var start = 0
    return list.sections[0].rows.map { id, text in
      let count = text.split(separator: "\n", omittingEmptySubsequences: false).count
      defer { start += count }
      return (id, start..<start + count)
    }
  }
}
