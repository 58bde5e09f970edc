/// The least change between two lists by plain means, row by row.
///
/// Items that come more than once are paired by the order of their appearance.
struct ModelChange {
  struct Counts: Equatable, Decodable {
    var deletes = 0
    var inserts = 0
    var moves = 0
    var updates = 0
  }

  var rows = Counts()
  var sections = Counts()

  /// The deletes, inserts and moves of rows that have to be told: not those of rows that go or come with
  /// their section.
  var operations = 0

  /// Whether an item without an `id` comes more than once in one of the lists.
  var hasRepeats = false

  private struct Row {
    var section: Int
    var content: String
    var place: Int
  }

  /// Finds the change.
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
        home[row.section, default: []].append((row.place, from.place))
      } else {
        rows.moves += 1
      }
    }
    for places in home.values {
      let order = places.sorted { $0.new < $1.new }.map(\.old)
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

  /// The rows of a list by what tells them apart.
  private mutating func rows(of list: [ModelSection]) -> [[String]: Row] {
    var rows: [[String]: Row] = [:]
    var seen: [String: Int] = [:]
    var place = 0
    for section in list {
      for item in section.items {
        let number = seen[item.identity, default: 0]
        seen[item.identity] = number + 1
        if number > 0 { hasRepeats = true }
        for row in item.rows {
          rows[[item.identity, "\(number)", row.key]] = Row(
            section: section.id, content: row.content, place: place)
          place += 1
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
      if let place = ends.firstIndex(where: { $0 >= value }) {
        ends[place] = value
      } else {
        ends.append(value)
      }
    }
    return ends.count
  }
}
