// The parts of AppKit that the adapters and the screens of Run use, as its documentation describes them.
@_exported import Foundation

public struct NSUserInterfaceItemIdentifier: Hashable, Sendable {
  public let rawValue: String
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

@MainActor open class NSView {
  /// What the view shows.
  public var text = ""
  public var identifier: NSUserInterfaceItemIdentifier?

  public init() {}
}

@MainActor public final class NSWindow {
  public init() {}
}

@MainActor public final class NSTableColumn {}

@MainActor public protocol NSTableViewDataSource: NSObjectProtocol {
  func numberOfRows(in tableView: NSTableView) -> Int
}

@MainActor public protocol NSTableViewDelegate: NSObjectProtocol {
  func tableView(
    _ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int
  ) -> NSView?
  func tableView(_ tableView: NSTableView, heightOfRow row: Int) -> CGFloat
  func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool
  func tableView(_ tableView: NSTableView, shouldSelectRow row: Int) -> Bool
  func tableViewSelectionDidChange(_ notification: Notification)
}

// These methods are optional in AppKit.
extension NSTableViewDelegate {
  public func tableView(_ tableView: NSTableView, heightOfRow row: Int) -> CGFloat {
    tableView.rowHeight
  }

  public func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool { false }
  public func tableView(_ tableView: NSTableView, shouldSelectRow row: Int) -> Bool { true }
  public func tableViewSelectionDidChange(_ notification: Notification) {}
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
  public var rowHeight: CGFloat = 24
  public var allowsMultipleSelection = false

  /// The row that was scrolled to last.
  public private(set) var scrolledTo: Int?

  /// A row, whose view is `nil` until the end of the updates.
  private struct Row {
    var view: NSView?
    var isSelected = false
  }

  private var rows: [Row] = []
  private var depth = 0

  public var numberOfRows: Int { rows.count }

  open func view(atColumn column: Int, row: Int, makeIfNecessary: Bool) -> NSView? {
    rows[row].view
  }

  open func makeView(
    withIdentifier identifier: NSUserInterfaceItemIdentifier, owner: Any?
  ) -> NSView? {
    nil
  }

  // MARK: Selection

  public var selectedRowIndexes: IndexSet { IndexSet(rows.indices.filter { rows[$0].isSelected }) }

  open func selectRowIndexes(_ indexes: IndexSet, byExtendingSelection: Bool) {
    let before = selectedRowIndexes
    let isAllowed = has(indexes) && (allowsMultipleSelection || indexes.count < 2)
    if !isAllowed { Self.exceptions.append("rows \(Array(indexes)) are selected") }
    for row in rows.indices {
      rows[row].isSelected = indexes.contains(row) || byExtendingSelection && rows[row].isSelected
    }
    if selectedRowIndexes != before { sendSelection() }
  }

  private func sendSelection() {
    delegate?.tableViewSelectionDidChange(
      Notification(name: Notification.Name("NSTableViewSelectionDidChangeNotification")))
  }

  open func scrollRowToVisible(_ row: Int) {
    if !has([row]) { Self.exceptions.append("there is no row \(row)") }
    scrolledTo = row
  }

  /// Selects rows as a click of the user does, with the command key if several were selected.
  public func click(_ row: Int) {
    guard delegate?.tableView(self, shouldSelectRow: row) ?? true else { return }
    var indexes = allowsMultipleSelection ? selectedRowIndexes : []
    if indexes.remove(row) == nil { indexes.insert(row) }
    selectRowIndexes(indexes, byExtendingSelection: false)
  }

  // MARK: Updates

  open func reloadData() {
    let selected = selectedRowIndexes
    rows = (0..<(dataSource?.numberOfRows(in: self) ?? 0)).map {
      Row(isSelected: selected.contains($0))
    }
    makeViews()
  }

  private func makeViews() {
    for row in rows.indices where rows[row].view == nil {
      rows[row].view = delegate?.tableView(self, viewFor: nil, row: row)
      let isSelectable = delegate?.tableView(self, isGroupRow: row) != true
      if !isSelectable { rows[row].isSelected = false }
    }
  }

  open func beginUpdates() { depth += 1 }

  open func endUpdates() {
    depth -= 1
    if depth == 0 { finish() }
  }

  private func change(_ isAllowed: Bool, _ what: String, _ change: () -> Void) {
    let before = selectedRowIndexes
    if isAllowed { change() } else { Self.exceptions.append("\(what), of \(rows.count) rows") }
    if selectedRowIndexes.count != before.count { sendSelection() }
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
      for index in indexes { rows.insert(Row(), at: index) }
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
      for row in rowIndexes { rows[row].view = nil }
    }
  }
}
