import ListDiff

extension ListTree {
  /// Reports whether an item may be selected.
  func isSelectable(_ location: Location) -> Bool {
    !record(at: location).traits.contains(.notSelectable)
      && sections[section(ofLeaf: location.leaf)].traits.selectionMode != .none
  }

  /// Applies an action to named items that are selectable, in a section or in the whole list.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that are named, selected or
  ///   deselected; for `all` and `invert` O(*m*), where *m* is the number of items in sections with
  ///   multiple selection.
  mutating func apply(_ action: SelectionAction, to named: [Location], in section: Int?) {
    if change.marks == nil { change.marks = marks }
    if action != .extend { marks.extended = [] }
    switch action {
    case .toggle: for item in named { toggle(item) }
    case .select: for item in named { select(item) }
    case .deselect: for item in named { deselect(item) }
    case .replace: replace(section, with: named)
    case .extend: if let item = named.last { extend(to: item, section) }
    case .none: deselectAll(in: section, leavesHidden: true)
    case .all: changeMultiple(in: section, 0..<itemCount) { _ in true }
    case .invert: changeMultiple(in: section, 0..<itemCount) { !$0 }
    }
    switch action {
    case .toggle, .select, .replace: marks.anchor = named.last.map(key(at:)) ?? marks.anchor
    default: break
    }
  }

  private func key(at location: Location) -> UInt32 { record(at: location).key }

  private func isHidden(_ location: Location) -> Bool {
    leaves[location.leaf].isHidden(at: location.index)
  }

  private func isSelected(_ location: Location) -> Bool {
    leaves[location.leaf].isSelected(at: location.index)
  }

  private mutating func toggle(_ item: Location) {
    let traits = sections[section(ofLeaf: item.leaf)].traits
    guard isSelected(item) else { return select(item) }
    if traits.selectionMode == .multiple || traits.allowsEmptySelection { deselect(item) }
  }

  private mutating func select(_ item: Location) {
    let section = section(ofLeaf: item.leaf)
    if sections[section].traits.selectionMode == .single { deselectAll(in: section) }
    setSelected(true, at: item)
  }

  private mutating func deselect(_ item: Location) {
    let section = section(ofLeaf: item.leaf)
    let isNeeded = !sections[section].traits.allowsEmptySelection
    if isNeeded, isSelected(item), forest.sums(ofTree: section).selected == 1 { return }
    setSelected(false, at: item)
  }

  private mutating func deselectAll(in section: Int?, leavesHidden: Bool = false) {
    for section in section.map({ [$0] }) ?? selectedSections {
      forEachSelected(in: section) { tree, location in
        if !leavesHidden || !tree.isHidden(location) { tree.setSelected(false, at: location) }
      }
    }
  }

  private mutating func replace(_ section: Int?, with named: [Location]) {
    deselectAll(in: section, leavesHidden: true)
    for item in named { select(item) }
  }

  private mutating func extend(to item: Location, _ section: Int?) {
    guard let anchor = marks.anchor.flatMap(index(ofKey:)) else {
      replace(section, with: [item])
      marks.anchor = key(at: item)
      return
    }
    for key in marks.extended {
      guard let location = location(of: key), !isHidden(location) else { continue }
      setSelected(false, at: location)
    }
    marks.extended = []
    if sections[self.section(ofLeaf: item.leaf)].traits.selectionMode == .single {
      if !isSelected(item) { marks.extended = [key(at: item)] }
      return select(item)
    }
    let index = index(of: item)
    var added: Set<UInt32> = []
    changeMultiple(in: nil, min(anchor, index)..<max(anchor, index) + 1) { _ in
      true
    } added: {
      added.insert($0)
    }
    marks.extended = added
  }

  /// The sections with selected items.
  private var selectedSections: [Int] {
    var found: [Int] = []
    var seen = 0
    while let (section, before) = order.find(seen, .selected, inTree: 0) {
      found.append(section)
      seen = before.selected + forest.sums(ofTree: section).selected
    }
    return found
  }

  /// Selects or deselects the selectable items of a range that are in sections with multiple
  /// selection. Calls `added` with the items that become selected.
  private mutating func changeMultiple(
    in section: Int?, _ items: Range<Int>, _ isSelected: (Bool) -> Bool,
    added: (UInt32) -> Void = { _ in }
  ) {
    var next = items.lowerBound
    while next < items.upperBound, let (listed, before) = order.find(next, .items, inTree: 0) {
      let end = before.items + forest.sums(ofTree: listed).items
      let isAffected = section.map { $0 == listed } ?? true
      if isAffected, sections[listed].traits.selectionMode == .multiple {
        change(
          listed, next - before.items..<min(end, items.upperBound) - before.items, isSelected, added
        )
      }
      next = end
    }
  }

  private mutating func change(
    _ section: Int, _ rows: Range<Int>, _ isSelected: (Bool) -> Bool, _ added: (UInt32) -> Void
  ) {
    var row = rows.lowerBound
    while row < rows.upperBound, let (leaf, before) = forest.find(row, .items, inTree: section) {
      let end = before.items + leaves[leaf].count
      for index in row - before.items..<min(end, rows.upperBound) - before.items {
        let record = leaves[leaf][index]
        let was = record.traits.contains(.selected)
        guard record.traits.isDisjoint(with: [.notSelectable, .hidden]), isSelected(was) != was
        else { continue }
        setSelected(!was, at: Location(leaf: leaf, index: index))
        if !was { added(record.key) }
      }
      row = end
    }
  }
}
