/// The name of a member of an encoded change. One type for all, because each type of keys adds kilobytes to
/// a program.
struct Member: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

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
  /// Encodes the operation in the daemon's format: `{"op": "moveItems", "from": [0, 3], "to": [0,
  /// 0], "count": 1}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    let parts = parts
    func encode(_ path: ListPath, _ key: Member) throws {
      if parts.isOfRows {
        try container.encode(path, forKey: key)
      } else {
        try container.encode(path.row, forKey: key)
      }
    }
    try container.encode(Self.name(parts), forKey: Member("op"))
    try encode(parts.at, Member(parts.verb == .move ? "from" : "at"))
    if parts.verb == .move { try encode(parts.to, Member("to")) }
    try container.encode(parts.count, forKey: Member("count"))
  }

  /// Decodes an operation.
  ///
  /// - Throws: `DecodingError` if a member is missing or out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Member.self)
    let start = ListPath(section: 0, row: 0)
    var parts: Parts = (.delete, true, start, start, 0)
    parts.count = try container.decode(Int.self, forKey: Member("count"))
    let name = try container.decode(String.self, forKey: Member("op"))
    parts.isOfRows = name.hasSuffix("Items")
    for verb: Verb in [.insert, .move, .reload, .reconfigure] where Self.name(parts) != name {
      parts.verb = verb
    }
    guard name == Self.name(parts) else {
      throw DecodingError.dataCorruptedError(
        forKey: Member("op"), in: container, debugDescription: "not an operation")
    }
    func path(_ key: Member) throws -> ListPath {
      let limit = Int(Int32.max) - parts.count
      let path: ListPath?
      if parts.isOfRows {
        path = try container.decode(ListPath.self, forKey: key)
      } else {
        let section = try container.decode(Int.self, forKey: key)
        path = 0...Int(Int32.max) ~= section ? ListPath(section: 0, row: section) : nil
      }
      guard let path, parts.count > 0, path.row <= limit else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "not a range of rows or sections")
      }
      return path
    }
    parts.at = try path(Member(parts.verb == .move ? "from" : "at"))
    parts.to = parts.verb == .move ? try path(Member("to")) : parts.at
    self.init(parts)
  }
}

extension Changes.Op {
  /// Returns the name of an operation in the daemon's format.
  private static func name(_ parts: Parts) -> String {
    let name =
      switch parts.verb {
      case .delete: "delete"
      case .insert: "insert"
      case .move: "move"
      case .reload: "reload"
      case .reconfigure: "reconfigure"
      }
    return name + (parts.isOfRows ? "Items" : "Sections")
  }
}

extension Changes.Stage {
  /// Returns the number of rows of each section after the stage, or `nil` if the stage does not
  /// fit.
  ///
  /// - Complexity: O(*s* log *k* + *k*), where *s* is the number of sections and *k* of operations.
  fileprivate func shape(after shape: [Int]) -> [Int]? {
    var result: [Int] = []
    guard insertedRowCounts.allSatisfy((0...Int(Int32.max)).contains),
      StageForm(self).forEachSection(
        of: shape, { _, pieces in result.append(pieces.reduce(0) { $0 + $1.count }) })
    else { return nil }
    let areInside = ops.lazy.filter { $0.isOfContents }.map { $0.parts }.allSatisfy { op in
      let count =
        op.isOfRows ? op.at.section < result.count ? result[op.at.section] : 0 : result.count
      return op.count <= count - op.at.row
    }
    return areInside ? result : nil
  }
}

extension Changes: Codable {
  /// Encodes the stages and the shapes of both lists.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(stages, forKey: Member("stages"))
    try container.encode(oldShape, forKey: Member("oldShape"))
    try container.encode(newShape, forKey: Member("newShape"))
    try container.encode(rowCounts, forKey: Member("rows"))
    try container.encode(sectionCounts, forKey: Member("sections"))
  }

  /// Decodes a change.
  ///
  /// - Throws: `DecodingError` if a member is missing, or if the stages do not turn a list of the
  ///   old shape into one of the new shape.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Member.self)
    let stages = try container.decode([Stage].self, forKey: Member("stages"))
    let old = try container.decode([Int].self, forKey: Member("oldShape"))
    let new = try container.decode([Int].self, forKey: Member("newShape"))
    let limits = 0...Int(Int32.max)
    func isValid(_ shape: [Int]) -> Bool {
      shape.allSatisfy(limits.contains) && limits.contains(shape.reduce(0, +))
    }
    var shape: [Int]? = old
    for stage in stages { shape = shape.flatMap { isValid($0) ? stage.shape(after: $0) : nil } }
    guard shape == new, isValid(new) else {
      throw DecodingError.dataCorruptedError(
        forKey: Member("stages"), in: container,
        debugDescription: "the stages do not lead from the old shape to the new one")
    }
    self.init(
      stages: stages, rowCounts: try container.decode(Counts.self, forKey: Member("rows")),
      sectionCounts: try container.decode(Counts.self, forKey: Member("sections")),
      oldRows: ListShape(old), newRows: ListShape(new))
  }
}

extension Changes.Stage: Codable {
  /// Encodes the operations and the numbers of inserted rows.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(ops, forKey: Member("ops"))
    try container.encode(insertedRowCounts, forKey: Member("insertedRowCounts"))
  }

  /// Decodes the operations and the numbers of inserted rows.
  ///
  /// - Throws: `DecodingError` if a member is missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Member.self)
    ops = try container.decode([Changes.Op].self, forKey: Member("ops"))
    insertedRowCounts = try container.decode([Int].self, forKey: Member("insertedRowCounts"))
  }
}

extension Changes.Counts: Codable {
  /// Encodes the four numbers.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(deletes, forKey: Member("deletes"))
    try container.encode(inserts, forKey: Member("inserts"))
    try container.encode(moves, forKey: Member("moves"))
    try container.encode(updates, forKey: Member("updates"))
  }

  /// Decodes the four numbers.
  ///
  /// - Throws: `DecodingError` if a member is missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Member.self)
    deletes = try container.decode(Int.self, forKey: Member("deletes"))
    inserts = try container.decode(Int.self, forKey: Member("inserts"))
    moves = try container.decode(Int.self, forKey: Member("moves"))
    updates = try container.decode(Int.self, forKey: Member("updates"))
  }
}

extension Changes.Section: Encodable where ID: Encodable, Item: Encodable {
  /// Encodes the identity and the items.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(id, forKey: Member("id"))
    try container.encode(items, forKey: Member("items"))
  }
}

extension Changes.Section: Decodable where ID: Decodable, Item: Decodable {
  /// Decodes the identity and the items.
  ///
  /// - Throws: `DecodingError` if a member is missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Member.self)
    id = try container.decode(ID.self, forKey: Member("id"))
    items = try container.decode([Item].self, forKey: Member("items"))
  }
}
