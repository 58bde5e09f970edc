import ListDiff

/// A view that follows edits of its sources item by item.
///
/// The items of the sources and those of the view are two trees. The position of an item in the
/// view is found by comparing it with other items; equal items are in the order of the sources.
struct LiveView: Sendable {
  var definition: any ViewRules

  /// The definition for one item at a time.
  var rules: any ItemRules

  /// The items of the sources, in the order of a composite.
  var sources: ListTree

  /// For each source the number of items before it.
  var sourceStarts: [Int]

  /// The index of each source, by the key of its name, and of the source whose keys the view has.
  var sourceIndices: [UInt32: Int]
  private let keySource: Int

  /// All items of the view if it has a window or is an outline, with their texts in the tree of the
  /// sources; otherwise these are the tree of the list.
  var all: ListTree?

  /// The items of the view that are behind those of ``all``; `nil` if there are none.
  private(set) var behind: ItemsBehind?

  /// The tree of the items of the sources, if the view is an outline.
  var outline: LiveOutline?

  /// The number of the prepared text of each item of the sources; `nil` if it is the index of the item.
  private(set) var texts: LeafTable?

  /// The number of items that have texts.
  private var textCount: Int

  /// The data that the rules have prepared for the items, until these change.
  private(set) var memory: (any ViewMemory)?

  /// The keys of repeated items that are not those of the sources.
  var exchangedKeys = ExchangedKeys()

  /// The items that the view may show, if it shows only the first item of each value; `nil` until the first change of
  /// the sources.
  var distinct: DistinctItems?

  /// What is known of the sort keys of the view's items.
  var sortKeys = LeafSortKeys()

  /// The item of the sources to which the window is anchored.
  var anchor: UInt32?

  /// The identifiers of the view's own sections, by key.
  var groups: [UInt32: GroupID] = [:]

  /// The items that the current change has selected or deselected in the sources, if the view shows
  /// their selection.
  var marked: [UInt32] = []

  /// The state to restore if the current change is undone.
  var before: Before

  struct Before {
    var definition: any ViewRules
    var sourceStarts: [Int]
    var anchor: UInt32?
    var exchangedKeys: ExchangedKeys
    var behind: ItemsBehind?

    /// The items whose texts may have changed.
    var texts: [UInt32] = []
  }

  /// Creates the trees of a view from what its definition has found at once. `texts` has the number of each
  /// item's text in `rules`, unless these are the indices of the items; `behind` are the items that `all`
  /// does not have; `selected` are the items of the sources whose selection is shown. Each item must have a
  /// key of its own.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources; O(1) beside `all` and
  ///   `selected` if the view has ``EvaluatedView/prepared``.
  init(
    _ view: EvaluatedView, of list: NamedList, _ rules: any ItemRules, texts: [Int32],
    all: ListTree?, behind: ItemsBehind?, _ repeats: RepeatedItems, selected: [Int],
    sourceIndices: [UInt32: Int], _ ids: inout IDTable
  ) {
    let items = view.items.snapshot
    definition = view.rules
    self.rules = rules
    self.all = all
    self.sourceIndices = sourceIndices
    keySource = list.sources?.lastIndex { $0 == list.keySource } ?? 0
    self.behind = behind
    // The trees of the sources may have given the items other keys since then.
    let prepared = repeats.isEmpty ? view.prepared : nil
    if let prepared {
      sources = prepared.tree
      sources.select(only: selected)
    } else {
      sources = ListTree(items, of: list.name, universe: ids.universe, selected: selected)
      sources.repeats = repeats
      sources.indexKeys()
    }
    sourceStarts = view.items.sourceStarts
    textCount = rules.preparesTexts ? items.itemCount : 0
    memory = view.memory
    if let known = prepared?.texts, !texts.isEmpty {
      self.texts = known
    } else if !texts.isEmpty {
      var numbers = LeafTable(count: textCount, universe: ids.universe)
      for item in 0..<textCount {
        numbers.set(Int(texts[item]), for: items.arrangement.rows[item], of: textCount)
      }
      self.texts = numbers
    }
    before = Before(
      definition: definition, sourceStarts: sourceStarts, anchor: nil,
      exchangedKeys: exchangedKeys, behind: behind)
    var sectionKeys: [UInt32] = []
    for (section, origin) in view.arrangement.sections.enumerated() {
      switch origin {
      case .source(let index): sectionKeys.append(items.arrangement.sections[index])
      case .own(let kind, let id, _):
        let bytes = Array(view.arrangement.texts[id])
        let key = bytes.withUnsafeBytes { ids.find(kind, $0) }
        precondition(key != nil, "section \(section) of a view has an identifier")
        groups[key!] = GroupID(kind, bytes)
        sectionKeys.append(key!)
      }
    }
    if view.arrangement.outline != nil {
      outline = LiveOutline(
        view, repeats, rules, sectionKeys: sectionKeys, universe: ids.universe, prepared?.outline
      ) { item in
        let bytes = items.bytes(of: items.payloads[item])
        return Self.link(of: items.arrangement.rows[item], bytes, rules, &ids).parent
      }
    }
  }

  var hidesEmptySections: Bool { definition.hidesEmptySections }
  var window: ViewWindow? { definition.window }

  /// Records that the texts of items may have changed.
  mutating func noteTexts(_ keys: some Sequence<UInt32>) { before.texts += keys }

  /// Returns the number of the prepared text of an item of the sources; -1 if there is none.
  func text(at location: ListTree.Location) -> Int32 {
    guard rules.preparesTexts else { return -1 }
    let number = texts.map { $0[sources.key(at: location)] ?? -1 } ?? sources.index(of: location)
    return Int32(truncatingIfNeeded: number)
  }

  /// Keeps the number of each item's text, because the indices of the items will change.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources; O(1) after that.
  mutating func keepTextNumbers() {
    memory = nil
    guard texts == nil, rules.preparesTexts else { return }
    var numbers = LeafTable()
    for (index, key) in sources.keys.enumerated() { numbers.set(index, for: key, of: textCount) }
    texts = numbers
  }

  /// Prepares the texts of items again.
  mutating func refreshTexts(_ keys: some Sequence<UInt32>) {
    // The texts would be copied if it still had them.
    memory = nil
    guard rules.preparesTexts else { return }
    var items: [(key: UInt32, location: ListTree.Location?)] = []
    var replaced: [(old: Int32?, new: UnsafeRawBufferPointer?)] = []
    for key in keys {
      let location = sources.location(of: key)
      items.append((key, location))
      let old =
        texts.map { $0[key] }
        ?? location.map(sources.index(of:)).flatMap {
          $0 < textCount ? $0 : nil
        }
      replaced.append(
        (
          old.map { Int32(truncatingIfNeeded: $0) },
          location.map { sources.bytes(of: sources.record(at: $0).payload) }
        ))
    }
    for ((key, location), number) in zip(items, rules.replaceTexts(replaced)) {
      if texts == nil, let location, let number, Int(number) == sources.index(of: location) {
        continue
      }
      keepTextNumbers()
      if let number {
        texts!.set(Int(number), for: key, of: sources.itemCount)
      } else {
        texts!.remove(key)
      }
    }
    textCount = sources.itemCount
  }

  /// Gives texts to items with other keys.
  mutating func exchangeTexts(_ keys: [KeyChange]) {
    memory = nil
    guard texts != nil else { return }
    for (key, number) in keys.map({ ($0.new, texts![$0.old]) }) {
      if let number {
        texts!.set(number, for: key, of: sources.itemCount)
      } else {
        texts!.remove(key)
      }
    }
  }

  /// Sets the items behind those of ``all``, if nothing has changed yet.
  mutating func setBehind(_ items: ItemsBehind?) {
    behind = items
    before.behind = items
  }

  /// Changes the number of items behind those of ``all``.
  mutating func setBehind(count: Int) {
    behind = count > 0 ? ItemsBehind(count: count) : nil
  }

  /// Returns the number of the text of each item of the sources; an empty array if the numbers are the
  /// indices of the items, or if the rules prepare no texts. Returns `nil` if it `isStopped`.
  func textNumbers(of keys: [UInt32], isStopped: () -> Bool) -> [Int32]? {
    var numbers: [Int32] = []
    guard let texts else { return isStopped() ? nil : numbers }
    for (index, key) in keys.enumerated() {
      if index & 0xFFF == 0, isStopped() { return nil }
      let text = texts[key]!
      if numbers.isEmpty {
        if text == index { continue }
        numbers.reserveCapacity(keys.count)
        numbers += 0..<Int32(truncatingIfNeeded: index)
      }
      numbers.append(Int32(truncatingIfNeeded: text))
    }
    return isStopped() ? nil : numbers
  }

  /// Restores the state before the change.
  mutating func undoChange() {
    if !before.texts.isEmpty { keepTextNumbers() }
    sources.undoChange()
    all?.undoChange()
    distinct?.undoChange()
    outline?.undoChange()
    definition = before.definition
    sourceStarts = before.sourceStarts
    anchor = before.anchor
    exchangedKeys = before.exchangedKeys
    behind = before.behind
    var seen = Set<UInt32>()
    refreshTexts(before.texts.filter { seen.insert($0).inserted })
    before.texts = []
  }

  /// Removes what was recorded to undo the change.
  mutating func finishChange() {
    sources.finishChange()
    all?.finishChange()
    distinct?.finishChange()
    outline?.finishChange()
    marked = []
    before = Before(
      definition: definition, sourceStarts: sourceStarts, anchor: anchor,
      exchangedKeys: exchangedKeys, behind: behind)
  }

  /// Returns whether an item is selected in the view without its window or, if the view shows the
  /// selection of its sources, there.
  func isSelected(_ key: UInt32) -> Bool {
    func isSelected(_ tree: ListTree) -> Bool {
      tree.location(of: key).map(tree.record(at:))?.traits.contains(.selected) ?? false
    }
    return definition.selectsInSources ? isSelected(sources) : all.map(isSelected) ?? false
  }

  /// Returns the numbers of the view.
  func numbers(_ range: Range<Int>, matched: Int) -> ViewNumbers {
    ViewNumbers(
      start: range.lowerBound, matched: outline?.matched ?? matched, total: sources.itemCount,
      shown: outline == nil ? nil : all?.shownCount)
  }

  /// Returns the range of the items that the window shows.
  func range(of all: ListTree) -> Range<Int> {
    guard let window else { return 0..<all.shownCount }
    let count = all.shownCount + (behind?.count ?? 0)
    return window.range(of: count, anchor: anchor.flatMap(all.shownIndex(ofKey:)))
  }

  /// Returns an item of the sources as the rules see it.
  func viewed(at location: ListTree.Location, _ ids: borrowing IDTable) -> ViewedItem {
    let record = sources.record(at: location)
    return ViewedItem(
      bytes: sources.bytes(of: record.payload),
      source: rules.sortsBySource
        ? ids.source(of: record.key).flatMap { sourceIndices[$0.list] } ?? keySource : 0,
      text: text(at: location), rank: outline?.rank(of: record.key))
  }

  /// Returns the item of the sources that is an item of the view.
  func source(of record: ItemRecord) -> ItemRecord {
    guard let location = sources.location(of: record.key) else {
      preconditionFailure("an item of a view is one of its sources")
    }
    return sources.record(at: location)
  }

  /// Returns an item of the sources for the tree of all items of the view.
  func record(of source: ItemRecord, in all: inout ListTree) -> ItemRecord {
    if all.hasTexts { return all.adopt(source, from: sources) }
    var record = source
    record.payload = .empty
    record.parts = all.adoptParts(of: source, from: sources)
    return record
  }
}

extension LiveView {
  /// Returns what a list that is this view and shows some items has beside them.
  func state(showing shown: ListTree) -> ViewState {
    let all = all ?? shown
    return ViewState(
      rules: definition, numbers: numbers(range(of: all), matched: count(all)),
      anchorItem: window?.isAnchored == true ? anchor.flatMap(sources.index(ofKey:)) : nil,
      expansionNumber: outline?.stateNumber ?? 0)
  }
}
