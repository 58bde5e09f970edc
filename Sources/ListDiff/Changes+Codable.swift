extension ListPath: Codable {
  /// Encodes the section and the row, for example `[2, 0]`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(section)
    try container.encode(row)
  }

  /// Decodes the section and the row.
  ///
  /// - Throws: `DecodingError` if they are not two numbers in `0...Int(Int32.max)`.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let section = try container.decode(Int.self)
    let row = try container.decode(Int.self)
    let limits = 0...Int(Int32.max)
    guard limits.contains(section), limits.contains(row), container.isAtEnd else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a path")
    }
    self.init(section: section, row: row)
  }
}

extension Changes.Op: Codable {
  private enum Name: String, Codable {
    case deleteSections, insertSections, moveSections, deleteItems, insertItems, moveItems
    case reloadSections, reconfigureSections, reloadItems, reconfigureItems
  }

  private enum Key: String, CodingKey { case op, at, from, to, count }

  /// Encodes the operation in the daemon's format: `{"op": "moveItems", "from": [0, 3], "to": [0,
  /// 0], "count": 1}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    func encode<Place: Encodable>(_ name: Name, _ at: Place, _ count: Int) throws {
      try container.encode(name, forKey: .op)
      try container.encode(at, forKey: .at)
      try container.encode(count, forKey: .count)
    }
    func encode<Place: Encodable>(_ name: Name, _ from: Place, _ to: Place, _ count: Int) throws {
      try container.encode(name, forKey: .op)
      try container.encode(from, forKey: .from)
      try container.encode(to, forKey: .to)
      try container.encode(count, forKey: .count)
    }
    switch self {
    case .deleteSections(let at, let count): try encode(.deleteSections, at, count)
    case .insertSections(let at, let count): try encode(.insertSections, at, count)
    case .moveSections(let from, let to, let count): try encode(.moveSections, from, to, count)
    case .deleteItems(let at, let count): try encode(.deleteItems, at, count)
    case .insertItems(let at, let count): try encode(.insertItems, at, count)
    case .moveItems(let from, let to, let count): try encode(.moveItems, from, to, count)
    case .reloadSections(let at, let count): try encode(.reloadSections, at, count)
    case .reconfigureSections(let at, let count): try encode(.reconfigureSections, at, count)
    case .reloadItems(let at, let count): try encode(.reloadItems, at, count)
    case .reconfigureItems(let at, let count): try encode(.reconfigureItems, at, count)
    }
  }

  /// Decodes an operation.
  ///
  /// - Throws: `DecodingError` if a member is missing or out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let count = try container.decode(Int.self, forKey: .count)
    func check(_ start: Int, _ key: Key) throws {
      guard count > 0, start >= 0, start <= Int(Int32.max) - count else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "not a range of rows or sections")
      }
    }
    func section(_ key: Key = .at) throws -> Int {
      let section = try container.decode(Int.self, forKey: key)
      try check(section, key)
      return section
    }
    func path(_ key: Key = .at) throws -> ListPath {
      let path = try container.decode(ListPath.self, forKey: key)
      try check(path.row, key)
      return path
    }
    self =
      switch try container.decode(Name.self, forKey: .op) {
      case .deleteSections: .deleteSections(at: try section(), count: count)
      case .insertSections: .insertSections(at: try section(), count: count)
      case .moveSections:
        .moveSections(from: try section(.from), to: try section(.to), count: count)
      case .deleteItems: .deleteItems(at: try path(), count: count)
      case .insertItems: .insertItems(at: try path(), count: count)
      case .moveItems: .moveItems(from: try path(.from), to: try path(.to), count: count)
      case .reloadSections: .reloadSections(at: try section(), count: count)
      case .reconfigureSections: .reconfigureSections(at: try section(), count: count)
      case .reloadItems: .reloadItems(at: try path(), count: count)
      case .reconfigureItems: .reconfigureItems(at: try path(), count: count)
      }
  }
}

extension Changes: Codable {
  private enum Key: String, CodingKey { case stages, oldShape, newShape, rows, sections }

  /// Encodes the stages and the shapes of both lists.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(stages, forKey: .stages)
    try container.encode(oldShape, forKey: .oldShape)
    try container.encode(newShape, forKey: .newShape)
    try container.encode(rowCounts, forKey: .rows)
    try container.encode(sectionCounts, forKey: .sections)
  }

  /// Decodes a change.
  ///
  /// - Throws: `DecodingError` if a member is missing, or if the stages do not turn a list of the
  ///   old shape into one of the new shape.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let stages = try container.decode([Stage].self, forKey: .stages)
    let old = try container.decode([Int].self, forKey: .oldShape)
    let new = try container.decode([Int].self, forKey: .newShape)
    let limits = 0...Int(Int32.max)
    var shape: [Int]? = old.allSatisfy(limits.contains) ? old : nil
    for stage in stages { shape = shape.flatMap { stage.shape(after: $0) } }
    guard shape == new else {
      throw DecodingError.dataCorruptedError(
        forKey: .stages, in: container,
        debugDescription: "the stages do not lead from the old shape to the new one")
    }
    self.init(
      stages: stages, rowCounts: try container.decode(Counts.self, forKey: .rows),
      sectionCounts: try container.decode(Counts.self, forKey: .sections),
      oldRows: ListShape(old), newRows: ListShape(new))
  }
}
