import JSONBytes

extension ReferenceList {
  /// Applies stages one after the other.
  ///
  /// - Throws: if a stage is not a valid batch update.
  mutating func apply(stages: Value) throws(InvariantViolation) {
    let stages = try expect(stages.elements, "no stages")
    for stage in stages {
      let ops = try expect(stage.elements, "a stage without operations")
      try apply(stage: ops)
    }
  }

  /// Applies operations one after the other.
  mutating func apply(ops: Value) throws(InvariantViolation) {
    let ops = try expect(ops.elements, "no operations")
    for op in ops { try apply(stage: [op]) }
  }

  private mutating func apply(stage: [Value]) throws(InvariantViolation) {
    var update = BatchUpdate(of: self)
    for op in stage { try update.read(expect(SentObject(op), "not an operation")) }
    sections = try update.result()
    counts = update.counts
  }
}

/// Operations that are applied together: deletions refer to indices before them, insertions to
/// indices after them.
private struct BatchUpdate {
  private typealias Section = ReferenceList.Section

  private let old: [Section]
  private var removedSections: Set<Int> = []
  private var removedRows: Set<[Int]> = []
  private var insertedSections: [Int: Insertion] = [:]
  private var insertedRows: [[Int]: [UInt8]] = [:]
  private var updatedOwn: [Int: Own] = [:]
  private var updatedRows: [[Int]: [UInt8]] = [:]

  /// The counts of the list, and of these operations.
  private(set) var counts: ReferenceCounts

  /// The contents that operations have.
  private let content: OpContents

  private typealias Own = [[UInt8]: [UInt8]]?

  private enum Insertion {
    case moved(Int)
    case inserted(Section)
  }

  init(of list: ReferenceList) {
    old = list.sections
    content = list.content
    counts = list.counts
  }

  mutating func read(_ op: SentObject) throws(InvariantViolation) {
    let count = try op.number("count")
    try expect(count > 0, "an operation without a count")
    func contents(_ name: String) throws(InvariantViolation) -> [Value?] {
      if content == .none, op[name] == nil { return Array(repeating: nil, count: count) }
      let values = try op.elements(name)
      try expect(values.count == count, "an operation without \(count) \(name)")
      return values
    }
    /// Checks the old contents of an operation, each as it is read, against those that the list has.
    func checkOld<Content: Equatable>(
      _ read: (Value) -> Content, _ present: (Int) throws(InvariantViolation) -> Content
    ) throws(InvariantViolation) {
      guard content == .both else { return }
      for (k, value) in try contents("old").enumerated() {
        let found = value.map(read)
        try expect(found == (try present(k)), "an operation with other old contents")
      }
    }
    /// Checks the old contents of rows.
    func checkOldRows(_ at: [Int]) throws(InvariantViolation) {
      try checkOld(ReferenceList.row) { k throws(InvariantViolation) in
        try row([at[0], at[1] + k])
      }
    }
    switch op.text("op") {
    case "deleteSections":
      let at = try op.number("at")
      for section in at..<at + count {
        try remove(section: section)
        counts.rows.deletes += old[section].rows.count
      }
      try checkOld(ReferenceList.section) { old[at + $0] }
      counts.sections.deletes += count
    case "insertSections":
      let at = try op.number("at")
      let rows = op["rows"]?.elements?.compactMap(\.integer) ?? []
      try expect(rows.count == count, "not a number of rows for each section")
      for (k, value) in try contents("sections").enumerated() {
        let section =
          value.map(ReferenceList.section)
          ?? Section(rows: Array(repeating: ReferenceList.unknown, count: rows[k]))
        try expect(rows[k] == section.rows.count, "another number of rows than the section has")
        counts.rows.inserts += rows[k]
        try insert(section: at + k, .inserted(section))
      }
      counts.sections.inserts += count
    case "moveSections":
      let (from, to) = (try op.number("from"), try op.number("to"))
      for k in 0..<count {
        try remove(section: from + k)
        try insert(section: to + k, .moved(from + k))
      }
      counts.sections.moves += count
    case "deleteItems":
      let at = try op.path("at")
      for k in 0..<count { _ = try remove(row: [at[0], at[1] + k]) }
      try checkOldRows(at)
      counts.rows.deletes += count
    case "insertItems":
      let at = try op.path("at")
      for (k, value) in try contents("items").enumerated() {
        try insert(row: [at[0], at[1] + k], ReferenceList.row(value))
      }
      counts.rows.inserts += count
    case "moveItems":
      let (from, to) = (try op.path("from"), try op.path("to"))
      for k in 0..<count {
        try insert(row: [to[0], to[1] + k], try remove(row: [from[0], from[1] + k]))
      }
      counts.rows.moves += count
    case "reloadSections", "reconfigureSections":
      let at = try op.number("at")
      for (k, value) in try contents("sections").enumerated() {
        updatedOwn.updateValue(value.flatMap { ReferenceList.section($0).own }, forKey: at + k)
      }
      try checkOld({ ReferenceList.section($0).own }, { old[at + $0].own })
      counts.sections.updates += count
    case "reloadItems", "reconfigureItems":
      let at = try op.path("at")
      for (k, value) in try contents("items").enumerated() {
        updatedRows[[at[0], at[1] + k]] = ReferenceList.row(value)
      }
      try checkOldRows(at)
      counts.rows.updates += count
    case let name: throw InvariantViolation("an unknown operation \(name)")
    }
  }

  private mutating func remove(section: Int) throws(InvariantViolation) {
    try expect(
      old.indices.contains(section) && removedSections.insert(section).inserted,
      "section \(section) cannot be removed")
  }

  private mutating func insert(section: Int, _ insertion: Insertion) throws(InvariantViolation) {
    try expect(
      insertedSections.updateValue(insertion, forKey: section) == nil,
      "two sections are inserted at \(section)")
  }

  private mutating func remove(row: [Int]) throws(InvariantViolation) -> [UInt8] {
    let content = try self.row(row)
    try expect(removedRows.insert(row).inserted, "row \(row) is removed twice")
    return content
  }

  private func row(_ row: [Int]) throws(InvariantViolation) -> [UInt8] {
    try expect(
      old.indices.contains(row[0]) && old[row[0]].rows.indices.contains(row[1]),
      "row \(row) does not exist")
    return old[row[0]].rows[row[1]]
  }

  private mutating func insert(row: [Int], _ content: [UInt8]) throws(InvariantViolation) {
    try expect(
      insertedRows.updateValue(content, forKey: row) == nil, "two rows are inserted at \(row)")
  }

  /// Returns the sections after all operations.
  func result() throws(InvariantViolation) -> [ReferenceList.Section] {
    if let row = removedRows.first(where: { removedSections.contains($0[0]) }) {
      throw InvariantViolation("row \(row) is removed from a section that is removed, too")
    }
    var kept = old.indices.filter { !removedSections.contains($0) }[...]
    var result: [Section] = []
    var placedRows = 0
    for target in 0..<kept.count + insertedSections.count {
      switch insertedSections[target] {
      case .inserted(let section): result.append(section)
      case .moved(let index): result.append(old[index])
      case nil:
        let index = try expect(kept.popFirst(), "a section is inserted after the end")
        let (section, placed) = section(index, at: target)
        result.append(section)
        placedRows += placed
      }
    }
    try expect(
      kept.isEmpty && placedRows == insertedRows.count,
      "a row or a section is inserted at an impossible index")
    return try updated(result)
  }

  /// Returns a section that is kept, and the number of rows inserted into it.
  private func section(_ index: Int, at target: Int) -> (Section, Int) {
    var kept = old[index].rows.indices.filter { !removedRows.contains([index, $0]) }[...]
    var section = Section(own: old[index].own, rows: [])
    var placed = 0
    while true {
      if let row = insertedRows[[target, section.rows.count]] {
        section.rows.append(row)
        placed += 1
      } else if let row = kept.popFirst() {
        section.rows.append(old[index].rows[row])
      } else {
        return (section, placed)
      }
    }
  }

  private func updated(_ sections: [Section]) throws(InvariantViolation)
    -> [Section]
  {
    var result = sections
    guard !updatedOwn.isEmpty || !updatedRows.isEmpty else { return result }
    try expect(
      insertedSections.isEmpty && insertedRows.isEmpty && removedSections.isEmpty
        && removedRows.isEmpty, "contents change together with positions")
    for (index, own) in updatedOwn {
      try expect(result.indices.contains(index), "section \(index) is updated but does not exist")
      result[index].own = own
    }
    for (row, content) in updatedRows {
      try expect(
        result.indices.contains(row[0]) && result[row[0]].rows.indices.contains(row[1]),
        "row \(row) is updated but does not exist")
      result[row[0]].rows[row[1]] = content
    }
    return result
  }
}
