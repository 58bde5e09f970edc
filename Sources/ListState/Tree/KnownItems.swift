/// The items that have some identifiers, in order, while references of a request are resolved.
struct KnownItems {
  private struct Name: Hashable {
    var id: UInt32
    var source: [UInt8]?
  }

  private var items: [Name: [ListTree.Location]] = .init()

  /// The older revisions that the references name, paired with all items of the list.
  var pasts: [Int: PastSnapshot] = [:]

  /// Returns the `occurrence`-th item with an identifier that comes by way of a source. `find`
  /// returns all of them in order.
  mutating func item(
    _ id: UInt32, _ source: [UInt8]?, occurrence: Int, find: () -> [ListTree.Location]
  ) -> ListTree.Location? {
    let name = Name(id: id, source: source)
    if items[name] == nil { items[name] = find() }
    let count = items[name]!.count
    return occurrence < count ? items[name]![occurrence] : nil
  }
}
