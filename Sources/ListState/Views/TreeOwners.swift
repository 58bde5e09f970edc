import ListDiff

/// The lists that have the selection of a view's items if all of them, and all views between, are
/// kept as trees.
struct TreeOwners: SelectionOwners {
  private struct List {
    let name: [UInt8]

    /// For a view that shows the selection of its sources, these by the keys of their names.
    var sources: [UInt32: Int] = [:]
    var exchangedKeys = ExchangedKeys()

    /// The index in `open` if the list is there.
    var index: Int?
  }

  /// The items of the view.
  let all: ListTree

  /// The lists; the first is the requested view.
  private var lists: [List]

  /// The lists that have a selection and whose items were asked for.
  private var open: [OpenSelection] = []

  /// Returns `nil` if a list is not kept as a tree.
  init?(_ store: borrowing ListStore, _ name: [UInt8]) {
    guard let all = store.lists[name]?.allTree else { return nil }
    self.all = all
    lists = [List(name: name)]
    var numbers = [name: 0]
    var next = 0
    while next < lists.count {
      defer { next += 1 }
      guard let list = store.lists[lists[next].name] else { continue }
      if list.tree == nil { return nil }
      guard let live = list.live, live.definition.selectsInSources else { continue }
      lists[next].exchangedKeys = live.exchangedKeys
      for source in list.sources ?? [] {
        guard let key = source.withUnsafeBytes({ store.ids.find(.string, $0) }) else { continue }
        let number = numbers[source, default: lists.count]
        if number == lists.count {
          numbers[source] = number
          lists.append(List(name: source))
        }
        lists[next].sources[key] = number
      }
    }
  }

  func owner(of position: Int, _ ids: IDTable) -> SelectionOwner {
    var (list, key) = (0, all.key(at: position)!)
    while !lists[list].sources.isEmpty {
      guard let (source, item) = ids.sourceItem(of: lists[list].exchangedKeys.sourceKey(of: key)),
        let next = lists[list].sources[source]
      else { preconditionFailure("an item of a view comes from a source") }
      (list, key) = (next, item)
    }
    return SelectionOwner(list: list, item: Int(key))
  }

  func isShown(_ position: Int) -> Bool {
    all.shownCount == all.itemCount || !all.isHidden(all.location(at: position)!)
  }

  func positions(ofSelectedIn range: Range<Int>) -> [Int] {
    all.selectedIndices.filter(range.contains)
  }

  /// Returns the selection mode of an item's section before the change.
  func modeBefore(_ owner: SelectionOwner, _ store: borrowing ListStore) -> SelectionMode {
    store.lists[lists[owner.list].name]!.allTree!.mode(ofItem: owner.item)
  }

  /// Returns the index in `open` of an item's list.
  private mutating func index(of owner: SelectionOwner, _ store: inout ListStore) -> Int {
    if let index = lists[owner.list].index { return index }
    lists[owner.list].index = open.count
    open.append(store.beginSelection(of: lists[owner.list].name))
    return open.count - 1
  }

  mutating func mode(_ owner: SelectionOwner, _ store: inout ListStore) -> SelectionMode {
    open[index(of: owner, &store)].all.mode(ofItem: owner.item)
  }

  mutating func insert(_ owner: SelectionOwner, _ store: inout ListStore) -> Bool {
    open[index(of: owner, &store)].all.setSelected(true, ofItem: owner.item)
  }

  mutating func remove(_ owner: SelectionOwner, _ store: inout ListStore) {
    _ = open[index(of: owner, &store)].all.setSelected(false, ofItem: owner.item)
  }

  @discardableResult
  mutating func apply(
    _ action: SelectionAction, _ owner: SelectionOwner, _ store: inout ListStore
  ) -> Bool {
    open[index(of: owner, &store)].all.apply(action, toItem: owner.item)
  }

  consuming func store(in store: inout ListStore) -> [[UInt8]: SelectionChange] {
    var changes: [[UInt8]: SelectionChange] = [:]
    // The trees of a list would be copied if this value still had them.
    while let open = open.popLast() {
      let name = open.name
      changes[name] = store.endSelection(open)
    }
    return changes
  }
}

extension ListTree {
  fileprivate func location(ofItem key: Int) -> Location {
    guard let location = location(of: UInt32(key)) else {
      preconditionFailure("an item of a view is in its source")
    }
    return location
  }

  /// Returns the selection mode of an item's section; `none` if the item cannot be selected.
  fileprivate func mode(ofItem key: Int) -> SelectionMode {
    let location = location(ofItem: key)
    guard allowsSelection(location) else { return .none }
    return sections[section(ofLeaf: location.leaf)].traits.selectionMode
  }

  /// Selects or deselects an item, whatever the rules are. Returns whether that changes it.
  fileprivate mutating func setSelected(_ isSelected: Bool, ofItem key: Int) -> Bool {
    let location = location(ofItem: key)
    guard self.isSelected(location) != isSelected else { return false }
    setSelected(isSelected, at: location)
    return true
  }

  /// Applies an action to an item. Returns whether the item was not selected before.
  fileprivate mutating func apply(_ action: SelectionAction, toItem key: Int) -> Bool {
    let location = location(ofItem: key)
    let isNew = !isSelected(location)
    apply(action, to: [location], in: nil)
    return isNew
  }
}

extension ListStore {
  /// Changes the selection of a view that shows the selection of its sources, its cursor, or both.
  /// Returns `nil` if the view or a list that has its selection is not kept as a tree, or if a
  /// reference is to an older revision.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that are named, selected or
  ///   deselected and *n* that of all items; O(*n* log *n*) for `all` and `invert`.
  /// - Throws: the errors of ``select(_:_:)``.
  mutating func selectSourceTrees(
    _ name: [UInt8], _ request: SelectRequest
  ) throws(ListFailure) -> (own: SelectionChange, all: [SelectionChange])? {
    let references = (request.items ?? []) + (request.cursor.map { [$0] } ?? [])
    guard lists[name]?.view?.rules.selectsInSources == true,
      references.allSatisfy(\.isCurrent), var owners = TreeOwners(self, name)
    else { return nil }
    let (named, range, cursor) = try resolve(request, in: lists[name]!, owners)
    finishEdits()
    let own = endSelection(
      beginSelection(of: name), setsCursor: request.setsCursor, cursor: cursor)
    guard request.action != nil || request.items != nil else { return (own, [own]) }
    var treeMarks = owners.all.marks
    var marks = PositionMarks(
      anchor: treeMarks.anchor.flatMap(owners.all.index(ofKey:)),
      extended: treeMarks.extended.compactMap(owners.all.index(ofKey:)).sorted())
    owners.apply(request.action ?? .toggle, to: named, in: range, &marks, &self)
    treeMarks.anchor = marks.anchor.flatMap(owners.all.key(at:))
    treeMarks.extended = Set(marks.extended.compactMap(owners.all.key(at:)))
    let all = followSelections((consume owners).store(in: &self), of: name)
    lists[name]!.setMarks(treeMarks)
    if let own = all.first(where: { $0.name == name }) { return (own, all) }
    return (own, all + [own])
  }

  /// Finds the positions of the items that a request names, the range to which it applies, and the
  /// row of the cursor.
  private func resolve(
    _ request: SelectRequest, in list: NamedList, _ owners: TreeOwners
  ) throws(ListFailure) -> (named: [Int], range: Range<Int>, cursor: Int?) {
    let all = owners.all
    var range = 0..<all.itemCount
    if let key = request.section {
      guard let section = key.flatMap(all.section(withKey:)) else { throw .sectionNotFound }
      let first = all.order.position(of: section).before.items
      range = first..<first + all.forest.sums(ofTree: section).items
    }
    let found = try resolve(request, in: list, all) { location in
      owners.modeBefore(owners.owner(of: all.index(of: location), ids), self) != .none
    }
    let named = found.items?.map(all.index(of:)) ?? []
    if request.section != nil {
      let others = Self.others(
        named.indices, request.action, hasAnchor: all.marks.anchor != nil
      ) { range.contains(named[$0]) }
      guard others.isEmpty else { throw .itemsOutsideSection(others) }
    }
    return (named, range, found.cursor)
  }
}
