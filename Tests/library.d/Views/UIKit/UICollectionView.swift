@MainActor open class UICollectionReusableView: UIView {
  public required override init() {}
}

@MainActor open class UICollectionViewCell: UICollectionReusableView {}

@MainActor public protocol UICollectionViewDataSource: AnyObject {
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

@MainActor open class UICollectionView: UIScrollView {
  public static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"

  public weak var dataSource: (any UICollectionViewDataSource)?
  private let list = ShownList()
  private var classes: [String: UICollectionViewCell.Type] = [:]
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
      let path = IndexPath(item: path.row, section: path.section)
      return dataSource?.collectionView(self, cellForItemAt: path) ?? UICollectionViewCell()
    }
    list.header = { [unowned self] section in
      dataSource?.collectionView(
        self, viewForSupplementaryElementOfKind: Self.elementKindSectionHeader,
        at: IndexPath(item: 0, section: section)) ?? UICollectionReusableView()
    }
  }

  open func register(_ cellClass: UICollectionViewCell.Type, forCellWithReuseIdentifier id: String)
  {
    classes[id] = cellClass
  }

  /// Returns the present cell if it is configured anew and has the class.
  open func dequeueReusableCell(
    withReuseIdentifier id: String, for path: IndexPath
  ) -> UICollectionViewCell {
    guard let cellClass = classes[id] else {
      Exceptions.raised.append("no class is registered for \(id)")
      return UICollectionViewCell()
    }
    if let configured, type(of: configured) == cellClass { return configured }
    return cellClass.init()
  }

  public var numberOfSections: Int { list.sections.count }

  open func numberOfItems(inSection section: Int) -> Int { list.sections[section].cells.count }

  open func cellForItem(at path: IndexPath) -> UICollectionViewCell? {
    list.sections[path.section].cells[path.item] as? UICollectionViewCell
  }

  open func supplementaryView(
    forElementKind kind: String, at path: IndexPath
  ) -> UICollectionReusableView? {
    list.sections[path.section].header as? UICollectionReusableView
  }

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
