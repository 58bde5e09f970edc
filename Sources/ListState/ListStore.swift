import ListDiff

/// All lists by name, and the identifiers that they share.
package struct ListStore: ~Copyable {
  package var ids = IDTable()
  /// Where the keys of the snapshots read last stand.
  package var places = KeyPlaces()
  var engine = DiffEngine()
  private var lists: [[UInt8]: NamedList] = [:]

  /// How many identifiers there are when it is worth to look which of them are held.
  var nextSweep = 1 << 16

  /// Whether what is being done is to be given up; asked until something has changed.
  package var isCancelled: () -> Bool = { false }

  /// The names of the lists in the order in which they were made.
  package private(set) var names: [[UInt8]] = []

  /// The last revisions of lists that were removed.
  private var lastRevisions: [[UInt8]: Int] = [:]

  let rules: ContentRules
  let historyBytes: Int

  /// No lists; older revisions are kept within `historyBytes` a list.
  package init(rules: ContentRules, historyBytes: Int) {
    self.rules = rules
    self.historyBytes = historyBytes
  }

  /// The list of a name.
  ///
  /// - Throws: `listNotFound`.
  package func list(_ name: [UInt8]) throws(ListFailure) -> NamedList {
    guard let list = lists[name] else { throw .listNotFound(name) }
    return list
  }

  /// The list of a name, or one that does not exist yet.
  package func listOrNew(_ name: [UInt8]) -> NamedList { lists[name] ?? NamedList(name: name) }

  /// Removes a list; its revisions are not used again.
  ///
  /// - Throws: `listNotFound`.
  /// - Returns: The changes of the lists that are made of it.
  package mutating func remove(_ name: [UInt8]) throws(ListFailure) -> [ListChange] {
    let list = try list(name)
    lastRevisions[name] = list.revision
    lists[name] = nil
    names.removeAll { $0 == name }
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
    if lists.updateValue(list, forKey: list.name) == nil { names.append(list.name) }
  }
}
