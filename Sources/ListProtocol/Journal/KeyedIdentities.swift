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
  /// Appends an item of a journal, and before it its identity if that is not its own `id`. `key` is its key if it
  /// `isKeyed`.
  mutating func append(
    item: UnsafeRawBufferPointer, isKeyed: Bool, key: @autoclosure () -> UInt32,
    _ identities: KeyedIdentities
  ) {
    guard isKeyed, let identity = identities[key()] else {
      return append(content: item, ContentForm())
    }
    append(0x5B)
    append(contentsOf: identity)
    append(0x2C)
    append(content: item, ContentForm())
    append(0x5D)
  }
}
