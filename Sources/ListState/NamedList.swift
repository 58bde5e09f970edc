import ListDiff

/// A list over time: its current snapshot, older ones, its selection and its cursor.
package struct NamedList: Sendable {
  package let name: [UInt8]

  /// Says which of two lists was made first.
  var order = 0

  /// The number of the current snapshot; 0 where the list does not exist yet.
  package internal(set) var revision: Int

  /// The current snapshot, where no draft is in its place.
  package internal(set) var snapshot: Snapshot

  /// The current snapshot as pieces, where edits have left it so; `snapshot` is an older one then.
  var draft: Draft?

  /// Older snapshots.
  package private(set) var older = History()

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

  /// The same list with its snapshot put together.
  package var whole: NamedList {
    guard let draft else { return self }
    var list = self
    list.snapshot = draft.snapshot()
    list.draft = nil
    return list
  }

  /// The number of items of the snapshot that edits began with, or that there is.
  var itemCount: Int { snapshot.itemCount }

  /// The oldest revision that is kept.
  package var oldestRevision: Int { older.oldest ?? revision }

  /// The snapshot of a revision; every list was empty at revision 0.
  ///
  /// - Throws: `revisionNotFound` where it is not kept or never was, `cancelled` where it `isStopped`.
  package func snapshot(
    of revision: Int?, isStopped: () -> Bool = { false }
  ) throws(ListFailure) -> Snapshot {
    guard let revision, revision != self.revision else {
      return draft?.snapshot() ?? snapshot
    }
    if revision == 0 { return Snapshot() }
    let way = older.way(backTo: revision)
    guard let last = way.last else {
      throw .revisionNotFound(
        name, revision: revision, oldest: oldestRevision, current: self.revision)
    }
    // Steps lead back from the next revision that is kept by itself.
    var result = last.content.snapshot ?? draft?.snapshot() ?? snapshot
    for past in way.reversed() {
      guard case .step(let step) = past.content else { continue }
      guard !isStopped(), let older = step.taken(from: result, isStopped: isStopped) else {
        throw .cancelled
      }
      result = older
    }
    return result
  }

  /// Makes a snapshot the current one and keeps the one before within a number of bytes.
  ///
  /// `same` names items that are known to be the same, byte by byte, in both.
  mutating func advance(
    to revision: Int, _ snapshot: Snapshot, same: [MatchedRun] = [], historyBytes: Int
  ) {
    let step =
      draft == nil ? SnapshotStep(from: snapshot, to: self.snapshot, same: same) : nil
    keepCurrent(as: step, historyBytes)
    self.revision = revision
    self.snapshot = snapshot
    draft = nil
  }

  /// Makes a draft the current snapshot and keeps the one before within a number of bytes.
  mutating func advance(to revision: Int, _ draft: Draft, historyBytes: Int) {
    keepCurrent(historyBytes)
    self.revision = revision
    self.draft = draft
  }

  private mutating func keepCurrent(as step: SnapshotStep? = nil, _ historyBytes: Int) {
    guard revision > 0 else { return }
    let content =
      step.map(PastRevision.Content.step) ?? draft.map(PastRevision.Content.draft)
      ?? .snapshot(snapshot)
    older.append(PastRevision(revision: revision, content: content), within: historyBytes)
  }
}
