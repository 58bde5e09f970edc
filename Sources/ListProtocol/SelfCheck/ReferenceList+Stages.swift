import JSONBytes

extension ReferenceList {
  /// Applies stages one after the other.
  ///
  /// - Throws: if a stage is not a valid batch update.
  mutating func apply(stages: Value) throws(InvariantViolation) {
    guard let stages = stages.elements else { throw InvariantViolation(message: "no stages") }
    for stage in stages {
      guard let ops = stage.elements else {
        throw InvariantViolation(message: "a stage without operations")
      }
      try apply(stage: ops)
    }
  }

  /// Applies operations one after the other.
  mutating func apply(ops: Value) throws(InvariantViolation) {
    guard let ops = ops.elements else { throw InvariantViolation(message: "no operations") }
    for op in ops { try apply(stage: [op]) }
  }

  private mutating func apply(stage: [Value]) throws(InvariantViolation) {
    var update = BatchUpdate(sections, content)
    for op in stage { try update.read(op) }
    sections = try update.result()
    counts.add(update.counts)
  }
}

/// Operations that are applied together: deletions refer to indices before them, insertions to
/// indices after them.
private struct BatchUpdate {
  private typealias Section = ReferenceList.Section

  private let old: [ReferenceList.Section]
  private var removedSections: Set<Int> = []
  private var removedRows: Set<[Int]> = []
  private var insertedSections: [Int: Insertion] = [:]
  private var insertedRows: [[Int]: [UInt8]] = [:]
  private var updatedSections: [Int: ReferenceList.Section] = [:]
  private var updatedRows: [[Int]: [UInt8]] = [:]
  private(set) var counts = ReferenceCounts()

  /// The contents that operations have.
  private let content: OpContents

  private enum Insertion {
    case moved(Int)
    case inserted(ReferenceList.Section)
  }

  init(_ sections: [ReferenceList.Section], _ content: OpContents) {
    old = sections
    self.content = content
  }

  mutating func read(_ op: Value) throws(InvariantViolation) {
    var members: [String: Value] = [:]
    for (name, value) in op.members ?? [] { members[name] = value }
    let name = members["op"]?.string.map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard let count = members["count"]?.integer, count > 0 else {
      throw InvariantViolation(message: "an operation without a count")
    }
    func index(_ name: String) throws(InvariantViolation) -> Int {
      guard let index = members[name]?.integer else {
        throw InvariantViolation(message: "an operation without \(name)")
      }
      return index
    }
    func path(_ name: String) throws(InvariantViolation) -> [Int] {
      let path = members[name]?.elements?.compactMap(\.integer) ?? []
      guard path.count == 2 else {
        throw InvariantViolation(message: "an operation without \(name)")
      }
      return path
    }
    func contents(_ name: String) throws(InvariantViolation) -> [Value?] {
      if content == .none, members[name] == nil { return Array(repeating: nil, count: count) }
      guard let values = members[name]?.elements, values.count == count else {
        throw InvariantViolation(message: "an operation without \(count) \(name)")
      }
      return values
    }
    /// Checks the old contents of an operation, each as it is read, against those that the list has.
    func checkOld<Content: Equatable>(
      _ read: (Value) -> Content, _ present: (Int) throws(InvariantViolation) -> Content
    ) throws(InvariantViolation) {
      guard content == .both else { return }
      for (k, value) in try contents("old").enumerated() {
        guard let value, read(value) == (try present(k)) else {
          throw InvariantViolation(message: "an operation with other old contents")
        }
      }
    }
    func row(_ at: [Int], _ k: Int) throws(InvariantViolation) -> [UInt8] {
      guard old.indices.contains(at[0]), old[at[0]].rows.indices.contains(at[1] + k) else {
        throw InvariantViolation(message: "row \(at) does not exist")
      }
      return old[at[0]].rows[at[1] + k]
    }
    switch name {
    case "deleteSections":
      for k in 0..<count {
        try remove(section: try index("at") + k)
        counts.rows.deletes += old[try index("at") + k].rows.count
      }
      try checkOld(ReferenceList.section) { k throws(InvariantViolation) in
        old[try index("at") + k]
      }
      counts.sections.deletes += count
    case "insertSections":
      let rows = members["rows"]?.elements?.compactMap(\.integer) ?? []
      for (k, value) in try contents("sections").enumerated() {
        guard rows.count == count else {
          throw InvariantViolation(message: "not a number of rows for each section")
        }
        let section =
          value.map(ReferenceList.section)
          ?? ReferenceList.Section(
            own: ReferenceList.unknown,
            rows: Array(repeating: ReferenceList.unknown, count: rows[k]))
        guard rows[k] == section.rows.count else {
          throw InvariantViolation(message: "another number of rows than the section has")
        }
        counts.rows.inserts += rows[k]
        counts.sections.inserts += 1
        try insert(section: try index("at") + k, .inserted(section))
      }
    case "moveSections":
      for k in 0..<count {
        try remove(section: try index("from") + k)
        try insert(section: try index("to") + k, .moved(try index("from") + k))
      }
      counts.sections.moves += count
    case "deleteItems":
      let at = try path("at")
      for k in 0..<count { _ = try remove(row: [at[0], at[1] + k]) }
      try checkOld(
        { ReferenceList.row($0) }, { k throws(InvariantViolation) in try row(at, k) })
      counts.rows.deletes += count
    case "insertItems":
      let at = try path("at")
      for (k, value) in try contents("items").enumerated() {
        try insert(row: [at[0], at[1] + k], ReferenceList.row(value))
      }
      counts.rows.inserts += count
    case "moveItems":
      let from = try path("from")
      let to = try path("to")
      for k in 0..<count {
        try insert(row: [to[0], to[1] + k], try remove(row: [from[0], from[1] + k]))
      }
      counts.rows.moves += count
    case "reloadSections", "reconfigureSections":
      for (k, value) in try contents("sections").enumerated() {
        updatedSections[try index("at") + k] =
          value.map(ReferenceList.section)
          ?? ReferenceList.Section(own: ReferenceList.unknown, rows: [])
      }
      try checkOld(
        { ReferenceList.section($0).own },
        { k throws(InvariantViolation) in old[try index("at") + k].own })
      counts.sections.updates += count
    case "reloadItems", "reconfigureItems":
      let at = try path("at")
      for (k, value) in try contents("items").enumerated() {
        updatedRows[[at[0], at[1] + k]] = ReferenceList.row(value)
      }
      try checkOld(
        { ReferenceList.row($0) }, { k throws(InvariantViolation) in try row(at, k) })
      counts.rows.updates += count
    default: throw InvariantViolation(message: "an unknown operation \(name)")
    }
  }

  private mutating func remove(section: Int) throws(InvariantViolation) {
    guard old.indices.contains(section), removedSections.insert(section).inserted else {
      throw InvariantViolation(message: "section \(section) cannot be removed")
    }
  }

  private mutating func insert(section: Int, _ insertion: Insertion) throws(InvariantViolation) {
    guard insertedSections.updateValue(insertion, forKey: section) == nil else {
      throw InvariantViolation(message: "two sections are inserted at \(section)")
    }
  }

  private mutating func remove(row: [Int]) throws(InvariantViolation) -> [UInt8] {
    guard old.indices.contains(row[0]), old[row[0]].rows.indices.contains(row[1]),
      removedRows.insert(row).inserted
    else { throw InvariantViolation(message: "row \(row) cannot be removed") }
    return old[row[0]].rows[row[1]]
  }

  private mutating func insert(row: [Int], _ content: [UInt8]) throws(InvariantViolation) {
    guard insertedRows.updateValue(content, forKey: row) == nil else {
      throw InvariantViolation(message: "two rows are inserted at \(row)")
    }
  }

  /// Returns the sections after all operations.
  func result() throws(InvariantViolation) -> [ReferenceList.Section] {
    if let row = removedRows.first(where: { removedSections.contains($0[0]) }) {
      throw InvariantViolation(message: "row \(row) is removed from a section that is removed, too")
    }
    var kept = old.indices.filter { !removedSections.contains($0) }[...]
    var result: [ReferenceList.Section] = []
    var placedRows = 0
    for target in 0..<kept.count + insertedSections.count {
      switch insertedSections[target] {
      case .inserted(let section): result.append(section)
      case .moved(let index): result.append(old[index])
      case nil:
        guard let index = kept.popFirst() else {
          throw InvariantViolation(message: "a section is inserted after the end")
        }
        let (section, placed) = section(index, at: target)
        result.append(section)
        placedRows += placed
      }
    }
    guard kept.isEmpty, placedRows == insertedRows.count else {
      throw InvariantViolation(message: "a row or a section is inserted at an impossible index")
    }
    return try updated(result)
  }

  /// Returns a section that is kept, and the number of rows inserted into it.
  private func section(_ index: Int, at target: Int) -> (ReferenceList.Section, Int) {
    var kept = old[index].rows.indices.filter { !removedRows.contains([index, $0]) }[...]
    var section = ReferenceList.Section(own: old[index].own, rows: [])
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

  private func updated(_ sections: [ReferenceList.Section]) throws(InvariantViolation)
    -> [ReferenceList.Section]
  {
    var result = sections
    guard !updatedSections.isEmpty || !updatedRows.isEmpty else { return result }
    guard insertedSections.isEmpty, insertedRows.isEmpty, removedSections.isEmpty,
      removedRows.isEmpty
    else { throw InvariantViolation(message: "contents change together with positions") }
    for (index, section) in updatedSections {
      guard result.indices.contains(index) else {
        throw InvariantViolation(message: "section \(index) is updated but does not exist")
      }
      result[index].own = section.own
    }
    for (row, content) in updatedRows {
      guard result.indices.contains(row[0]), result[row[0]].rows.indices.contains(row[1]) else {
        throw InvariantViolation(message: "row \(row) is updated but does not exist")
      }
      result[row[0]].rows[row[1]] = content
    }
    return result
  }
}
