import FuzzyMatch
import ListDiff
internal import SumTrees

/// The texts of items, and the ranks of those that match a query.
final class TextSearch<Item: Identifiable> where Item.ID: Sendable {
  private(set) var query = Query("")
  private let text: (Item) -> RowText
  private var texts = TextStore()
  private var rows: [Item.ID: Int32] = [:]

  /// By row, the item and its rank, which has the lowest score if the item does not match.
  private var items: [Item.ID?] = []
  private var ranks: [MatchRank] = []
  private var freeRows: [Int32] = []

  /// The items that matched when the query was set.
  private(set) var found: [Item.ID] = []

  init(_ text: @escaping (Item) -> RowText) { self.text = text }

  /// Returns the rank of an item.
  func rank(of item: Item.ID) -> MatchRank { rows[item].map { ranks[Int($0)] } ?? MatchRank() }

  /// The order of the matches.
  var order: ItemOrder<Item> { ItemOrder(by: { self.rank(of: $0.id) }, <) }

  /// Returns whether an item matches the query.
  func matches(_ item: Item.ID) -> Bool { rank(of: item).score != .min }

  /// Returns what the query matches in the text of an item.
  func match(of item: Item.ID) -> Match? { rows[item].flatMap { texts.match(query, row: $0) } }

  /// Makes the texts of some items those that they have in a list.
  func update<Section: ListSection>(_ changed: [Item.ID], _ list: ItemTree<Section>)
  where Section.Item == Item {
    for id in changed {
      if let location = list.location(of: id) {
        let row = set(list.leaves[location.leaf].items[location.index])
        ranks[Int(row)] = rank(ofRow: row)
      } else if let row = rows.removeValue(forKey: id) {
        texts.remove(row)
        items[Int(row)] = nil
        freeRows.append(row)
      }
    }
  }

  /// Makes the texts those of the items of a list. What matches is not known then.
  func replaceTexts<Section: ListSection>(of list: ItemTree<Section>)
  where Section.Item == Item {
    (texts, rows, items, ranks, freeRows) = (TextStore(), [:], [], [], [])
    rows.reserveCapacity(list.itemCount)
    list.forEachItem(in: 0..<list.itemCount) { item, _ in _ = set(item) }
  }

  /// MatchRanks all items by another query.
  func find(_ query: Query) {
    self.query = query
    found = []
    if query.isEmpty {
      for row in ranks.indices { ranks[row] = MatchRank(score: 0) }
      return
    }
    for row in ranks.indices { ranks[row] = MatchRank() }
    let matches = texts.ranks(of: query, withLengths: true) { () throws(Never) in }
    found.reserveCapacity(matches.rows.count)
    for (match, length) in zip(matches.rows, matches.lengths) {
      ranks[Int(match.row)] = MatchRank(score: match.score, length: length)
      if let item = items[Int(match.row)] { found.append(item) }
    }
  }

  private func set(_ item: Item) -> Int32 {
    let row = rows[item.id] ?? freeRows.popLast() ?? Int32(truncatingIfNeeded: items.count)
    if Int(row) == items.count {
      items.append(nil)
      ranks.append(MatchRank())
    }
    rows[item.id] = row
    items[Int(row)] = item.id
    texts.set(row, to: text(item))
    return row
  }

  private func rank(ofRow row: Int32) -> MatchRank {
    if query.isEmpty { return MatchRank(score: 0) }
    guard let score = texts.score(query, row: row) else { return MatchRank() }
    return MatchRank(
      score: Int32(clamping: score),
      length: Int32(clamping: texts.length(of: row, matching: query)))
  }
}

/// The place of a match among others: the highest score is first, and then the shortest text.
struct MatchRank: Comparable {
  var score = Int32.min
  var length: Int32 = 0

  static func < (a: MatchRank, b: MatchRank) -> Bool {
    a.score == b.score ? a.length < b.length : a.score > b.score
  }
}
