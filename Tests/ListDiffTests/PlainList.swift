@testable import ListDiff

/// Sections and rows, each with an id of its own, in arrays.
struct PlainList: Equatable {
  struct Section: Equatable {
    var id: Int
    var rows: [Int]
  }

  var sections: [Section] = []

  var shape: [Int] { sections.map { $0.rows.count } }

  var rows: [(path: Path, id: Int)] {
    sections.enumerated().flatMap { index, section in
      section.rows.enumerated().map { (Path(section: index, row: $0), $1) }
    }
  }

  subscript(path: Path) -> Int { sections[path.section].rows[path.row] }

  func path(of id: Int) -> Path? { rows.first { $0.id == id }?.path }

  func index(of id: Int) -> Int? { sections.firstIndex { $0.id == id } }

  /// The list with -1 instead of what is not in the other.
  func withoutNewRows(_ other: PlainList) -> PlainList {
    var result = self
    for (index, section) in sections.enumerated() {
      result.sections[index].rows = section.rows.map { other.path(of: $0) == nil ? -1 : $0 }
      if other.index(of: section.id) == nil { result.sections[index].id = -1 }
    }
    return result
  }
}

extension PlainList {
  static func random(_ random: inout SplitMix) -> PlainList {
    var list = PlainList()
    for section in 0..<Int.random(in: 0...5, using: &random) {
      let count = Int.random(in: 0...7, using: &random)
      list.sections.append(Section(id: section, rows: (0..<count).map { 100 * section + $0 }))
    }
    return list
  }

  /// Deletes, inserts and moves sections and rows at random. Returns both lists, and the stage between them.
  func edited(
    _ random: inout SplitMix, rowsLeaveDeletedSections: Bool = true, firstNewID: Int = 1000
  ) -> (old: PlainList, stage: Stage, new: PlainList) {
    func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    var nextID = firstNewID
    func newRows(_ count: Int) -> [Int] {
      nextID += count
      return Array(nextID - count..<nextID)
    }
    var new = self
    var moved = Set<Int>()
    var movedSections: [Section] = []
    var goneSections = Set<Int>()
    for (index, section) in sections.enumerated().reversed() where happens(30) {
      new.sections.remove(at: index)
      if happens(50) { movedSections.append(section) } else { goneSections.insert(section.id) }
    }
    for section in movedSections {
      let index = Int.random(in: 0...new.sections.count, using: &random)
      new.sections.insert(section, at: index)
    }
    var counts: [Int: Int] = [:]
    for _ in 0..<Int.random(in: 0...2, using: &random) where happens(50) {
      let rows = newRows(Int.random(in: 0...2, using: &random))
      let index = Int.random(in: 0...new.sections.count, using: &random)
      new.sections.insert(Section(id: nextID, rows: rows), at: index)
      nextID += 1
      counts[new.sections[index].id] = rows.count
    }
    for (path, id) in rows where happens(35) {
      let isGone = goneSections.contains(sections[path.section].id)
      if isGone, !rowsLeaveDeletedSections { continue }
      let target = new.sections.indices.randomElement(using: &random)
      for index in new.sections.indices { new.sections[index].rows.removeAll { $0 == id } }
      guard let target, happens(60) else { continue }
      let row = Int.random(in: 0...new.sections[target].rows.count, using: &random)
      new.sections[target].rows.insert(id, at: row)
      moved.insert(id)
    }
    var inserted = Set<Int>()
    for index in new.sections.indices where happens(30) {
      let rows = newRows(Int.random(in: 1...3, using: &random))
      inserted.formUnion(rows)
      let row = Int.random(in: 0...new.sections[index].rows.count, using: &random)
      new.sections[index].rows.insert(contentsOf: rows, at: row)
    }
    return (self, stage(to: new, moved, Set(movedSections.map { $0.id }), inserted, counts), new)
  }

  /// Returns the stage in which these rows and sections move and these rows are inserted.
  private func stage(
    to new: PlainList, _ moved: Set<Int>, _ movedSections: Set<Int>, _ inserted: Set<Int>,
    _ counts: [Int: Int]
  ) -> Stage {
    var stage = Stage()
    for (index, section) in sections.enumerated() where new.index(of: section.id) == nil {
      stage.append(.deleteSections(at: index, count: 1))
    }
    for (index, section) in new.sections.enumerated() where self.index(of: section.id) == nil {
      stage.append(.insertSections(at: index, count: 1))
      stage.insertedRowCounts.append(counts[section.id]!)
    }
    for (index, section) in new.sections.enumerated() where movedSections.contains(section.id) {
      stage.append(.moveSections(from: self.index(of: section.id)!, to: index, count: 1))
    }
    for (path, id) in rows where new.path(of: id) == nil {
      let isInDeleted = new.index(of: sections[path.section].id) == nil
      if !isInDeleted { stage.append(.deleteItems(at: path, count: 1)) }
    }
    for (path, id) in new.rows where inserted.contains(id) {
      stage.append(.insertItems(at: path, count: 1))
    }
    for (path, id) in new.rows where moved.contains(id) {
      stage.append(.moveItems(from: self.path(of: id)!, to: path, count: 1))
    }
    return stage
  }
}

extension PlainList {
  /// Returns the list after the operations of a stage, or `nil` if they do not fit. The ids of what is
  /// inserted are -1.
  func applying(_ stage: Stage) -> PlainList? {
    var gone = Set<Path>()
    var goneSections = Set<Int>()
    // By place after the stage, the old place of what moves; nothing of what is inserted.
    var arriving: [Path: Path?] = [:]
    var arrivingSections: [Int: Int?] = [:]
    for op in stage.ops {
      let op = op.parts
      for offset in 0..<op.count {
        let (at, to) = (op.at.advanced(by: offset), op.to.advanced(by: offset))
        if op.verb == .delete || op.verb == .move {
          let isNew = op.isOfRows ? gone.insert(at).inserted : goneSections.insert(at.row).inserted
          let count = op.isOfRows ? sections.count : 1
          guard isNew, at.section < count,
            at.row < (op.isOfRows ? sections[at.section].rows.count : sections.count)
          else { return nil }
        }
        if op.verb == .insert || op.verb == .move {
          let from = op.verb == .move ? at : nil
          let isFree =
            op.isOfRows
            ? arriving.updateValue(from, forKey: to) == nil
            : arrivingSections.updateValue(from?.row, forKey: to.row) == nil
          if !isFree { return nil }
        }
      }
    }
    var counts = stage.insertedRowCounts[...]
    guard arrivingSections.values.filter({ $0 == nil }).count == counts.count else { return nil }
    var left = sections
    for path in gone.sorted().reversed() { left[path.section].rows.remove(at: path.row) }
    var result = PlainList()
    for (index, section) in left.enumerated() where !goneSections.contains(index) {
      result.sections.append(section)
    }
    for (index, from) in arrivingSections.sorted(by: { $0.key < $1.key }) {
      guard index <= result.sections.count else { return nil }
      let section =
        from.map { left[$0] }
        ?? Section(id: -1, rows: Array(repeating: -1, count: counts.removeFirst()))
      result.sections.insert(section, at: index)
    }
    for (path, from) in arriving.sorted(by: { $0.key < $1.key }) {
      guard path.section < result.sections.count,
        path.row <= result.sections[path.section].rows.count
      else { return nil }
      result.sections[path.section].rows.insert(from.map { self[$0] } ?? -1, at: path.row)
    }
    return result
  }

  /// Applies an operation of a sequence. `counts` has the numbers of rows of the sections to insert.
  mutating func play(_ op: Op, _ counts: inout ArraySlice<Int>) {
    switch op {
    case .deleteSections(let at, let count): sections.removeSubrange(at..<at + count)
    case .insertSections(let at, let count):
      for index in at..<at + count {
        let rows = Array(repeating: -1, count: counts.removeFirst())
        sections.insert(Section(id: -1, rows: rows), at: index)
      }
    case .moveSections(let from, let to, let count):
      let moved = Array(sections[from..<from + count])
      sections.removeSubrange(from..<from + count)
      sections.insert(contentsOf: moved, at: to)
    case .deleteItems(let at, let count):
      sections[at.section].rows.removeSubrange(at.row..<at.row + count)
    case .insertItems(let at, let count):
      let rows = Array(repeating: -1, count: count)
      sections[at.section].rows.insert(contentsOf: rows, at: at.row)
    case .moveItems(let from, let to, let count):
      let moved = Array(sections[from.section].rows[from.row..<from.row + count])
      sections[from.section].rows.removeSubrange(from.row..<from.row + count)
      sections[to.section].rows.insert(contentsOf: moved, at: to.row)
    case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: break
    }
  }
}
