/// What makes a view an outline.
package struct OutlineRules: Sendable {
  /// The name of the member that holds the identifier of an item's parent.
  package var parent: [UInt8]

  /// The number of levels that are expanded unless somebody has collapsed them.
  package var openLevels: Int

  /// Creates the rules of an outline by a member.
  package init(parent: [UInt8], openLevels: Int = 0) {
    self.parent = parent
    self.openLevels = openLevels
  }
}

/// The parents that the items of a view's sources name.
package struct ParentLinks: Sendable {
  /// The name of the member that was read.
  let member: [UInt8]

  /// The parent of each item; -1 if it has none among the items.
  package internal(set) var parents: [Int32] = []

  /// The items that name a parent which is not among the items.
  var withMissingParents: [Int32] = []

  /// Whether each item has children that may be added later.
  var areLazy: [Bool] = []

  /// Returns whether an item has children that may be added later.
  package func isLazy(_ item: Int) -> Bool { areLazy[item] }
}

/// The tree of the items of a view, in which each item precedes its descendants.
///
/// A position is an index among all items of the view, collapsed ones included.
package struct Outline: Sendable {
  /// The properties of an item other than its position in the tree.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Its children may be added later.
    package static let lazy = Traits(rawValue: 1)

    /// It is expanded regardless of its state.
    package static let forced = Traits(rawValue: 2)

    /// The view has it because of the item itself, not only because of a descendant.
    package static let matched = Traits(rawValue: 4)
  }

  /// The position of the parent, by position; -1 for a root.
  private(set) var parents: [Int32] = []

  /// The position after the last descendant, by position.
  private(set) var ends: [Int32] = []

  /// The number of ancestors, by position.
  private(set) var levels: [Int32] = []

  /// The number of children, by position.
  private(set) var childCounts: [Int32] = []
  private(set) var traits: [Traits] = []

  /// The best rank of the item and its descendants, by position; empty unless items are sorted by rank.
  private(set) var ranks: [ItemRank] = []

  /// While items are added, the positions of the last item and of its ancestors.
  private var open: [Int32] = []

  /// The number of items that are in the view because of themselves, not only because of a
  /// descendant.
  package var matched = 0

  /// The items that are their own ancestors, by their indices in the sources.
  package var cyclic: [Int32] = []

  /// The first item of each section, if the sections are the groups of a member's values.
  package var firstItems: [Int32] = []

  /// The number of levels that are expanded unless somebody has collapsed them.
  package var openLevels = 0

  /// The positions of the items that are shown without a window, ascending.
  package private(set) var shown: [Int32] = []

  /// The state of each item, by position.
  private(set) var states: [ExpansionState] = []

  /// Creates a tree without items.
  package init() {}

  /// Reserves memory for a number of items.
  package mutating func reserve(_ count: Int) {
    parents.reserveCapacity(count)
    ends.reserveCapacity(count)
    levels.reserveCapacity(count)
    childCounts.reserveCapacity(count)
    traits.reserveCapacity(count)
  }

  /// Appends an item. Its parent is the last item of the level above.
  package mutating func append(level: Int, _ traits: Traits, _ rank: ItemRank? = nil) {
    close(to: level)
    if let parent = open.last { childCounts[Int(parent)] += 1 }
    parents.append(open.last ?? -1)
    open.append(Int32(truncatingIfNeeded: count))
    ends.append(0)
    levels.append(Int32(truncatingIfNeeded: level))
    childCounts.append(0)
    self.traits.append(traits)
    if let rank { ranks.append(rank) }
  }

  /// Completes the tree after all items have been added.
  package mutating func finish() { close(to: 0) }

  private mutating func close(to level: Int) {
    while open.count > level { ends[Int(open.removeLast())] = Int32(truncatingIfNeeded: count) }
  }
}

/// Whether somebody has expanded or collapsed an item of an outline.
package enum ExpansionState: UInt8, Sendable {
  /// Nobody has expanded or collapsed it.
  case none
  case expanded
  case collapsed
}

extension Outline {
  /// The number of items.
  package var count: Int { ends.count }

  /// Returns whether the children of an item are shown if the item is.
  package func isExpanded(_ position: Int) -> Bool {
    if traits[position].contains(.forced) { return true }
    return switch states.isEmpty ? .none : states[position] {
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

  /// Returns whether an item has children, or may get some later.
  package func canExpand(_ position: Int) -> Bool {
    childCounts[position] > 0 || traits[position].contains(.lazy)
  }

  /// Shows the items that the states of some positions show.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  mutating func show(_ states: [(position: Int, state: ExpansionState)]) {
    self.states = states.isEmpty ? [] : Array(repeating: .none, count: count)
    for (position, state) in states { self.states[position] = state }
    shown.removeAll(keepingCapacity: true)
    var position = 0
    while position < count {
      shown.append(Int32(truncatingIfNeeded: position))
      position = isExpanded(position) ? position + 1 : Int(ends[position])
    }
  }

  /// The positions of the items that are not shown, ascending.
  var hidden: [Int] {
    var hidden: [Int] = []
    var next = 0
    for position in shown {
      hidden += next..<Int(position)
      next = Int(position) + 1
    }
    return hidden + Array(next..<count)
  }

  /// Returns the number of shown items before a position.
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

/// What a row of an outline shows of its item's position in the tree.
package struct OutlineRow: Sendable {
  package var level: Int
  package var childCount: Int

  /// Whether it is expanded; `nil` if it has no children and is not lazy.
  package var isExpanded: Bool?
}

extension Outline {
  /// Returns what the row of an item shows.
  func row(_ position: Int) -> OutlineRow {
    OutlineRow(
      level: Int(levels[position]), childCount: Int(childCounts[position]),
      isExpanded: canExpand(position) ? isExpanded(position) : nil)
  }
}

extension Outline {
  /// Returns the children of all items in order, one item's after the other's, and the end of the children of the
  /// item at each position. `order` has the items.
  func children(_ order: [Int32]) -> (items: [Int32], ends: [Int32]) {
    var ends: [Int32] = []
    ends.reserveCapacity(count)
    var total: Int32 = 0
    for childCount in childCounts {
      ends.append(total)
      total += childCount
    }
    var items = [Int32](repeating: 0, count: Int(total))
    var next = ends.mutableSpan
    for (position, item) in order.enumerated() {
      let parent = Int(parents[position])
      guard parent >= 0 else { continue }
      items[Int(next[parent])] = item
      next[parent] += 1
    }
    return (items, ends)
  }
}
