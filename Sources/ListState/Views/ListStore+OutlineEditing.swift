import ListDiff

/// The result of edits of an outline.
package struct OutlineChange: Sendable {
  /// The change of the outline, followed by those of the lists that depend on it.
  package var changes: [ListChange] = []

  /// The changes of selections that the request made, to be reported before and after its changes.
  package var selectedBefore: [SelectionChange] = []
  package var selectedAfter: [SelectionChange] = []

  /// The expanded items whose children have yet to be added.
  package var awaited: [AwaitedItem] = []
}

/// An item of an outline whose children a client should add to the source.
package struct AwaitedItem: Sendable {
  /// The key of the item in the ordinary list that it comes from.
  package var key: UInt32

  /// The number of preceding items with the same key, and whether any other item has that key.
  package var occurrence: Int
  package var isAmbiguous: Bool

  /// The path of its row; `nil` if it is not shown.
  package var path: Path?
}

extension ListStore {
  /// Returns whether a list is an outline.
  package func isOutline(_ name: [UInt8]) -> Bool {
    peek(name)?.isOutline == true
  }

  /// Expands and collapses items of an outline as one change.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of its sources.
  /// - Throws: `readOnly` if there is an edit of another kind; `edit` with the reason of the first
  ///   edit that cannot be made; and what ``compose(_:of:as:_:)`` throws.
  package mutating func editOutline(
    _ name: [UInt8], _ edits: [Edit], _ request: ChangeRequest
  ) throws(ListFailure) -> OutlineChange {
    let list = try list(name)
    guard let view = list.view, let outline = view.arrangement.outline else {
      throw .readOnly(name, sources: list.sources ?? [])
    }
    var outlineEdits: [OutlineEdit] = []
    for edit in edits {
      guard case .outline(let edit) = edit else {
        throw .readOnly(name, sources: list.sources ?? [])
      }
      outlineEdits.append(edit)
    }
    try checkBase(of: list, request)
    let (expansion, expanded) = try expansion(of: list, view, after: outlineEdits)
    var result = OutlineChange()
    let saved = savedLists(
      beforeChanging: name, madeOf: [SourceIDs(list.snapshot)], isComposite: true)
    let made = try show(
      list, view.rules, view.items, anchor: (view.anchor, nil), toNew: nil, request,
      expansion: expansion, isCancellable: true)
    let shared = made.shared
    let isFollowed = made.change.isRevision || made.change.changesMarks && sharesSelection(name)
    result.changes = followed(made.change, if: isFollowed)
    try checkOverflow(rollingBackTo: saved)
    if !shared.isEmpty {
      let known = Dictionary(shared.map { ($0.name, $0) }) { first, _ in first }
      result.selectedBefore = shared
      result.selectedAfter = followSelections(known, of: name).filter { known[$0.name] == nil }
    }
    let named = expanded.filter { position in
      outline.traits[position].contains(.lazy) && outline.childCounts[position] == 0
        && !outline.isExpandedBySomebody(position)
    }
    result.awaited = awaited(at: named, of: lists[name]!)
    return result
  }

  /// Returns the expansion after edits, and the positions of the items that the edits expand by
  /// name.
  private mutating func expansion(
    of list: NamedList, _ view: ViewState, after edits: [OutlineEdit]
  ) throws(ListFailure) -> (Expansion, expanded: [Int]) {
    var expansion = view.expansion
    let outline = view.arrangement.outline!
    var index = PositionIndex(view, forReferences: edits.reduce(0) { $0 + $1.items.count })
    var past = PastRevisions(of: list)
    // Paths refer to the rows that are shown after the preceding edits.
    var shown = list
    var pending = OutlineEdits()
    func make() {
      for (position, state) in pending.takeStates(in: outline) {
        expansion.set(
          state, of: Int(view.arrangement.order[position]), among: view.items.snapshot.itemCount)
      }
    }
    for (number, edit) in edits.enumerated() {
      if !pending.isEmpty, edit.items.contains(where: { $0.isPath }) {
        make()
        shown.view!.show(expansion)
        let positions = shown.view!.rules.window?.isAnchored == true ? shown.view!.positions : []
        shown.view!.anchor = view.anchor?.raised(in: shown.view!.arrangement, positions)
        if let window = view.rules.window { shown.view!.showWindow(window) }
        shown.snapshot = shownItems(of: shown.view!)
      }
      var positions: [Int] = []
      var missing: [Int] = []
      for (offset, reference) in edit.items.enumerated() {
        do throws(ListFailure) {
          let found = try position(of: reference, in: shown, &index, &past)
          if let found { positions.append(found) } else { missing.append(offset) }
        } catch .revisionNotFound(_, let revision, let oldest, let current) {
          throw .edit(
            index: number, .revisionNotFound(revision, oldest: oldest, current: current))
        }
      }
      guard missing.isEmpty else { throw .edit(index: number, .itemsNotFound(missing)) }
      pending.append(edit, of: positions)
    }
    make()
    return (expansion, pending.expanded)
  }

  /// Returns the position of the item of an outline that a reference names. Paths refer to the rows
  /// of `shown`.
  private mutating func position(
    of reference: ItemReference, in shown: NamedList, _ index: inout PositionIndex,
    _ past: inout PastRevisions
  ) throws(ListFailure) -> Int? {
    switch reference {
    case .path(let section, let row, nil):
      return shown.snapshot.row(section: section, row).map {
        shown.position(ofShown: shown.snapshot.item(ofRow: $0))
      }
    case .path(let section, let row, let revision?):
      let matched = try self.past(revision, in: shown.view!.items.snapshot, &past)
      guard let item = matched.item(section: section, row: row)?.index else { return nil }
      return index.position(ofItem: item)
    case .id(let id, let occurrence, let source):
      guard let id else { return nil }
      return index.position(withOneOf: keys(of: id, in: shown, source: source), occurrence)
    }
  }

  /// Returns the items of an outline whose children are awaited, among those with some keys in the
  /// ordinary lists.
  package mutating func awaited(_ keys: Set<UInt32>, in name: [UInt8]) -> [AwaitedItem] {
    flatten(name)
    guard let list = lists[name], let view = list.view, let outline = view.arrangement.outline
    else { return [] }
    let rows = view.items.snapshot.arrangement.rows
    let positions = (0..<outline.count).filter { position in
      outline.traits[position].contains(.lazy) && outline.childCounts[position] == 0
        && outline.isExpandedBySomebody(position)
        && keys.contains(ids.original(rows[Int(view.arrangement.order[position])]))
    }
    return awaited(at: positions, of: list)
  }

  /// Returns the items at some positions whose children are awaited.
  private mutating func awaited(at positions: [Int], of list: NamedList) -> [AwaitedItem] {
    guard !positions.isEmpty, let view = list.view else { return [] }
    let rows = view.items.snapshot.arrangement.rows
    let keys = view.arrangement.order.map { ids.original(rows[Int($0)]) }
    let wanted = Set(positions.map { keys[$0] })
    var counts: [UInt32: Int] = [:]
    var occurrences: [Int: Int] = [:]
    let named = Set(positions)
    for (position, key) in keys.enumerated() where wanted.contains(key) {
      if named.contains(position) { occurrences[position] = counts[key, default: 0] }
      counts[key, default: 0] += 1
    }
    return positions.map { position in
      AwaitedItem(
        key: keys[position], occurrence: occurrences[position] ?? 0,
        isAmbiguous: counts[keys[position]] != 1,
        path: view.shownItem(at: position).map { list.snapshot.path(ofItem: $0) })
    }
  }
}

extension ItemReference {
  /// Whether the reference is a path in the current revision.
  var isPath: Bool {
    if case .path(_, _, nil) = self { true } else { false }
  }
}

/// The positions of the items of an outline, by key.
private struct PositionIndex {
  private let keys: [UInt32]
  private let order: [Int32]

  /// The position of each item of the sources; -1 if the outline does not have the item.
  private let positions: [Int32]

  /// The positions of the items of each key, ascending; computed only if there are many references.
  private var byKey: [UInt32: [Int]]?

  /// - Complexity: O(*n*), where *n* is the number of items of the sources.
  init(_ view: ViewState, forReferences count: Int) {
    keys = view.items.snapshot.arrangement.rows
    order = view.arrangement.order
    positions = count > 0 ? view.positions : []
    guard count > 8 else { return }
    var byKey: [UInt32: [Int]] = [:]
    for (position, item) in order.enumerated() {
      byKey[keys[Int(item)], default: []].append(position)
    }
    self.byKey = byKey
  }

  /// Returns the position of an item of the sources; `nil` if the outline does not have it.
  func position(ofItem item: Int) -> Int? { positions[item] < 0 ? nil : Int(positions[item]) }

  /// Returns the position of the `occurrence`-th item that has one of some keys.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of such items, or O(*n*) for few references.
  func position(withOneOf wanted: [UInt32], _ occurrence: Int) -> Int? {
    var found: [Int] = []
    if let byKey {
      for key in wanted { found += byKey[key] ?? [] }
    } else {
      for (item, key) in keys.enumerated() where wanted.contains(key) && positions[item] >= 0 {
        found.append(Int(positions[item]))
      }
    }
    found.sort()
    return occurrence < found.count ? found[occurrence] : nil
  }
}
