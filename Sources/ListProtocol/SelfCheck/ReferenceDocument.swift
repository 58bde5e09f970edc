import ByteBuffers
import ListState

/// A list as the document that a JSON Patch applies to, patched in the most direct way.
struct ReferenceDocument: Equatable {
  struct Section: Equatable {
    /// The values by name, in canonical form.
    var members: [[UInt8]: [UInt8]] = [:]
    var items: [[UInt8]] = []
  }

  private var sections: [Section]

  /// Creates the document of a snapshot whose contents are written in some form.
  init(_ snapshot: Snapshot, _ form: ContentForm = ContentForm(singleLine: false)) {
    var text = ByteBuffer()
    SnapshotWriter(snapshot: snapshot, form: form).appendSections(to: &text)
    let bytes = text.shared()
    let value = Value(message: bytes, range: 0..<bytes.count)
    sections = (value.elements ?? []).map(Self.section)
  }

  private static func section(_ value: Value) -> Section {
    var section = Section()
    for (name, value) in value.members ?? [] {
      if name == "items" {
        section.items = (value.elements ?? []).map { ReferenceList.canonical($0.bytes) }
      } else {
        section.members[Array(name.utf8)] = ReferenceList.canonical(value.bytes)
      }
    }
    return section
  }

  /// Reports whether both are the same list. A header or footer that is null is absent, and an item
  /// that is an array is an empty object.
  func isSame(as other: ReferenceDocument) -> Bool {
    normalized == other.normalized
  }

  private var normalized: [Section] {
    let null = ReferenceList.canonical(Array("null".utf8))
    return sections.map { section in
      var section = section
      section.items = section.items.map(ReferenceList.normalized)
      for name in ["header", "footer"] where section.members[Array(name.utf8)] == null {
        section.members[Array(name.utf8)] = nil
      }
      return section
    }
  }

  /// Applies the operations of a patch one after the other.
  mutating func apply(patch: Value) throws(InvariantViolation) {
    for op in patch.elements ?? [] {
      var members: [String: Value] = [:]
      for (name, value) in op.members ?? [] { members[name] = value }
      func text(_ name: String) throws(InvariantViolation) -> String {
        guard let string = members[name]?.string else {
          throw InvariantViolation(message: "an operation without \(name)")
        }
        return String(decoding: string, as: UTF8.self)
      }
      func value() throws(InvariantViolation) -> Value {
        guard let value = members["value"] else {
          throw InvariantViolation(message: "an operation without a value")
        }
        return value
      }
      let path = try Location(text("path"))
      switch try text("op") {
      case "remove": _ = try remove(path)
      case "add": try insert(try element(value(), at: path), path)
      case "replace":
        _ = try remove(path)
        try insert(try element(value(), at: path), path)
      case "move":
        let moved = try remove(try Location(text("from")))
        try insert(moved, path)
      case let name: throw InvariantViolation(message: "an unknown operation \(name)")
      }
    }
  }

  private enum Location {
    case section(Int)
    case item(Int, Int)
    case member(Int, [UInt8])

    init(_ pointer: String) throws(InvariantViolation) {
      let parts = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      let section = parts.count > 1 && parts.first == "sections" ? Int(parts[2]) : nil
      guard let section, parts.count < 5 else {
        throw InvariantViolation(message: "an invalid path, \(pointer)")
      }
      if parts.count == 2 {
        self = .section(section)
      } else if parts.count == 4, parts[3] == "items", let item = Int(parts[4]) {
        self = .item(section, item)
      } else if parts.count == 3 {
        var name: [UInt8] = []
        for byte in parts[3].utf8 {
          if name.last == 0x7E, byte == 0x30 || byte == 0x31 {
            // A tilde from an escape does not begin another escape.
            name[name.count - 1] = byte == 0x30 ? 0xFF : 0x2F
          } else {
            name.append(byte)
          }
        }
        self = .member(section, name.map { $0 == 0xFF ? 0x7E : $0 })
      } else {
        throw InvariantViolation(message: "an invalid path, \(pointer)")
      }
    }
  }

  private enum Element {
    case section(Section)
    case value([UInt8])
  }

  private func element(_ value: Value, at location: Location) throws(InvariantViolation) -> Element
  {
    if case .section = location { return .section(Self.section(value)) }
    return .value(ReferenceList.canonical(value.bytes))
  }

  private mutating func remove(_ location: Location) throws(InvariantViolation) -> Element {
    switch location {
    case .section(let index):
      if sections.indices.contains(index) { return .section(sections.remove(at: index)) }
    case .item(let section, let item):
      if sections.indices.contains(section), sections[section].items.indices.contains(item) {
        return .value(sections[section].items.remove(at: item))
      }
    case .member(let section, let name):
      if sections.indices.contains(section),
        let value = sections[section].members.removeValue(forKey: name)
      {
        return .value(value)
      }
    }
    throw InvariantViolation(message: "nothing can be removed at \(location)")
  }

  private mutating func insert(_ element: Element, _ location: Location) throws(InvariantViolation)
  {
    switch (location, element) {
    case (.section(let index), .section(let section)) where index <= sections.count:
      sections.insert(section, at: index)
    case (.item(let section, let item), .value(let value))
    where sections.indices.contains(section) && item <= sections[section].items.count:
      sections[section].items.insert(value, at: item)
    case (.member(let section, let name), .value(let value))
    where sections.indices.contains(section):
      sections[section].members[name] = value
    default: throw InvariantViolation(message: "nothing can be inserted at \(location)")
    }
  }
}
