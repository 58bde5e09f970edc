import AppKit
import ListAdapters
import ListDiff
import ListSources
import UIKit

final class TitleView: UITableViewHeaderFooterView {}
final class CollectionTitleView: UICollectionReusableView {}

/// A group, or a section of a composition that has one.
protocol GroupSection: ListSection {
  var header: String? { get }
  var footer: String? { get }
  var group: Group { get }
}

extension HeadedSection: GroupSection where ID == String, Header == String, Item == Row {
  var group: Group { self }
}

extension AnySection: GroupSection {
  var group: Group {
    guard var group = base as? Group else { return Group(id: "none") }
    group.items = items.compactMap { $0.base as? Row }
    return group
  }
}

/// A source shown by presenters in a table view, a collection view and a table view of AppKit.
@MainActor final class PresenterScreen<Source: PresentedSource>
where Source.Section: GroupSection {
  let source: SectionSource<Source.Section>
  let table: ListPresenter<Source, TableDisplay>
  private let collection: ListPresenter<Source, CollectionDisplay>
  private let desktop: ListPresenter<Source, AppKitTableDisplay>
  private var tapped: Row?

  private var tableView: UITableView { table.display.tableView }
  private var collectionView: UICollectionView { collection.display.collectionView }
  private var desktopView: NSTableView { desktop.display.tableView }

  init(_ source: Source, _ edits: CellEdits) {
    self.source = source.presented
    let height = { (_: Row) in CGFloat(88) }
    let size = { (_: Row) in CGSize(width: 9, height: 8) }
    table = ListPresenter(source, in: UITableView())
      .row(Row.self, WideTableCell.self, where: \.isWide, height: height) {
        $0.text = $1.shown
        edits.cellIsConfigured()
      }
      .row(Row.self, UITableViewCell.self) {
        $0.text = $1.shown
        edits.cellIsConfigured()
      }
      .header(\.header, TitleView.self) { $0.text = $1 }
      .footer { $0.footer }
    collection = ListPresenter(source, in: UICollectionView())
      .row(Row.self, WideCollectionCell.self, where: \.isWide, size: size) { $0.text = $1.shown }
      .row(Row.self, UICollectionViewCell.self) { $0.text = $1.shown }
      .header(\.header, CollectionTitleView.self) { $0.text = $1 }
      .footer(\.footer, CollectionTitleView.self) { $0.text = $1 }
    desktop = ListPresenter(source, in: NSTableView())
      .row(Row.self, NSView()) { $0.text = $1.shown }
      .header(\.header, NSView()) { $0.text = $1 }
      .footer(\.footer, NSView()) { $0.text = $1 }
    tableView.window = UIWindow()
    tableView.allowsMultipleSelection = true
    collectionView.window = UIWindow()
    collectionView.allowsMultipleSelection = true
    collectionView.hasFooters = true
    desktopView.window = NSWindow()
    desktopView.allowsMultipleSelection = true
    table.didSelect(Row.self) { [weak self] in self?.tapped = $0 }
    table.whenWarned = { fail("warned: \($0)") }
    collection.whenWarned = { fail("warned: \($0)") }
    desktop.whenWarned = { fail("warned: \($0)") }
    update()
  }

  func update() {
    table.update()
    collection.update()
    desktop.update()
  }

  /// Whether all views show what the source has.
  var isPresent: Bool {
    [table.sections, collection.sections, desktop.sections]
      .allSatisfy { $0.map(\.group) == source.sections.map(\.group) }
      && [table.selectedPaths, collection.selectedPaths, desktop.selectedPaths]
        .allSatisfy { $0 == source.selectedPaths }
      && [table.cursorPath, collection.cursorPath, desktop.cursorPath]
        .allSatisfy { $0 == source.cursorPath }
  }

  /// Taps on a row that is shown, in one of the views.
  func tap(_ random: inout Numbers) {
    let lists = [table.sections, collection.sections, desktop.sections].map { $0.map(\.group) }
    let list = lists[random.below(3)]
    let section = random.below(list.count)
    guard list.indices.contains(section), !list[section].items.isEmpty else { return }
    let path = ListPath(section: section, row: random.below(list[section].items.count))
    tapped = nil
    let tappedItem = list[section].items[path.row]
    // Of repeated rows, another one may be kept.
    let isKept = [list, source.sections.map(\.group)].allSatisfy { list in
      list.reduce(0) { $0 + $1.items.count { $0.id == tappedItem.id } } == 1
    }
    if list == lists[0] {
      let wasSelected = table.selectedPaths.contains(path)
      tableView.tap(IndexPath(path))
      if tapped != (wasSelected ? nil : tappedItem) {
        fail("\(tapped as Any) was tapped, not \(path)")
      }
    } else if list == lists[1] {
      collectionView.tap(IndexPath(path))
    } else if let row = (0..<desktopView.numberOfRows)
      .first(where: { text(ofRow: $0) == tappedItem.shown })
    {
      // The cursor moves to the last of the selected rows.
      return desktopView.click(row)
    }
    let cursor = source.cursorPath.map { source.sections[$0.section].group.items[$0.row].id }
    if isKept, cursor != tappedItem.id { fail("the cursor is at \(cursor as Any), not \(path)") }
  }

  private func text(ofRow row: Int) -> String? {
    desktopView.view(atColumn: 0, row: row, makeIfNecessary: true)?.text
  }

  // MARK: Checking

  /// Compares all cells, headers, footers and selected rows with the source.
  func check(_ name: String) {
    let errors = Exceptions.raised + NSTableView.exceptions
    if !errors.isEmpty { fail("\(name): \(errors)") }
    Run.place += ", " + name
    let list = source.sections.map(\.group)
    let shown = [table.sections, collection.sections, desktop.sections]
    compare("sections", shown.map { $0.map(\.group) }, list)
    compare(
      "rows",
      [
        (0..<tableView.numberOfSections).map { tableView.numberOfRows(inSection: $0) },
        (0..<collectionView.numberOfSections).map { collectionView.numberOfItems(inSection: $0) },
      ], list.map { $0.items.count })
    for (section, group) in list.enumerated() {
      let path = IndexPath(item: 0, section: section)
      func end(_ kind: String) -> String {
        collectionView.supplementaryView(forElementKind: kind, at: path)?.text ?? "none"
      }
      compare("header", [tableView.headerView(forSection: section)?.text], group.header)
      compare("footer", [tableView.footerView(forSection: section)?.text], group.footer)
      compare("header", [end(UICollectionView.elementKindSectionHeader)], group.header ?? "")
      compare("footer", [end(UICollectionView.elementKindSectionFooter)], group.footer ?? "")
      for (row, item) in group.items.enumerated() {
        let path = IndexPath(row: row, section: section)
        let cells: [UIView?] = [
          tableView.cellForRow(at: path), collectionView.cellForItem(at: path),
        ]
        compare("\(path)", cells.map { $0?.text }, item.shown)
        compare(
          "wide \(path)", cells.map { $0 is WideTableCell || $0 is WideCollectionCell },
          item.isWide)
        compare("height", [tableView.rectForRow(at: path).height], item.isWide ? 88 : 44)
      }
    }
    let lines = list.flatMap { group in
      [group.header].compactMap { $0 } + group.items.map { $0.shown }
        + [group.footer].compactMap { $0 }
    }
    compare("lines", [(0..<desktopView.numberOfRows).map { text(ofRow: $0) ?? "none" }], lines)
    checkSelection(list)
  }

  private func checkSelection(_ list: [Group]) {
    let selected = source.selectedPaths
    compare(
      "selected",
      [
        (tableView.indexPathsForSelectedRows ?? []).map { ListPath($0) }.sorted(),
        (collectionView.indexPathsForSelectedItems ?? []).map { ListPath($0) }.sorted(),
      ], selected)
    compare(
      "selected rows", [desktopView.selectedRowIndexes.map { text(ofRow: $0) }],
      selected.map { list[$0.section].items[$0.row].shown })
    compare("cursor", [table.cursorPath, collection.cursorPath], source.cursorPath)
  }

  private func compare<Value: Equatable>(_ what: String, _ shown: [Value], _ expected: Value) {
    for shown in shown where shown != expected {
      fail("\(what): \(shown), not \(expected)\n\(source.sections)")
    }
  }
}
