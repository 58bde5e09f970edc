import ListDiff

/// All lists by name, and the identifiers that they share.
package struct ListStore: ~Copyable {
  package var ids = IDTable()
  /// Where the keys of the snapshots read last stand.
  package var places = KeyPlaces()
  var engine = DiffEngine()
  /// The lists by name; where they are added, removed or composed anew, ``put(_:as:)`` changes them.
  package internal(set) var lists: [[UInt8]: NamedList] = [:]

  /// Which lists are made of which.
  private(set) var composition = Composition()

  /// How much a composite may hold.
  package var compositeLimit = SnapshotSize.compositeLimit

  /// Whether what is being done is to be given up; asked until something has changed.
  package var isCancelled: () -> Bool = { false }

  /// The number of lists that were ever made.
  private var made = 0

  /// The last revisions of lists that were removed.
  var lastRevisions: [[UInt8]: Int] = [:]

  /// Whether what lists were before a request is kept until it is known that the change stays.
  package var keepsTouched = false

  /// The lists that were touched since that was last forgotten, each as it was before.
  package internal(set) var touched: [TouchedList] = []

  /// The indices of these lists, by name.
  var touchedIndices: [[UInt8]: Int] = [:]

  /// The lists that the request has edited and that are kept as trees, each without its tree as it was
  /// before.
  var openEdits: [(name: [UInt8], before: NamedList)] = []

  /// What people are to be warned of.
  var cycleWarnings: [CycleWarning] = []

  /// How many identifiers were in use when that was last looked at.
  var liveIDs = 0

  /// How many bytes identifiers had when the table was swept.
  var liveIDBytes = 0

  let rules: ContentRules
  let historyBytes: Int
  let totalHistoryBytes: Int

  /// How many bytes older revisions may grow by until their sizes are summed again.
  private var historySlack: Int

  /// No lists; older revisions are kept within `historyBytes` for each list and `totalHistoryBytes` for
  /// all.
  package init(rules: ContentRules, historyBytes: Int, totalHistoryBytes: Int = .max) {
    self.rules = rules
    self.historyBytes = historyBytes
    self.totalHistoryBytes = totalHistoryBytes
    historySlack = totalHistoryBytes
  }

  /// The names of the lists in the order in which they were made.
  ///
  /// - Complexity: O(*l* log *l*), where *l* is the number of lists.
  package var names: [[UInt8]] { lists.values.sorted { $0.order < $1.order }.map(\.name) }

  /// The list of a name, whose snapshot is put together where edits have left it in pieces.
  ///
  /// - Throws: `listNotFound`.
  package func list(_ name: [UInt8]) throws(ListFailure) -> NamedList {
    guard let list = lists[name] else { throw .listNotFound(name) }
    return list.whole
  }

  /// The list of a name, or one that does not exist yet.
  package func listOrNew(_ name: [UInt8]) -> NamedList {
    lists[name]?.whole ?? NamedList(name: name)
  }

  /// The list of a name as it is, perhaps in pieces.
  package func peek(_ name: [UInt8]) -> NamedList? { lists[name] }

  /// Puts the snapshot of a list together where edits have left it in pieces, once for all who ask
  /// for it from now on.
  ///
  /// - Complexity: O(*n*) after edits, where *n* is the number of items; else O(1).
  package mutating func settle(_ name: [UInt8]) {
    if let list = lists[name], list.tree != nil { lists[name] = list.whole }
  }

  /// Removes a list; its revisions are not used again.
  ///
  /// - Throws: `listNotFound`.
  /// - Returns: The changes of the lists that are made of it.
  package mutating func remove(_ name: [UInt8]) throws(ListFailure) -> [ListChange] {
    let list = try list(name)
    touch(name)
    lastRevisions[name] = list.revision
    put(nil, as: name)
    let empty = Snapshot()
    return propagate(
      ListChange(
        name: name, baseRevision: list.revision, revision: 0, old: list.snapshot, new: empty,
        changes: compare(list.snapshot, empty), deselected: [], isMarked: false,
        selectionBefore: list.selection))
  }

  /// Notes that a list has one older revision more, and drops the oldest revisions of the lists that have
  /// the largest ones if all together are too large.
  ///
  /// The revision before the current one of this list is kept, as it is by its own budget.
  ///
  /// - Complexity: O(1); but each time that older revisions have grown by a sixteenth of the budget
  ///   O(*l* log *l*), where *l* is the number of lists.
  mutating func noteHistory(of name: [UInt8]) {
    guard let added = lists[name]?.older.newest else { return }
    historySlack -= added.footprint
    guard historySlack < 0 else { return }
    let sizes = lists.values.map(\.older.footprint).sorted()
    let total = sizes.reduce(0, +)
    let goal = totalHistoryBytes - totalHistoryBytes / 16
    historySlack = totalHistoryBytes - total
    guard total > goal else { return }
    // The level at which larger histories are cut so that all together are within the goal.
    var left = goal
    var level = 0
    for (index, size) in sizes.enumerated() {
      level = left / (sizes.count - index)
      if size > level { break }
      left -= size
    }
    for (other, list) in lists where list.older.footprint > level {
      lists[other]!.older.trim(to: other == name ? max(level, added.footprint) : level)
    }
    historySlack =
      totalHistoryBytes - lists.values.reduce(0) { $0 + $1.older.footprint }
  }

  /// The number of the next revision of a list.
  func nextRevision(of list: NamedList) -> Int {
    max(list.revision, lastRevisions[list.name] ?? 0) + 1
  }

  mutating func store(_ list: NamedList) {
    touch(list.name)
    var list = list
    if let known = lists[list.name] {
      list.order = known.order
    } else {
      made += 1
      list.order = made
    }
    put(list, as: list.name)
  }

  /// Makes a list, or none, the one of a name.
  mutating func put(_ list: NamedList?, as name: [UInt8]) {
    composition.setSources(of: name, from: lists[name]?.sources, to: list?.sources)
    lists[name] = list
  }

  /// Puts the lists in an order in which they were made.
  mutating func reorder(_ names: [[UInt8]]) {
    for name in names {
      made += 1
      lists[name]?.order = made
    }
  }

  /// Makes all lists what they were.
  mutating func rollBack(to state: (lists: [[UInt8]: NamedList], composition: Composition)) {
    (lists, composition) = state
  }
}
