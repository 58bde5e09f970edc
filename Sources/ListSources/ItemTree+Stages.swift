import ListDiff
internal import SumTrees

extension ItemTree {
  /// Applies a stage, given its index, of a change that leads to another list. What the stage inserts or
  /// updates is taken from there.
  ///
  /// - Complexity: O(*k* log *n* + *s*), where *k* is the number of rows of the operations.
  mutating func apply(
    _ stage: Changes.Stage, _ index: Int, of map: Changes.PathMap, to target: ItemTree
  ) {
    // Stages of contents are not in the map.
    let index = min(index, map.forms.count - 1)
    var rowCounts = stage.insertedRowCounts[...]
    func newSection(_ section: Int) -> Section? {
      map.end(section: section, after: index).flatMap { target.listedSection(at: $0) }
    }
    func newItem(_ path: ListPath) -> Item? {
      map.end(path, after: index).flatMap { target.item(at: $0) }
    }
    for op in OpSequence([stage]).ops {
      let parts = op.parts
      let (at, to, range) = (parts.at, parts.to, 0..<parts.count)
      switch (parts.verb, parts.isOfRows) {
      case (.delete, true): for _ in range { _ = remove(at: at) }
      case (.insert, true): insert(range.compactMap { newItem(at.advanced(by: $0)) }, at: to)
      case (.move, true): insert(range.compactMap { _ in remove(at: at) }, at: to)
      case (.reload, true), (.reconfigure, true):
        for row in range.map({ at.advanced(by: $0) }) {
          if let location = location(at: row), let item = newItem(row) {
            replace(location, with: item)
          }
        }
      case (.delete, false):
        for number in range.compactMap({ section(at: at.row + $0) }) { removeSection(number) }
      case (.insert, false):
        for section in range.map({ at.row + $0 }) {
          guard var inserted = newSection(section) else { continue }
          inserted.items = (0..<(rowCounts.popFirst() ?? 0)).compactMap {
            newItem(ListPath(section: section, row: $0))
          }
          _ = insertSection(inserted, after: self.section(at: section - 1))
        }
      case (.move, false):
        let moved = range.compactMap { section(at: at.row + $0) }
        // The sections are removed before they are inserted.
        var last = section(at: to.row <= at.row ? to.row - 1 : to.row - 1 + parts.count)
        for number in moved {
          moveSection(number, after: last)
          last = number
        }
      case (.reload, false), (.reconfigure, false):
        for index in range.map({ at.row + $0 }) {
          if let number = section(at: index), let updated = newSection(index) {
            updateSection(number, with: updated)
          }
        }
      }
    }
  }

  private func location(at path: ListPath) -> ItemLocation? {
    guard let number = section(at: path.section),
      let (leaf, before) = forest.find(path.row, .items, inTree: number)
    else { return nil }
    return ItemLocation(leaf: leaf, index: path.row - before.items)
  }

  private mutating func remove(at path: ListPath) -> Item? {
    location(at: path).map { remove(at: $0) }
  }

  private mutating func insert(_ items: [Item], at path: ListPath) {
    guard let number = section(at: path.section) else { return }
    insert(items, at: location(ofRow: path.row, inSection: number))
  }
}
