import ListDiff
internal import SumTrees

extension ItemTree {
  /// Applies a change of the whole list, which leads to `new`. Returns false, and changes nothing, if
  /// sections are inserted, deleted or moved, if ids repeat, or if much changes.
  ///
  /// - Complexity: O(*s* + *k* log *n*), where *k* is the number of rows that change.
  mutating func apply(_ changes: Changes, to new: [Section]) -> Bool {
    let (rows, sections) = (changes.rowCounts, changes.sectionCounts)
    guard sections.deletes + sections.inserts + sections.moves == 0,
      rows.deletes + rows.inserts + rows.moves <= 8 + itemCount / 8,
      let rows = ChangedRows(changes), !repeatsItem(at: rows.inserted, of: new)
    else { return false }
    for path in rows.leaving {
      if let location = location(at: path) { remove(at: location) }
    }
    for path in rows.arriving {
      insert([new[path.section].items[path.row]], at: insertionPoint(path))
    }
    for path in rows.updated {
      if let location = location(at: path) {
        replace(location, with: new[path.section].items[path.row])
      }
    }
    for index in rows.updatedSections {
      if let number = section(at: index) { updateSection(number, with: new[index]) }
    }
    return true
  }

  /// Returns whether one of the items at some paths is in the list already, or is there twice.
  private func repeatsItem(at paths: [ListPath], of new: [Section]) -> Bool {
    var added: Set<ItemID> = []
    for path in paths {
      let id = new[path.section].items[path.row].id
      if leafOf[id] != nil || !added.insert(id).inserted { return true }
    }
    return false
  }

  private func location(at path: ListPath) -> ItemLocation? {
    guard let number = section(at: path.section),
      let (leaf, before) = forest.find(path.row, .items, inTree: number)
    else { return nil }
    return ItemLocation(leaf: leaf, index: path.row - before.items)
  }

  /// Returns the location of the item at a path, or the end of its section.
  private mutating func insertionPoint(_ path: ListPath) -> ItemLocation {
    if let location = location(at: path) { return location }
    guard let number = section(at: path.section) else {
      preconditionFailure("no section is inserted")
    }
    return end(ofSection: number)
  }
}

/// The rows that a change deletes, inserts, moves and updates, and the sections that it updates.
private struct ChangedRows {
  /// The old paths of deleted and moved rows, in descending order.
  private(set) var leaving: [ListPath] = []
  /// The new paths of inserted and moved rows, in ascending order.
  private(set) var arriving: [ListPath] = []
  private(set) var inserted: [ListPath] = []
  private(set) var updated: [ListPath] = []
  private(set) var updatedSections: [Int] = []

  /// Collects the rows, or returns `nil` if sections move or a stage does not begin with the old list
  /// or end with the new one.
  init?(_ changes: Changes) {
    for (index, stage) in changes.stages.enumerated() {
      for op in stage.ops {
        switch op {
        case .deleteItems(let at, let count): leaving += Self.paths(at, count)
        case .insertItems(let at, let count): inserted += Self.paths(at, count)
        case .moveItems(let from, let to, let count):
          leaving += Self.paths(from, count)
          arriving += Self.paths(to, count)
        case .reconfigureItems(let at, let count), .reloadItems(let at, let count):
          updated += Self.paths(at, count)
        case .reconfigureSections(let at, let count), .reloadSections(let at, let count):
          updatedSections += at..<at + count
        case .deleteSections, .insertSections, .moveSections: return nil
        }
      }
      if index == 0 { continue }
      // Only contents change after the first stage.
      guard stage.ops.allSatisfy({ $0.isUpdate }) else { return nil }
    }
    arriving += inserted
    leaving.sort(by: >)
    arriving.sort(by: <)
  }

  private static func paths(_ at: ListPath, _ count: Int) -> [ListPath] {
    (at.row..<at.row + count).map { ListPath(section: at.section, row: $0) }
  }
}

extension Changes.Op {
  fileprivate var isUpdate: Bool {
    switch self {
    case .reconfigureItems, .reloadItems, .reconfigureSections, .reloadSections: true
    default: false
    }
  }
}
