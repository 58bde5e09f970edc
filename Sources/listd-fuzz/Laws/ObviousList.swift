import ListDiff

/// A list as plainly as it can be written, and what a change means for it.
struct ObviousList: Equatable, CustomStringConvertible {
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

  /// Ids in order, `*` for each edition of a row's content, ` | ` between sections. A section is
  /// named by `name:` before its rows, else by its index.
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

/// A stage that no table view would take.
struct BrokenLaw: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

extension ObviousList {
  /// The list after a stage, whose operations happen at once; `target` has the contents that come in.
  func applying(_ stage: Stage, target: ObviousList) throws(BrokenLaw) -> ObviousList {
    var goneSections = Set<Int>()
    var movedSections: [Int: Int] = [:]
    var newSections: [Int: Int] = [:]
    var goneRows = Set<Path>()
    var filled: [Path: Row?] = [:]
    var counts = stage.insertedRowCounts[...]
    for op in stage.ops {
      switch op {
      case .deleteSections(let at, let count):
        for index in at..<at + count { try claim(index, &goneSections) }
      case .moveSections(let from, let to, let count):
        for offset in 0..<count {
          try claim(from + offset, &goneSections)
          try fill(to + offset, with: from + offset, &movedSections)
        }
      case .insertSections(let at, let count):
        for offset in 0..<count { try fill(at + offset, with: counts.removeFirst(), &newSections) }
      default: break
      }
    }
    guard counts.isEmpty else { throw BrokenLaw("more row counts than inserted sections") }
    for op in stage.ops {
      switch op {
      case .deleteItems(let at, let count):
        for offset in 0..<count { try take(at.advanced(by: offset), &goneRows, goneSections) }
      case .insertItems(let at, let count):
        for offset in 0..<count { try put(nil, at.advanced(by: offset), &filled) }
      case .moveItems(let from, let to, let count):
        for offset in 0..<count {
          let source = from.advanced(by: offset)
          try take(source, &goneRows, goneSections)
          try put(sections[source.section].rows[source.row], to.advanced(by: offset), &filled)
        }
      default: break
      }
    }

    var survivors = sections.enumerated().filter { !goneSections.contains($0.offset) }[...]
    let fixed = Set(movedSections.keys).union(newSections.keys)
    guard fixed.count == movedSections.count + newSections.count else {
      throw BrokenLaw("a section place is filled twice")
    }
    var result = ObviousList()
    for place in 0..<survivors.count + fixed.count {
      if let count = newSections[place] {
        result.sections.append(
          Section(id: -1, rows: Array(repeating: Row(id: -1), count: count)))
      } else if let from = movedSections[place] {
        result.sections.append(sections[from])
      } else {
        guard let (index, section) = survivors.popFirst() else {
          throw BrokenLaw("section place \(place) is beyond the end")
        }
        result.sections.append(section)
        result.sections[place].rows = section.rows.enumerated()
          .filter { !goneRows.contains(Path(section: index, row: $0.offset)) }.map(\.element)
      }
    }
    for (path, row) in filled.sorted(by: { $0.key < $1.key }) {
      guard path.section < result.sections.count, !fixed.contains(path.section) else {
        throw BrokenLaw("a row comes to \(path), in a section that comes or moves")
      }
      guard path.row <= result.sections[path.section].rows.count else {
        throw BrokenLaw("a row comes to \(path), beyond the end")
      }
      result.sections[path.section].rows.insert(row ?? Row(id: -1), at: path.row)
    }
    return try result.updating(stage, target: target)
  }

  private func claim(_ index: Int, _ gone: inout Set<Int>) throws(BrokenLaw) {
    guard sections.indices.contains(index), gone.insert(index).inserted else {
      throw BrokenLaw("section \(index) is not there or leaves twice")
    }
  }

  private func fill(_ place: Int, with value: Int, _ places: inout [Int: Int]) throws(BrokenLaw) {
    guard places.updateValue(value, forKey: place) == nil else {
      throw BrokenLaw("section place \(place) is filled twice")
    }
  }

  private func take(
    _ path: Path, _ gone: inout Set<Path>, _ goneSections: Set<Int>
  ) throws(BrokenLaw) {
    guard sections.indices.contains(path.section),
      sections[path.section].rows.indices.contains(path.row),
      !goneSections.contains(path.section), gone.insert(path).inserted
    else { throw BrokenLaw("row \(path) is not there, leaves twice or leaves a section that goes") }
  }

  private func put(_ row: Row?, _ path: Path, _ filled: inout [Path: Row?]) throws(BrokenLaw) {
    guard filled.updateValue(row, forKey: path) == nil else {
      throw BrokenLaw("row place \(path) is filled twice")
    }
  }

  /// The list after the content changes of a stage, which stand alone.
  private func updating(_ stage: Stage, target: ObviousList) throws(BrokenLaw) -> ObviousList {
    var result = self
    var updates = 0
    var touched = Set<Path>()
    for op in stage.ops {
      switch op {
      case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
        updates += 1
        for offset in 0..<count {
          let path = at.advanced(by: offset)
          guard touched.insert(path).inserted else { throw BrokenLaw("\(path) is updated twice") }
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
      throw BrokenLaw("contents change beside structure")
    }
    return result
  }
}
