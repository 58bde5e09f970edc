import ListDiff

/// What edits of an outline have done.
package struct OutlineChange: Sendable {
  /// The change of the outline, and then those of the lists that are made of it.
  package var changes: [ListChange] = []

  /// The changes of selections that the request made, to be reported before and after its changes.
  package var selectedBefore: [SelectionChange] = []
  package var selectedAfter: [SelectionChange] = []

  /// The items that were expanded and that have no children yet.
  package var awaited: [AwaitedItem] = []
}

/// An item of an outline whose children are to be added to its sources.
package struct AwaitedItem: Sendable {
  /// The key that the item has in the ordinary list that it comes from.
  package var key: UInt32

  /// The number of items before it that have the same key, and whether any item has.
  package var occurrence: Int
  package var isAmbiguous: Bool

  /// The index of its row; `nil` if it is not shown.
  package var path: Path?
}

extension ListStore {
  /// Whether a list is an outline.
  package func isOutline(_ name: [UInt8]) -> Bool {
    peek(name)?.view?.rules.outline != nil
  }

  /// Expands and collapses items of an outline as one change.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of its sources.
  /// - Throws: `readOnly` if an edit is another one; `edit` with what the first edit that cannot be made
  ///   misses; and as ``compose(_:of:as:_:)``.
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
    var shared: [SelectionChange] = []
    result.changes = try changing([list.snapshot], of: name, isComposite: true) {
      store throws(ListFailure) in
      let made = try store.show(
        list, view.rules, view.items, anchor: (view.anchor, nil), toNew: nil, request,
        expansion: expansion, isCancellable: true)
      shared = made.shared
      let isFollowed =
        made.change.isRevision || made.change.changesMarks && store.sharesSelection(name)
      return [made.change] + (isFollowed ? store.propagate(made.change) : [])
    }
    if !shared.isEmpty {
      let known = Dictionary(shared.map { ($0.name, $0) }) { first, _ in first }
      result.selectedBefore = shared
      result.selectedAfter = followSelections(known).filter { known[$0.name] == nil }
    }
    var seen: Set<Int> = []
    let named = expanded.filter { position in
      outline.traits[position].contains(.lazy) && outline.childCounts[position] == 0
        && !outline.isExpandedBySomebody(position) && seen.insert(position).inserted
    }
    result.awaited = awaited(at: named, of: lists[name]!)
    return result
  }

  /// What is expanded after edits, and the positions of the items that they expand by name.
  private mutating func expansion(
    of list: NamedList, _ view: ViewState, after edits: [OutlineEdit]
  ) throws(ListFailure) -> (Expansion, expanded: [Int]) {
    var expansion = view.expansion
    var expanded: [Int] = []
    var index = PositionIndex(view, forReferences: edits.reduce(0) { $0 + $1.items.count })
    // Paths lead to what is shown after the edits before.
    var shown = list
    var isShown = true
    for (number, edit) in edits.enumerated() {
      if !isShown, edit.items.contains(where: \.isPath) {
        shown.view!.show(expansion)
        let positions = shown.view!.rules.window?.isAnchored == true ? shown.view!.positions : []
        shown.view!.anchor = view.anchor?.raised(in: shown.view!.arrangement, positions)
        if let window = view.rules.window { shown.view!.showWindow(window) }
        shown.snapshot = shownItems(of: shown.view!)
        isShown = true
      }
      var positions: [Int] = []
      var missing: [Int] = []
      for (place, reference) in edit.items.enumerated() {
        do throws(ListFailure) {
          let found = try position(of: reference, in: shown, history: list, &index)
          if let found { positions.append(found) } else { missing.append(place) }
        } catch .revisionNotFound(_, let revision, let oldest, let current) {
          throw .edit(
            index: number, .revisionNotFound(revision, oldest: oldest, current: current))
        }
      }
      guard missing.isEmpty else { throw .edit(index: number, .itemsNotFound(missing)) }
      edit.make(
        &expansion, view.arrangement.outline!, at: positions, order: view.arrangement.order,
        among: view.items.snapshot.itemCount)
      isShown = false
      switch edit {
      case .expandItems: expanded += positions
      case .collapseItems, .collapseAll:
        expanded.removeAll {
          expansion[Int(view.arrangement.order[$0])] != .expanded
        }
      case .revealItems, .expandAll: break
      }
    }
    return (expansion, expanded)
  }

  /// The position of the item of an outline that a reference names; paths are those of what is `shown`.
  private mutating func position(
    of reference: ItemReference, in shown: NamedList, history list: NamedList,
    _ index: inout PositionIndex
  ) throws(ListFailure) -> Int? {
    switch reference {
    case .path(let section, let row, nil):
      return shown.snapshot.row(section: section, row).map {
        shown.position(ofShown: shown.snapshot.item(ofRow: $0))
      }
    case .path(let section, let row, let revision?):
      let past = try past(revision, of: list, in: list.view!.items.snapshot, &index.pasts)
      guard let item = past.item(section: section, row: row)?.index else { return nil }
      return index.position(ofItem: item)
    case .id(let id, let occurrence, let source):
      guard let id else { return nil }
      return index.position(withOneOf: keys(of: id, in: list, source: source), occurrence)
    }
  }

  /// The items among some of an outline, by their keys in ordinary lists, whose children are awaited.
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
  /// Whether it is a path in the current list.
  var isPath: Bool {
    if case .path(_, _, nil) = self { true } else { false }
  }
}

/// The positions of the items of an outline, by key.
private struct PositionIndex {
  private let keys: [UInt32]
  private let order: [Int32]

  /// By item of the sources its position, -1 for none.
  private let positions: [Int32]

  /// The older revisions that references were to.
  var pasts: [Int: PastSnapshot] = [:]

  /// By key the positions of its items, ascending; made only for many references.
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

  /// The position of an item of the sources; nil if the outline does not have it.
  func position(ofItem item: Int) -> Int? { positions[item] < 0 ? nil : Int(positions[item]) }

  /// The position of the `occurrence`-th item that has one of some keys.
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
