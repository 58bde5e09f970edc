#if canImport(UIKit) && !os(watchOS)
  import ListDiff
  import ListSources
  import UIKit

  /// The data source and delegate of a collection view, which shows the list of a ``ListPresenter``.
  @MainActor
  public final class CollectionDisplay: NSObject, ListDisplay, UICollectionViewDataSource,
    UICollectionViewDelegateFlowLayout
  {
    /// The collection view that shows the list.
    public let collectionView: UICollectionView

    /// The list that is shown.
    public weak var list: (any PresentedList)?

    /// Whether the view is in a window; if not, it reloads everything.
    public var showsStages: Bool { collectionView.window != nil }

    var rows = Kinds<Row>()

    /// How headers, footers and other views of sections are shown, by kind.
    var ends: [String: (UICollectionView, IndexPath, Any) -> UICollectionReusableView?] = [:]

    /// How items of a type are shown.
    struct Row {
      var cell: (UICollectionView, IndexPath, Any) -> UICollectionViewCell?
      var size: ((Any) -> CGSize?)?
    }

    private static let emptyView = "ListPresenter.empty"

    /// Becomes the data source and the delegate of a collection view.
    @usableFromInline init(_ collectionView: UICollectionView) {
      self.collectionView = collectionView
      super.init()
      collectionView.register(
        UICollectionViewCell.self, forCellWithReuseIdentifier: Self.emptyView)
      collectionView.dataSource = self
      collectionView.delegate = self
    }

    // MARK: Display

    /// Reports whether both items have the same kind of cell.
    public func canReuseView(of item: Any, for updated: Any) -> Bool {
      rows.index(of: item) == rows.index(of: updated)
    }

    /// Reloads the collection view.
    public func reload() { collectionView.reloadData() }

    /// Shows a stage as one or two batch updates.
    public func show(_ stage: Changes.Stage, setList: @escaping () -> Void) {
      collectionView.performBatchUpdates(stage, setData: setList)
    }

    /// Selects and deselects items as the list says.
    public func showSelection(revealsCursor: Bool) {
      let wanted = Set((list?.selectedPaths ?? []).map { IndexPath($0) })
      let shown = Set(collectionView.indexPathsForSelectedItems ?? [])
      for path in shown.subtracting(wanted) {
        collectionView.deselectItem(at: path, animated: false)
      }
      for path in wanted.subtracting(shown) {
        collectionView.selectItem(at: path, animated: false, scrollPosition: [])
      }
      if revealsCursor, let path = list?.cursorPath {
        collectionView.scrollToItem(at: IndexPath(path), at: [], animated: showsStages)
      }
    }

    // MARK: Data source

    /// The number of sections of the list.
    public func numberOfSections(in collectionView: UICollectionView) -> Int {
      list?.sectionCount ?? 0
    }

    /// Returns the number of items of a section.
    public func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int {
      list?.itemCount(inSection: section) ?? 0
    }

    /// Returns the cell of an item, or an empty cell if no row is registered for it.
    public func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      if let list, let item = list.content(at: ListPath(indexPath)) {
        if let cell = rows[item]?.cell(collectionView, indexPath, item) { return cell }
        list.warn("no row is registered for \(type(of: item))")
      }
      return collectionView.dequeueReusableCell(
        withReuseIdentifier: Self.emptyView, for: indexPath)
    }

    /// Returns the header, the footer or another view of a section, or an empty view if none of the kind
    /// is registered.
    public func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
      at indexPath: IndexPath
    ) -> UICollectionReusableView {
      let section = list?.content(ofSection: indexPath.section)
      if let view = section.flatMap({ ends[kind]?(collectionView, indexPath, $0) }) { return view }
      if ends[kind] == nil { list?.warn("no view is registered for \(kind)") }
      collectionView.register(
        UICollectionReusableView.self, forSupplementaryViewOfKind: kind,
        withReuseIdentifier: Self.emptyView)
      return collectionView.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: Self.emptyView, for: indexPath)
    }

    // MARK: Delegate

    /// Returns the size that a row was registered with, or that of the layout.
    public func collectionView(
      _ collectionView: UICollectionView, layout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
      let item = list?.content(at: ListPath(indexPath))
      return item.flatMap { rows[$0]?.size?($0) }
        ?? (layout as? UICollectionViewFlowLayout)?.itemSize ?? .zero
    }

    /// Selects an item in the source.
    public func collectionView(
      _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
    ) {
      list?.choose(
        [ListPath(indexPath)], collectionView.allowsMultipleSelection ? .select : .replace)
    }

    /// Deselects an item in the source, if the view has multiple selection; if not, the selection of
    /// another item follows.
    public func collectionView(
      _ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath
    ) {
      if collectionView.allowsMultipleSelection { list?.choose([ListPath(indexPath)], .deselect) }
    }
  }

  extension ListPresenter where Display == CollectionDisplay {
    /// Shows a list in a collection view, of which it becomes the data source and the delegate.
    ///
    /// Items are selected as the view allows it: if it has single selection, an item replaces all
    /// others.
    @_alwaysEmitIntoClient
    public convenience init(_ source: Source, in collectionView: UICollectionView) {
      self.init(source, display: CollectionDisplay(collectionView))
    }

    /// Shows items of a type, or those of them for which `condition` is true, in cells of a class.
    ///
    /// The cells are registered by the name of the class, or by a reuse identifier. Sizes are those
    /// of a flow layout.
    @discardableResult
    public func row<Item, Cell: UICollectionViewCell>(
      _ type: Item.Type, _ cellClass: Cell.Type, reuseIdentifier: String? = nil,
      where condition: ((Item) -> Bool)? = nil, size: ((Item) -> CGSize)? = nil,
      configure: @escaping (Cell, Item) -> Void
    ) -> Self {
      let identifier = reuseIdentifier ?? String(reflecting: cellClass)
      display.collectionView.register(cellClass, forCellWithReuseIdentifier: identifier)
      let row = CollectionDisplay.Row(
        cell: { [weak self] view, path, item in
          let cell = view.dequeueReusableCell(withReuseIdentifier: identifier, for: path)
          if let cell = cell as? Cell, let item = value(item, as: type) {
            configure(cell, item)
          } else {
            self?.warn("the cell \(identifier) is no \(cellClass)")
          }
          return cell
        }, size: size.map { size in { value($0, as: type).map(size) } })
      display.rows.add(type, condition, row)
      return self
    }

    /// Shows items of a type in cells of a class, which also get an object, such as the view
    /// controller that their buttons call.
    ///
    /// The presenter refers to the object weakly.
    @discardableResult
    public func row<Item, Cell: UICollectionViewCell, Sender: AnyObject>(
      _ type: Item.Type, _ cellClass: Cell.Type, sender: Sender,
      configure: @escaping (Cell, Item, Sender) -> Void
    ) -> Self {
      row(type, cellClass) { [weak sender] cell, item in
        if let sender { configure(cell, item, sender) }
      }
    }

    /// Shows views of a class as the headers of sections, or as another kind of supplementary view,
    /// with the content of each section that has one.
    @discardableResult
    public func header<Content, View: UICollectionReusableView>(
      _ content: @escaping (Section) -> Content?, _ viewClass: View.Type,
      kind: String = UICollectionView.elementKindSectionHeader,
      configure: @escaping (View, Content) -> Void
    ) -> Self {
      let identifier = String(reflecting: viewClass)
      display.collectionView.register(
        viewClass, forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
      display.ends[kind] = { view, path, section in
        guard let content = value(section, as: Section.self).flatMap(content) else { return nil }
        let end = view.dequeueReusableSupplementaryView(
          ofKind: kind, withReuseIdentifier: identifier, for: path)
        if let end = end as? View { configure(end, content) }
        return end
      }
      return self
    }

    /// Shows views of a class as the footers of sections, with the content of each section that has
    /// one.
    @discardableResult
    public func footer<Content, View: UICollectionReusableView>(
      _ content: @escaping (Section) -> Content?, _ viewClass: View.Type,
      configure: @escaping (View, Content) -> Void
    ) -> Self {
      header(
        content, viewClass, kind: UICollectionView.elementKindSectionFooter, configure: configure)
    }
  }
#endif
