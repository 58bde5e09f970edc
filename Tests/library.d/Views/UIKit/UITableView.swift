@MainActor open class UITableViewCell: UIView {
  public required override init() {}
}

@MainActor public final class UITableViewHeaderFooterView: UIView {}

@MainActor public protocol UITableViewDataSource: AnyObject {
  func numberOfSections(in tableView: UITableView) -> Int
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
  func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
}

@MainActor open class UITableView: UIScrollView {
  public enum RowAnimation: Int, Sendable { case fade, automatic, none }

  public weak var dataSource: (any UITableViewDataSource)?
  private let list = ShownList()
  private var classes: [String: UITableViewCell.Type] = [:]
  private var configured: UITableViewCell?

  public override init() {
    super.init()
    list.counts = { [unowned self] in
      guard let dataSource else { return [] }
      return (0..<dataSource.numberOfSections(in: self)).map {
        dataSource.tableView(self, numberOfRowsInSection: $0)
      }
    }
    list.cell = { [unowned self] path, present in
      configured = present as? UITableViewCell
      defer { configured = nil }
      let path = IndexPath(row: path.row, section: path.section)
      return dataSource?.tableView(self, cellForRowAt: path) ?? UITableViewCell()
    }
    list.header = { [unowned self] section in
      let view = UITableViewHeaderFooterView()
      view.text = dataSource?.tableView(self, titleForHeaderInSection: section) ?? ""
      return view
    }
  }

  open func register(_ cellClass: UITableViewCell.Type, forCellReuseIdentifier id: String) {
    classes[id] = cellClass
  }

  /// Returns the present cell if it is configured anew and has the class.
  open func dequeueReusableCell(withIdentifier id: String, for path: IndexPath) -> UITableViewCell {
    guard let cellClass = classes[id] else {
      Exceptions.raised.append("no class is registered for \(id)")
      return UITableViewCell()
    }
    if let configured, type(of: configured) == cellClass { return configured }
    return cellClass.init()
  }

  public var numberOfSections: Int { list.sections.count }

  open func numberOfRows(inSection section: Int) -> Int { list.sections[section].cells.count }

  open func cellForRow(at path: IndexPath) -> UITableViewCell? {
    list.sections[path.section].cells[path.row] as? UITableViewCell
  }

  open func headerView(forSection section: Int) -> UITableViewHeaderFooterView? {
    list.sections[section].header as? UITableViewHeaderFooterView
  }

  open func reloadData() { list.reload() }

  open func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    list.batch { updates?() }
    completion?(true)
  }

  open func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    list.change { for section in sections { $0.insertSection(section) } }
  }

  open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    list.change { for section in sections { $0.deleteSection(section) } }
  }

  open func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
    list.change { for section in sections { $0.reloadSection(section) } }
  }

  open func moveSection(_ section: Int, toSection newSection: Int) {
    list.change { $0.moveSection(section, to: newSection) }
  }

  open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    list.change { for path in indexPaths { $0.insert(.init(path)) } }
  }

  open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    list.change { for path in indexPaths { $0.delete(.init(path)) } }
  }

  open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    list.change { for path in indexPaths { $0.reload(.init(path)) } }
  }

  open func reconfigureRows(at indexPaths: [IndexPath]) {
    list.change { for path in indexPaths { $0.reconfigure(.init(path)) } }
  }

  open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    list.change { $0.move(.init(indexPath), to: .init(newIndexPath)) }
  }
}

extension BatchUpdate.Path {
  init(_ path: IndexPath) { self.init(section: path.section, row: path.row) }
}
