import Foundation
import ListDiff
import Testing

@testable import listd_fuzz

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

  /// The number of random pairs of each kind: `LISTD_TEST_ROUNDS`, or a default.
  static let rounds =
    ProcessInfo.processInfo.environment["LISTD_TEST_ROUNDS"].flatMap { Int($0) } ?? 8_000
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
