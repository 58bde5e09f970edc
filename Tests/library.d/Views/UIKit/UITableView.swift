@MainActor open class UITableViewCell: UIView {
  public required override init() {}
}

@MainActor open class UITableViewHeaderFooterView: UIView {
  public required override init() {}
}

@MainActor public protocol UITableViewDataSource: NSObjectProtocol {
  func numberOfSections(in tableView: UITableView) -> Int
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
  func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
  func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String?
}

// These methods are optional in UIKit.
extension UITableViewDataSource {
  public func numberOfSections(in tableView: UITableView) -> Int { 1 }

  public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
    nil
  }

  public func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
    nil
  }
}

@MainActor public protocol UITableViewDelegate: NSObjectProtocol {
  func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView?
  func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView?
  func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat
  func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
  func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath)
}

@MainActor open class UITableView: UIScrollView {
  public enum RowAnimation: Int, Sendable { case fade, automatic, none }
  public enum ScrollPosition: Int, Sendable { case none, top, middle, bottom }

  public weak var dataSource: (any UITableViewDataSource)? { didSet { list.reload() } }
  public weak var delegate: (any UITableViewDelegate)?
  public var rowHeight: CGFloat = 44
  public var allowsMultipleSelection = false

  /// The row that was scrolled to last.
  public private(set) var scrolledTo: IndexPath?

  private let list = ShownList()
  private var classes: [String: UITableViewCell.Type] = [:]
  private var endClasses: [String: UITableViewHeaderFooterView.Type] = [:]
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
      return dataSource?.tableView(self, cellForRowAt: IndexPath(path)) ?? UITableViewCell()
    }
    list.header = { [unowned self] section in
      delegate?.tableView(self, viewForHeaderInSection: section)
        ?? view(title: dataSource?.tableView(self, titleForHeaderInSection: section))
    }
    list.footer = { [unowned self] section in
      delegate?.tableView(self, viewForFooterInSection: section)
        ?? view(title: dataSource?.tableView(self, titleForFooterInSection: section))
    }
  }

  private func view(title: String?) -> UIView? {
    guard let title else { return nil }
    let view = UITableViewHeaderFooterView()
    view.text = title
    return view
  }

  // MARK: Reuse

  open func register(_ cellClass: UITableViewCell.Type, forCellReuseIdentifier id: String) {
    classes[id] = cellClass
  }

  open func register(
    _ viewClass: UITableViewHeaderFooterView.Type, forHeaderFooterViewReuseIdentifier id: String
  ) {
    endClasses[id] = viewClass
  }

  open func dequeueReusableCell(withIdentifier id: String) -> UITableViewCell? {
    classes[id].map { $0.init() }
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

  open func dequeueReusableHeaderFooterView(
    withIdentifier id: String
  ) -> UITableViewHeaderFooterView? {
    endClasses[id].map { $0.init() }
  }

  // MARK: Reading

  public var numberOfSections: Int { list.sections.count }

  open func numberOfRows(inSection section: Int) -> Int { list.sections[section].cells.count }

  open func cellForRow(at path: IndexPath) -> UITableViewCell? {
    list.cell(at: .init(path)) as? UITableViewCell
  }

  open func headerView(forSection section: Int) -> UITableViewHeaderFooterView? {
    list.sections[section].header as? UITableViewHeaderFooterView
  }

  open func footerView(forSection section: Int) -> UITableViewHeaderFooterView? {
    list.sections[section].footer as? UITableViewHeaderFooterView
  }

  open func rectForRow(at path: IndexPath) -> CGRect {
    CGRect(
      x: 0, y: 0, width: 0, height: delegate?.tableView(self, heightForRowAt: path) ?? rowHeight)
  }

  // MARK: Selection

  public var indexPathsForSelectedRows: [IndexPath]? {
    let paths = list.selectedPaths.map { IndexPath($0) }
    return paths.isEmpty ? nil : paths
  }

  open func selectRow(
    at path: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {
    if path == nil || !allowsMultipleSelection {
      for path in list.selectedPaths { list.setSelected(false, path) }
    }
    if let path { list.setSelected(true, .init(path)) }
  }

  open func deselectRow(at path: IndexPath, animated: Bool) {
    list.setSelected(false, .init(path))
  }

  open func scrollToRow(at path: IndexPath, at position: ScrollPosition, animated: Bool) {
    if cellForRow(at: path) == nil { Exceptions.raised.append("there is no row \(path)") }
    scrolledTo = path
  }

  /// Does what a tap of the user does.
  public func tap(_ path: IndexPath) {
    list.tap(.init(path), allowsMultiple: allowsMultipleSelection) {
      delegate?.tableView(self, didSelectRowAt: IndexPath($0))
    } didDeselect: {
      delegate?.tableView(self, didDeselectRowAt: IndexPath($0))
    }
  }

  // MARK: Updates

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

extension IndexPath {
  init(_ path: BatchUpdate.Path) { self.init(row: path.row, section: path.section) }
}
