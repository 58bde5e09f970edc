/// What a view needs of its rules to be an outline.
package struct OutlineRules: Sendable {
  /// The names that lead to the member that holds the identifier of an item's parent.
  package var parent: [[UInt8]]

  /// How many levels of items that nobody has expanded or collapsed are expanded.
  package var openLevels: Int

  /// An outline by a member.
  package init(parent: [[UInt8]], openLevels: Int = 0) {
    self.parent = parent
    self.openLevels = openLevels
  }
}

/// What the items of a view's sources say of their parents.
package struct ParentLinks: Sendable {
  /// The member that was read.
  let member: [[UInt8]]

  /// By item its parent, -1 if it has none among the items.
  package internal(set) var parents: [Int32] = []

  /// The items that name a parent which is not among the items.
  var withMissingParents: [Int32] = []

  /// By item whether it has children that may be added later.
  var areLazy: [Bool] = []

  /// Whether an item has children that may be added later.
  package func isLazy(_ item: Int) -> Bool { areLazy[item] }
}

/// The tree that the items of a view are, each item before its descendants.
///
/// A position is an index among all items of the view, collapsed ones included.
package struct Outline: Sendable {
  /// What an item is beside its place in the tree.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Its children may be added later.
    package static let lazy = Traits(rawValue: 1)

    /// It is expanded whatever its state is.
    package static let forced = Traits(rawValue: 2)

    /// The view has it for its own sake, and not only for that of a descendant.
    package static let matched = Traits(rawValue: 4)
  }

  /// By position that of the parent, -1 for a root.
  private(set) var parents: [Int32] = []

  /// By position that after the last descendant.
  private(set) var ends: [Int32] = []

  /// By position the number of ancestors.
  private(set) var levels: [Int32] = []

  /// By position the number of children.
  private(set) var childCounts: [Int32] = []
  private(set) var traits: [Traits] = []

  /// The positions of the item that was added last and of its ancestors, while items are added.
  private var open: [Int32] = []

  /// The number of items that the view has for their own sake, and not for that of a descendant.
  package var matched = 0

  /// The items that are their own ancestors, by their indices in the sources.
  package var cyclic: [Int32] = []

  /// By section its first item, if the sections are made by the values of a member.
  package var firstItems: [Int32] = []

  /// How many levels of items that nobody has expanded or collapsed are expanded.
  package var openLevels = 0

  /// The positions of the items that are shown if there is no window, ascending.
  package private(set) var shown: [Int32] = []

  /// By position the state that somebody has given the item.
  private(set) var states: [ExpansionState] = []

  /// A tree without items.
  package init() {}

  /// Makes room for a number of items.
  package mutating func reserve(_ count: Int) {
    parents.reserveCapacity(count)
    ends.reserveCapacity(count)
    levels.reserveCapacity(count)
    childCounts.reserveCapacity(count)
    traits.reserveCapacity(count)
  }

  /// Adds an item after all items before it; its parent is the last one of the level above.
  package mutating func append(level: Int, _ traits: Traits) {
    close(to: level)
    if let parent = open.last { childCounts[Int(parent)] += 1 }
    parents.append(open.last ?? -1)
    open.append(Int32(truncatingIfNeeded: count))
    ends.append(0)
    levels.append(Int32(truncatingIfNeeded: level))
    childCounts.append(0)
    self.traits.append(traits)
  }

  /// Notes that all items have been added.
  package mutating func finish() { close(to: 0) }

  private mutating func close(to level: Int) {
    while open.count > level { ends[Int(open.removeLast())] = Int32(truncatingIfNeeded: count) }
  }
}

/// What somebody has done to an item of an outline.
package enum ExpansionState: UInt8, Sendable {
  /// Nobody has expanded or collapsed it.
  case none
  case expanded
  case collapsed
}

/// What is expanded and collapsed in an outline, by the indices of items in the sources.
package struct Expansion: Equatable, Sendable {
  /// By item its state; empty if all are `none`.
  private(set) var states: [ExpansionState] = []

  /// Nothing.
  package init() {}

  /// The state of an item.
  subscript(item: Int) -> ExpansionState { states.isEmpty ? .none : states[item] }

  /// Gives one of `count` items a state.
  mutating func set(_ state: ExpansionState, of item: Int, among count: Int) {
    if states.isEmpty { states = Array(repeating: .none, count: count) }
    states[item] = state
  }

  /// The same state of the same items, of which `toNew` says which they are among `count` others.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items; O(1) if nothing has a state.
  func carried(by toNew: [Int32], to count: Int) -> Expansion {
    var result = Expansion()
    for (item, state) in states.enumerated() where state != .none && toNew[item] >= 0 {
      result.set(state, of: Int(toNew[item]), among: count)
    }
    return result
  }

  /// The items that have a state, ascending.
  var all: [(item: Int, state: ExpansionState)] {
    states.enumerated().lazy.filter { $1 != .none }.map { ($0, $1) }
  }

  /// The items with a state, as runs of indices.
  func runs(of state: ExpansionState) -> [Range<Int>] {
    Self.runs(of: states.indices.lazy.filter { states[$0] == state })
  }

  /// Ascending indices as runs.
  static func runs(of items: some Sequence<Int>) -> [Range<Int>] {
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

  /// The state that was written down, of `count` items.
  package init(expanded: [Range<Int>], collapsed: [Range<Int>], count: Int) {
    for (runs, state) in [(expanded, ExpansionState.expanded), (collapsed, .collapsed)] {
      for run in runs {
        for item in run.clamped(to: 0..<count) { set(state, of: item, among: count) }
      }
    }
  }
}

extension Outline {
  /// The number of items.
  package var count: Int { ends.count }

  /// Whether the children of an item are shown if the item is.
  package func isExpanded(_ position: Int) -> Bool {
    traits[position].contains(.forced) || isExpandedBySomebody(position)
  }

  /// Whether the children of an item would be shown if nothing were forced.
  func isExpandedBySomebody(_ position: Int) -> Bool {
    switch states.isEmpty ? .none : states[position] {
    case .expanded: true
    case .collapsed: false
    case .none:
      if childCounts[position] == 0, traits[position].contains(.lazy) {
        false
      } else {
        levels[position] < openLevels
      }
    }
  }

  /// Whether it means anything that an item is expanded.
  package func canExpand(_ position: Int) -> Bool {
    childCounts[position] > 0 || traits[position].contains(.lazy)
  }

  /// Shows what an expansion says; `order` has the items by position.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  package mutating func show(_ expansion: Expansion, _ order: [Int32]) {
    states = expansion.states.isEmpty ? [] : order.map { expansion[Int($0)] }
    shown.removeAll(keepingCapacity: true)
    var position = 0
    while position < count {
      shown.append(Int32(truncatingIfNeeded: position))
      position = isExpanded(position) ? position + 1 : Int(ends[position])
    }
  }

  /// The item that is shown nearest above another one, or that one itself.
  ///
  /// - Complexity: O(*d*), where *d* is the number of ancestors.
  func shownAncestor(of position: Int) -> Int {
    var result = position
    var ancestor = Int(parents[position])
    while ancestor >= 0 {
      if !isExpanded(ancestor) { result = ancestor }
      ancestor = Int(parents[ancestor])
    }
    return result
  }

  /// The index of an item among those that are shown; `nil` if it is not.
  ///
  /// - Complexity: O(log *k*), where *k* is the number of items that are shown.
  func shownIndex(of position: Int) -> Int? {
    let index = shownCount(before: position)
    return index < shown.count && Int(shown[index]) == position ? index : nil
  }

  /// The number of items before a position that are shown.
  ///
  /// - Complexity: O(log *k*), where *k* is the number of items that are shown.
  package func shownCount(before position: Int) -> Int {
    var low = 0
    var high = shown.count
    while low < high {
      let middle = (low + high) / 2
      if Int(shown[middle]) < position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// What a row of an outline shows of the place of its item in the tree.
package struct OutlineRow: Sendable {
  package var level: Int
  package var childCount: Int

  /// Whether it is expanded; `nil` if it has no children and none may be added later.
  package var isExpanded: Bool?
}

extension Outline {
  /// What is shown of an item.
  func row(_ position: Int) -> OutlineRow {
    OutlineRow(
      level: Int(levels[position]), childCount: Int(childCounts[position]),
      isExpanded: canExpand(position) ? isExpanded(position) : nil)
  }
}
