import ListDiff

/// All lists by name, and the identifiers that they share.
package struct ListStore: ~Copyable {
  package var ids = IDTable()
  /// The indices of the keys of the snapshots that were read last.
  package var keyIndices = LastKeyIndices()
  /// Memory for identifiers that are interned together.
  package var idBatch = IDBatch()
  var engine = DiffEngine()
  var rowPairs = RowPairBatch()
  var lastComparison: TreeComparison?

  /// The lists by name. ``set(_:forName:)`` adds and removes lists and changes their sources.
  package internal(set) var lists = ListTable()

  /// The sources of composites.
  private(set) var composition = Composition()

  /// The size limit of composites.
  package var compositeLimit = SnapshotSize.compositeLimit

  /// Reports whether to stop the current operation. Called until something has changed.
  package var isCancelled: () -> Bool = { false }

  /// The number of lists created so far.
  private var createdCount = 0

  /// The last revisions of removed lists.
  var lastRevisions: [[UInt8]: Int] = [:]

  /// The lists whose edits report the rows that are shown as before.
  package var shownLists: Set<[UInt8]> = []

  /// The lists whose changes report the contents before.
  package var listsWithOldContents: Set<[UInt8]> = []

  /// The list whose change answers the present request with the contents before.
  package var requestedOldContents: [UInt8]?

  /// The trees of such lists before the present request.
  private var oldTrees: [[UInt8]: ListTree] = [:]

  /// Whether lists are recorded before a request modifies them, so that the request can be undone.
  package var recordsModifications = false

  /// The lists that were modified since ``begin()``, each as it was before.
  package internal(set) var modifiedLists: [ModifiedList] = []

  /// The indices of these lists, by name.
  var modifiedIndices: [[UInt8]: Int] = [:]

  /// The lists that the request has edited, each as it was before, without its tree, unless the request can no
  /// longer fail.
  var openEdits: [(name: [UInt8], before: NamedList?)] = []

  /// The states of a list that are being compared.
  var openComparison: OpenComparison?

  /// The approximate number of bytes that columns of items took that others have replaced.
  package var freedMemory = 0

  /// Warnings for the people who use the lists.
  var cycleWarnings: [CycleWarning] = []

  /// Whether the identifier table is always swept, more slowly than otherwise, to check that no
  /// identifier in use is removed.
  package var isAlwaysSwept = false

  /// What remains to be marked in a sweep of the identifier table.
  var unmarked = UnmarkedContent()

  /// The number of identifiers ever added to the table when the sweep was last continued.
  var sweptAdditions = 0

  /// The number of identifiers in use when that was last determined.
  var liveIDs = 0

  /// The size, in bytes, of the identifiers after the table was last swept.
  var liveIDBytes = 0

  /// How texts are compared. As the value has any size, the store is used in place and never copied
  /// for a call.
  let rules: any ContentRules
  let historyBytes: Int
  let totalHistoryBytes: Int

  /// The number of bytes by which older revisions may grow before their sizes are added up again.
  private var historySlack: Int

  /// Creates a store without lists. Older revisions take at most `historyBytes` for each list and
  /// `totalHistoryBytes` for all lists.
  package init(rules: any ContentRules, historyBytes: Int, totalHistoryBytes: Int = .max) {
    self.rules = rules
    self.historyBytes = historyBytes
    self.totalHistoryBytes = totalHistoryBytes
    historySlack = totalHistoryBytes
  }

  /// The names of the lists, in the order of their creation.
  ///
  /// - Complexity: O(*l* log *l*), where *l* is the number of lists.
  package var names: [[UInt8]] { lists.values.sorted { $0.order < $1.order }.map(\.name) }

  /// Returns names in the order of the creation of the lists. Names without a list come first, by
  /// their bytes.
  ///
  /// - Complexity: O(*l* log *l*), where *l* is the number of names.
  package func inOrderOfCreation(_ names: some Sequence<[UInt8]>) -> [[UInt8]] {
    names.map { (name: $0, order: lists[$0]?.order ?? 0) }
      .sorted {
        $0.order == $1.order ? $0.name.lexicographicallyPrecedes($1.name) : $0.order < $1.order
      }
      .map { $0.name }
  }

  /// Returns the list with a name.
  ///
  /// - Throws: `listNotFound`.
  package func list(_ name: [UInt8]) throws(ListFailure) -> NamedList {
    guard let list = lists[name] else { throw .listNotFound(name) }
    return list
  }

  /// Returns the list with a name, or one that does not exist yet.
  package func listOrNew(_ name: [UInt8]) -> NamedList { lists[name] ?? NamedList(name: name) }

  /// Returns the list with a name; `nil` if there is none.
  package func peek(_ name: [UInt8]) -> NamedList? { lists[name] }

  /// Removes a list. Its revisions are not used again.
  ///
  /// - Throws: `listNotFound`, `cancelled`.
  /// - Returns: The changes of its composites, and about how many bytes are freed.
  package mutating func remove(
    _ name: [UInt8]
  ) throws(ListFailure) -> (changes: [ListChange], freed: Int) {
    finishEdits()
    let list = try list(name)
    let old = list.shownItems(isStopped: isCancelled)
    if isCancelled() { throw .cancelled }
    let freed = old.footprint + (list.viewNumbers?.total ?? 0) * 64
    touch(name)
    lastRevisions[name] = list.revision
    set(nil, forName: name)
    if composition.composites(of: name).isEmpty { return ([], freed) }
    let empty = Snapshot()
    let made = ListChange(
      ListOperations(), of: name, since: list.revision, revision: 0, new: ListRows.empty)
    let changes = propagate(
      ComparedChange(
        made: made, changes: compare(old, empty), changesMarks: false))
    return (changes, freed)
  }

  /// Records that a list has a new older revision. If all older revisions exceed the budget, drops
  /// the oldest ones of the lists with the largest histories.
  ///
  /// The revision before the current one of this list is kept, as it is within its own budget.
  ///
  /// - Complexity: O(1); each time that older revisions have grown by a sixteenth of the budget
  ///   O(*l* log *l*), where *l* is the number of lists.
  mutating func recordHistory(at changed: ListTable.Index) {
    guard let added = lists[at: changed].older.newestFootprint else { return }
    historySlack -= added
    guard historySlack < 0 else { return }
    let sizes = lists.values.map(\.older.footprint).sorted()
    let total = sizes.reduce(0, +)
    let goal = totalHistoryBytes - totalHistoryBytes / 16
    historySlack = totalHistoryBytes - total
    guard total > goal else { return }
    // The size to which larger histories are cut, so that all histories together are within the
    // goal.
    var left = goal
    var level = 0
    for (index, size) in sizes.enumerated() {
      level = left / (sizes.count - index)
      if size > level { break }
      left -= size
    }
    for index in lists.indices where lists[at: index].older.footprint > level {
      lists[at: index].older.trim(to: index == changed ? max(level, added) : level)
    }
    historySlack =
      totalHistoryBytes - lists.values.reduce(0) { $0 + $1.older.footprint }
  }

  /// Returns whether changes of a list report the contents before.
  func keepsOldContents(of name: [UInt8]) -> Bool {
    listsWithOldContents.contains(name) || requestedOldContents == name
  }

  /// Keeps a tree that is about to change if the change of its list reports the contents before.
  ///
  /// - Complexity: O(1); O(*n* / 256) for the first modification of the tree, where *n* is the number of
  ///   items.
  mutating func keepOldContents(of tree: ListTree) {
    if keepsOldContents(of: tree.name) { oldTrees[tree.name] = tree }
  }

  /// Returns the rows that a list had before its change, if they were kept.
  mutating func takeOldContents(of name: [UInt8]) -> ListRows? {
    oldTrees.isEmpty ? nil : oldTrees.removeValue(forKey: name).map { ListRows($0) }
  }

  /// Releases what was kept for the last request.
  mutating func releaseOldContents() {
    requestedOldContents = nil
    if !oldTrees.isEmpty { oldTrees = [:] }
  }

  /// Returns the number of the next revision of a list.
  func nextRevision(of list: NamedList) -> Int {
    max(list.revision, lastRevisions[list.name] ?? 0) + 1
  }

  mutating func store(_ list: consuming NamedList) {
    touch(list.name)
    let known = lists[list.name]
    if known == nil { createdCount += 1 }
    let order = known?.order ?? createdCount
    // Changing a list that is shared copies it.
    if list.order != order { list.order = order }
    let name = list.name
    composition.setSources(of: name, from: known?.sources, to: list.sources)
    lists[name] = list
  }

  /// Stores a list that is about to be changed in place, unless it is stored already, and returns its
  /// index in ``lists``.
  mutating func beginChange(of list: consuming NamedList) -> ListTable.Index {
    let name = list.name
    if let index = lists.index(of: name), lists[at: index].isIdentical(to: list) {
      touch(name)
      return index
    }
    store(list)
    return lists.index(of: name)!
  }

  /// Sets or removes the list with a name.
  mutating func set(_ list: NamedList?, forName name: [UInt8]) {
    composition.setSources(of: name, from: lists[name]?.sources, to: list?.sources)
    lists[name] = list
  }

  /// Gives the lists the order of `names`.
  mutating func reorder(_ names: [[UInt8]]) {
    for name in names {
      createdCount += 1
      lists[name]?.order = createdCount
    }
  }

  /// Reverts all lists to an earlier state.
  mutating func rollBack(to state: SavedLists) {
    (lists, composition) = state
  }
}
