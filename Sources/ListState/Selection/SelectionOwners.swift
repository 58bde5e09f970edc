/// The item of a list whose selection a view shows.
struct SelectionOwner: Hashable {
  /// The number of the list that has the selection.
  var list: Int

  /// The key of the item.
  var key: UInt32
}

/// The marks of a view beside its selected items, by positions.
struct PositionMarks {
  var anchor: Int?
  var extended: [Int]
}

/// The lists that have the selection of a view's items, during a change of it. All of them, and all views
/// between, are kept as trees. Positions are indices among all items of the view.
struct SelectionOwners {
  private struct List {
    let name: [UInt8]

    /// Whether it is a view that shows the selection of its sources.
    var showsSources = false

    /// The sources of such a view, by the keys of their names.
    var sources: [UInt32: Int] = [:]

    /// The source whose keys the view has.
    var keySource: Int?
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

  /// Creates the owners of the items of a view, which need not be stored yet. `all` has its items, with the keys
  /// that were exchanged.
  init(
    _ store: borrowing ListStore, _ view: NamedList, _ all: ListTree,
    _ exchangedKeys: ExchangedKeys = ExchangedKeys()
  ) {
    self.all = all
    lists = [List(name: view.name)]
    var numbers = [view.name: 0]
    var next = 0
    while next < lists.count {
      defer { next += 1 }
      guard let list = next == 0 ? view : store.lists[lists[next].name],
        list.viewRules?.selectsInSources == true
      else { continue }
      lists[next].showsSources = true
      lists[next].exchangedKeys =
        next == 0 ? exchangedKeys : list.live?.exchangedKeys ?? ExchangedKeys()
      for source in list.sources ?? [] {
        let number = numbers[source, default: lists.count]
        if number == lists.count {
          numbers[source] = number
          lists.append(List(name: source))
        }
        if list.keySource == source { lists[next].keySource = number }
        if let key = source.withUnsafeBytes({ store.ids.find(.string, $0) }) {
          lists[next].sources[key] = number
        }
      }
    }
  }

  /// Returns the owner of an item of the view.
  func owner(of position: Int, _ ids: IDTable) -> SelectionOwner {
    var (list, key) = (0, all.key(at: position)!)
    while lists[list].showsSources {
      key = lists[list].exchangedKeys.sourceKey(of: key)
      if !ids.isSourced(key), let next = lists[list].keySource {
        list = next
        continue
      }
      guard let (source, item) = ids.sourceItem(of: key), let next = lists[list].sources[source]
      else { preconditionFailure("an item of a view comes from a source") }
      (list, key) = (next, item)
    }
    return SelectionOwner(list: list, key: key)
  }

  /// Reports whether an item of the view is not collapsed.
  private func isShown(_ position: Int) -> Bool {
    all.shownCount == all.itemCount || !all.isHidden(all.location(at: position)!)
  }

  /// Returns the selection mode of an item's section before the change.
  func modeBefore(_ owner: SelectionOwner, _ store: borrowing ListStore) -> SelectionMode {
    store.lists[lists[owner.list].name]!.allTree!.mode(ofItem: owner.key)
  }

  /// Returns the index in `open` of an item's list.
  private mutating func index(of owner: SelectionOwner, _ store: inout ListStore) -> Int {
    if let index = lists[owner.list].index { return index }
    lists[owner.list].index = open.count
    open.append(store.beginSelection(of: lists[owner.list].name))
    return open.count - 1
  }

  /// Returns the selection mode of an item's section; `none` if the item cannot be selected.
  private mutating func mode(_ owner: SelectionOwner, _ store: inout ListStore) -> SelectionMode {
    open[index(of: owner, &store)].all.mode(ofItem: owner.key)
  }

  /// Selects an item in addition to others. Returns whether it was not selected before.
  private mutating func insert(_ owner: SelectionOwner, _ store: inout ListStore) -> Bool {
    open[index(of: owner, &store)].all.setSelected(true, ofItem: owner.key)
  }

  /// Deselects an item, whatever the rules are.
  private mutating func remove(_ owner: SelectionOwner, _ store: inout ListStore) {
    _ = open[index(of: owner, &store)].all.setSelected(false, ofItem: owner.key)
  }

  /// Applies an action to an item by the rules of its list. Returns whether the item was not
  /// selected before.
  @discardableResult
  private mutating func apply(
    _ action: SelectionAction, _ owner: SelectionOwner, _ store: inout ListStore
  ) -> Bool {
    open[index(of: owner, &store)].all.apply(action, toItem: owner.key)
  }

  /// Stores the changed selections. Returns the changes of what the lists show, by name.
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

extension SelectionOwners {
  /// Returns the owners of some items. Several rows that show one item are one owner, at the first
  /// index.
  private func distinct(_ named: [Int], _ ids: IDTable) -> [SelectionOwner] {
    var positions: [SelectionOwner: Int] = [:]
    return named.compactMap { position in
      let owner = owner(of: position, ids)
      guard positions[owner, default: position] == position else { return nil }
      positions[owner] = position
      return owner
    }
  }

  /// Deselects the items of a range that are not collapsed.
  private mutating func removeShown(in range: Range<Int>, _ store: inout ListStore) {
    for position in all.selectedIndices where range.contains(position) && isShown(position) {
      remove(owner(of: position, store.ids), &store)
    }
  }

  /// Applies an action likewise. Returns the marks of the view beside its selected items.
  mutating func apply(
    _ action: SelectionAction, to named: [Int], in range: Range<Int>, _ store: inout ListStore
  ) -> TreeMarks {
    var treeMarks = all.marks
    var marks = PositionMarks(
      anchor: treeMarks.anchor.flatMap(all.index(ofKey:)),
      extended: treeMarks.extended.compactMap(all.index(ofKey:)).sorted())
    apply(action, to: named, in: range, &marks, &store)
    treeMarks.anchor = marks.anchor.flatMap(all.key(at:))
    treeMarks.extended = Set(marks.extended.compactMap(all.key(at:)))
    return treeMarks
  }

  /// Applies an action to named items of the view, or to all items of a range, by the rules of the
  /// lists that have their selection.
  mutating func apply(
    _ action: SelectionAction, to named: [Int], in range: Range<Int>, _ marks: inout PositionMarks,
    _ store: inout ListStore
  ) {
    let isExtension = action == .extend && marks.anchor != nil
    for position in isExtension ? marks.extended : [] where isShown(position) {
      remove(owner(of: position, store.ids), &store)
    }
    marks.extended = []
    switch action {
    case .extend where isExtension:
      guard let last = named.last, let anchor = marks.anchor else { break }
      let owner = owner(of: last, store.ids)
      if mode(owner, &store) == .single {
        if apply(.select, owner, &store) { marks.extended = [last] }
      } else {
        for position in min(anchor, last)...max(anchor, last) where isShown(position) {
          let owner = self.owner(of: position, store.ids)
          guard mode(owner, &store) == .multiple else { continue }
          if insert(owner, &store) { marks.extended.append(position) }
        }
      }
    case .toggle, .select, .deselect:
      for owner in distinct(named, store.ids) { apply(action, owner, &store) }
    case .replace, .extend:
      removeShown(in: range, &store)
      let named = action == .extend ? Array(named.suffix(1)) : named
      for owner in distinct(named, store.ids) { apply(.select, owner, &store) }
    case .none:
      removeShown(in: range, &store)
    case .all, .invert:
      var seen: Set<SelectionOwner> = []
      for position in range where isShown(position) {
        let owner = owner(of: position, store.ids)
        guard seen.insert(owner).inserted, mode(owner, &store) == .multiple else { continue }
        if !insert(owner, &store), action == .invert { remove(owner, &store) }
      }
    }
    switch action {
    case .toggle, .select, .replace: marks.anchor = named.last ?? marks.anchor
    case .extend: marks.anchor = marks.anchor ?? named.last
    default: break
    }
  }
}

extension ListTree {
  fileprivate func location(ofItem key: UInt32) -> Location {
    guard let location = location(of: key) else {
      preconditionFailure("an item of a view is in its source")
    }
    return location
  }

  /// Returns the selection mode of an item's section; `none` if the item cannot be selected.
  fileprivate func mode(ofItem key: UInt32) -> SelectionMode {
    let location = location(ofItem: key)
    guard allowsSelection(location) else { return .none }
    return sections[section(ofLeaf: location.leaf)].traits.selectionMode
  }

  /// Selects or deselects an item, whatever the rules are. Returns whether that changes it.
  fileprivate mutating func setSelected(_ isSelected: Bool, ofItem key: UInt32) -> Bool {
    let location = location(ofItem: key)
    guard self.isSelected(location) != isSelected else { return false }
    setSelected(isSelected, at: location)
    return true
  }

  /// Applies an action to an item. Returns whether the item was not selected before.
  fileprivate mutating func apply(_ action: SelectionAction, toItem key: UInt32) -> Bool {
    let location = location(ofItem: key)
    let isNew = !isSelected(location)
    apply(action, to: [location], in: nil)
    return isNew
  }
}
