import ListDiff

/// A list over time: its current snapshot, older revisions, its selection and its cursor.
///
/// Copies share storage until one of them is changed.
package struct NamedList: Sendable {
  private struct Parts: Sendable {
    let name: [UInt8]
    var order = 0
    var revision = 0
    var tree: ListTree?
    var live: LiveView?
    var older = History()
    var sources: [[UInt8]]?
    var keySource: [UInt8]?
    var view: ViewState?

    /// Whether there is a `view`, which would be copied to find out.
    var isView = false
    var cursor: Int?
    var itemKey: [[UInt8]]? = []
  }

  // Changed only while uniquely referenced, so that accesses never overlap.
  private final class SharedParts: @unchecked Sendable {
    @exclusivity(unchecked) var parts: Parts

    init(_ parts: consuming Parts) { self.parts = consume parts }
  }

  private var storage: SharedParts

  /// Creates a list that does not exist yet.
  package init(name: [UInt8]) { storage = SharedParts(Parts(name: name)) }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = SharedParts(storage.parts) }
  }

  /// Reports whether a list shares its storage with this one, so that both are the same.
  func isIdentical(to other: NamedList) -> Bool { storage === other.storage }

  package var name: [UInt8] { storage.parts.name }

  /// The position of the list in the order of creation. A list that is removed and created again
  /// has a new one.
  package internal(set) var order: Int {
    get { storage.parts.order }
    set {
      makeUnique()
      storage.parts.order = newValue
    }
  }

  /// The number of the current revision, 0 if the list does not exist yet.
  package internal(set) var revision: Int {
    get { storage.parts.revision }
    set {
      makeUnique()
      storage.parts.revision = newValue
    }
  }

  /// The current items; `nil` while they are changed, and if the list does not exist yet.
  var tree: ListTree? {
    _read { yield storage.parts.tree }
    _modify {
      makeUnique()
      yield &storage.parts.tree
    }
  }

  /// Whether the list is getting the content of a snapshot.
  var isAdopting: Bool { storage.parts.tree?.change.isAdoption == true }

  /// Whether the list is a view.
  var isView: Bool { storage.parts.isView }

  /// The numbers of a view; `nil` for other lists.
  package var viewNumbers: ViewNumbers? { isView ? storage.parts.view!.numbers : nil }

  /// The definition of a view.
  var viewRules: (any ViewRules)? { storage.parts.view?.rules }

  /// Whether items, of a view those of its sources, may have an identity in common, or several keys of
  /// an identity.
  var hasRepeats: Bool {
    // Copies neither a view nor a tree.
    if isView { return storage.parts.live?.sources.hasRepeats == true }
    return storage.parts.tree?.hasRepeats == true
  }

  /// The rows that the list shows.
  package var rows: ListRows { tree.map { ListRows($0) } ?? .empty }

  /// The items of a view and of its sources, beside those that it shows.
  var live: LiveView? {
    _read { yield storage.parts.live }
    _modify {
      makeUnique()
      yield &storage.parts.live
    }
  }

  /// Whether the list is a view that shows the selection of its sources.
  var selectsInSources: Bool { storage.parts.live?.definition.selectsInSources == true }

  /// Older revisions.
  package internal(set) var older: History {
    _read { yield storage.parts.older }
    _modify {
      makeUnique()
      yield &storage.parts.older
    }
  }

  /// The sources of a composite or a view; else `nil`.
  package internal(set) var sources: [[UInt8]]? {
    _read { yield storage.parts.sources }
    _modify {
      makeUnique()
      yield &storage.parts.sources
    }
  }

  /// The source whose keys the items of a composite have, for as long as the list exists: its first source
  /// when it was created. The items of other sources, and those that come to that source from others, have
  /// keys that distinguish the sources.
  var keySource: [UInt8]? {
    get { storage.parts.keySource }
    set {
      makeUnique()
      storage.parts.keySource = newValue
    }
  }

  /// The definition and the numbers of a view.
  package internal(set) var view: ViewState? {
    _read { yield storage.parts.view }
    _modify {
      makeUnique()
      yield &storage.parts.view
      storage.parts.isView = storage.parts.view != nil
    }
  }

  /// The flat row of the cursor.
  package internal(set) var cursor: Int? {
    get { storage.parts.cursor }
    set {
      makeUnique()
      storage.parts.cursor = newValue
    }
  }

  /// The members that identify the items without an identifier of their own, none if these are
  /// identified by their content; `nil` if different ones do.
  package internal(set) var itemKey: [[UInt8]]? {
    get { storage.parts.itemKey }
    set {
      makeUnique()
      storage.parts.itemKey = newValue
    }
  }

  /// Sets the tree and the cursor.
  mutating func set(_ tree: consuming ListTree, cursor: Int?) {
    makeUnique()
    storage.parts.tree = tree
    storage.parts.cursor = cursor
  }

  /// Records where each key is in the trees of the list, so that it is found in O(1).
  ///
  /// - Complexity: O(*n*) for the first call after a snapshot or a definition; then O(1).
  mutating func indexKeys() {
    tree?.indexKeys()
    live?.all?.indexKeys()
  }

  /// Makes the change of the list final.
  mutating func finishChange() {
    tree?.finishChange()
    live?.finishChange()
  }

  /// Sets the marks beside the selected items.
  mutating func setMarks(_ marks: TreeMarks) {
    makeUnique()
    if storage.parts.live?.all?.setMarks(marks) == nil { storage.parts.tree?.setMarks(marks) }
  }

  /// All items. For a view, includes items outside of its window.
  ///
  /// - Complexity: That of ``LiveView/allItems``.
  var allTree: ListTree? { live?.allItems ?? tree }

  /// The first of these items, among them all selected ones.
  var knownTree: ListTree? {
    if storage.parts.live?.maySelectItemsBehind == true { return allTree }
    return storage.parts.live?.all ?? tree
  }

  /// All rows. For a view, includes items outside of its window.
  package var allRows: ListRows {
    if let live, let all = live.allItems { return ListRows(all, texts: live.sources) }
    return rows
  }

  /// The selected items, in order.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is their number and *n* that of all items.
  package var selectedItems: [Int] { storage.parts.tree?.selectedIndices ?? [] }

  /// The selected rows, as ranges within sections.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of selected items and *n* that of all items.
  package var selectedRows: [(at: Path, count: Int)] { storage.parts.tree?.selectedRanges ?? [] }

  /// The section and row of the cursor.
  package var cursorPath: Path? {
    cursor.flatMap { storage.parts.tree?.path(ofRow: $0) }
  }

  /// The size of the sources of a view.
  var sourceSize: SnapshotSize { SnapshotSize(storage.parts.live!.sources) }

  /// The items that the list shows, as a snapshot.
  ///
  /// - Complexity: O(*n*) after edits, where *n* is their number; else O(1).
  package var shownItems: Snapshot { shownItems { false } }

  /// Returns the items that the list shows, as a snapshot; any snapshot if it `isStopped`.
  func shownItems(isStopped: () -> Bool) -> Snapshot {
    storage.parts.tree?.snapshot(isStopped: isStopped) ?? Snapshot()
  }

  /// The number of items.
  package var itemCount: Int { storage.parts.tree?.itemCount ?? 0 }

  /// The number of rows.
  package var rowCount: Int { storage.parts.tree?.rowCount ?? 0 }

  /// The size of the list.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  var size: SnapshotSize {
    storage.parts.tree.map { SnapshotSize($0) } ?? SnapshotSize()
  }

  /// The oldest revision that is kept.
  package var oldestRevision: Int { older.oldest ?? revision }

  /// Returns the snapshot of a revision. Every list is empty at revision 0.
  ///
  /// - Throws: `revisionNotFound` if the revision is not kept or never existed, `cancelled` if it
  ///   `isStopped`.
  package func snapshot(
    of revision: Int?, isStopped: () -> Bool = { false }
  ) throws(ListFailure) -> Snapshot {
    guard let revision, revision != self.revision else {
      let snapshot = shownItems(isStopped: isStopped)
      guard !isStopped() else { throw .cancelled }
      return snapshot
    }
    if revision == 0 { return Snapshot() }
    let steps = older.steps(backTo: revision)
    guard let last = steps.last else {
      throw .revisionNotFound(
        name, revision: revision, oldest: oldestRevision, current: self.revision)
    }
    // Steps lead back from the next revision that is kept as a snapshot.
    var result = PastList(last.content.snapshot ?? shownItems(isStopped: isStopped))
    for past in steps.reversed() {
      guard !isStopped() else { throw .cancelled }
      switch past.content {
      case .snapshot: break
      case .step(let packed):
        let step = packed.step
        if result.isFragmented(for: step) {
          guard let newer = result.snapshot(isStopped: isStopped) else { throw .cancelled }
          result = PastList(newer)
        }
        result.goBack(step)
      }
    }
    guard let snapshot = result.snapshot(isStopped: isStopped) else { throw .cancelled }
    return snapshot
  }

  /// Returns the steps from the current revision back to another one, or `nil` if they do not lead
  /// there: the revision is not kept, or a snapshot is kept between.
  func steps(backTo revision: Int) -> [PastRevision]? {
    if revision == self.revision { return [] }
    let steps = older.steps(backTo: revision)
    return steps.isEmpty || steps.last!.content.snapshot != nil ? nil : steps.reversed()
  }

  /// Records a new revision, and keeps the content before within the budget of the history.
  ///
  /// `kept` are the items that are equal in both.
  mutating func advance(
    to revision: Int, from past: consuming Snapshot, _ new: borrowing Snapshot,
    keeping kept: KeptItems, historyBytes: Int
  ) {
    if self.revision > 0 {
      // A step that keeps few items would hardly save memory.
      if kept.count > past.itemCount / 2, past.parts == nil, new.parts == nil {
        let step = PackedStep(past, from: new, keeping: kept.partners)
        keep(.step(step), historyBytes)
      } else {
        // The texts of a composite were those of its sources.
        if sources != nil { past.tidyBuffers() }
        keep(.snapshot(past), historyBytes)
      }
    }
    self.revision = revision
  }

  /// Records a new revision that was made by edits. `step` leads back to the revision before.
  mutating func advance(to revision: Int, _ step: PackedStep, historyBytes: Int) {
    #if DEBUG
      step.checkInvariants()
    #endif
    keep(.step(step), historyBytes)
    self.revision = revision
  }

  private mutating func keep(_ content: consuming PastRevision.Content, _ historyBytes: Int) {
    older.append(PastRevision(revision: revision, content: content), within: historyBytes)
  }
}
