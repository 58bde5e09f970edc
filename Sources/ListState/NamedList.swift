import ListDiff

/// A list over time: its current snapshot, older ones, its selection and its cursor.
package struct NamedList: Sendable {
  package let name: [UInt8]

  /// The number of the current snapshot; 0 where the list does not exist yet.
  package internal(set) var revision: Int
  package internal(set) var snapshot: Snapshot

  /// Older revisions, oldest first, each told from the next newer one or whole.
  private var older: [Older] = []

  package internal(set) var selection: Selection

  /// The lists that this one is made of, where it is made of others.
  package internal(set) var sources: [[UInt8]]?

  /// The flat row that a person is on.
  package internal(set) var cursor: Int?

  /// An older revision.
  private struct Older {
    enum Content {
      case whole(Snapshot)
      case step(SnapshotStep)
    }

    let revision: Int
    let content: Content

    var footprint: Int {
      switch content {
      case .whole(let snapshot): snapshot.footprint
      case .step(let step): step.footprint
      }
    }
  }

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
  /// - Complexity: O(*n* *r*), where *n* is the number of items and *r* that of later revisions; O(1)
  ///   for the current one.
  /// - Throws: `revisionNotFound` where it is not kept or never was.
  package func snapshot(of revision: Int?) throws(ListFailure) -> Snapshot {
    guard let revision, revision != self.revision else { return snapshot }
    guard let index = older.firstIndex(where: { $0.revision == revision }) else {
      throw .revisionNotFound(
        name, revision: revision, oldest: oldestRevision, current: self.revision)
    }
    var result = snapshot
    for entry in older[index...].reversed() {
      switch entry.content {
      case .whole(let snapshot): result = snapshot
      case .step(let step): result = step.taken(from: result)
      }
    }
    return result
  }

  /// Makes a snapshot the current one and keeps the one before within a number of bytes.
  ///
  /// `same` names items that are known to be the same, byte by byte, in both.
  mutating func advance(
    to revision: Int, _ snapshot: Snapshot, same: [MatchedRun] = [], historyBytes: Int
  ) {
    if self.revision > 0 {
      let step = SnapshotStep(from: snapshot, to: self.snapshot, same: same)
      older.append(
        Older(
          revision: self.revision,
          content: step.map { .step($0) } ?? .whole(self.snapshot)))
    }
    self.revision = revision
    self.snapshot = snapshot
    var bytes = older.last?.footprint ?? 0
    // The previous revision is kept whatever its size.
    guard
      let first = older.indices.dropLast().last(where: { index in
        bytes += older[index].footprint
        return bytes > historyBytes
      })
    else { return }
    older.removeSubrange(...first)
  }

  /// Visits the keys that the list holds on to, some of them again and again.
  func forEachKey(_ body: (UInt32) -> Void) {
    snapshot.forEachKey(body)
    for entry in older {
      switch entry.content {
      case .whole(let snapshot): snapshot.forEachKey(body)
      case .step(let step): step.forEachKey(body)
      }
    }
  }
}
