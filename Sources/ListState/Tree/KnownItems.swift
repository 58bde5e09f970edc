/// The items that have some identifiers, in order, while references of a request are resolved.
struct KnownItems {
  private var items: [UInt32: [ListTree.Location]] = [:]

  /// For each identifier and each list, the items that come by way of that list.
  private var passing: [UInt32: [[UInt8]: [ListTree.Location]]] = [:]

  /// The older revisions that the references name, paired with all items of the list.
  var pasts: [Int: PastSnapshot] = [:]

  /// Returns the `occurrence`-th item with an identifier, of those that come by way of a source if that is not
  /// `nil`. `find` returns all items with the identifier in order, and `path` the lists by way of which an item
  /// comes.
  mutating func item(
    _ id: UInt32, _ source: [UInt8]?, occurrence: Int, find: () -> [ListTree.Location],
    path: (ListTree.Location) -> [[UInt8]] = { _ in [] }
  ) -> ListTree.Location? {
    if items[id] == nil { items[id] = find() }
    if source != nil, passing[id] == nil {
      var byList: [[UInt8]: [ListTree.Location]] = [:]
      for item in items[id]! {
        for list in path(item) { byList[list, default: []].append(item) }
      }
      passing[id] = byList
    }
    let found = source.map { passing[id]![$0] ?? [] } ?? items[id]!
    return occurrence < found.count ? found[occurrence] : nil
  }
}
