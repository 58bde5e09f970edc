// The parts of AppKit that the adapters and the screens of Run use, as its documentation describes them.
@_exported import Foundation

@MainActor open class NSView {
  /// What the view shows.
  public var text = ""

  public init() {}
}

@MainActor public final class NSWindow {
  public init() {}
}

@MainActor public final class NSTableColumn {}

@MainActor public protocol NSTableViewDataSource: AnyObject {
  func numberOfRows(in tableView: NSTableView) -> Int
}

@MainActor public protocol NSTableViewDelegate: AnyObject {
  func tableView(
    _ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int
  ) -> NSView?
}

/// A table view with one column, in which each operation refers to the result of the previous one.
@MainActor open class NSTableView: NSView {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let effectFade = AnimationOptions(rawValue: 1)
  }

  /// What AppKit raises as exceptions.
  public static var exceptions: [String] = []

  public var window: NSWindow?
  public weak var dataSource: (any NSTableViewDataSource)?
  public weak var delegate: (any NSTableViewDelegate)?
  public var numberOfColumns: Int { 1 }

  /// The rows, `nil` if their views are made at the end of the updates.
  private var rows: [NSView?] = []
  private var depth = 0

  public var numberOfRows: Int { rows.count }

  open func view(atColumn column: Int, row: Int, makeIfNecessary: Bool) -> NSView? { rows[row] }

  open func reloadData() {
    rows = Array(repeating: nil, count: dataSource?.numberOfRows(in: self) ?? 0)
    makeViews()
  }

  private func makeViews() {
    for row in rows.indices where rows[row] == nil {
      rows[row] = delegate?.tableView(self, viewFor: nil, row: row)
    }
  }

  open func beginUpdates() { depth += 1 }

  open func endUpdates() {
    depth -= 1
    if depth == 0 { finish() }
  }

  private func change(_ isAllowed: Bool, _ what: String, _ change: () -> Void) {
    if isAllowed { change() } else { Self.exceptions.append("\(what), of \(rows.count) rows") }
    if depth == 0 { finish() }
  }

  private func finish() {
    let count = dataSource?.numberOfRows(in: self) ?? 0
    if rows.count == count { return makeViews() }
    Self.exceptions.append("\(rows.count) rows after the updates, but the data source has \(count)")
    reloadData()
  }

  private func has(_ indexes: IndexSet) -> Bool { indexes.allSatisfy { rows.indices.contains($0) } }

  open func insertRows(at indexes: IndexSet, withAnimation options: AnimationOptions = []) {
    let isAllowed = indexes.enumerated().allSatisfy { 0...(rows.count + $0.offset) ~= $0.element }
    change(isAllowed, "rows are inserted at \(Array(indexes))") {
      for index in indexes { rows.insert(nil, at: index) }
    }
  }

  open func removeRows(at indexes: IndexSet, withAnimation options: AnimationOptions = []) {
    change(has(indexes), "rows are removed at \(Array(indexes))") {
      for index in indexes.reversed() { rows.remove(at: index) }
    }
  }

  open func moveRow(at oldIndex: Int, to newIndex: Int) {
    change(has([oldIndex, newIndex]), "row \(oldIndex) moves to \(newIndex)") {
      rows.insert(rows.remove(at: oldIndex), at: newIndex)
    }
  }

  open func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {
    let isAllowed = has(rowIndexes) && columnIndexes == IndexSet(integer: 0)
    change(isAllowed, "rows are reloaded at \(Array(rowIndexes))") {
      for row in rowIndexes { rows[row] = nil }
    }
  }
}
