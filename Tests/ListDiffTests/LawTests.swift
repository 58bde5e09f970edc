import Foundation
import ListDiff
import Testing

@testable import listd_fuzz

/// Promise: Stages are as few as documented, have each row at most once and lead to the other list;
///   so do sequence and inverse. Also `ExhaustiveTests`, `ChangesTests`.
@Suite struct LawTests {
  @Test(arguments: [false, true]) func randomPairs(repeats: Bool) throws {
    var random = SplitMix(seed: repeats ? 2 : 1)
    var engine = DiffEngine()
    for round in 0..<LawTests.rounds {
      let ids = Int.random(in: 1...14, using: &random)
      let old = ReferenceList.random(ids: ids, repeats: repeats, using: &random)
      let new =
        Bool.random(using: &random)
        ? old.mutated(ids: ids + 3, repeats: repeats, using: &random)
        : ReferenceList.random(ids: ids, repeats: repeats, using: &random)
      do {
        _ = try ChangeInvariants(old, new, using: &engine)
      } catch {
        Issue.record("round \(round): \(error)\nfrom \(old)\nto   \(new)")
        return
      }
    }
  }

  /// The stationary rows are found in an array of words up to 4,095 rows, and in a tree above.
  @Test(arguments: [1, 62, 63, 64, 65, 127, 128, 1_000, 4_094, 4_095, 4_096, 4_097, 9_000])
  func fewestRowsMoveInLongLists(_ count: Int) throws {
    var random = SplitMix(seed: 3)
    let old = Array(0..<count)
    for length in [1, 2, 3, 20, 64, 130] {
      let runs = stride(from: 0, to: count, by: length).map {
        Array(old[$0..<min(count, $0 + length)])
      }
      for new in [runs.shuffled(using: &random), runs.reversed()].map({ $0.flatMap(\.self) }) {
        let changes = Changes(from: old, to: new)
        #expect(changes.rowCounts == Counts(moves: count - increasing(new)))
        #expect(try changes.applying(to: old) { new[$0.row] } == new)
      }
    }
  }

  /// Returns the length of a longest increasing subsequence.
  private func increasing(_ values: [Int]) -> Int {
    var ends: [Int] = []
    for value in values {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] < value { low = middle + 1 } else { high = middle }
      }
      if low == ends.count { ends.append(value) } else { ends[low] = value }
    }
    return ends.count
  }

  /// The number of random pairs of each kind, which `LISTD_ROUNDS` multiplies.
  static let rounds = Int(
    8_000 * (ProcessInfo.processInfo.environment["LISTD_ROUNDS"].flatMap { Double($0) } ?? 1))
}

/// A small generator of reproducible random numbers (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension ReferenceList {
  /// Returns up to five sections with rows of `ids` identities.
  static func random(ids: Int, repeats: Bool, using random: inout SplitMix) -> ReferenceList {
    var list = ReferenceList()
    for id in (0..<6).shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random)) {
      list.sections.append(
        Section(id: id, header: Int.random(in: 0...1, using: &random), rows: []))
    }
    guard !list.sections.isEmpty else { return list }
    var pool = (0..<ids).shuffled(using: &random)
    if repeats { pool = pool.map { _ in Int.random(in: 0..<max(1, ids / 2), using: &random) } }
    for id in pool where Int.random(in: 0...4, using: &random) > 0 {
      let section = Int.random(in: 0..<list.sections.count, using: &random)
      // Repeated rows are values that are their own identity, so they have no other content.
      let content = repeats ? 0 : Int.random(in: 0...2, using: &random)
      list.sections[section].rows.append(Row(id: id, content: content))
    }
    return list
  }

  /// Returns the list after a few random edits.
  func mutated(ids: Int, repeats: Bool, using random: inout SplitMix) -> ReferenceList {
    var list = self
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      guard !list.sections.isEmpty else { break }
      let section = Int.random(in: 0..<list.sections.count, using: &random)
      let other = Int.random(in: 0..<list.sections.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: list.sections.swapAt(section, other)
      case 1:
        let free = (0..<9).first { id in !list.sections.contains { $0.id == id } }!
        list.sections.insert(Section(id: free, rows: []), at: section)
      case 2:
        let rows = list.sections.remove(at: section).rows
        if !list.sections.isEmpty, Bool.random(using: &random) {
          list.sections[other % list.sections.count].rows += rows
        }
      case 3, 4:
        guard let row = list.sections[section].rows.popLast() else { continue }
        list.sections[other].rows.insert(row, at: 0)
      case 5:
        if repeats { continue }
        for row in list.sections[section].rows.indices {
          list.sections[section].rows[row].content += 1
        }
      case 6:
        let used = Set(list.rows.map(\.id))
        let id =
          repeats
          ? Int.random(in: 0..<ids, using: &random) : (0..<ids + 40).first { !used.contains($0) }!
        list.sections[section].rows.append(Row(id: id))
      default: list.sections[section].rows.shuffle(using: &random)
      }
    }
    return list
  }
}
