#if canImport(UIKit) && !os(watchOS)
  import ListDiff
  import ListSources
  import UIKit

  /// The data source and delegate of a table view, which shows the list of a ``ListPresenter``.
  @MainActor
  public final class TableDisplay: NSObject, ListDisplay, UITableViewDataSource, UITableViewDelegate
  {
    /// The table view that shows the list.
    public let tableView: UITableView

    /// How rows come and go.
    public var animation: UITableView.RowAnimation = .automatic

    /// The list that is shown.
    public weak var list: (any PresentedList)?

    /// Whether the table is in a window; if not, it reloads everything.
    public var showsStages: Bool { tableView.window != nil }

    var rows = Kinds<Row>()
    var header = End()
    var footer = End()

    /// How items of a type are shown.
    struct Row {
      var cell: (UITableView, IndexPath, Any) -> UITableViewCell?
      var height: ((Any) -> CGFloat)?
    }

    /// How headers or footers of sections are shown.
    struct End {
      var title: (Any) -> String? = { _ in nil }
      var view: (UITableView, Any) -> UIView? = { _, _ in nil }
    }

    private static let emptyCell = "ListPresenter.empty"

    /// Becomes the data source and the delegate of a table view.
    @usableFromInline init(_ tableView: UITableView) {
      self.tableView = tableView
      super.init()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: Self.emptyCell)
      tableView.dataSource = self
      tableView.delegate = self
    }

    // MARK: Display

    /// Reports whether both items have the same kind of cell.
    public func canReuseView(of item: Any, for updated: Any) -> Bool {
      rows.index(of: item) == rows.index(of: updated)
    }

    /// Reloads the table view.
    public func reload() { tableView.reloadData() }

    /// Shows a stage as one or two batch updates.
    public func show(_ stage: Changes.Stage, setList: @escaping () -> Void) {
      tableView.performBatchUpdates(stage, with: animation, setData: setList)
    }

    /// Selects and deselects rows as the list says.
    public func showSelection(revealsCursor: Bool) {
      let wanted = Set((list?.selectedPaths ?? []).map { IndexPath($0) })
      let shown = Set(tableView.indexPathsForSelectedRows ?? [])
      for path in shown.subtracting(wanted) { tableView.deselectRow(at: path, animated: false) }
      for path in wanted.subtracting(shown) {
        tableView.selectRow(at: path, animated: false, scrollPosition: .none)
      }
      if revealsCursor, let path = list?.cursorPath {
        tableView.scrollToRow(at: IndexPath(path), at: .none, animated: showsStages)
      }
    }

    // MARK: Data source

    /// The number of sections of the list.
    public func numberOfSections(in tableView: UITableView) -> Int { list?.sectionCount ?? 0 }

    /// Returns the number of items of a section.
    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      list?.itemCount(inSection: section) ?? 0
    }

    /// Returns the cell of an item, or an empty cell if no row is registered for it.
    public func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      if let list, let item = list.content(at: ListPath(indexPath)) {
        if let cell = rows[item]?.cell(tableView, indexPath, item) { return cell }
        list.warn("no row is registered for \(type(of: item))")
      }
      return tableView.dequeueReusableCell(withIdentifier: Self.emptyCell, for: indexPath)
    }

    /// Returns the title of a section's header.
    public func tableView(
      _ tableView: UITableView, titleForHeaderInSection section: Int
    ) -> String? {
      list?.content(ofSection: section).flatMap(header.title)
    }

    /// Returns the title of a section's footer.
    public func tableView(
      _ tableView: UITableView, titleForFooterInSection section: Int
    ) -> String? {
      list?.content(ofSection: section).flatMap(footer.title)
    }

    // MARK: Delegate

    /// Returns the view of a section's header.
    public func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView?
    {
      list?.content(ofSection: section).flatMap { header.view(tableView, $0) }
    }

    /// Returns the view of a section's footer.
    public func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView?
    {
      list?.content(ofSection: section).flatMap { footer.view(tableView, $0) }
    }

    /// Returns the height that a row was registered with, or that of the table.
    public func tableView(
      _ tableView: UITableView, heightForRowAt indexPath: IndexPath
    ) -> CGFloat {
      guard let item = list?.content(at: ListPath(indexPath)) else { return tableView.rowHeight }
      return rows[item]?.height?(item) ?? tableView.rowHeight
    }

    /// Selects an item in the source.
    public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      list?.choose([ListPath(indexPath)], tableView.allowsMultipleSelection ? .select : .replace)
    }

    /// Deselects an item in the source, if the table has multiple selection; if not, the selection of
    /// another row follows.
    public func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
      if tableView.allowsMultipleSelection { list?.choose([ListPath(indexPath)], .deselect) }
    }
  }

  extension ListPresenter where Display == TableDisplay {
    /// Shows a list in a table view, of which it becomes the data source and the delegate.
    ///
    /// Rows are selected as the table allows it: if it has single selection, a row replaces all
    /// others.
    @_alwaysEmitIntoClient
    public convenience init(_ source: Source, in tableView: UITableView) {
      self.init(source, display: TableDisplay(tableView))
    }

    /// Shows items of a type, or those of them for which `condition` is true, in cells of a class.
    ///
    /// The cells are registered by the name of the class. With a reuse identifier, the cells are those
    /// that a storyboard or the app has registered; if there are none, the class is registered.
    @discardableResult
    public func row<Item, Cell: UITableViewCell>(
      _ type: Item.Type, _ cellClass: Cell.Type, reuseIdentifier: String? = nil,
      where condition: ((Item) -> Bool)? = nil, height: ((Item) -> CGFloat)? = nil,
      configure: @escaping (Cell, Item) -> Void
    ) -> Self {
      let identifier = reuseIdentifier ?? String(reflecting: cellClass)
      let table = display.tableView
      if reuseIdentifier == nil || table.dequeueReusableCell(withIdentifier: identifier) == nil {
        table.register(cellClass, forCellReuseIdentifier: identifier)
      }
      let row = TableDisplay.Row(
        cell: { [weak self] table, path, item in
          let cell = table.dequeueReusableCell(withIdentifier: identifier, for: path)
          if let cell = cell as? Cell, let item = value(item, as: type) {
            configure(cell, item)
          } else {
            self?.warn("the cell \(identifier) is no \(cellClass)")
          }
          return cell
        }, height: height.map { height in { value($0, as: type).map(height) ?? table.rowHeight } })
      display.rows.add(type, condition, row)
      return self
    }

    /// Shows items of a type in cells of a class, which also get an object, such as the view
    /// controller that their buttons call.
    ///
    /// The presenter refers to the object weakly.
    @discardableResult
    public func row<Item, Cell: UITableViewCell, Sender: AnyObject>(
      _ type: Item.Type, _ cellClass: Cell.Type, sender: Sender,
      configure: @escaping (Cell, Item, Sender) -> Void
    ) -> Self {
      row(type, cellClass) { [weak sender] cell, item in
        if let sender { configure(cell, item, sender) }
      }
    }

    /// Shows titles above the sections that have one.
    ///
    /// The closure gets sections without their items.
    @discardableResult
    public func header(_ title: @escaping (Section) -> String?) -> Self {
      display.header.title = { value($0, as: Section.self).flatMap(title) }
      return self
    }

    /// Shows titles below the sections that have one.
    @discardableResult
    public func footer(_ title: @escaping (Section) -> String?) -> Self {
      display.footer.title = { value($0, as: Section.self).flatMap(title) }
      return self
    }

    /// Shows views of a class above the sections for which `content` has a value.
    @discardableResult
    public func header<Content, View: UITableViewHeaderFooterView>(
      _ content: @escaping (Section) -> Content?, _ viewClass: View.Type,
      configure: @escaping (View, Content) -> Void
    ) -> Self {
      display.header.view = end(content, viewClass, "header", configure)
      return self
    }

    /// Shows views of a class below the sections for which `content` has a value.
    @discardableResult
    public func footer<Content, View: UITableViewHeaderFooterView>(
      _ content: @escaping (Section) -> Content?, _ viewClass: View.Type,
      configure: @escaping (View, Content) -> Void
    ) -> Self {
      display.footer.view = end(content, viewClass, "footer", configure)
      return self
    }

    private func end<Content, View: UITableViewHeaderFooterView>(
      _ content: @escaping (Section) -> Content?, _ viewClass: View.Type, _ name: String,
      _ configure: @escaping (View, Content) -> Void
    ) -> (UITableView, Any) -> UIView? {
      let identifier = "\(String(reflecting: viewClass)).\(name)"
      display.tableView.register(viewClass, forHeaderFooterViewReuseIdentifier: identifier)
      return { table, section in
        guard let content = value(section, as: Section.self).flatMap(content) else { return nil }
        let view = table.dequeueReusableHeaderFooterView(withIdentifier: identifier)
        if let view = view as? View { configure(view, content) }
        return view
      }
    }
  }

  extension IndexPath {
    /// Creates the index path of a row or item.
    public init(_ path: ListPath) { self.init(item: path.row, section: path.section) }
  }

  extension ListPath {
    /// Creates the path of a row or item.
    public init(_ path: IndexPath) { self.init(section: path.section, row: path.item) }
  }
#endif
