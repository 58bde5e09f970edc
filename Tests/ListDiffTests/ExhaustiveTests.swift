import ListDiff
import Testing

@testable import listd_fuzz

/// Checks the invariants of a change for every pair of small lists.
@Suite struct ExhaustiveTests {
  private func checkAll(_ pairs: some Sequence<(ReferenceList, ReferenceList)>) {
    var engine = DiffEngine()
    for (old, new) in pairs {
      do {
        _ = try ChangeInvariants(old, new, using: &engine)
      } catch {
        Issue.record("\(error)\nfrom \(old)\nto   \(new)")
        return
      }
    }
  }

  @Test func flatListsOfDistinctRows() {
    checkAll(
      (0...5).flatMap { count in
        arrangements(of: Array(0..<count + 2), upTo: 5).map {
          (ReferenceList(flat: 0..<count), ReferenceList(flat: $0))
        }
      })
  }

  @Test func permutationsOfSix() {
    checkAll(
      arrangements(of: Array(0..<6), upTo: 6).filter { $0.count == 6 }.map {
        (ReferenceList(flat: 0..<6), ReferenceList(flat: $0))
      })
  }

  @Test(arguments: [(2, 5), (3, 3)]) func flatListsOfRepeatedRows(keys: Int, length: Int) {
    let words = words(keys: keys, upTo: length)
    checkAll(
      words.lazy.flatMap { old in
        words.lazy.map { (ReferenceList(flat: old), ReferenceList(flat: $0)) }
      })
  }

  @Test func sections() {
    let before = (1...3).flatMap { count in
      splits([0, 1, 2], into: count).map { list(Array(0..<count), $0) }
    }
    let orders = arrangements(of: [0, 1, 2], upTo: 3)
    let after = orders.flatMap { sections in
      orders.flatMap { rows in splits(rows, into: sections.count).map { list(sections, $0) } }
    }
    checkAll(before.lazy.flatMap { old in after.lazy.map { (old, $0) } })
  }

  private func list(_ ids: [Int], _ rows: [[Int]]) -> ReferenceList {
    ReferenceList(
      sections: zip(ids, rows).map { id, rows in
        ReferenceList.Section(id: id, rows: rows.map { ReferenceList.Row(id: $0) })
      })
  }

  /// Returns all ordered choices of up to `count` of the values.
  private func arrangements(of values: [Int], upTo count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return [[]]
      + values.flatMap { first in
        arrangements(of: values.filter { $0 != first }, upTo: count - 1).map { [first] + $0 }
      }
  }

  private func words(keys: Int, upTo length: Int) -> [[Int]] {
    guard length > 0 else { return [[]] }
    return [[]]
      + (0..<keys).flatMap { key in
        words(keys: keys, upTo: length - 1).map { [key] + $0 }
      }
  }

  /// Returns all ways to split rows into `count` parts.
  private func splits(_ rows: [Int], into count: Int) -> [[[Int]]] {
    guard count > 0 else { return rows.isEmpty ? [[]] : [] }
    guard count > 1 else { return [[rows]] }
    return (0...rows.count).flatMap { size in
      splits(Array(rows[size...]), into: count - 1).map { [Array(rows[..<size])] + $0 }
    }
  }
}
