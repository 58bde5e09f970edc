import ListDiff

/// A list over time: its current snapshot, older ones, its selection and its cursor.
package struct NamedList: Sendable {
  package let name: [UInt8]

  /// The number of the current snapshot; 0 where the list does not exist yet.
  package internal(set) var revision: Int

  /// The current snapshot, where no draft is in its place.
  package internal(set) var snapshot: Snapshot

  /// The current snapshot as pieces, where edits have left it so; `snapshot` is an older one then.
  var draft: Draft?

  /// Older revisions, oldest first.
  private(set) var older: [PastRevision] = []

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
  var whole: NamedList {
    guard let draft else { return self }
    var list = self
    list.snapshot = draft.snapshot()
    list.draft = nil
    return list
  }

  /// The revisions before the current one that are kept, oldest first.
  package var olderRevisions: [Int] { older.map(\.revision) }

  /// The memory that revisions before the current one take, in bytes.
  package var historyFootprint: Int { older.reduce(0) { $0 + $1.footprint } }

  /// The oldest revision that is kept.
  package var oldestRevision: Int { older.first?.revision ?? revision }

  /// The snapshot of a revision.
  ///
  /// - Throws: `revisionNotFound` where it is not kept or never was.
  package func snapshot(of revision: Int?) throws(ListFailure) -> Snapshot {
    guard let revision, revision != self.revision else {
      return draft?.snapshot() ?? snapshot
    }
    guard let index = older.firstIndex(where: { $0.revision == revision }) else {
      throw .revisionNotFound(
        name, revision: revision, oldest: oldestRevision, current: self.revision)
    }
    // Steps lead back from the next revision that is kept by itself.
    let steps = older[index...].prefix { $0.content.step != nil }
    var result =
      if steps.endIndex < older.endIndex {
        older[steps.endIndex].content.snapshot
      } else {
        draft?.snapshot() ?? snapshot
      }
    for entry in steps.reversed() {
      if let step = entry.content.step { result = step.taken(from: result) }
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
    older.append(PastRevision(revision: revision, content: content))
    // The previous revision is kept whatever its size.
    var bytes = older[older.count - 1].footprint
    var kept = older.count - 1
    while kept > 0, bytes + older[kept - 1].footprint <= historyBytes {
      kept -= 1
      bytes += older[kept].footprint
    }
    if kept > 0 { older.removeSubrange(..<kept) }
  }
}

/// A revision before the current one.
struct PastRevision: Sendable {
  enum Content: Sendable {
    case snapshot(Snapshot)
    case draft(Draft)

    /// Told from the next newer revision.
    case step(SnapshotStep)

    /// The snapshot of a revision that is not told from another, put together where it is in pieces.
    var snapshot: Snapshot {
      switch self {
      case .snapshot(let snapshot): snapshot
      case .draft(let draft): draft.snapshot()
      case .step: preconditionFailure("a step by itself")
      }
    }

    var step: SnapshotStep? {
      if case .step(let step) = self { step } else { nil }
    }
  }

  let revision: Int
  let content: Content

  /// The memory that the revision keeps alive, in bytes.
  let footprint: Int

  init(revision: Int, content: Content) {
    self.revision = revision
    self.content = content
    footprint =
      switch content {
      case .snapshot(let snapshot): snapshot.footprint
      // Its first source is that of the revisions around it.
      case .draft(let draft): draft.footprint
      case .step(let step): step.footprint
      }
  }
}
