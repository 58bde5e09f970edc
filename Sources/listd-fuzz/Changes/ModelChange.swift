/// The minimal change between two lists, computed row by row.
///
/// Repeated items are paired in the order of their occurrence.
struct ModelChange {
  struct Counts: Equatable, Decodable {
    var deletes = 0
    var inserts = 0
    var moves = 0
    var updates = 0
  }

  var rows = Counts()
  var sections = Counts()

  /// The number of deletes, inserts and moves of rows that must be reported. Rows that are deleted
  /// or inserted with their section do not count.
  var operations = 0

  /// Whether an item without an `id` occurs more than once in one of the lists.
  var hasRepeats = false

  private struct Row {
    var section: Int
    var content: String
    var index: Int
  }

  /// Computes the change.
  init(from old: [ModelSection], to new: [ModelSection]) {
    let before = rows(of: old)
    let after = rows(of: new)
    let oldIDs = old.map(\.id)
    let newIDs = new.map(\.id)
    rows.deletes = before.keys.count { after[$0] == nil }
    rows.inserts = after.keys.count { before[$0] == nil }
    operations += before.count { after[$0] == nil && newIDs.contains($1.section) }
    operations += after.count { before[$0] == nil && oldIDs.contains($1.section) }
    var home: [Int: [(new: Int, old: Int)]] = [:]
    for (key, row) in after {
      guard let from = before[key] else { continue }
      if from.content != row.content { rows.updates += 1 }
      if from.section == row.section {
        home[row.section, default: []].append((row.index, from.index))
      } else {
        rows.moves += 1
      }
    }
    for pairs in home.values {
      let order = pairs.sorted { $0.new < $1.new }.map(\.old)
      rows.moves += order.count - Self.longestIncreasing(order)
    }
    operations += rows.moves
    sections.deletes = oldIDs.count { !newIDs.contains($0) }
    sections.inserts = newIDs.count { !oldIDs.contains($0) }
    let order = newIDs.compactMap { oldIDs.firstIndex(of: $0) }
    sections.moves = order.count - Self.longestIncreasing(order)
    sections.updates = new.count { section in
      old.contains { $0.id == section.id && $0.own != section.own }
    }
  }

  /// The rows of a list by identity.
  private mutating func rows(of list: [ModelSection]) -> [[String]: Row] {
    var rows: [[String]: Row] = [:]
    var seen: [String: Int] = [:]
    var index = 0
    for section in list {
      for item in section.items {
        let number = seen[item.identity, default: 0]
        seen[item.identity] = number + 1
        if number > 0 { hasRepeats = true }
        for row in item.rows {
          rows[[item.identity, "\(number)", row.key]] = Row(
            section: section.id, content: row.content, index: index)
          index += 1
        }
      }
    }
    return rows
  }

  /// The length of a longest increasing subsequence (Schensted, "Longest increasing and decreasing
  /// subsequences", 1961).
  private static func longestIncreasing(_ values: [Int]) -> Int {
    var ends: [Int] = []
    for value in values {
      if let index = ends.firstIndex(where: { $0 >= value }) {
        ends[index] = value
      } else {
        ends.append(value)
      }
    }
    return ends.count
  }
}
