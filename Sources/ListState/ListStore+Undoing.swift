/// What a list was before a request touched it.
package struct TouchedList: Sendable {
  package let name: [UInt8]

  /// The list as it was, perhaps in pieces; `nil` where it did not exist.
  package let before: NamedList?

  /// The last revision of a list of that name that was removed.
  let lastRevision: Int?

  /// What was marked in it, if edits have changed it and it is kept as a tree; `before` does not have
  /// its items then.
  var marks: Marks?

  /// What the edited list is in terms of what it was; `nil` if whole snapshots were made.
  package var edits: EditStep?

  /// Whether nothing is to be written down of what has become of a list.
  package func isSame(as list: NamedList) -> Bool {
    guard let before else { return false }
    return before.revision == list.revision && before.sources == list.sources
      && before.view?.rules.source == list.view?.rules.source
      && before.view?.anchor == list.view?.anchor
      && before.view?.expansion == list.view?.expansion
      && marks ?? before.marks == list.marks
  }
}

extension ListStore {
  /// Notes what a list is, before it is changed for the first time in a request.
  mutating func touch(_ name: [UInt8]) {
    guard keepsTouched, touchedIndices[name] == nil else { return }
    touchedIndices[name] = touched.count
    touched.append(
      TouchedList(name: name, before: peek(name), lastRevision: lastRevisions[name]))
  }

  /// Notes that a list was edited that is kept as a tree, and what it is in terms of what it was if that
  /// is to be written down.
  mutating func touch(edited before: NamedList, _ marks: Marks?, _ edits: EditStep?) {
    openEdits.append((before.name, before))
    guard keepsTouched, touchedIndices[before.name] == nil else { return }
    touchedIndices[before.name] = touched.count
    touched.append(
      TouchedList(
        name: before.name, before: before, lastRevision: lastRevisions[before.name],
        marks: marks, edits: edits))
  }

  /// How many items and pieces are gone through to make again what has become of a list.
  package func restoringWork(of list: TouchedList) -> Int {
    guard let now = peek(list.name), now.sources == nil, now.revision != list.before?.revision
    else { return 1 }
    guard let size = summary(of: list.name) else { return 0 }
    guard list.edits != nil else { return size.items }
    return size.sections + RestoringCost.pieces + size.items / RestoringCost.editsAtOnce
  }

  /// Begins anew to note which lists are touched.
  package mutating func forgetTouched() {
    finishEdits()
    guard !touched.isEmpty else { return }
    touched = []
    touchedIndices = [:]
  }

  /// Makes every list what it was before it was touched.
  package mutating func undo() {
    cycleWarnings = []
    for (name, before) in openEdits.reversed() {
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
    for list in touched.reversed() where list.marks == nil {
      put(list.before, as: list.name)
      lastRevisions[list.name] = list.lastRevision
    }
    forgetTouched()
  }

  /// The last revision of each list that was removed and not made anew.
  package var removedRevisions: [(name: [UInt8], revision: Int)] {
    lastRevisions.filter { lists[$0.key] == nil }.map { ($0.key, $0.value) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }
  }

  /// Makes a list of what it was when it was written down.
  package mutating func restore(
    _ name: [UInt8], revision: Int, _ snapshot: Snapshot, sources: [[UInt8]]? = nil,
    view: ViewState? = nil, _ marks: Marks
  ) {
    var list = NamedList(name: name)
    list.revision = revision
    list.snapshot = snapshot
    list.sources = sources
    list.view = view
    let items = 0..<(view?.arrangement.order.count ?? snapshot.itemCount)
    var selection = Selection(count: items.count)
    for run in marks.selected {
      for item in run.clamped(to: items) { selection.items.insert(item) }
    }
    selection.extended = marks.extended.flatMap { $0.clamped(to: items) }
    selection.anchor = marks.anchor.flatMap { items.contains($0) ? $0 : nil }
    list.fullSelection = selection
    showSelectionOfSources(in: &list)
    list.cursor = marks.cursor.flatMap { (0..<snapshot.rowCount).contains($0) ? $0 : nil }
    store(list)
  }

  /// Makes a list of others what it was when it was written down; the others are there again.
  package mutating func restore(
    _ name: [UInt8], revision: Int, madeOf sources: [[UInt8]],
    by rules: (any ViewRules)? = nil, anchor: Int? = nil,
    expanded: [Range<Int>] = [], collapsed: [Range<Int>] = [], _ marks: Marks
  ) {
    guard let rules else {
      return restore(name, revision: revision, composed(of: sources), sources: sources, marks)
    }
    let items = viewItems(of: sources)
    let expansion = Expansion(
      expanded: expanded, collapsed: collapsed, count: items.snapshot.itemCount)
    let (view, shown) = view(by: rules, of: items, anchor: anchor, expansion)
    restore(name, revision: revision, shown, sources: sources, view: view, marks)
  }

  /// Puts the names in the order in which the lists were made.
  package mutating func restore(order: [[UInt8]]) { reorder(order) }

  /// Notes the last revision of a list that is gone.
  package mutating func restore(removed name: [UInt8], revision: Int) {
    lastRevisions[name] = revision
  }
}

/// What edits that were written down cost when they are made again, a list being in pieces then, too.
package enum RestoringCost {
  /// How many pieces a list may be in before it is put together.
  package static let pieces = 1024

  /// About how many edits are made before that.
  static let editsAtOnce = 256
}

/// What is marked in a list, as indices in its snapshot.
package struct Marks: Equatable, Sendable {
  /// The items that are selected, as runs.
  package var selected: [Range<Int>] = []
  package var anchor: Int?

  /// What the extension just before has added, as runs.
  package var extended: [Range<Int>] = []

  /// The flat row of the cursor.
  package var cursor: Int?

  package init() {}
}

extension NamedList {
  /// What is marked now.
  package var marks: Marks {
    var marks = Marks()
    let selection = allTree?.selection ?? fullSelection
    marks.selected = Self.runs(of: selection.items.members)
    marks.anchor = selection.anchor
    marks.extended = Self.runs(of: selection.extended)
    marks.cursor = cursor
    return marks
  }

  private static func runs(of items: some Sequence<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for item in items {
      if let last = runs.last, last.upperBound == item {
        runs[runs.count - 1] = last.lowerBound..<item + 1
      } else {
        runs.append(item..<item + 1)
      }
    }
    return runs
  }
}
