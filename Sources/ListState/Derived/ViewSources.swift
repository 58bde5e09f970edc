/// The items of a view's sources, with what is known of them when its definition is evaluated.
struct ViewSources: Sendable {
  var items: ViewItems

  /// The data that the rules have prepared for these items, or for the `earlier` ones.
  var memory: (any ViewMemory)?

  /// What views of the same items have prepared.
  var prepared: PreparedSources?
  private(set) var earlier: EarlierViewItems?

  init(_ items: ViewItems) { self.items = items }

  /// Sets the items that a view had before a change, and the map of these to the present ones.
  mutating func setEarlier(items view: LiveView?, _ toNew: [Int32]) {
    guard let view else { return }
    let snapshot = view.sources.snapshot()
    memory = view.memory(of: snapshot, isStopped: { false })
    earlier = EarlierViewItems(snapshot: snapshot, toNew: toNew)
  }
}

extension LiveView {
  /// Returns the items of the sources with what the view has prepared of them, to evaluate a definition; `nil`
  /// if it `isStopped`.
  ///
  /// - Complexity: O(*n*) after edits and for outlines, where *n* is the number of items; else O(1).
  func evaluable(
    _ rules: (any ViewRules)?, using keyIndices: inout LastKeyIndices, isStopped: () -> Bool
  ) -> ViewSources? {
    var items = ViewItems(sources.snapshot(isStopped: isStopped), sourceStarts: sourceStarts)
    if isStopped() { return nil }
    let outline = rules?.outline?.parent == outline?.member ? outline : nil
    if let outline {
      let keys = sources.repeats.isEmpty ? items.snapshot.arrangement.rows : Array(sources.keys)
      if !outline.isInOrder { keyIndices.record(keys, isStopped: isStopped) { _, _ in } }
      if isStopped() { return nil }
      items.links = outline.links(of: keys, keyIndices)
    }
    var result = ViewSources(items)
    result.memory = memory(of: items.snapshot, isStopped: isStopped)
    if sources.repeats.isEmpty {
      result.prepared = PreparedSources(
        tree: sources, texts: texts, outline: outline?.isInOrder == true ? outline : nil)
    }
    return isStopped() ? nil : result
  }

  /// Returns the data that the rules have prepared for the items of the sources; none if it `isStopped`.
  ///
  /// - Complexity: O(*n*) after edits, where *n* is the number of items; else O(1).
  func memory(of items: Snapshot, isStopped: () -> Bool) -> (any ViewMemory)? {
    if let memory { return memory }
    let keys = sources.repeats.isEmpty ? items.arrangement.rows : Array(sources.keys)
    return textNumbers(of: keys, isStopped: isStopped).flatMap {
      rules.memory(texts: $0, count: keys.count)
    }
  }
}

/// The marks of a list by the indices of items in its sources.
struct SourceMarks: Sendable {
  var selected: [Int] = []
  var anchor: Int?
  var extended: [Int] = []

  var isEmpty: Bool { selected.isEmpty && anchor == nil && extended.isEmpty }

  /// Returns the marks of the items to which an index map leads.
  func mapped(by toNew: [Int32]?) -> SourceMarks {
    SourceMarks(
      selected: selected.compactMap { $0.mapped(by: toNew) },
      anchor: anchor?.mapped(by: toNew), extended: extended.compactMap { $0.mapped(by: toNew) })
  }
}

extension [Int: ExpansionState] {
  /// Returns the states of the items to which an index map leads.
  func mapped(by toNew: [Int32]?) -> Self {
    guard let toNew else { return self }
    var result: Self = [:]
    for (item, state) in self { if let new = item.mapped(by: toNew) { result[new] = state } }
    return result
  }
}

extension Int {
  /// Returns the index to which a map leads, the same without a map; `nil` if it leads to none.
  func mapped(by toNew: [Int32]?) -> Int? {
    guard let toNew else { return self }
    return toNew[self] < 0 ? nil : Int(toNew[self])
  }
}

extension ListTree {
  /// The marks of the items by their indices.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items with marks.
  var marksByIndex: SourceMarks {
    if selectedCount == 0, marks.anchor == nil, marks.extended.isEmpty { return SourceMarks() }
    return SourceMarks(
      selected: selectedIndices, anchor: marks.anchor.flatMap(index(ofKey:)),
      extended: marks.extended.compactMap(index(ofKey:)).sorted())
  }
}

extension NamedList {
  /// The marks by the indices of items in the sources of a view; for other lists by those of its own items.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items with marks and *n* that of all items.
  var sourceMarks: SourceMarks {
    // Does not copy a view.
    if !isView { return tree?.marksByIndex ?? SourceMarks() }
    guard let live, let all = knownTree else { return SourceMarks() }
    func item(_ key: UInt32) -> Int? { live.sources.index(ofKey: key) }
    return SourceMarks(
      selected: all.selectedIndices.compactMap { all.key(at: $0).flatMap(item) },
      anchor: all.marks.anchor.flatMap(item), extended: all.marks.extended.compactMap(item))
  }

  /// The states of the items of an outline by their indices in the sources.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items with a state and *n* that of all items.
  var sourceStates: [Int: ExpansionState] {
    guard let live, let outline = live.outline else { return [:] }
    var states: [Int: ExpansionState] = [:]
    for (node, state) in outline.states {
      if let item = live.sources.index(ofKey: outline.nodes[node].key) { states[item] = state }
    }
    return states
  }

  /// Returns the index in the sources of an item that the list shows.
  func sourceItem(at item: Int) -> Int? {
    guard let live, let tree else { return item }
    return tree.key(at: item).flatMap(live.sources.index(ofKey:))
  }

  /// Returns the index in the sources of the item of a row that the list shows.
  func sourceItem(ofRow row: Int) -> Int? {
    guard let tree else { return nil }
    guard let live else { return tree.location(ofRow: row).map { tree.index(of: $0.item) } }
    return tree.key(ofRow: row).flatMap(live.sources.index(ofKey:))
  }

  /// Selects the items of a list that is not shared, and no others.
  mutating func select(_ items: [ListTree.Location]) {
    var live = live.take()
    if var all = live?.all.take() {
      all.apply(.replace, to: items, in: nil)
      let (selected, deselected) = all.selectionChange
      tree!.select(selected + deselected, as: all)
      live!.all = all
    } else {
      tree!.apply(.replace, to: items, in: nil)
    }
    self.live = live
    finishChange()
  }

  /// Shows the selection of the sources in a view that has it: `items` are the selected ones.
  mutating func select(inSources items: [Int]) {
    var live = live.take()!
    let keys = (live.sources.selectedIndices + items).compactMap(live.sources.key(at:))
    live.sources.select(only: items)
    if var all = live.all.take() {
      live.showSelection(ofSources: keys, in: &all)
      tree!.select(keys, as: all)
      live.all = all
    } else {
      live.showSelection(ofSources: keys, in: &tree!)
    }
    self.live = live
    finishChange()
  }
}
