/// The cells and headers of a table or collection view, which change only as the view is asked to.
@MainActor final class ShownList {
  typealias Path = BatchUpdate.Path

  struct Section {
    var header: UIView
    var cells: [UIView]
  }

  /// The numbers of rows that the data source has at present.
  var counts: () -> [Int] = { [] }

  /// Asks the data source for a cell, or for a present one to be configured anew.
  var cell: (Path, _ present: UIView?) -> UIView = { _, _ in UIView() }

  var header: (Int) -> UIView = { _ in UIView() }

  private(set) var sections: [Section] = []
  private var update = BatchUpdate()
  private var depth = 0

  func reload() {
    sections = counts().enumerated().map { section, count in newSection(section, count) }
  }

  private func newSection(_ section: Int, _ count: Int) -> Section {
    Section(
      header: header(section),
      cells: (0..<count).map { cell(Path(section: section, row: $0), nil) })
  }

  /// Makes changes as one batch; those outside of a batch are one each.
  func batch(_ changes: () -> Void) {
    depth += 1
    changes()
    depth -= 1
    if depth == 0 { finish() }
  }

  func change(_ change: (inout BatchUpdate) -> Void) { batch { change(&update) } }

  private func finish() {
    let counts = counts()
    var update = update
    self.update = BatchUpdate()
    guard let result = update.sections(before: sections.map { $0.cells.count }, after: counts)
    else {
      Exceptions.raised += update.errors
      return reload()
    }
    let old = sections
    sections = result.enumerated().map { index, section in
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
      return Section(header: old[origin].header, cells: cells)
    }
  }
}
