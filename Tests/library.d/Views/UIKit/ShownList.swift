/// The cells, headers and footers of a table or collection view, which change only as the view is
/// asked to.
@MainActor final class ShownList {
  typealias Path = BatchUpdate.Path

  struct Section {
    var header: UIView?
    var footer: UIView?
    var cells: [UIView]
  }

  /// The numbers of rows that the data source has at present.
  var counts: () -> [Int] = { [] }

  /// Asks the data source for a cell, or for a present one to be configured anew.
  var cell: (Path, _ present: UIView?) -> UIView = { _, _ in UIView() }

  var header: (Int) -> UIView? = { _ in nil }
  var footer: (Int) -> UIView? = { _ in nil }

  /// What is shown. As in UIKit, it is read when it is needed first, or when an update begins.
  var sections: [Section] {
    load()
    return loaded
  }

  private var loaded: [Section] = []
  private var isLoaded = false
  private var selected: Set<ObjectIdentifier> = []
  private var update = BatchUpdate()
  private var depth = 0

  func reload() {
    if depth > 0 { Exceptions.raised.append("everything is reloaded in an update") }
    isLoaded = false
    selected = []
  }

  private func load() {
    if isLoaded { return }
    isLoaded = true
    loaded = counts().enumerated().map { section, count in newSection(section, count) }
  }

  private func newSection(_ section: Int, _ count: Int) -> Section {
    Section(
      header: header(section), footer: footer(section),
      cells: (0..<count).map { cell(Path(section: section, row: $0), nil) })
  }

  /// Returns the cell at a path, or `nil` if there is none.
  func cell(at path: Path) -> UIView? {
    let sections = sections
    guard sections.indices.contains(path.section),
      sections[path.section].cells.indices.contains(path.row)
    else { return nil }
    return sections[path.section].cells[path.row]
  }

  // MARK: Selection

  var selectedPaths: [Path] {
    sections.enumerated().flatMap { section, shown in
      shown.cells.indices.filter { selected.contains(ObjectIdentifier(shown.cells[$0])) }
        .map { Path(section: section, row: $0) }
    }
  }

  func isSelected(_ path: Path) -> Bool {
    cell(at: path).map { selected.contains(ObjectIdentifier($0)) } ?? false
  }

  func setSelected(_ isSelected: Bool, _ path: Path) {
    guard let cell = cell(at: path) else {
      Exceptions.raised.append("there is no row \(path) to select")
      return
    }
    if isSelected {
      selected.insert(ObjectIdentifier(cell))
    } else {
      selected.remove(ObjectIdentifier(cell))
    }
  }

  /// A tap on a row: calls the methods of the delegate.
  func tap(
    _ path: Path, allowsMultiple: Bool, didSelect: (Path) -> Void, didDeselect: (Path) -> Void
  ) {
    if allowsMultiple, isSelected(path) {
      setSelected(false, path)
      return didDeselect(path)
    }
    if !allowsMultiple {
      for other in selectedPaths where other != path {
        setSelected(false, other)
        didDeselect(other)
      }
    }
    setSelected(true, path)
    didSelect(path)
  }

  // MARK: Updates

  /// Makes changes as one batch; those outside of a batch are one each.
  func batch(_ changes: () -> Void) {
    load()
    depth += 1
    changes()
    if depth == 1 { finish() }
    depth -= 1
  }

  func change(_ change: (inout BatchUpdate) -> Void) { batch { change(&update) } }

  private func finish() {
    let counts = counts()
    var update = update
    self.update = BatchUpdate()
    guard let result = update.sections(before: loaded.map { $0.cells.count }, after: counts)
    else {
      Exceptions.raised += update.errors
      isLoaded = false
      return
    }
    let old = loaded
    let sections = result.enumerated().map { index, section in
      guard let origin = section.origin, !update.reloadedSections.contains(origin) else {
        return newSection(index, section.rows.count)
      }
      let cells = section.rows.enumerated().map { row, origin in
        let path = Path(section: index, row: row)
        guard let origin, !update.reloaded.contains(origin) else { return cell(path, nil) }
        let present = old[origin.section].cells[origin.row]
        guard update.reconfigured.contains(origin) else { return present }
        let configured = cell(path, present)
        if configured !== present { Exceptions.raised.append("\(path) got another cell") }
        return configured
      }
      return Section(header: old[origin].header, footer: old[origin].footer, cells: cells)
    }
    loaded = sections
    selected.formIntersection(sections.flatMap { $0.cells.map { ObjectIdentifier($0) } })
  }
}
