import ListDiff

/// The update that a kept row or section needs.
package enum ContentChange: Comparable, Sendable {
  /// The content is the same.
  case none
  /// The content changed; the view can be kept.
  case reconfigure
  /// The row or section needs a new view.
  case reload
}

/// The operations of a content stage.
package struct ContentOps: ~Copyable {
  /// The operations in the order in which they were added, and whether that is not the order of a stage; and
  /// the kind of the last one.
  private var stage = Stage()
  private var isMixed = false
  private var last = 0
  private let starts: [Int32]
  /// The section of the last row, and its rows.
  private var section = -1
  private var home = 0..<0
  /// The last rows, which the next one may continue.
  private var open = (change: ContentChange.none, start: 0, end: 0)
  package private(set) var rows = 0
  package private(set) var sections = 0

  /// Creates no operations on a list whose sections begin at `starts`, which are followed by the number of rows.
  package init(starts: [Int32]) { self.starts = starts }

  /// Adds the update of a section, given by its new index. Sections must be added in ascending
  /// order.
  package mutating func append(_ change: ContentChange, section: Int) {
    if change == .none { return }
    sections += 1
    let isReload = change == .reload
    note(isReload ? 0 : 1)
    stage.append(
      isReload
        ? .reloadSections(at: section, count: 1) : .reconfigureSections(at: section, count: 1))
  }

  /// Adds the update of a row, given by its new index. Rows must be added in ascending order.
  package mutating func append(_ change: ContentChange, row: Int) {
    if change == .none { return }
    rows += 1
    if change == open.change, row == open.end, row < home.upperBound {
      open.end += 1
      return
    }
    close()
    while row >= home.upperBound {
      section += 1
      home = starts.rows(ofSection: section)
    }
    open = (change, row, row + 1)
  }

  private mutating func close() {
    if open.change == .none { return }
    let path = Path(section: section, row: open.start - home.lowerBound)
    let count = open.end - open.start
    let isReload = open.change == .reload
    note(isReload ? 2 : 3)
    stage.ops.append(
      isReload ? .reloadItems(at: path, count: count) : .reconfigureItems(at: path, count: count))
  }

  private mutating func note(_ kind: Int) {
    if kind < last { isMixed = true }
    last = kind
  }

  /// Returns the place of the operation's kind in a stage.
  private static func kind(_ op: Op) -> Int {
    switch op {
    case .reloadSections: 0
    case .reconfigureSections: 1
    case .reloadItems: 2
    default: 3
    }
  }

  /// Returns the stage. Call it once, after all updates.
  package mutating func finish() -> Stage {
    close()
    if isMixed {
      let ops = stage.ops
      stage.ops = (0...3).flatMap { kind in ops.filter { Self.kind($0) == kind } }
    }
    return stage
  }
}
