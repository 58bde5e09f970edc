/// The sources of all composite lists, by name.
struct Composition: Sendable {
  /// The composites of each source.
  private var composites: [[UInt8]: Set<[UInt8]>] = [:]

  /// The number of composites.
  private(set) var count = 0

  /// The length, in bytes, of the longest name that any composite or source has had.
  private(set) var longestName = 0

  var isEmpty: Bool { count == 0 }

  /// Returns the composites that have a list as a source, in no particular order.
  func composites(of source: [UInt8]) -> Set<[UInt8]> { composites[source] ?? [] }

  /// Returns the only composite that has a list as a source, or `nil` if there is none or more than
  /// one.
  func onlyComposite(of source: [UInt8]) -> [UInt8]? {
    guard let names = composites[source], names.count == 1 else { return nil }
    return names.first
  }

  /// Changes the sources of a list. `nil` means that the list is not a composite.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sources; O(1) if they are unchanged.
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
