import JSONBytes
import ListState

/// The order of a view whose items are sorted by score, the highest first, then perhaps by length, and
/// then by keys that do not depend on the query.
struct RankedOrder {
  /// Whether the shortest of the items with the same score are first.
  private(set) var comparesLengths = false

  /// The keys by which items of the same score and length are sorted.
  private(set) var rest: [SortKey] = []

  /// Returns the order of a view; `nil` if it is another one. Without a query only the order of the
  /// sources is ranked.
  init?(_ definition: ViewDefinition) {
    guard definition.match?.query.isEmpty == false else {
      let sorts = definition.sort.contains { !$0.isRank }
      if sorts { return nil }
      return
    }
    if definition.sortsByScore {
      comparesLengths = true
      return
    }
    guard let first = definition.sort.first, first.subject == .score, first.isDescending else {
      return nil
    }
    for key in definition.sort.dropFirst() {
      switch key.subject {
      case .score: break
      case .length where comparesLengths: break
      case .length:
        guard rest.isEmpty, !key.isDescending else { return nil }
        comparesLengths = true
      case .member, .source: rest.append(key)
      }
    }
  }
}

extension SortKey {
  /// Whether the key depends on the query.
  var isRank: Bool { subject == .score || subject == .length }
}

/// The places of items in an order that does not depend on a query.
struct ItemPlaces: Sendable {
  /// A key by which items are sorted.
  private struct Key: Equatable, Sendable {
    /// The name of a member; `nil` for the source.
    let name: [UInt8]?
    let isDescending: Bool
    let isNatural: Bool

    init(_ key: SortKey, _ members: MemberPaths) {
      name = if case .member(let member) = key.subject { members.name(of: member) } else { nil }
      isDescending = key.isDescending
      isNatural = key.isNatural
    }
  }

  private let keys: [Key]

  /// By item, its place among all.
  let places: [Int32]

  /// Creates the places of items that are sorted by keys.
  init(_ order: [Int32], by keys: [SortKey], of members: MemberPaths) {
    self.keys = keys.map { Key($0, members) }
    var places = [Int32](repeating: 0, count: order.count)
    for (place, item) in order.enumerated() {
      places[Int(item)] = Int32(truncatingIfNeeded: place)
    }
    self.places = places
  }

  /// Reports whether items are sorted by some keys.
  func isMade(by keys: [SortKey], of members: MemberPaths) -> Bool {
    self.keys == keys.map { Key($0, members) }
  }

  /// Returns items, some of all, by place.
  ///
  /// - Complexity: O(*n*), where *n* is the number of all items.
  func sorted(_ items: [Int32]) -> [Int32] {
    var byPlace = [Int32](repeating: -1, count: places.count)
    for item in items { byPlace[Int(places[Int(item)])] = item }
    return byPlace.filter { $0 >= 0 }
  }
}
