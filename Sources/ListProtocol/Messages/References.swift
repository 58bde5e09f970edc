import JSONBytes
import ListState

extension ItemReference {
  /// The members of a reference to an item: of an identifier, of a path and of a line.
  static let members: ParamNames = [
    .id, .occurrence, .source, .path, .revision, .line, .textRevision,
  ]

  /// Reads an array of references.
  static func readAll(
    _ value: Value, _ ids: borrowing IDTable, _ lines: LineReferences?
  ) throws(Failure) -> [ItemReference] {
    try value.requireElements(with: ids) { value, ids throws(Failure) in try read(value, ids, lines)
    }
  }

  /// Reads a reference: an identifier, an object with an identifier, with a path, or with a line,
  /// which `lines` resolves.
  static func read(
    _ value: Value, _ ids: borrowing IDTable, _ lines: LineReferences?
  ) throws(Failure) -> ItemReference {
    try readCursor(value, ids, lines).item
  }

  /// Reads a reference to a row for the cursor. Also returns the index of the line that it names among
  /// the lines of its row, 0 if it does not name one.
  static func readCursor(
    _ value: Value, _ ids: borrowing IDTable, _ lines: LineReferences?
  ) throws(Failure) -> (item: ItemReference, rowLine: Int) {
    if let id = ids.identify(value) { return (.id(id.key, occurrence: 0, source: nil), 0) }
    guard value.kind == .object || value.elements?.isEmpty == true else {
      throw value.failure(expected: "an identifier, {id}, {path} or {line, textRevision}")
    }
    let params = try Params(value, known: members)
    if params[.line] != nil || params[.textRevision] != nil {
      return try LineReferences.read(params, lines)
    }
    if let path = params[.path] {
      if let other = params.first(of: .id, .occurrence, .source) {
        throw other.failure(expected: "nothing beside \"path\"")
      }
      let (section, row) = try path.requirePath()
      let revision = try params[.revision]?.requireCount()
      return (.path(section: section, row: row, revision: revision), 0)
    }
    let value = try params.require(.id, expected: "a string or an integer")
    guard let id = ids.identify(value) else {
      throw value.failure(expected: "a string or an integer")
    }
    if let revision = params[.revision] {
      throw revision.failure(expected: "a \"path\" beside it")
    }
    let occurrence = try params[.occurrence]?.requireCount() ?? 0
    return (
      .id(id.key, occurrence: occurrence, source: try params[.source]?.requireString()), 0
    )
  }
}

extension Value {
  /// Returns the value as a section and a row, which are integers that are 0 or more.
  func requirePath() throws(Failure) -> (section: Int, row: Int) {
    let expected = "a section and a row, [integer, integer]"
    guard let elements, elements.count == 2 else { throw failure(expected: expected) }
    return (try elements[0].requireCount(), try elements[1].requireCount())
  }
}

extension IDTable {
  /// Returns the key of a value that is an identifier, `nil` inside if the table does not have it;
  /// `nil` if the value is not an identifier.
  func identify(_ value: Value) -> (key: UInt32?, Void)? {
    if let found = value.withString({ (find(.string, $0), ()) }) { return found }
    guard value.kind == .number else { return nil }
    let number = JSONNumber(value.bytes)
    if number.isInteger, value.range.count <= Self.mostDigits {
      return (find(.integer, number.integerDigits), ())
    }
    return number.integerDigits(limit: Self.mostDigits)
      .map { ($0.withUnsafeBytes { find(.integer, $0) }, ()) }
  }
}
