import JSONBytes
import ListState

/// The order of a view whose items are sorted by score, the highest first, and then perhaps by length. Keys
/// that do not depend on the query may come before these, and after them.
struct RankedOrder {
  /// The keys by which items are sorted before their scores.
  private(set) var first: [SortKey] = []

  /// Whether the shortest of the items with the same score are first.
  private(set) var comparesLengths = false

  /// The keys by which items of the same score and length are sorted.
  private(set) var rest: [SortKey] = []

  /// Returns the order of a view; `nil` if it is another one. Without a query only the order of the
  /// sources is ranked.
  init?(_ definition: ViewDefinition) {
    let keys = definition.sort
    guard definition.match?.query.isEmpty == false else {
      let sorts = keys.contains { !$0.isRank }
      if sorts { return nil }
      return
    }
    if definition.sortsByScore {
      comparesLengths = true
      return
    }
    guard let score = keys.firstIndex(where: { $0.isRank }), keys[score].subject == .score,
      keys[score].isDescending
    else { return nil }
    first = Array(keys[..<score])
    for key in keys[(score + 1)...] {
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

  /// Whether nothing but score and length is compared.
  var isRankAlone: Bool { first.isEmpty && rest.isEmpty }
}

extension SortKey {
  /// Whether the key depends on the query.
  var isRank: Bool { subject == .score || subject == .length }
}

/// The order of all items by keys that do not depend on a query.
struct KeyOrder: Sendable {
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

  /// By item, a number: items are in the order of their numbers.
  private(set) var numbers: [Int32]

  /// Creates the order of all items by some keys, whose numbers are equal if the keys are, unless they
  /// have to be `distinct`. Returns `nil` if it `isStopped`.
  init?(
    of items: ViewItems, by keys: [SortKey], _ definition: ViewDefinition, distinct: Bool,
    isStopped: () -> Bool
  ) {
    self.keys = keys.map { Key($0, definition.members) }
    let all = Array(0..<Int32(truncatingIfNeeded: items.snapshot.itemCount))
    guard
      var sorting = definition.sorting(all, by: keys, items, ItemRanks(), isStopped: isStopped),
      let levels = sorting.levels(isStopped: isStopped)
    else { return nil }
    numbers = levels
    guard distinct else { return }
    for (place, item) in sorted(all).enumerated() {
      numbers[Int(item)] = Int32(truncatingIfNeeded: place)
    }
  }

  /// Reports whether items are sorted by some keys.
  func isMade(by keys: [SortKey], of members: MemberPaths) -> Bool {
    self.keys == keys.map { Key($0, members) }
  }

  /// Returns items in order. The sort is stable.
  ///
  /// - Complexity: O(*n*), where *n* is the number of all items.
  func sorted(_ items: [Int32]) -> [Int32] {
    var starts = [Int32](repeating: 0, count: numbers.count + 1)
    for item in items { starts[Int(numbers[Int(item)]) + 1] += 1 }
    for number in numbers.indices { starts[number + 1] += starts[number] }
    var sorted = items
    for item in items {
      let number = Int(numbers[Int(item)])
      sorted[Int(starts[number])] = item
      starts[number] += 1
    }
    return sorted
  }
}
