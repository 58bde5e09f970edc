import ListDiff
import ListStages

/// A list in its simplest form. It defines the meaning of a change.
struct ReferenceList: Equatable, CustomStringConvertible {
  struct Row: Hashable {
    var id: Int
    var content = 0
  }
  struct Section: Equatable {
    var id: Int
    var header = 0
    var rows: [Row]
  }
  var sections: [Section] = []

  /// Parses ids in order. Each `*` after an id is a version of the row's content, ` | ` separates
  /// sections, and `name:` before its rows names a section, which otherwise is named by its index.
  init(_ picture: String) {
    for (index, part) in picture.split(separator: "|", omittingEmptySubsequences: false)
      .enumerated()
    {
      var section = Section(id: index, rows: [])
      for word in part.split(separator: " ") {
        if word.hasSuffix(":") {
          section.id = Int(word.dropLast().unicodeScalars.first!.value)
        } else {
          let name = word.filter { $0 != "*" }
          section.rows.append(
            Row(
              id: Int(name) ?? Int(name.unicodeScalars.first!.value) + 1000,
              content: word.count - name.count))
        }
      }
      sections.append(section)
    }
  }

  init(sections: [Section] = []) { self.sections = sections }

  init(flat ids: some Sequence<Int>) {
    sections = [Section(id: 0, rows: ids.map { Row(id: $0) })]
  }

  var description: String {
    sections.map { section in
      "\(section.id)/\(section.header): "
        + section.rows.map { "\($0.id)" + String(repeating: "*", count: $0.content) }
        .joined(separator: " ")
    }.joined(separator: " | ")
  }

  var rows: [Row] { sections.flatMap(\.rows) }

  var arrangement: Arrangement {
    var starts: [Int32] = [0]
    for section in sections { starts.append(starts.last! + Int32(section.rows.count)) }
    let keys = rows.map { UInt32($0.id) }
    return Arrangement(
      sections: sections.map { UInt32($0.id) }, starts: starts, rows: keys,
      hasRepeats: Set(keys).count < keys.count)
  }
}

/// The reason why a list or stage is invalid.
struct InvariantViolation: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

extension ReferenceList {
  /// The list after a stage, whose operations apply simultaneously. `target` supplies new content.
  func applying(_ stage: Stage, target: ReferenceList) throws(InvariantViolation) -> ReferenceList {
    var deletedSections = Set<Int>()
    var movedSections: [Int: Int] = [:]
    var newSections: [Int: Int] = [:]
    var deletedRows = Set<Path>()
    var filled: [Path: Row?] = [:]
    var counts = stage.insertedRowCounts[...]
    for op in stage.ops {
      switch op {
      case .deleteSections(let at, let count):
        for index in at..<at + count { try claim(index, &deletedSections) }
      case .moveSections(let from, let to, let count):
        for offset in 0..<count {
          try claim(from + offset, &deletedSections)
          try fill(to + offset, with: from + offset, &movedSections)
        }
      case .insertSections(let at, let count):
        for offset in 0..<count { try fill(at + offset, with: counts.removeFirst(), &newSections) }
      default: break
      }
    }
    guard counts.isEmpty else { throw InvariantViolation("more row counts than inserted sections") }
    for op in stage.ops {
      switch op {
      case .deleteItems(let at, let count):
        for offset in 0..<count {
          try remove(at.advanced(by: offset), &deletedRows, deletedSections)
        }
      case .insertItems(let at, let count):
        for offset in 0..<count { try insert(nil, at.advanced(by: offset), &filled) }
      case .moveItems(let from, let to, let count):
        for offset in 0..<count {
          let source = from.advanced(by: offset)
          try remove(source, &deletedRows, deletedSections)
          try insert(sections[source.section].rows[source.row], to.advanced(by: offset), &filled)
        }
      default: break
      }
    }

    var survivors = sections.enumerated().filter { !deletedSections.contains($0.offset) }[...]
    let fixed = Set(movedSections.keys).union(newSections.keys)
    guard fixed.count == movedSections.count + newSections.count else {
      throw InvariantViolation("a section index is used twice")
    }
    var result = ReferenceList()
    for index in 0..<survivors.count + fixed.count {
      if let count = newSections[index] {
        result.sections.append(
          Section(id: -1, rows: Array(repeating: Row(id: -1), count: count)))
      } else if let from = movedSections[index] {
        result.sections.append(sections[from])
      } else {
        guard let (oldIndex, section) = survivors.popFirst() else {
          throw InvariantViolation("section index \(index) is beyond the end")
        }
        result.sections.append(section)
        result.sections[index].rows = section.rows.enumerated()
          .filter { !deletedRows.contains(Path(section: oldIndex, row: $0.offset)) }.map(\.element)
      }
    }
    for (path, row) in filled.sorted(by: { $0.key < $1.key }) {
      guard path.section < result.sections.count, !fixed.contains(path.section) else {
        throw InvariantViolation(
          "a row is inserted at \(path), in a section that is inserted or moves")
      }
      guard path.row <= result.sections[path.section].rows.count else {
        throw InvariantViolation("a row is inserted at \(path), beyond the end")
      }
      result.sections[path.section].rows.insert(row ?? Row(id: -1), at: path.row)
    }
    return try result.updating(stage, target: target)
  }

  private func claim(_ index: Int, _ deleted: inout Set<Int>) throws(InvariantViolation) {
    guard sections.indices.contains(index), deleted.insert(index).inserted else {
      throw InvariantViolation("section \(index) does not exist or is used twice")
    }
  }

  private func fill(_ index: Int, with value: Int, _ sections: inout [Int: Int])
    throws(InvariantViolation)
  {
    guard sections.updateValue(value, forKey: index) == nil else {
      throw InvariantViolation("section index \(index) is used twice")
    }
  }

  private func remove(
    _ path: Path, _ deleted: inout Set<Path>, _ deletedSections: Set<Int>
  ) throws(InvariantViolation) {
    guard sections.indices.contains(path.section),
      sections[path.section].rows.indices.contains(path.row),
      !deletedSections.contains(path.section), deleted.insert(path).inserted
    else {
      throw InvariantViolation(
        "row \(path) does not exist, is used twice or is in a deleted section")
    }
  }

  private func insert(_ row: Row?, _ path: Path, _ filled: inout [Path: Row?])
    throws(InvariantViolation)
  {
    guard filled.updateValue(row, forKey: path) == nil else {
      throw InvariantViolation("row path \(path) is used twice")
    }
  }

  /// The list after the content changes of a stage, which must not contain other operations.
  private func updating(_ stage: Stage, target: ReferenceList) throws(InvariantViolation)
    -> ReferenceList
  {
    var result = self
    var updates = 0
    var updated = Set<Path>()
    for op in stage.ops {
      switch op {
      case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
        updates += 1
        for offset in 0..<count {
          let path = at.advanced(by: offset)
          guard updated.insert(path).inserted else {
            throw InvariantViolation("\(path) is updated twice")
          }
          result.sections[path.section].rows[path.row].content =
            target.sections[path.section].rows[path.row].content
        }
      case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
        updates += 1
        for index in at..<at + count {
          result.sections[index].header = target.sections[index].header
        }
      default: break
      }
    }
    guard updates == 0 || updates == stage.ops.count else {
      throw InvariantViolation("content and structure change in one stage")
    }
    return result
  }
}
