@MainActor open class UICollectionReusableView: UIView {
  /// Whether the view comes from the collection view, as UIKit demands.
  var isDequeued = false

  public required override init() {}
}

@MainActor open class UICollectionViewCell: UICollectionReusableView {}

@MainActor open class UICollectionViewLayout {
  public init() {}
}

@MainActor open class UICollectionViewFlowLayout: UICollectionViewLayout {
  public var itemSize = CGSize(width: 50, height: 50)
}

@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
  func numberOfSections(in collectionView: UICollectionView) -> Int
  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView
}

@MainActor public protocol UICollectionViewDelegate: NSObjectProtocol {
  func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
  func collectionView(
    _ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath)
}

@MainActor public protocol UICollectionViewDelegateFlowLayout: UICollectionViewDelegate {
  func collectionView(
    _ collectionView: UICollectionView, layout: UICollectionViewLayout,
    sizeForItemAt indexPath: IndexPath
  ) -> CGSize
}

/// A collection view with a flow layout and headers.
@MainActor open class UICollectionView: UIScrollView {
  public struct ScrollPosition: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  public static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
  public static let elementKindSectionFooter = "UICollectionElementKindSectionFooter"

  public weak var dataSource: (any UICollectionViewDataSource)? { didSet { list.reload() } }
  public weak var delegate: (any UICollectionViewDelegate)?
  public var collectionViewLayout: UICollectionViewLayout = UICollectionViewFlowLayout()
  public var allowsMultipleSelection = false

  /// Whether the layout has footers, too.
  public var hasFooters = false

  /// The item that was scrolled to last.
  public private(set) var scrolledTo: IndexPath?

  private let list = ShownList()
  private var classes: [String: UICollectionReusableView.Type] = [:]
  private var configured: UICollectionViewCell?

  public override init() {
    super.init()
    list.counts = { [unowned self] in
      guard let dataSource else { return [] }
      return (0..<dataSource.numberOfSections(in: self)).map {
        dataSource.collectionView(self, numberOfItemsInSection: $0)
      }
    }
    list.cell = { [unowned self] path, present in
      configured = present as? UICollectionViewCell
      defer { configured = nil }
      let path = IndexPath(path)
      return dataSource.map { checked($0.collectionView(self, cellForItemAt: path)) }
        ?? UICollectionViewCell()
    }
    list.header = { [unowned self] in end($0, Self.elementKindSectionHeader) }
    list.footer = { [unowned self] in
      hasFooters ? end($0, Self.elementKindSectionFooter) : nil
    }
  }

  private func end(_ section: Int, _ kind: String) -> UIView? {
    let path = IndexPath(item: 0, section: section)
    return dataSource.map {
      checked($0.collectionView(self, viewForSupplementaryElementOfKind: kind, at: path))
    }
  }

  private func checked<View: UICollectionReusableView>(_ view: View) -> View {
    if !view.isDequeued { Exceptions.raised.append("a view was not dequeued") }
    return view
  }

  // MARK: Reuse

  open func register(_ cellClass: UICollectionViewCell.Type, forCellWithReuseIdentifier id: String)
  {
    classes[id] = cellClass
  }

  open func register(
    _ viewClass: UICollectionReusableView.Type, forSupplementaryViewOfKind kind: String,
    withReuseIdentifier id: String
  ) {
    classes["\(kind) \(id)"] = viewClass
  }

  /// Returns the present cell if it is configured anew and has the class.
  open func dequeueReusableCell(
    withReuseIdentifier id: String, for path: IndexPath
  ) -> UICollectionViewCell {
    if let configured, type(of: configured) == classes[id] { return configured }
    return dequeue(id) as? UICollectionViewCell ?? UICollectionViewCell()
  }

  open func dequeueReusableSupplementaryView(
    ofKind kind: String, withReuseIdentifier id: String, for path: IndexPath
  ) -> UICollectionReusableView {
    dequeue("\(kind) \(id)")
  }

  private func dequeue(_ id: String) -> UICollectionReusableView {
    guard let viewClass = classes[id] else {
      Exceptions.raised.append("no class is registered for \(id)")
      return UICollectionReusableView()
    }
    let view = viewClass.init()
    view.isDequeued = true
    return view
  }

  // MARK: Reading

  public var numberOfSections: Int { list.sections.count }

  open func numberOfItems(inSection section: Int) -> Int { list.sections[section].cells.count }

  open func cellForItem(at path: IndexPath) -> UICollectionViewCell? {
    list.cell(at: .init(path)) as? UICollectionViewCell
  }

  open func supplementaryView(
    forElementKind kind: String, at path: IndexPath
  ) -> UICollectionReusableView? {
    let section = list.sections[path.section]
    let view = kind == Self.elementKindSectionHeader ? section.header : section.footer
    return view as? UICollectionReusableView
  }

  // MARK: Selection

  public var indexPathsForSelectedItems: [IndexPath]? { list.selectedPaths.map { IndexPath($0) } }

  open func selectItem(at path: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
    if path == nil || !allowsMultipleSelection {
      for path in list.selectedPaths { list.setSelected(false, path) }
    }
    if let path { list.setSelected(true, .init(path)) }
  }

  open func deselectItem(at path: IndexPath, animated: Bool) {
    list.setSelected(false, .init(path))
  }

  open func scrollToItem(at path: IndexPath, at position: ScrollPosition, animated: Bool) {
    if cellForItem(at: path) == nil { Exceptions.raised.append("there is no item \(path)") }
    scrolledTo = path
  }

  /// Does what a tap of the user does.
  public func tap(_ path: IndexPath) {
    list.tap(.init(path), allowsMultiple: allowsMultipleSelection) {
      delegate?.collectionView(self, didSelectItemAt: IndexPath($0))
    } didDeselect: {
      delegate?.collectionView(self, didDeselectItemAt: IndexPath($0))
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

  open func insertSections(_ sections: IndexSet) {
    list.change { for section in sections { $0.insertSection(section) } }
  }

  open func deleteSections(_ sections: IndexSet) {
    list.change { for section in sections { $0.deleteSection(section) } }
  }

  open func reloadSections(_ sections: IndexSet) {
    list.change { for section in sections { $0.reloadSection(section) } }
  }

  open func moveSection(_ section: Int, toSection newSection: Int) {
    list.change { $0.moveSection(section, to: newSection) }
  }

  open func insertItems(at indexPaths: [IndexPath]) {
    list.change { for path in indexPaths { $0.insert(.init(path)) } }
  }

  open func deleteItems(at indexPaths: [IndexPath]) {
    list.change { for path in indexPaths { $0.delete(.init(path)) } }
  }

  open func reloadItems(at indexPaths: [IndexPath]) {
    list.change { for path in indexPaths { $0.reload(.init(path)) } }
  }

  open func reconfigureItems(at indexPaths: [IndexPath]) {
    list.change { for path in indexPaths { $0.reconfigure(.init(path)) } }
  }

  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    list.change { $0.move(.init(indexPath), to: .init(newIndexPath)) }
  }
}
