import ListDiff
import ListStages

/// Checks the public results for a change: steps, single operations and the inverse.
enum StepInvariants {
  struct Item: Identifiable, Hashable {
    var id: Int
    var content = 0
  }

  struct Group: ListSection, Hashable {
    var id: Int
    var header = 0
    var items: [Item]
    func hasSameContent(as other: Group) -> Bool { header == other.header }
  }

  /// Computes the change in all ways. Throws if one of them does not lead to the new list.
  static func check(_ old: ReferenceList, _ new: ReferenceList) throws {
    let before = old.sections.map(Group.init)
    let after = new.sections.map(Group.init)
    let changes = Changes(fromSections: before, to: after)
    try check(changes, before, after)
    try check(changes.inverse, after, before)
    let still = Changes(fromSections: before, to: after, moves: false)
    guard still.rowCounts.moves == 0, still.sectionCounts.moves == 0, still.hasNoMove else {
      throw InvariantViolation("there is a move")
    }
    try check(still, before, after)
    let flat = Changes(from: old.rows.map(Item.init), to: new.rows.map(Item.init))
    try check(
      flat, [Group(id: 0, items: old.rows.map(Item.init))],
      [
        Group(id: 0, items: new.rows.map(Item.init))
      ])
    guard flat.stages.count <= 2 else {
      throw InvariantViolation("a flat list takes more than two stages")
    }
  }

  private static func check(_ changes: Changes, _ old: [Group], _ new: [Group]) throws {
    guard changes.isEmpty == (old == new) else { throw InvariantViolation("isEmpty is wrong") }
    var list = ReferenceList(old)
    let target = ReferenceList(new)
    let steps = try changes.steps(fromSections: old, to: new)
    for (index, step) in steps.enumerated() {
      list = try list.applying(step.stage, target: target)
      let shown = ReferenceList(step.data)
      guard list.sections.map(\.rows.count) == shown.sections.map(\.rows.count) else {
        throw InvariantViolation("step \(index) shows \(shown), which is \(list)")
      }
      for (a, b) in zip(list.sections, shown.sections) {
        guard a.id == -1 || a.id == b.id else {
          throw InvariantViolation("step \(index) shows \(shown)")
        }
        for (c, d) in zip(a.rows, b.rows) where c.id != -1 && c.id != d.id {
          throw InvariantViolation("step \(index) shows \(shown)")
        }
      }
    }
    guard (steps.last?.data ?? old) == new else {
      throw InvariantViolation("the last step is not the new list")
    }
    let played = try ReferenceList(old).playing(
      changes.sequence, StageInsertions.ofStages(changes.stages), target: target)
    guard played == target else { throw InvariantViolation("the sequence gives \(played)") }
  }
}

extension StepInvariants.Item {
  init(_ row: ReferenceList.Row) { self.init(id: row.id, content: row.content) }
}

extension StepInvariants.Group {
  init(_ section: ReferenceList.Section) {
    self.init(
      id: section.id, header: section.header, items: section.rows.map(StepInvariants.Item.init))
  }
}

extension ReferenceList {
  init(_ groups: [StepInvariants.Group]) {
    self.init(
      sections: groups.map { group in
        Section(
          id: group.id, header: group.header,
          rows: group.items.map { Row(id: $0.id, content: $0.content) })
      })
  }

  /// The list after single operations. `arrivals` lists the target's inserted sections and rows in
  /// order.
  func playing(
    _ sequence: OpSequence, _ arrivals: [StageInsertions], target: ReferenceList
  ) throws(InvariantViolation) -> ReferenceList {
    var list = self
    var insertedSections = arrivals.flatMap(\.sections)[...]
    var insertedRows = arrivals.flatMap(\.rows).flatMap { rows in
      (0..<rows.count).map { rows.at.advanced(by: $0) }
    }[...]
    func rows(_ count: Int) throws(InvariantViolation) -> [Row] {
      guard insertedRows.count >= count else { throw InvariantViolation("too few arrivals") }
      defer { insertedRows.removeFirst(count) }
      return insertedRows.prefix(count).map { target.sections[$0.section].rows[$0.row] }
    }
    var counts = sequence.insertedRowCounts[...]
    for op in sequence.ops {
      switch op {
      case .deleteSections(let at, let count): list.sections.removeSubrange(at..<at + count)
      case .insertSections(let at, let count):
        for offset in 0..<count {
          var section = target.sections[insertedSections.removeFirst()]
          section.rows = try rows(counts.removeFirst())
          list.sections.insert(section, at: at + offset)
        }
      case .moveSections(let from, let to, let count):
        let taken = Array(list.sections[from..<from + count])
        list.sections.removeSubrange(from..<from + count)
        list.sections.insert(contentsOf: taken, at: to)
      case .deleteItems(let at, let count):
        list.sections[at.section].rows.removeSubrange(at.row..<at.row + count)
      case .insertItems(let at, let count):
        list.sections[at.section].rows.insert(contentsOf: try rows(count), at: at.row)
      case .moveItems(let from, let to, let count):
        let taken = Array(list.sections[from.section].rows[from.row..<from.row + count])
        list.sections[from.section].rows.removeSubrange(from.row..<from.row + count)
        list.sections[to.section].rows.insert(contentsOf: taken, at: to.row)
      case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
        for section in at..<at + count {
          list.sections[section].header = target.sections[section].header
        }
      case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
        for row in at.row..<at.row + count {
          list.sections[at.section].rows[row] = target.sections[at.section].rows[row]
        }
      }
    }
    return list
  }
}

extension Changes {
  var hasNoMove: Bool {
    stages.allSatisfy { stage in
      stage.ops.allSatisfy { op in
        switch op {
        case .moveItems, .moveSections: false
        default: true
        }
      }
    }
  }
}
