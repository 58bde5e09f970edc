#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import ListDiff
  import ListSources

  /// The data source and delegate of a table view of AppKit, which shows the list of a
  /// ``ListPresenter``.
  ///
  /// Headers and footers of sections are group rows.
  @MainActor
  public final class AppKitTableDisplay: NSObject, ListDisplay, NSTableViewDataSource,
    NSTableViewDelegate
  {
    /// The table view that shows the list.
    public let tableView: NSTableView

    /// How rows come and go.
    public var animation: NSTableView.AnimationOptions = [.effectFade]

    /// The list that is shown.
    public weak var list: (any PresentedList)?

    /// Whether the table is in a window; if not, it reloads everything.
    public var showsStages: Bool { tableView.window != nil }

    var rows = Kinds<Row>()
    var header = End()
    var footer = End()

    private var layout = FlatLayout()
    private var isSelecting = false

    /// How items of a type are shown.
    struct Row {
      var view: (NSTableView, Any) -> NSView?
      var height: ((Any) -> CGFloat?)?
    }

    /// How headers or footers of sections are shown, and which sections have one.
    struct End {
      var isShown: (Any) -> Bool = { _ in false }
      var view: (NSTableView, Any) -> NSView? = { _, _ in nil }
    }

    /// Becomes the data source and the delegate of a table view.
    @usableFromInline init(_ tableView: NSTableView) {
      self.tableView = tableView
      super.init()
      tableView.dataSource = self
      tableView.delegate = self
    }

    // MARK: Display

    /// Returns true: an updated row makes its view anew.
    public func canReuseView(of item: Any, for updated: Any) -> Bool { true }

    /// Reloads the table view.
    public func reload() {
      layout = FlatLayout(sections)
      tableView.reloadData()
    }

    /// Shows a stage, operation by operation.
    public func show(_ stage: Changes.Stage, setList: @escaping () -> Void) {
      setList()
      isSelecting = true
      let ops = layout.apply(stage, to: sections)
      tableView.apply(ops, animation)
      isSelecting = false
    }

    /// Selects and deselects rows as the list says.
    public func showSelection(revealsCursor: Bool) {
      let wanted = IndexSet((list?.selectedPaths ?? []).map { layout.index(of: $0) })
      isSelecting = true
      if tableView.selectedRowIndexes != wanted {
        tableView.selectRowIndexes(wanted, byExtendingSelection: false)
      }
      isSelecting = false
      if revealsCursor, let path = list?.cursorPath {
        tableView.scrollRowToVisible(layout.index(of: path))
      }
    }

    private var sections: [FlatLayout.Section] {
      list?.flatSections(hasHeader: header.isShown, hasFooter: footer.isShown) ?? []
    }

    // MARK: Data source

    /// The number of rows, headers and footers.
    public func numberOfRows(in tableView: NSTableView) -> Int { layout.count }

    // MARK: Delegate

    /// Returns the view of a row, or an empty view if no row is registered for its item.
    public func tableView(
      _ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int
    ) -> NSView? {
      guard let list, let line = layout.line(at: row) else { return nil }
      switch line {
      case .header(let section):
        return list.content(ofSection: section).flatMap { header.view(tableView, $0) }
      case .footer(let section):
        return list.content(ofSection: section).flatMap { footer.view(tableView, $0) }
      case .row(let path):
        guard let item = list.content(at: path) else { return nil }
        if let row = rows[item] { return row.view(tableView, item) }
        list.warn("no row is registered for \(type(of: item))")
        return nil
      }
    }

    /// Returns the height that a row was registered with, or that of the table.
    public func tableView(_ tableView: NSTableView, heightOfRow row: Int) -> CGFloat {
      guard let path = path(at: row), let item = list?.content(at: path) else {
        return tableView.rowHeight
      }
      return rows[item]?.height?(item) ?? tableView.rowHeight
    }

    /// Reports whether a row is a header or a footer.
    public func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool {
      path(at: row) == nil
    }

    /// Reports whether a row shows an item.
    public func tableView(_ tableView: NSTableView, shouldSelectRow row: Int) -> Bool {
      path(at: row) != nil
    }

    /// Selects and deselects items in the source.
    public func tableViewSelectionDidChange(_ notification: Notification) {
      guard let list, !isSelecting else { return }
      list.choose(tableView.selectedRowIndexes.compactMap { path(at: $0) }, .replace)
    }

    private func path(at row: Int) -> ListPath? {
      guard case .row(let path)? = layout.line(at: row) else { return nil }
      return path
    }
  }

  extension ListPresenter where Display == AppKitTableDisplay {
    /// Shows a list in a table view, of which it becomes the data source and the delegate.
    @_alwaysEmitIntoClient
    public convenience init(_ source: Source, in tableView: NSTableView) {
      self.init(source, display: AppKitTableDisplay(tableView))
    }

    /// Shows items of a type, or those of them for which `condition` is true, in views that are made
    /// by an expression.
    ///
    /// Views are used again by the name of their class, or by a reuse identifier.
    @discardableResult
    public func row<Item, View: NSView>(
      _ type: Item.Type, _ view: @escaping @autoclosure () -> View, reuseIdentifier: String? = nil,
      where condition: ((Item) -> Bool)? = nil, height: ((Item) -> CGFloat)? = nil,
      configure: @escaping (View, Item) -> Void
    ) -> Self {
      let make = reusing(reuseIdentifier ?? String(reflecting: View.self), view)
      let row = AppKitTableDisplay.Row(
        view: { table, item in
          guard let item = value(item, as: type) else { return nil }
          let view = make(table)
          configure(view, item)
          return view
        }, height: height.map { height in { value($0, as: type).map(height) } })
      display.rows.add(type, condition, row)
      return self
    }

    /// Shows items of a type in views, which also get an object, such as the view controller that
    /// their buttons call.
    ///
    /// The presenter refers to the object weakly.
    @discardableResult
    public func row<Item, View: NSView, Sender: AnyObject>(
      _ type: Item.Type, _ view: @escaping @autoclosure () -> View, sender: Sender,
      configure: @escaping (View, Item, Sender) -> Void
    ) -> Self {
      row(type, view()) { [weak sender] view, item in
        if let sender { configure(view, item, sender) }
      }
    }

    /// Shows group rows above the sections for which `content` has a value.
    @discardableResult
    public func header<Content, View: NSView>(
      _ content: @escaping (Section) -> Content?, _ view: @escaping @autoclosure () -> View,
      configure: @escaping (View, Content) -> Void
    ) -> Self {
      display.header = end(content, "header", view, configure)
      return self
    }

    /// Shows group rows below the sections for which `content` has a value.
    @discardableResult
    public func footer<Content, View: NSView>(
      _ content: @escaping (Section) -> Content?, _ view: @escaping @autoclosure () -> View,
      configure: @escaping (View, Content) -> Void
    ) -> Self {
      display.footer = end(content, "footer", view, configure)
      return self
    }

    private func end<Content, View: NSView>(
      _ content: @escaping (Section) -> Content?, _ name: String, _ view: @escaping () -> View,
      _ configure: @escaping (View, Content) -> Void
    ) -> AppKitTableDisplay.End {
      let make = reusing("\(String(reflecting: View.self)).\(name)", view)
      let content = { (section: Any) in value(section, as: Section.self).flatMap(content) }
      return AppKitTableDisplay.End(
        isShown: { content($0) != nil },
        view: { table, section in
          guard let content = content(section) else { return nil }
          let view = make(table)
          configure(view, content)
          return view
        })
    }

    private func reusing<View: NSView>(
      _ name: String, _ view: @escaping () -> View
    ) -> (NSTableView) -> View {
      let identifier = NSUserInterfaceItemIdentifier(name)
      return { table in
        let reused = table.makeView(withIdentifier: identifier, owner: nil)
        if let reused = reused as? View { return reused }
        let view = view()
        view.identifier = identifier
        return view
      }
    }
  }
#endif
