import ListDiff
import SumTrees

extension ListTree: SelectionTree {
  func key(at location: Location) -> UInt32 {
    leaves[location.leaf].key(at: location.index)
  }

  func isSelected(_ location: Location) -> Bool {
    leaves[location.leaf].isSelected(at: location.index)
  }

  func isHidden(_ location: Location) -> Bool {
    leaves[location.leaf].isHidden(at: location.index)
  }

  func allowsSelection(_ location: Location) -> Bool {
    !leaves[location.leaf].isBarred(at: location.index)
  }

  func selectionRule(ofSection section: Int) -> SelectionRule {
    let traits = sections[section].traits
    let limit =
      traits.selectionMode == .multiple ? Int.max : traits.selectionMode == .single ? 1 : 0
    return SelectionRule(limit: limit, allowsEmpty: traits.allowsEmptySelection)
  }

  /// Sets the marks beside the selected items.
  mutating func setMarks(_ marks: TreeMarks) {
    if change.marks == nil { change.marks = self.marks }
    self.marks = marks
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
}
