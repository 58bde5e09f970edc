/// The items or sections of a snapshot that were marked for an update, each by the last call that has
/// marked it.
///
/// A copy of a snapshot has its marks. Calls are compared to find those that were made since.
struct SnapshotMarks<ID: Hashable & Sendable>: Sendable {
  private var calls: [ID: Token] = [:]

  var ids: Set<ID> { Set(calls.keys) }

  mutating func add(_ ids: [ID]) {
    let call = Token()
    for id in ids { calls[id] = call }
  }

  mutating func remove(_ ids: [ID]) {
    for id in ids { calls[id] = nil }
  }

  /// Returns whether an item was marked by another call than in an earlier snapshot.
  func has(_ id: ID, after earlier: SnapshotMarks) -> Bool {
    calls[id].map { $0 !== earlier.calls[id] } ?? false
  }
}
