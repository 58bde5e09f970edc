import ListDiff

/// The lists that have the selection of a view's items if they, and all views between, are kept as
/// snapshots.
struct SnapshotOwners: SelectionOwners {
  /// A view between the requested one and a list that has the selection.
  private struct Step {
    let order: [Int32]
    let sourceStarts: [Int]

    /// For each source its list, and the index of its step if it is a view that shows the selection
    /// of its sources.
    let sources: [(list: Int, view: ViewState?, step: Int?)]
  }

  private struct Owned {
    let list: NamedList
    let all: Snapshot
    var selection: Selection
  }

  /// The views between; the first is the requested one, unless it has its own selection.
  private var steps: [Step] = []

  /// The items of the view that are not collapsed; `nil` if all are.
  private let shown: BitSet?

  /// The lists; the first is the requested view.
  private var names: [[UInt8]]

  /// The lists that have a selection and whose items were asked for, by number.
  private var lists: [Owned?] = []

  init(_ store: borrowing ListStore, _ list: NamedList) {
    names = [list.name]
    lists = [nil]
    shown = list.view?.shownPositions
    guard list.view?.rules.selectsInSources == true else { return }
    var views = [list]
    var indices = [list.name: 0]
    var numbers = [list.name: 0]
    var next = 0
    while next < views.count {
      let view = views[next]
      next += 1
      var sources: [(list: Int, view: ViewState?, step: Int?)] = []
      for name in view.sources ?? [] {
        let source = store.lists[name]
        if let source, source.view?.rules.selectsInSources == true, indices[name] == nil {
          indices[name] = views.count
          views.append(source)
        }
        let number = numbers[name, default: names.count]
        if number == names.count {
          numbers[name] = number
          names.append(name)
          lists.append(nil)
        }
        sources.append((number, source?.view, indices[name]))
      }
      steps.append(
        Step(
          order: view.view!.arrangement.order, sourceStarts: view.view!.items.sourceStarts,
          sources: sources))
    }
  }

  func owner(of position: Int, _ ids: IDTable) -> SelectionOwner {
    var owner = SelectionOwner(list: 0, item: position)
    var step = steps.isEmpty ? nil : 0
    while let index = step {
      let item = Int(steps[index].order[owner.item])
      // If several sources begin at the same item, all but the last are empty.
      let source = steps[index].sourceStarts.lastIndex { $0 <= item } ?? 0
      let found = steps[index].sources[source]
      let shown = item - steps[index].sourceStarts[source]
      owner = SelectionOwner(
        list: found.list, item: found.view?.position(ofShown: shown) ?? shown)
      step = found.step
    }
    return owner
  }

  func isShown(_ position: Int) -> Bool { shown?.contains(position) ?? true }

  // A new view does not have the selection of its sources yet.
  func positions(ofSelectedIn range: Range<Int>) -> [Int] { Array(range) }

  private mutating func open(_ owner: SelectionOwner, _ store: inout ListStore) {
    guard lists[owner.list] == nil else { return }
    store.flatten(names[owner.list])
    let list = store.lists[names[owner.list]]!
    lists[owner.list] = Owned(
      list: list, all: store.allItems(of: list), selection: list.fullSelection)
  }

  mutating func mode(_ owner: SelectionOwner, _ store: inout ListStore) -> SelectionMode {
    open(owner, &store)
    let all = lists[owner.list]!.all
    guard all.isSelectable(owner.item) else { return .none }
    return all.sections[all.section(ofItem: owner.item)].selectionMode
  }

  mutating func insert(_ owner: SelectionOwner, _ store: inout ListStore) -> Bool {
    open(owner, &store)
    return lists[owner.list]!.selection.items.insert(owner.item)
  }

  mutating func remove(_ owner: SelectionOwner, _ store: inout ListStore) {
    open(owner, &store)
    lists[owner.list]!.selection.items.remove(owner.item)
  }

  @discardableResult
  mutating func apply(
    _ action: SelectionAction, _ owner: SelectionOwner, _ store: inout ListStore
  ) -> Bool {
    open(owner, &store)
    let owned = lists[owner.list]!
    lists[owner.list]!.selection.apply(action, to: [owner.item], section: nil, in: owned.all)
    return !owned.selection.items.contains(owner.item)
  }

  consuming func store(in store: inout ListStore) -> [[UInt8]: SelectionChange] {
    var changes: [[UInt8]: SelectionChange] = [:]
    for owned in lists {
      guard let owned else { continue }
      var list = owned.list
      let before = list.selection.items
      list.fullSelection = owned.selection
      store.store(list)
      let changesMarks = before != list.selection.items
      changes[list.name] = SelectionChange(of: list, since: before, changesMarks: changesMarks)
    }
    return changes
  }
}
