/// A row that matches a query, and its score.
public struct RankedRow: Sendable, Hashable {
  /// The number of the row.
  public let row: Int32
  /// The score, by the formula of `Query`: higher is better.
  public let score: Int32

  /// Creates a row with a score.
  package init(row: Int32, score: Int32) {
    self.row = row
    self.score = score
  }
}

/// The rows of a store that match a query.
public struct Matches: Sendable, Equatable {
  /// The query.
  public let query: Query
  /// The rows with their scores, in no particular order.
  public let rows: [RankedRow]

  /// The number of rows that match.
  public var count: Int { rows.count }
}

/// The best rows that match a query.
package struct BestMatches: Sendable, Equatable {
  /// The number of rows that match.
  package let count: Int
  /// The best of them, the best first.
  package let rows: [RankedRow]
}

extension TextStore {
  /// Returns the rows that match a query, with their scores.
  ///
  /// The store keeps the rows that match, and the next query scans only these if it narrows this one
  /// and no row has changed.
  ///
  /// - Complexity: O(*n* · *m*), where *n* is the length of the texts and *m* of the query.
  public mutating func matches(of query: Query) -> Matches {
    matches(of: query) { () throws(Never) in }
  }

  /// Returns the rows that match a query, with their scores, or stops when `checking` throws.
  ///
  /// - Parameter checking: Called after at most a millisecond's work each time, or more if a single row
  ///   is longer than 10,000 characters.
  /// - Throws: What `checking` throws. The store is then as it was.
  public mutating func matches<Failure>(
    of query: Query, checking: () throws(Failure) -> Void
  ) throws(Failure) -> Matches {
    let (rows, _) = try ranks(of: query, withLengths: false, checking: checking)
    return Matches(query: query, rows: rows)
  }

  /// Returns the rows that match a query, with their scores and, if wanted, their lengths, or stops when
  /// `checking` throws.
  ///
  /// - Throws: What `checking` throws. The store is then as it was.
  package mutating func ranks<Failure>(
    of query: Query, withLengths: Bool, checking: () throws(Failure) -> Void
  ) throws(Failure) -> (rows: [RankedRow], lengths: [Int32]) {
    guard !query.isEmpty else {
      let rows = allRows
      return (rows, withLengths ? rows.map { _ in 0 } : [])
    }
    var search = Search(self, query)
    let (rows, lengths, kept) = try search.run(withLengths: withLengths, checking: checking)
    self.kept = kept
    cost = search.cost
    return (rows, lengths)
  }

  /// Returns how many rows match a query, and the best of them, without the scores of the others; or
  /// stops when `checking` throws.
  ///
  /// Rows are ranked as `order` says. Most cannot be among the best, which is known long
  /// before their scores are.
  ///
  /// - Complexity: O(*n* · *m*), where *n* is the length of the texts and *m* of the query.
  /// - Throws: What `checking` throws. The store is then as it was.
  package mutating func best<Failure>(
    _ count: Int, of query: Query, by order: RowOrder = RowOrder(),
    checking: () throws(Failure) -> Void
  ) throws(Failure) -> BestMatches {
    var search = Search(self, query)
    let (best, kept) = try search.best(count, by: order, checking: checking)
    self.kept = kept
    cost = search.cost
    return best
  }

  private var allRows: [RankedRow] {
    var rows = longRows.map { RankedRow(row: $0, score: 0) }
    rows.reserveCapacity(count)
    for group in groups {
      for row in group.numbers { rows.append(RankedRow(row: row, score: 0)) }
    }
    return rows
  }

  /// Returns the best rows, the best first: by score, then by length (``length(of:matching:)``), then
  /// by `precedes`.
  ///
  /// - Complexity: O(*n* + *t* · log *k*), where *n* is the number of matches, *t* of those that
  ///   score as high as the last of the best, and *k* of the best.
  public func best(
    _ count: Int, of matches: Matches, precedes: (Int32, Int32) -> Bool = (<)
  ) -> [RankedRow] {
    Ranking(matches.rows).best(
      count, lengths: MatchLengths(self, matches.query), precedes: precedes)
  }

  /// Returns the length by which a matching row is ranked among others of the same score: the number of
  /// code points of the members in which something is matched.
  ///
  /// - Complexity: O(1) if rows have one member and no negated term of the query is an alternative to
  ///   another term, otherwise that of ``match(_:row:)``.
  public func length(of row: Int32, matching query: Query) -> Int {
    MatchLengths(self, query).length(of: row)
  }
}

/// The lengths by which matches are ranked.
struct MatchLengths {
  /// What is counted of each row: nothing, all, or the members in which something is matched.
  enum Kind { case none, whole, matched }

  private let store: TextStore
  private let query: Query
  let kind: Kind

  init(_ store: TextStore, _ query: Query) {
    self.store = store
    self.query = query
    if query.sets.allSatisfy({ $0.allSatisfy(\.isNegated) }) {
      kind = .none
    } else if store.hasMembers
      || query.sets.allSatisfy({ set in set.contains(where: \.isNegated) })
    {
      kind = .matched
    } else {
      kind = .whole
    }
  }

  func length(of row: Int32) -> Int {
    switch kind {
    case .none: return 0
    case .whole: if let length = store.blockLength(of: row) { return length }
    case .matched: break
    }
    guard let text = store.text(of: row), let match = query.match(in: text) else { return 0 }
    return match.length(in: text)
  }
}
