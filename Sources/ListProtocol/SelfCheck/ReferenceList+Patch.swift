extension ReferenceList {
  /// Applies the operations of a JSON Patch one after the other. Rows are items.
  mutating func apply(patch: Value) throws(InvariantViolation) {
    for op in patch.elements ?? [] {
      let op = try expect(SentObject(op), "not an operation")
      let path = try Location(op.text("path"))
      switch op.text("op") {
      case "remove": _ = try remove(path)
      case "add": try insert(try element(of: op, at: path), path)
      case "replace":
        _ = try remove(path)
        try insert(try element(of: op, at: path), path)
      case "move":
        let moved = try remove(try Location(op.text("from")))
        try insert(moved, path)
      case let name: throw InvariantViolation("an unknown operation \(name)")
      }
    }
  }

  private enum Location {
    case section(Int)
    case item(Int, Int)
    case member(Int, [UInt8])

    init(_ pointer: String) throws(InvariantViolation) {
      let parts = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      if parts.first == "sections", parts.count > 1, let section = Int(parts[2]) {
        if parts.count == 2 {
          self = .section(section)
          return
        }
        if parts.count == 3 {
          var name: [UInt8] = []
          var rest = parts[3].utf8
          while let byte = rest.popFirst() {
            name.append(byte != 0x7E ? byte : rest.popFirst() == 0x31 ? 0x2F : 0x7E)
          }
          self = .member(section, name)
          return
        }
        if parts.count == 4, parts[3] == "items", let item = Int(parts[4]) {
          self = .item(section, item)
          return
        }
      }
      throw InvariantViolation("an invalid path, \(pointer)")
    }
  }

  private enum Element {
    case section(Section)
    case value([UInt8])
  }

  private func element(
    of op: SentObject, at location: Location
  ) throws(InvariantViolation) -> Element {
    let value = try expect(op["value"], "an operation without a value")
    switch location {
    case .section: return .section(Self.section(value))
    case .item: return .value(Self.row(value))
    case .member: return .value(Self.canonical(value.bytes))
    }
  }

  private mutating func remove(_ location: Location) throws(InvariantViolation) -> Element {
    switch location {
    case .section(let index):
      if sections.indices.contains(index) { return .section(sections.remove(at: index)) }
    case .item(let section, let item):
      if sections.indices.contains(section), sections[section].rows.indices.contains(item) {
        return .value(sections[section].rows.remove(at: item))
      }
    case .member(let section, let name):
      if sections.indices.contains(section),
        let value = sections[section].own?.removeValue(forKey: name)
      {
        return .value(value)
      }
    }
    throw InvariantViolation("nothing can be removed at \(location)")
  }

  private mutating func insert(_ element: Element, _ location: Location) throws(InvariantViolation)
  {
    switch (location, element) {
    case (.section(let index), .section(let section)) where index <= sections.count:
      sections.insert(section, at: index)
    case (.item(let section, let item), .value(let value))
    where sections.indices.contains(section) && item <= sections[section].rows.count:
      sections[section].rows.insert(value, at: item)
    case (.member(let section, let name), .value(let value))
    where sections.indices.contains(section):
      sections[section].own?[name] = value
    default: throw InvariantViolation("nothing can be inserted at \(location)")
    }
  }
}
