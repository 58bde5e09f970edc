/// How a request names an item: by identifier, or by the position of one of its rows.
package enum ItemReference: Hashable, Sendable {
  /// The `occurrence`-th item with a key. If `source` is not `nil`, only items that come by way of
  /// that list count. The key is `nil` if no list has the identifier.
  case id(UInt32?, occurrence: Int, source: [UInt8]?)

  /// The item at a section and row of a revision. `nil` is the current revision.
  case path(section: Int, row: Int, revision: Int?)
}
