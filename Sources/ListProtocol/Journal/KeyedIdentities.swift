import ByteBuffers
import ListState

/// The identities, as JSON, of items that do not have them as their own `id`.
struct KeyedIdentities {
  private var identities: [UInt32: [UInt8]] = [:]

  init() {}

  /// Creates the identities of those items of a snapshot that need them.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  init(of snapshot: Snapshot, _ ids: borrowing IDTable) {
    for (key, traits) in zip(snapshot.arrangement.rows, snapshot.traits)
    where traits.contains(.isKeyed) {
      var text = ByteBuffer()
      text.append(id: key, ids)
      identities[key] = text.withUnsafeBytes { Array($0) }
    }
  }

  fileprivate subscript(key: UInt32) -> [UInt8]? { identities[key] }
}

extension ByteBuffer {
  /// Appends an item of a journal, and before it its identity if that is not its own `id`.
  mutating func append(
    item: Int, of contents: some ContentWriter, _ identities: KeyedIdentities
  ) {
    guard let identity = contents.key(ofKeyedItem: item).flatMap({ identities[$0] }) else {
      return contents.appendItem(item, to: &self)
    }
    append(0x5B)
    append(contentsOf: identity)
    append(0x2C)
    contents.appendItem(item, to: &self)
    append(0x5D)
  }
}
