/// A list that a request has modified, as it was before.
package struct ModifiedList: Sendable {
  package let name: [UInt8]

  /// The list before; `nil` if it did not exist.
  package let before: NamedList?

  /// The last revision of an earlier list with that name, which was removed.
  let lastRevision: Int?

  /// The marks before, if edits have changed the list. `before` does not have its items then.
  var marks: Marks?

  /// The new content of the list in terms of the old one; `nil` if nothing is kept of that.
  package var edits: EditStep?

  /// Reports whether there is nothing to write to the journal for a list.
  package func isSame(as list: NamedList) -> Bool {
    guard let before else { return false }
    return before.revision == list.revision && before.sources == list.sources
      && before.view?.rules.source == list.view?.rules.source
      && before.view?.anchorItem == list.view?.anchorItem
      && before.view?.expansionNumber == list.view?.expansionNumber
      && marks ?? before.marks == list.marks
  }
}

extension ListStore {
  /// Records a list before its first modification in a request.
  mutating func touch(_ name: [UInt8]) {
    guard recordsModifications, modifiedIndices[name] == nil else { return }
    modifiedIndices[name] = modifiedLists.count
    modifiedLists.append(
      ModifiedList(name: name, before: peek(name), lastRevision: lastRevisions[name]))
  }

  /// Records a list that was edited. Without the list `before`, the request
  /// cannot be undone. `edits` is its new content in terms of the old one if a journal needs that.
  mutating func touch(
    edited before: NamedList?, _ name: [UInt8], _ marks: Marks?, _ edits: EditStep?
  ) {
    openEdits.append((name, before))
    guard recordsModifications, modifiedIndices[name] == nil else { return }
    modifiedIndices[name] = modifiedLists.count
    modifiedLists.append(
      ModifiedList(
        name: name, before: before, lastRevision: lastRevisions[name],
        marks: marks, edits: edits))
  }

  /// Records the new content of a list that is being modified in terms of that of a revision, if a journal
  /// needs it. `kept` are the items that are equal in both.
  mutating func recordEdits(
    of name: [UInt8], from revision: Int, _ old: Snapshot, to new: Snapshot, keeping kept: KeptItems
  ) {
    guard let index = modifiedIndices[name], modifiedLists[index].before?.sources == nil else {
      return
    }
    let isFirst = modifiedLists[index].before?.revision == revision
    modifiedLists[index].edits =
      isFirst && kept.count > 0
      ? EditStep(new, from: old, keeping: kept.inverted(count: new.itemCount)) : nil
  }

  /// Returns the number of items and pieces to process to restore a modified list from the journal.
  package func restorationWork(of list: ModifiedList) -> Int {
    guard let now = peek(list.name), now.sources == nil, now.revision != list.before?.revision
    else { return 1 }
    guard let size = summary(of: list.name) else { return 0 }
    // A change that was not made by edits visits all items, too.
    guard list.marks != nil, list.edits != nil else { return size.items }
    return size.sections + RestorationCost.pieces + size.items / RestorationCost.editsAtOnce
  }

  /// Commits the modifications of the last request, and begins the next one.
  package mutating func begin() {
    finishEdits()
    releaseOldContents()
    guard !modifiedLists.isEmpty else { return }
    modifiedLists = []
    modifiedIndices = [:]
  }

  /// Restores every list as it was when the request began.
  package mutating func rollBack() {
    cycleWarnings = []
    for (name, before) in openEdits.reversed() {
      guard let before else { preconditionFailure("a list is kept as it was before") }
      guard var tree = lists[name]?.tree else { continue }
      var live = lists[name]!.live
      lists[name]!.tree = nil
      lists[name]!.live = nil
      tree.undoChange()
      live?.undoChange()
      lists[name] = before
      lists[name]!.tree = tree
      lists[name]!.live = live
    }
    openEdits = []
    for list in modifiedLists.reversed() where list.marks == nil {
      set(list.before, forName: list.name)
      lastRevisions[list.name] = list.lastRevision
    }
    begin()
  }

  /// The last revision of each list that was removed and not created again.
  package var removedRevisions: [(name: [UInt8], revision: Int)] {
    lastRevisions.filter { lists[$0.key] == nil }.map { ($0.key, $0.value) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }
  }

  /// Restores a list from the journal.
  package mutating func restore(
    _ name: [UInt8], revision: Int, _ snapshot: Snapshot, sources: [[UInt8]]? = nil, _ marks: Marks
  ) {
    var list = NamedList(name: name)
    (list.sources, list.keySource) = (sources, sources?.first)
    let items = 0..<snapshot.itemCount
    func clamped(_ runs: [Range<Int>]) -> [Int] { runs.flatMap { $0.clamped(to: items) } }
    let own = SourceMarks(
      selected: clamped(marks.selected),
      anchor: marks.anchor.flatMap { items.contains($0) ? $0 : nil },
      extended: clamped(marks.extended))
    list.tree = tree(of: list, snapshot, own, isDistinct: false)
    restore(list, revision, marks, rowCount: snapshot.rowCount)
  }

  /// Restores a composite from the journal. Its sources are restored already.
  package mutating func restore(
    _ name: [UInt8], revision: Int, madeOf sources: [[UInt8]],
    by rules: (any ViewRules)? = nil, anchor: Int? = nil,
    expanded: [Range<Int>] = [], collapsed: [Range<Int>] = [], _ marks: Marks
  ) {
    var list = NamedList(name: name)
    (list.sources, list.keySource) = (sources, sources.first)
    guard let rules else {
      return restore(name, revision: revision, composed(list), sources: sources, marks)
    }
    var states: [Int: ExpansionState] = [:]
    let all = 0..<sources.reduce(0) { $0 + (lists[$1]?.itemCount ?? 0) }
    for (runs, state) in [(expanded, ExpansionState.expanded), (collapsed, .collapsed)] {
      for item in runs.flatMap({ $0.clamped(to: all) }) { states[item] = state }
    }
    var view = evaluatedAnew(list, rules, states)
    let positions = 0..<view.arrangement.count
    let isMarked = !marks.selected.isEmpty || !marks.extended.isEmpty || marks.anchor != nil
    if isMarked { _ = view.arrangement.sortAll { false } }
    func items(_ runs: [Range<Int>]) -> [Int] {
      runs.flatMap { $0.clamped(to: positions) }.map { Int(view.arrangement.order[$0]) }
    }
    _ = setTrees(
      of: &list, view, anchor: (anchor, nil),
      SourceMarks(
        selected: items(marks.selected),
        anchor: items(marks.anchor.map { [$0..<$0 + 1] } ?? []).first,
        extended: items(marks.extended)))
    restore(list, revision, marks, rowCount: list.rowCount)
  }

  private mutating func restore(
    _ list: consuming NamedList, _ revision: Int, _ marks: Marks, rowCount: Int
  ) {
    list.revision = revision
    list.itemKey = nil
    list.cursor = marks.cursor.flatMap { (0..<rowCount).contains($0) ? $0 : nil }
    store(list)
  }

  /// Restores the order in which the lists were created.
  package mutating func restore(order: [[UInt8]]) { reorder(order) }

  /// Restores the last revision of a removed list.
  package mutating func restore(removed name: [UInt8], revision: Int) {
    lastRevisions[name] = revision
  }
}

/// The cost of replaying edits from the journal. A list that is replayed is in pieces, too.
package enum RestorationCost {
  /// The number of pieces at which a list that is replayed is merged.
  package static let pieces = 1024

  /// The approximate number of edits that are replayed before that.
  static let editsAtOnce = 256
}

/// The marks of a list: its selection and its cursor, by indices in its snapshot.
package struct Marks: Equatable, Sendable {
  /// The selected items, as ranges.
  package var selected: [Range<Int>] = []
  package var anchor: Int?

  /// The items that the last extension added, as ranges.
  package var extended: [Range<Int>] = []

  /// The flat row of the cursor.
  package var cursor: Int?

  package init() {}
}

extension NamedList {
  /// The current marks.
  package var marks: Marks {
    var marks = Marks()
    if let own = knownTree?.marksByIndex {
      marks.selected = own.selected.runs
      marks.anchor = own.anchor
      marks.extended = own.extended.runs
    }
    marks.cursor = cursor
    return marks
  }
}
