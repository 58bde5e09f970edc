import ListDiff

/// All lists by name, and the identifiers that they share.
package struct ListStore: ~Copyable {
  package var ids = IDTable()
  /// Where the keys of the snapshots read last stand.
  package var places = KeyPlaces()
  var engine = DiffEngine()
  /// The lists by name; where they are added, removed or composed anew, ``put(_:as:)`` changes them.
  var lists: [[UInt8]: NamedList] = [:]

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

  /// How many identifiers were in use when that was last looked at.
  var liveIDs = 0

  /// How many bytes identifiers had when the table was swept.
  var liveIDBytes = 0

  let rules: ContentRules
  let historyBytes: Int

  /// No lists; older revisions are kept within `historyBytes` a list.
  package init(rules: ContentRules, historyBytes: Int) {
    self.rules = rules
    self.historyBytes = historyBytes
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
