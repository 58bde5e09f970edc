import ListDiff

/// A list over time: its current snapshot, older ones, its selection and its cursor.
///
/// A copy shares what the list is made of until either is changed.
package struct NamedList: Sendable {
  private struct Parts: Sendable {
    let name: [UInt8]
    var order = 0
    var revision = 0
    var snapshot = Snapshot()
    var tree: ListTree?
    var live: LiveView?
    var older = History()
    var selection = Selection(count: 0)
    var sources: [[UInt8]]?
    var view: ViewState?
    var cursor: Int?
  }

  // Changed only while nothing else refers to it.
  private final class SharedParts: @unchecked Sendable {
    var parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  private var storage: SharedParts

  /// A list that does not exist yet.
  package init(name: [UInt8]) { storage = SharedParts(Parts(name: name)) }

  private var parts: Parts {
    _read { yield storage.parts }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = SharedParts(storage.parts) }
      yield &storage.parts
    }
  }

  package var name: [UInt8] { storage.parts.name }

  /// Says which of two lists was made first. A list that is removed and made again has another number.
  package internal(set) var order: Int {
    get { storage.parts.order }
    set { parts.order = newValue }
  }

  /// The number of the current snapshot; 0 if the list does not exist yet.
  package internal(set) var revision: Int {
    get { storage.parts.revision }
    set { parts.revision = newValue }
  }

  /// The current snapshot, if it is not kept as a tree.
  package internal(set) var snapshot: Snapshot {
    _read { yield storage.parts.snapshot }
    _modify { yield &parts.snapshot }
  }

  /// The current items, if edits have made them; `snapshot` and `selection` are empty then.
  var tree: ListTree? {
    _read { yield storage.parts.tree }
    _modify { yield &parts.tree }
  }

  /// What a view that follows edits is made of, beside `tree`; `view` has no items then.
  var live: LiveView? {
    _read { yield storage.parts.live }
    _modify { yield &parts.live }
  }

  /// Older snapshots.
  package internal(set) var older: History {
    _read { yield storage.parts.older }
    _modify { yield &parts.older }
  }

  package internal(set) var selection: Selection {
    _read { yield storage.parts.selection }
    _modify { yield &parts.selection }
  }

  /// The lists that this one is made of, if it is made of others.
  package internal(set) var sources: [[UInt8]]? {
    _read { yield storage.parts.sources }
    _modify { yield &parts.sources }
  }

  /// What the list is made of and by, if it is a view; `snapshot` and `selection` are then what it
  /// shows.
  package internal(set) var view: ViewState? {
    _read { yield storage.parts.view }
    _modify { yield &parts.view }
  }

  /// The flat row that a person is on.
  package internal(set) var cursor: Int? {
    get { storage.parts.cursor }
    set { parts.cursor = newValue }
  }

  /// The same list with its items as a snapshot.
  ///
  /// - Complexity: O(*n*) after edits, where *n* is the number of items; else O(1).
  package var whole: NamedList {
    guard let tree else { return self }
    var list = self
    list.snapshot = tree.snapshot()
    list.selection = tree.selection
    list.tree = nil
    list.live = nil
    if let live { list.view = view!.settled(live, live.all ?? tree) }
    return list
  }

  /// The items of a list that is kept as a tree, of a view also those that its window does not show.
  var allTree: ListTree? { live?.all ?? tree }

  /// How much the sources of a view hold.
  var sourceSize: SnapshotSize {
    guard let live else { return SnapshotSize(view!.items.snapshot) }
    return SnapshotSize(live.sources)
  }

  /// The number of items of the snapshot that edits began with, or that there is.
  var itemCount: Int { snapshot.itemCount }

  /// How much the list holds.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  var size: SnapshotSize {
    tree.map { SnapshotSize($0) } ?? SnapshotSize(snapshot)
  }

  /// The oldest revision that is kept.
  package var oldestRevision: Int { older.oldest ?? revision }

  /// The snapshot of a revision; every list was empty at revision 0.
  ///
  /// - Throws: `revisionNotFound` where it is not kept or never was, `cancelled` where it `isStopped`.
  package func snapshot(
    of revision: Int?, isStopped: () -> Bool = { false }
  ) throws(ListFailure) -> Snapshot {
    guard let revision, revision != self.revision else {
      return tree?.snapshot() ?? snapshot
    }
    if revision == 0 { return Snapshot() }
    let way = older.way(backTo: revision)
    guard let last = way.last else {
      throw .revisionNotFound(
        name, revision: revision, oldest: oldestRevision, current: self.revision)
    }
    // Steps lead back from the next revision that is kept by itself.
    var result = PastList(last.content.snapshot ?? tree?.snapshot() ?? snapshot)
    for past in way.reversed() {
      guard !isStopped() else { throw .cancelled }
      switch past.content {
      case .snapshot: break
      case .edits(let packed): result.take(packed.step)
      case .step(let step):
        guard let newer = result.snapshot(isStopped: isStopped),
          let older = step.taken(from: newer, isStopped: isStopped)
        else { throw .cancelled }
        result = PastList(older)
      }
    }
    guard let snapshot = result.snapshot(isStopped: isStopped) else { throw .cancelled }
    return snapshot
  }

  /// Makes a snapshot the current one and keeps the one before within a number of bytes.
  ///
  /// `same` names items that are known to be the same, byte by byte, in both.
  mutating func advance(
    to revision: Int, _ snapshot: Snapshot, same: [MatchedRun] = [], historyBytes: Int
  ) {
    let step = SnapshotStep(from: snapshot, to: self.snapshot, same: same)
    keep(step.map(PastRevision.Content.step) ?? .snapshot(self.snapshot), historyBytes)
    self.revision = revision
    self.snapshot = snapshot
  }

  /// Notes that edits made another revision, from which a step leads back to the one before.
  mutating func advance(to revision: Int, _ step: EditStep, historyBytes: Int) {
    keep(.edits(PackedStep(step)), historyBytes)
    self.revision = revision
  }

  private mutating func keep(_ content: PastRevision.Content, _ historyBytes: Int) {
    guard revision > 0 else { return }
    older.append(PastRevision(revision: revision, content: content), within: historyBytes)
  }
}
