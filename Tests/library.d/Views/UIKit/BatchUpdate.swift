/// The rows of a batch update, and what UIKit does not allow in one.
///
/// Deletions, reloads and the origins of moves are paths before the update; insertions and the
/// destinations of moves are paths after it.
struct BatchUpdate {
  struct Path: Hashable, CustomStringConvertible {
    var section: Int
    var row: Int

    var description: String { "(\(section), \(row))" }
  }

  /// Where a section after the update, and each of its rows, was before it; `nil` if it is new.
  struct Section {
    var origin: Int?
    var rows: [Path?]
  }

  private(set) var deletedSections: Set<Int> = []
  private(set) var insertedSections: Set<Int> = []
  private(set) var reloadedSections: Set<Int> = []
  private var movedSections: [Int: Int] = [:]
  private var sectionOrigins: [Int: Int] = [:]
  private(set) var deleted: Set<Path> = []
  private(set) var inserted: Set<Path> = []
  private(set) var reloaded: Set<Path> = []
  private(set) var reconfigured: Set<Path> = []
  private var moved: [Path: Path] = [:]
  private var origins: [Path: Path] = [:]
  private(set) var errors: [String] = []

  private mutating func check(_ isAllowed: Bool, _ error: @autoclosure () -> String) {
    if !isAllowed { errors.append(error()) }
  }

  // MARK: Recording

  mutating func deleteSection(_ section: Int) {
    check(deletedSections.insert(section).inserted, "section \(section) is deleted twice")
  }

  mutating func insertSection(_ section: Int) {
    check(insertedSections.insert(section).inserted, "section \(section) is inserted twice")
  }

  mutating func reloadSection(_ section: Int) {
    check(reloadedSections.insert(section).inserted, "section \(section) is reloaded twice")
  }

  mutating func moveSection(_ section: Int, to new: Int) {
    check(movedSections.updateValue(new, forKey: section) == nil, "\(section) is moved twice")
    check(sectionOrigins.updateValue(section, forKey: new) == nil, "two sections move to \(new)")
  }

  mutating func delete(_ path: Path) {
    check(deleted.insert(path).inserted, "\(path) is deleted twice")
  }

  mutating func insert(_ path: Path) {
    check(inserted.insert(path).inserted, "\(path) is inserted twice")
  }

  mutating func reload(_ path: Path) {
    check(reloaded.insert(path).inserted, "\(path) is reloaded twice")
  }

  mutating func reconfigure(_ path: Path) {
    check(reconfigured.insert(path).inserted, "\(path) is reconfigured twice")
  }

  mutating func move(_ path: Path, to new: Path) {
    check(moved.updateValue(new, forKey: path) == nil, "\(path) is moved twice")
    check(origins.updateValue(path, forKey: new) == nil, "two rows move to \(new)")
  }

  // MARK: Applying

  /// Returns the sections after the update, given the numbers of rows before and after it, or `nil` if
  /// there are errors.
  mutating func sections(before: [Int], after: [Int]) -> [Section]? {
    checkBounds(before, after)
    checkConflicts()
    if !errors.isEmpty { return nil }
    let arriving = insertedSections.union(sectionOrigins.keys)
    let leaving = deletedSections.union(movedSections.keys)
    let (insertions, deletions) = (insertedSections.count, deletedSections.count)
    var staying = before.indices.filter { !leaving.contains($0) }[...]
    check(
      staying.count + arriving.count == after.count,
      "invalid number of sections: \(after.count) after, \(before.count) before, "
        + "\(insertions) inserted, \(deletions) deleted")
    if !errors.isEmpty { return nil }
    let leavingRows = Dictionary(grouping: deleted.union(moved.keys)) { $0.section }
    let arrivingRows = Dictionary(grouping: inserted.union(origins.keys)) { $0.section }
    var result: [Section] = []
    for (index, count) in after.enumerated() {
      if insertedSections.contains(index) {
        result.append(Section(origin: nil, rows: Array(repeating: nil, count: count)))
        continue
      }
      let origin = sectionOrigins[index] ?? staying.removeFirst()
      let left = leavingRows[origin] ?? []
      let arrived = arrivingRows[index] ?? []
      check(
        before[origin] - left.count + arrived.count == count,
        "invalid number of rows in section \(index): \(count) after, \(before[origin]) before, "
          + "\(arrived.count) inserted or moved into it, \(left.count) deleted or moved out of it")
      if !errors.isEmpty { return nil }
      result.append(section(index, count, origin, before[origin]))
    }
    return result
  }

  private func section(_ index: Int, _ count: Int, _ origin: Int, _ before: Int) -> Section {
    var staying = (0..<before).lazy.map { Path(section: origin, row: $0) }
      .filter { !deleted.contains($0) && moved[$0] == nil }.makeIterator()
    let rows = (0..<count).map { row -> Path? in
      let path = Path(section: index, row: row)
      if inserted.contains(path) { return nil }
      return origins[path] ?? staying.next()
    }
    return Section(origin: origin, rows: rows)
  }

  private mutating func checkBounds(_ before: [Int], _ after: [Int]) {
    func has(_ path: Path, _ counts: [Int]) -> Bool {
      counts.indices.contains(path.section) && 0..<counts[path.section] ~= path.row
    }
    for section in deletedSections.union(reloadedSections).union(movedSections.keys) {
      check(before.indices.contains(section), "there is no section \(section) before the update")
    }
    for section in insertedSections.union(sectionOrigins.keys) {
      check(after.indices.contains(section), "there is no section \(section) after the update")
    }
    for path in deleted.union(reloaded).union(reconfigured).union(moved.keys) {
      check(has(path, before), "there is no row \(path) before the update: \(before)")
    }
    for path in inserted.union(origins.keys) {
      check(has(path, after), "there is no row \(path) after the update: \(after)")
    }
  }

  private mutating func checkConflicts() {
    for section in deletedSections {
      check(movedSections[section] == nil, "section \(section) is deleted and moved")
    }
    for section in insertedSections {
      check(sectionOrigins[section] == nil, "section \(section) is inserted and moved to")
    }
    for section in reloadedSections {
      let isKept = !deletedSections.contains(section) && movedSections[section] == nil
      check(isKept, "section \(section) is reloaded, and deleted or moved")
    }
    let lost = deletedSections.union(reloadedSections)
    for path in deleted {
      check(moved[path] == nil, "\(path) is deleted and moved")
      check(!lost.contains(path.section), "\(path) is deleted with its section")
    }
    for path in inserted {
      check(origins[path] == nil, "\(path) is inserted and moved to")
      check(!insertedSections.contains(path.section), "\(path) is inserted with its section")
    }
    for (path, new) in moved {
      let isFromKept = !lost.contains(path.section) && movedSections[path.section] == nil
      check(isFromKept, "\(path) moves out of a section that is deleted, reloaded or moved")
      let isToKept =
        !insertedSections.contains(new.section) && sectionOrigins[new.section] == nil
      check(isToKept, "\(new) is moved into a section that is inserted or moved")
    }
    check(reloaded.isDisjoint(with: reconfigured), "a row is reloaded and reconfigured")
    for path in reloaded.union(reconfigured) {
      let isKept = !deleted.contains(path) && moved[path] == nil
      check(isKept, "\(path) is updated, and deleted or moved")
      check(!lost.contains(path.section), "\(path) is updated in a deleted or reloaded section")
    }
  }
}
