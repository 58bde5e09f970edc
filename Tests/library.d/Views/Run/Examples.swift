import FuzzyMatch
import ListAdapters
import ListDiff
import ListSources
import UIKit

struct Mail: Identifiable, Equatable {
  let id: Int
  var subject: String
}

struct Folder: ListSection {
  let id: String
  var title: String
  var items: [Mail]

  func hasSameContent(as other: Folder) -> Bool { title == other.title }
}

/// The examples of the documentation that show changes in views, and the first ones of the articles.
@MainActor enum Examples {
  private static let old = [
    Mail(id: 1, subject: "One"), Mail(id: 2, subject: "Two"), Mail(id: 3, subject: "Three"),
  ]
  private static let new = [
    Mail(id: 3, subject: "Three"), Mail(id: 1, subject: "Uno"), Mail(id: 4, subject: "Four"),
  ]

  static func run() async throws {
    try showMails()
    try showFolders()
    CollectionExample(old).check(new)
    try await observe()
    try makeSources()
    findPaths()
  }

  private static func check(_ isRight: Bool, _ what: String) {
    if !isRight || !Exceptions.raised.isEmpty { fail("\(what): \(Exceptions.raised)") }
  }

  private static func showMails() throws {
    var items = old
    let data = TableExample { [items.map { $0.subject }] }
    let tableView = data.tableView
    func check(_ subjects: [Mail]) {
      Examples.check(items == subjects && data.shown == [subjects.map { $0.subject }], "mails")
    }
    check(old)
    let changes = Changes(from: old, to: new)
    for step in try changes.steps(from: old, to: new) {
      tableView.performBatchUpdates(step.stage) { items = step.data }
    }
    check(new)
    for step in try changes.inverse.steps(from: new, to: old) {
      tableView.performBatchUpdates(step.stage) { items = step.data }
    }
    check(old)
    // A change of more operations is not shown by stages.
    items = new
    if let changes = Changes(from: old, to: new).limited(to: 1) {
      for stage in changes.stages { tableView.performBatchUpdates(stage) }
    } else {
      tableView.reloadData()
    }
    check(new)
  }

  private static func showFolders() throws {
    let inbox = [Folder(id: "inbox", title: "Inbox", items: old)]
    let sorted = [
      Folder(id: "done", title: "Done", items: [old[1], old[2]]),
      Folder(id: "inbox", title: "Inbox (1)", items: [old[0]]),
    ]
    var folders = inbox
    let data = TableExample { folders.map { $0.items.map { $0.subject } } }
    let tableView = data.tableView
    check(data.shown.count == 1, "a folder")
    let changes = Changes(fromSections: inbox, to: sorted)
    for step in try changes.steps(fromSections: inbox, to: sorted) {
      tableView.performBatchUpdates(step.stage) { folders = step.data }
    }
    check(data.shown == sorted.map { $0.items.map { $0.subject } }, "folders")
  }

  private static func observe() async throws {
    let source = ListSource(sections: [Group(id: "a", items: [Row(id: 1, text: "one")])])
    var shown: [Group] = []
    let data = TableExample { shown.map { $0.items.map { $0.text } } }
    let tableView = data.tableView
    let task = Task { @MainActor in
      shown = source.sections
      tableView.reloadData()
      for await change in source.changes {
        for step in change.list.steps {
          tableView.performBatchUpdates(step.stage) { shown = step.data }
        }
      }
    }
    await Task.yield()
    for id in 2..<20 {
      try source.appendItems([Row(id: id, text: "\(id)")])
      try source.appendSections([Group(id: "\(id)")])
      try source.moveItem(id, beforeItem: id - 1)
      for _ in 0..<1_000 where shown != source.sections { await Task.yield() }
      check(data.shown == source.sections.map { $0.items.map { $0.text } }, "an observer")
    }
    task.cancel()
  }

  private static func makeSources() throws {
    let inbox = [Group(id: "inbox", items: [Row(id: 1, text: "ann"), Row(id: 2, text: "ben")])]
    let sorted = [Group(id: "inbox", items: inbox[0].items.reversed())]
    let source = ListSource(sections: inbox)
    try source.select([2], .replace)
    source.apply(sorted)
    try source.moveItem(2, afterItem: 1)
    check(source.sections == inbox && source.selected == [2], "a source")
    let open = source.filtered { $0.text != "done" }
    let byText = open.sorted(by: \.text)
    let groups = byText.grouped(by: \.text)
    let found = open.searched("ann", in: \.text)
    let page = byText.window(0..<50)
    check(groups.sectionCount == 2 && found.itemCount == 1 && page.itemCount == 2, "views")
  }

  private static func findPaths() {
    let paths = ["src/main.c", "README"]
    func print(_ score: Int32, _ path: String) { check(path == paths[0], path) }
    var texts = TextStore(paths)
    let matches = texts.matches(of: Query("srcmain"))
    for match in texts.best(40, of: matches) { print(match.score, paths[Int(match.row)]) }
    check(matches.count == 1, "paths")
  }
}

/// A table view, and a data source with texts.
@MainActor private final class TableExample: NSObject, UITableViewDataSource {
  let tableView = UITableView()
  private let texts: () -> [[String]]

  init(_ texts: @escaping () -> [[String]]) {
    self.texts = texts
    super.init()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "row")
    tableView.window = UIWindow()
    tableView.dataSource = self
  }

  /// The texts of the cells.
  var shown: [[String]] {
    (0..<tableView.numberOfSections).map { section in
      (0..<tableView.numberOfRows(inSection: section)).map {
        tableView.cellForRow(at: IndexPath(row: $0, section: section))?.text ?? "none"
      }
    }
  }

  func numberOfSections(in tableView: UITableView) -> Int { texts().count }

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    texts()[section].count
  }

  func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath)
    cell.text = texts()[indexPath.section][indexPath.row]
    return cell
  }
}

/// Mails in a collection view.
@MainActor private final class CollectionExample: NSObject, UICollectionViewDataSource {
  private let collectionView = UICollectionView()
  private var mails: [Mail]

  init(_ mails: [Mail]) {
    self.mails = mails
    super.init()
    collectionView.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
    collectionView.register(
      UICollectionReusableView.self,
      forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader,
      withReuseIdentifier: "header")
    collectionView.window = UIWindow()
    collectionView.dataSource = self
  }

  /// Shows a change to other mails, and compares the cells with them.
  func check(_ new: [Mail]) {
    do {
      for step in try Changes(from: mails, to: new).steps(from: mails, to: new) { show(step) }
    } catch {
      fail("\(error)")
    }
    let cells = new.indices.map {
      collectionView.cellForItem(at: IndexPath(item: $0, section: 0))?.text
    }
    if !Exceptions.raised.isEmpty || cells != new.map({ $0.subject }) {
      fail("mails: \(cells), \(Exceptions.raised)")
    }
  }

  func show(_ step: Changes.Step<[Mail]>) {
    collectionView.performBatchUpdates { [self] in
      mails = step.data
      for op in step.stage.ops {
        switch op {
        case .deleteItems(let at, let count): collectionView.deleteItems(at: paths(at, count))
        case .insertItems(let at, let count): collectionView.insertItems(at: paths(at, count))
        case .moveItems(let from, let to, let count):
          for (from, to) in zip(paths(from, count), paths(to, count)) {
            collectionView.moveItem(at: from, to: to)
          }
        case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
          collectionView.reconfigureItems(at: paths(at, count))
        default: break  // A flat list has no operations on sections.
        }
      }
    }
  }

  func paths(_ at: ListPath, _ count: Int) -> [IndexPath] {
    (at.row..<at.row + count).map { IndexPath(item: $0, section: at.section) }
  }

  func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }

  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { mails.count }

  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    let cell = collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: indexPath)
    cell.text = mails[indexPath.item].subject
    return cell
  }

  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    collectionView.dequeueReusableSupplementaryView(
      ofKind: kind, withReuseIdentifier: "header", for: indexPath)
  }
}
