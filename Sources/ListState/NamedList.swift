import ListDiff

/// A list over time: its current snapshot, older ones, its selection and its cursor.
package struct NamedList: Sendable {
  package let name: [UInt8]

  /// The number of the current snapshot; 0 where the list does not exist yet.
  package internal(set) var revision: Int
  package internal(set) var snapshot: Snapshot

  /// Older snapshots, oldest first.
  package internal(set) var older: [(revision: Int, snapshot: Snapshot)] = []

  package internal(set) var selection: Selection

  /// The lists that this one is made of, where it is made of others.
  package internal(set) var sources: [[UInt8]]?

  /// The flat row that a person is on.
  package internal(set) var cursor: Int?

  /// A list that does not exist yet.
  init(name: [UInt8]) {
    self.name = name
    revision = 0
    snapshot = Snapshot()
    selection = Selection(count: 0)
  }

  /// The oldest revision that is kept.
  package var oldestRevision: Int { older.first?.revision ?? revision }

  /// The snapshot of a revision.
  ///
  /// - Throws: `revisionNotFound` where it is not kept or never was.
  package func snapshot(of revision: Int?) throws(ListFailure) -> Snapshot {
    guard let revision, revision != self.revision else { return snapshot }
    guard let entry = older.first(where: { $0.revision == revision }) else {
      throw .revisionNotFound(
        name, revision: revision, oldest: oldestRevision, current: self.revision)
    }
    return entry.snapshot
  }

  /// Makes a snapshot the current one and keeps the one before within a number of bytes.
  mutating func advance(to revision: Int, _ snapshot: Snapshot, historyBytes: Int) {
    if self.revision > 0 { older.append((self.revision, self.snapshot)) }
    self.revision = revision
    self.snapshot = snapshot
    var bytes = 0
    // The previous revision is kept whatever its size.
    guard
      let first = older.indices.dropLast().last(where: { index in
        bytes += older[index].snapshot.footprint
        return bytes + (older.last?.snapshot.footprint ?? 0) > historyBytes
      })
    else { return }
    older.removeSubrange(...first)
  }
}
