/// Which lists are made of which others, by name.
struct Composition: Sendable {
  /// By source the composites that it is a source of.
  private var composites: [[UInt8]: Set<[UInt8]>] = [:]

  /// The number of composites.
  private(set) var count = 0

  /// The length, in bytes, of the longest name that a composite or a source ever had.
  private(set) var longestName = 0

  var isEmpty: Bool { count == 0 }

  /// The composites that a list is a source of, in no order.
  func composites(of source: [UInt8]) -> Set<[UInt8]> { composites[source] ?? [] }

  /// The composite that a list is a source of, if it is only one.
  func onlyComposite(of source: [UInt8]) -> [UInt8]? {
    guard let names = composites[source], names.count == 1 else { return nil }
    return names.first
  }

  /// Changes what a list is made of; `nil` is a list that is not a composite.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sources; O(1) if they stay.
  mutating func setSources(of name: [UInt8], from old: [[UInt8]]?, to new: [[UInt8]]?) {
    guard old != new else { return }
    count += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
    for source in old ?? [] {
      composites[source]?.remove(name)
      if composites[source]?.isEmpty == true { composites[source] = nil }
    }
    for source in new ?? [] {
      composites[source, default: []].insert(name)
      longestName = max(longestName, source.count, name.count)
    }
  }
}
