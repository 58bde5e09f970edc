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

/// A table view and a collection view with their data sources, which have what is shown at present,
/// and a table view of AppKit for flat lists.
@MainActor final class Screen: NSObject, UITableViewDataSource, UICollectionViewDataSource {
  private let table = UITableView()
  private let collection = UICollectionView()
  private let window = Window()
  private var list: [Group]

  init(_ list: [Group]) {
    self.list = list
    super.init()
    table.window = UIWindow()
    collection.window = UIWindow()
    table.dataSource = self
    collection.dataSource = self
    table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
    table.register(WideTableCell.self, forCellReuseIdentifier: "wide")
    collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
    collection.register(WideCollectionCell.self, forCellWithReuseIdentifier: "wide")
    collection.register(
      UICollectionReusableView.self,
      forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader,
      withReuseIdentifier: "header")
    check(list, "the first list")
  }

  /// Shows a change between lists with sections.
  func show(_ changes: Changes, from old: [Group], to new: [Group]) throws {
    for step in try changes.steps(fromSections: old, to: new) { show(step.stage, step.data) }
    check(new, "\(changes)")
  }

  /// Shows a change between flat lists, which are shown as one section.
  func show(_ changes: Changes, from old: [Row], to new: [Row]) throws {
    var group = list[0]
    for step in try changes.steps(from: old, to: new) {
      group.items = step.data
      show(step.stage, [group])
      window.rows = step.data
      window.table.performBatchUpdates(step.stage)
    }
    group.items = new
    check([group], "\(changes)")
    window.check(new, "\(changes)")
  }

  /// The data of the first view is set before the batch update, that of the other in it.
  private func show(_ stage: Changes.Stage, _ data: [Group]) {
    let before = list
    list = data
    table.performBatchUpdates(stage)
    list = before
    collection.performBatchUpdates(stage) { self.list = data }
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
      if headers.contains(where: { $0?.text ?? "" != group.header ?? "" }) {
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

  func numberOfSections(in tableView: UITableView) -> Int { list.count }

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    list[section].items.count
  }

  func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    let row = list[path.section].items[path.row]
    let cell = tableView.dequeueReusableCell(withIdentifier: row.isWide ? "wide" : "row", for: path)
    cell.text = row.shown
    return cell
  }

  func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
    list[section].header
  }

  func numberOfSections(in collectionView: UICollectionView) -> Int { list.count }

  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  {
    list[section].items.count
  }

  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt path: IndexPath
  ) -> UICollectionViewCell {
    let row = list[path.section].items[path.item]
    let cell = collectionView.dequeueReusableCell(
      withReuseIdentifier: row.isWide ? "wide" : "row", for: path)
    cell.text = row.shown
    return cell
  }

  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at path: IndexPath
  ) -> UICollectionReusableView {
    let view = collectionView.dequeueReusableSupplementaryView(
      ofKind: kind, withReuseIdentifier: "header", for: path)
    view.text = list[path.section].header ?? ""
    return view
  }
}

/// A table view of AppKit with its data source.
@MainActor final class Window: NSObject, NSTableViewDataSource, NSTableViewDelegate {
  let table = NSTableView()
  var rows: [Row] = []

  override init() {
    super.init()
    table.window = NSWindow()
    table.dataSource = self
    table.delegate = self
    table.reloadData()
  }

  func check(_ list: [Row], _ story: @autoclosure () -> String) {
    if !NSTableView.exceptions.isEmpty { fail("\(NSTableView.exceptions)\n\(story())") }
    let shown = (0..<table.numberOfRows).map {
      table.view(atColumn: 0, row: $0, makeIfNecessary: true)?.text
    }
    if shown != list.map({ $0.shown }) { fail("rows: \(shown), not \(list)\n\(story())") }
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
