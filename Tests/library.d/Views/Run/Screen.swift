import AppKit
import ListAdapters
import ListDiff
import ListSources
import UIKit

struct Row: Identifiable, Equatable, Sendable {
  var id: Int
  var text = ""

  /// Whether the row has a cell of another class.
  var isWide = false
}

typealias Group = HeadedSection<String, String, Row>

final class WideTableCell: UITableViewCell {}
final class WideCollectionCell: UICollectionViewCell {}

/// A table view and a collection view with their data sources, which have what is shown at present.
@MainActor final class Screen: UITableViewDataSource, UICollectionViewDataSource {
  let table = UITableView()
  let collection = UICollectionView()
  private var tableRows: [Group]
  private var collectionRows: [Group]

  init(_ list: [Group]) {
    (tableRows, collectionRows) = (list, list)
    table.window = UIWindow()
    collection.window = UIWindow()
    table.dataSource = self
    collection.dataSource = self
    table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
    table.register(WideTableCell.self, forCellReuseIdentifier: "wide")
    collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
    collection.register(WideCollectionCell.self, forCellWithReuseIdentifier: "wide")
    table.reloadData()
    collection.reloadData()
  }

  /// Shows a change between lists with sections.
  func show(
    _ changes: Changes, from old: [Group], to new: [Group],
    interrupt: (Changes) -> Bool = { _ in false }
  ) throws {
    try table.apply(changes, fromSections: old, to: new, interrupt: interrupt) { tableRows = $0 }
    try collection.apply(changes, fromSections: old, to: new, interrupt: interrupt) {
      collectionRows = $0
    }
    check(new, "\(changes)")
  }

  /// Shows a change between flat lists, which are shown as one section.
  func show(
    _ changes: Changes, from old: [Row], to new: [Row],
    interrupt: (Changes) -> Bool = { _ in false }
  ) throws {
    try table.apply(changes, from: old, to: new, interrupt: interrupt) { tableRows[0].items = $0 }
    try collection.apply(changes, from: old, to: new, interrupt: interrupt) {
      collectionRows[0].items = $0
    }
    var list = tableRows[0]
    list.items = new
    check([list], "\(changes)")
  }

  /// Shows a change of a source, step by step or as a whole.
  func show(_ change: ListChange<Group>, stepByStep: Bool) throws {
    guard stepByStep else { return try show(change.changes, from: change.old, to: change.new) }
    for step in change.steps {
      (tableRows, collectionRows) = (step.data, step.data)
      table.performBatchUpdates(step.stage)
      collection.performBatchUpdates(step.stage)
    }
    check(change.new, "\(change.changes)")
  }

  /// Compares all cells and headers with a list.
  func check(_ list: [Group], _ story: @autoclosure () -> String) {
    if !Exceptions.raised.isEmpty { fail("\(Exceptions.raised)\n\(story())") }
    let counts = list.map { $0.items.count }
    let tableCounts = (0..<table.numberOfSections).map { table.numberOfRows(inSection: $0) }
    let collectionCounts = (0..<collection.numberOfSections)
      .map { collection.numberOfItems(inSection: $0) }
    if tableCounts != counts || collectionCounts != counts {
      fail("numbers of rows: \(tableCounts), \(collectionCounts) and not \(counts)\n\(story())")
    }
    for (section, group) in list.enumerated() {
      let path = IndexPath(item: 0, section: section)
      let header = collection.supplementaryView(
        forElementKind: UICollectionView.elementKindSectionHeader, at: path)
      let headers: [UIView?] = [table.headerView(forSection: section), header]
      if headers.contains(where: { $0?.text != group.header ?? "" }) {
        fail("headers of \(path): \(headers.map { $0?.text }), not \(group)\n\(story())")
      }
      for (row, item) in group.items.enumerated() {
        let path = IndexPath(row: row, section: section)
        let cells: [UIView?] = [table.cellForRow(at: path), collection.cellForItem(at: path)]
        if cells.contains(where: { $0?.text != item.shown }) {
          fail("cells of \(path): \(cells.map { $0?.text }), not \(item)\n\(story())")
        }
        if cells.contains(where: {
          ($0 is WideTableCell || $0 is WideCollectionCell) != item.isWide
        }) {
          fail("the classes of the cells of \(path), which show \(item)\n\(story())")
        }
      }
    }
  }

  // MARK: Data sources

  func numberOfSections(in tableView: UITableView) -> Int { tableRows.count }

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    tableRows[section].items.count
  }

  func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    let row = tableRows[path.section].items[path.row]
    let cell = tableView.dequeueReusableCell(withIdentifier: row.isWide ? "wide" : "row", for: path)
    cell.text = row.shown
    return cell
  }

  func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
    tableRows[section].header
  }

  func numberOfSections(in collectionView: UICollectionView) -> Int { collectionRows.count }

  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  {
    collectionRows[section].items.count
  }

  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt path: IndexPath
  ) -> UICollectionViewCell {
    let row = collectionRows[path.section].items[path.item]
    let cell = collectionView.dequeueReusableCell(
      withReuseIdentifier: row.isWide ? "wide" : "row", for: path)
    cell.text = row.shown
    return cell
  }

  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at path: IndexPath
  ) -> UICollectionReusableView {
    let view = UICollectionReusableView()
    view.text = collectionRows[path.section].header ?? ""
    return view
  }
}

/// A table view of AppKit with its data source.
@MainActor final class Window: NSTableViewDataSource, NSTableViewDelegate {
  let table = NSTableView()
  private var rows: [Row]

  init(_ rows: [Row]) {
    self.rows = rows
    table.window = NSWindow()
    table.dataSource = self
    table.delegate = self
    table.reloadData()
  }

  func show(
    _ changes: Changes, from old: [Row], to new: [Row], interrupt: (Changes) -> Bool
  ) throws {
    try table.apply(changes, from: old, to: new, interrupt: interrupt) { rows = $0 }
    if !NSTableView.exceptions.isEmpty { fail("\(NSTableView.exceptions)\n\(changes)") }
    let shown = (0..<table.numberOfRows).map {
      table.view(atColumn: 0, row: $0, makeIfNecessary: false)?.text
    }
    if shown != new.map({ $0.shown }) { fail("\(shown) and not \(new)\n\(changes)") }
  }

  func numberOfRows(in tableView: NSTableView) -> Int { rows.count }

  func tableView(_ tableView: NSTableView, viewFor column: NSTableColumn?, row: Int) -> NSView? {
    let view = NSView()
    view.text = rows[row].shown
    return view
  }
}

extension Row {
  var shown: String { "\(id) \(text)" }
}
