import JSONBytes

extension ObviousList {
  /// Makes the changes of stages, one after the other.
  ///
  /// - Throws: where a stage is none that a view could make.
  mutating func apply(stages: Value) throws(BrokenLaw) {
    guard let stages = stages.elements else { throw BrokenLaw(words: "no stages") }
    for stage in stages {
      guard let ops = stage.elements else { throw BrokenLaw(words: "a stage without operations") }
      try apply(stage: ops)
    }
  }

  /// Makes changes one after the other.
  mutating func apply(ops: Value) throws(BrokenLaw) {
    guard let ops = ops.elements else { throw BrokenLaw(words: "no operations") }
    for op in ops { try apply(stage: [op]) }
  }

  private mutating func apply(stage: [Value]) throws(BrokenLaw) {
    var update = BatchUpdate(sections, hasContents: hasContents)
    for op in stage { try update.read(op) }
    sections = try update.result()
    counts.add(update.counts)
  }
}

/// Operations that happen at once: what leaves is named by places before, what comes by places
/// after.
private struct BatchUpdate {
  private typealias Section = ObviousList.Section

  private let old: [ObviousList.Section]
  private var leavingSections: Set<Int> = []
  private var leavingRows: Set<[Int]> = []
  private var comingSections: [Int: Coming] = [:]
  private var comingRows: [[Int]: [UInt8]] = [:]
  private var newSections: [Int: ObviousList.Section] = [:]
  private var newRows: [[Int]: [UInt8]] = [:]
  private(set) var counts = ObviousCounts()

  /// Whether operations carry what they bring.
  private let hasContents: Bool

  private enum Coming {
    case moved(Int)
    case inserted(ObviousList.Section)
  }

  init(_ sections: [ObviousList.Section], hasContents: Bool) {
    old = sections
    self.hasContents = hasContents
  }

  mutating func read(_ op: Value) throws(BrokenLaw) {
    var members: [String: Value] = [:]
    for (name, value) in op.members ?? [] { members[name] = value }
    let name = members["op"]?.string.map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard let count = members["count"]?.integer, count > 0 else {
      throw BrokenLaw(words: "an operation without a count")
    }
    func index(_ name: String) throws(BrokenLaw) -> Int {
      guard let index = members[name]?.integer else {
        throw BrokenLaw(words: "an operation without \(name)")
      }
      return index
    }
    func path(_ name: String) throws(BrokenLaw) -> [Int] {
      let path = members[name]?.elements?.compactMap(\.integer) ?? []
      guard path.count == 2 else { throw BrokenLaw(words: "an operation without \(name)") }
      return path
    }
    func contents(_ name: String) throws(BrokenLaw) -> [Value?] {
      if !hasContents, members[name] == nil { return Array(repeating: nil, count: count) }
      guard let values = members[name]?.elements, values.count == count else {
        throw BrokenLaw(words: "an operation that does not carry \(count) \(name)")
      }
      return values
    }
    switch name {
    case "deleteSections":
      for k in 0..<count {
        try leave(section: try index("at") + k)
        counts.rows.deletes += old[try index("at") + k].rows.count
      }
      counts.sections.deletes += count
    case "insertSections":
      let rows = members["rows"]?.elements?.compactMap(\.integer) ?? []
      for (k, value) in try contents("sections").enumerated() {
        guard rows.count == count else {
          throw BrokenLaw(words: "not a number of rows for each section")
        }
        let section =
          value.map(ObviousList.section)
          ?? ObviousList.Section(
            own: ObviousList.unknown,
            rows: Array(repeating: ObviousList.unknown, count: rows[k]))
        guard rows[k] == section.rows.count else {
          throw BrokenLaw(words: "rows that do not come with their section")
        }
        counts.rows.inserts += rows[k]
        counts.sections.inserts += 1
        try come(section: try index("at") + k, .inserted(section))
      }
    case "moveSections":
      for k in 0..<count {
        try leave(section: try index("from") + k)
        try come(section: try index("to") + k, .moved(try index("from") + k))
      }
      counts.sections.moves += count
    case "deleteItems":
      let at = try path("at")
      for k in 0..<count { _ = try leave(row: [at[0], at[1] + k]) }
      counts.rows.deletes += count
    case "insertItems":
      let at = try path("at")
      for (k, value) in try contents("items").enumerated() {
        try come(row: [at[0], at[1] + k], ObviousList.row(value))
      }
      counts.rows.inserts += count
    case "moveItems":
      let from = try path("from")
      let to = try path("to")
      for k in 0..<count {
        try come(row: [to[0], to[1] + k], try leave(row: [from[0], from[1] + k]))
      }
      counts.rows.moves += count
    case "reloadSections", "reconfigureSections":
      for (k, value) in try contents("sections").enumerated() {
        newSections[try index("at") + k] =
          value.map(ObviousList.section)
          ?? ObviousList.Section(own: ObviousList.unknown, rows: [])
      }
      counts.sections.updates += count
    case "reloadItems", "reconfigureItems":
      let at = try path("at")
      for (k, value) in try contents("items").enumerated() {
        newRows[[at[0], at[1] + k]] = ObviousList.row(value)
      }
      counts.rows.updates += count
    default: throw BrokenLaw(words: "an unknown operation \(name)")
    }
  }

  private mutating func leave(section: Int) throws(BrokenLaw) {
    guard old.indices.contains(section), leavingSections.insert(section).inserted else {
      throw BrokenLaw(words: "section \(section) cannot leave")
    }
  }

  private mutating func come(section: Int, _ coming: Coming) throws(BrokenLaw) {
    guard comingSections.updateValue(coming, forKey: section) == nil else {
      throw BrokenLaw(words: "two sections come to \(section)")
    }
  }

  private mutating func leave(row: [Int]) throws(BrokenLaw) -> [UInt8] {
    guard old.indices.contains(row[0]), old[row[0]].rows.indices.contains(row[1]),
      leavingRows.insert(row).inserted
    else { throw BrokenLaw(words: "row \(row) cannot leave") }
    return old[row[0]].rows[row[1]]
  }

  private mutating func come(row: [Int], _ content: [UInt8]) throws(BrokenLaw) {
    guard comingRows.updateValue(content, forKey: row) == nil else {
      throw BrokenLaw(words: "two rows come to \(row)")
    }
  }

  /// The sections after all that was read.
  func result() throws(BrokenLaw) -> [ObviousList.Section] {
    if let row = leavingRows.first(where: { leavingSections.contains($0[0]) }) {
      throw BrokenLaw(words: "row \(row) leaves a section that leaves, too")
    }
    var kept = old.indices.filter { !leavingSections.contains($0) }[...]
    var result: [ObviousList.Section] = []
    var placedRows = 0
    for place in 0..<kept.count + comingSections.count {
      switch comingSections[place] {
      case .inserted(let section): result.append(section)
      case .moved(let index): result.append(old[index])
      case nil:
        guard let index = kept.popFirst() else {
          throw BrokenLaw(words: "a section comes behind the end")
        }
        let (section, placed) = section(index, at: place)
        result.append(section)
        placedRows += placed
      }
    }
    guard kept.isEmpty, placedRows == comingRows.count else {
      throw BrokenLaw(words: "a row or a section comes where none can")
    }
    return try updated(result)
  }

  /// A section that stays, and how many rows came to it.
  private func section(_ index: Int, at place: Int) -> (ObviousList.Section, Int) {
    var staying = old[index].rows.indices.filter { !leavingRows.contains([index, $0]) }[...]
    var section = ObviousList.Section(own: old[index].own, rows: [])
    var placed = 0
    while true {
      if let row = comingRows[[place, section.rows.count]] {
        section.rows.append(row)
        placed += 1
      } else if let row = staying.popFirst() {
        section.rows.append(old[index].rows[row])
      } else {
        return (section, placed)
      }
    }
  }

  private func updated(_ sections: [ObviousList.Section]) throws(BrokenLaw) -> [ObviousList.Section]
  {
    var result = sections
    guard !newSections.isEmpty || !newRows.isEmpty else { return result }
    guard comingSections.isEmpty, comingRows.isEmpty, leavingSections.isEmpty, leavingRows.isEmpty
    else { throw BrokenLaw(words: "contents change together with places") }
    for (index, section) in newSections {
      guard result.indices.contains(index) else {
        throw BrokenLaw(words: "section \(index) changes and is not there")
      }
      result[index].own = section.own
    }
    for (row, content) in newRows {
      guard result.indices.contains(row[0]), result[row[0]].rows.indices.contains(row[1]) else {
        throw BrokenLaw(words: "row \(row) changes and is not there")
      }
      result[row[0]].rows[row[1]] = content
    }
    return result
  }
}
