import ListDiff
import Testing

@testable import listd_fuzz

/// Repeated ids, with each way to call the library: a change never needs more row operations than
/// pairing the first with the first, the second with the second and so on.
///
/// Promise: However the library is called, repeated ids take no more row operations than pairing in
///   order; ids are compared with `==`. Also `IdentityTests`.
@Suite struct PublicRepeatTests {
  struct Item: Identifiable, Hashable {
    var id: Int
  }

  struct Group: ListSection {
    var id: Int
    var items: [Item]
  }

  @Test(arguments: [(2, 5), (3, 4)])
  func everyPairOfShortFlatLists(keys: Int, length: Int) {
    let words = words(keys: keys, upTo: length)
    for old in words {
      for new in words where !check([old], [new]) { return }
    }
  }

  @Test func everyPairOfShortListsWithSections() {
    let rows = words(keys: 2, upTo: 2)
    let lists = rows.flatMap { first in rows.map { [first, $0] } }
    let changed = [[0, 1], [1, 0], [0], [2, 1]]
    for old in lists {
      for new in lists {
        for ids in changed where !check(old, Array(new.prefix(ids.count)), ids) { return }
      }
    }
  }

  @Test func randomFlatLists() {
    var random = SplitMix(seed: 61)
    for _ in 0..<LawTests.rounds / 8 {
      let keys = Int.random(in: 1...40, using: &random)
      let old = random.rows(upTo: 40, keys)
      if !check([old], [random.edited(old, keys)]) { return }
    }
  }

  @Test func randomListsWithSections() {
    var random = SplitMix(seed: 62)
    for _ in 0..<LawTests.rounds / 8 {
      let keys = Int.random(in: 1...30, using: &random)
      let old = (0..<Int.random(in: 0...4, using: &random)).map { _ in random.rows(upTo: 9, keys) }
      var new = old.enumerated().map { (id: $0, rows: random.edited($1, keys)) }
      if Bool.random(using: &random) { new.shuffle(using: &random) }
      if Bool.random(using: &random) { _ = new.popLast() }
      if Bool.random(using: &random) { new.insert((9, random.rows(upTo: 9, keys)), at: 0) }
      if !check(old, new.map(\.rows), new.map(\.id)) { return }
    }
  }

  /// Compares two lists with each initializer. The ids of the old sections are 0, 1, 2 and so on.
  private func check(_ old: [[Int]], _ new: [[Int]], _ newIDs: [Int] = [0]) -> Bool {
    let before = old.enumerated().map { Group(id: $0, items: $1.map { Item(id: $0) }) }
    let after = zip(newIDs, new).map { Group(id: $0, items: $1.map { Item(id: $0) }) }
    let texts = { (item: Item) in "item \(item.id)" }
    var ways = [
      "sections": Changes(fromSections: before, to: after),
      "texts": Changes(fromSections: before, to: after, id: texts, sameContent: { $0 == $1 }),
      "marks": Changes(
        fromSections: before, to: after, id: { "a\u{301} \($0.id)" }, sameContent: { $0 == $1 }),
    ]
    if old.count == 1, newIDs == [0] {
      let a = before[0].items
      let b = after[0].items
      ways["flat"] = Changes(from: a, to: b)
      ways["key path"] = Changes(from: a, to: b, id: \.id)
      ways["self"] = Changes(from: old[0], to: new[0], id: \.self)
      ways["closures"] = Changes(from: a, to: b, id: { $0 }, sameContent: { $0 == $1 })
    }
    let plain = operationsInOrder(old, new, newIDs)
    for (way, changes) in ways {
      let rowOps = changes.rowOps
      if rowOps > plain {
        Issue.record(
          "\(way): \(rowOps) operations, not \(plain), from \(old) to \(new) as \(newIDs)")
        return false
      }
    }
    return true
  }

  /// Returns the number of row operations that pairing the *k*-th with the *k*-th needs, not
  /// counting rows that are deleted or inserted with their section.
  private func operationsInOrder(_ old: [[Int]], _ new: [[Int]], _ newIDs: [Int]) -> Int {
    var unpaired: [Int: [(section: Int, row: Int)]] = [:]
    for (section, rows) in old.enumerated() {
      for (row, id) in rows.enumerated() { unpaired[id, default: []].append((section, row)) }
    }
    var count = 0
    for (rows, section) in zip(new, newIDs) {
      var home: [Int] = []
      for id in rows {
        if unpaired[id, default: []].isEmpty {
          count += section < old.count ? 1 : 0
          continue
        }
        let partner = unpaired[id, default: []].removeFirst()
        if partner.section == section { home.append(partner.row) } else { count += 1 }
      }
      count += home.count - longestIncreasing(home)
    }
    let staying = Set(newIDs)
    for rest in unpaired.values { count += rest.count { staying.contains($0.section) } }
    return count
  }

  private func words(keys: Int, upTo length: Int) -> [[Int]] {
    guard length > 0 else { return [[]] }
    return [[]]
      + (0..<keys).flatMap { key in words(keys: keys, upTo: length - 1).map { [key] + $0 } }
  }
}

extension Changes {
  /// The number of rows that operations on items delete, insert and move.
  fileprivate var rowOps: Int {
    stages.flatMap(\.ops).reduce(0) { count, op in
      switch op {
      case .deleteItems(_, let more), .insertItems(_, let more), .moveItems(_, _, let more):
        count + more
      default: count
      }
    }
  }
}

extension SplitMix {
  /// Returns random rows with ids below `keys`.
  fileprivate mutating func rows(upTo count: Int, _ keys: Int) -> [Int] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in Int.random(in: 0..<keys, using: &self)
    }
  }

  /// Returns the rows after a few random edits.
  fileprivate mutating func edited(_ rows: [Int], _ keys: Int) -> [Int] {
    var rows = rows
    for _ in 0..<Int.random(in: 0...5, using: &self) {
      if !rows.isEmpty, Bool.random(using: &self) {
        rows.remove(at: Int.random(in: 0..<rows.count, using: &self))
      }
      if Bool.random(using: &self) {
        rows.insert(
          Int.random(in: 0..<keys, using: &self), at: Int.random(in: 0...rows.count, using: &self))
      }
    }
    if Int.random(in: 0..<6, using: &self) == 0 { rows.shuffle(using: &self) }
    return rows
  }
}
