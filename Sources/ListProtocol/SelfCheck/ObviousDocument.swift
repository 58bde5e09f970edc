import JSONBytes
import ListState

/// A list as the document that a JSON Patch is about, patched in the plainest way there is.
struct ObviousDocument: Equatable {
  struct Section: Equatable {
    /// By name the value in canonical form.
    var members: [[UInt8]: [UInt8]] = [:]
    var items: [[UInt8]] = []
  }

  private var sections: [Section]

  /// The document of a snapshot.
  init(_ snapshot: Snapshot) {
    var text = ByteBuffer()
    SnapshotWriter(snapshot: snapshot, singleLine: false).appendSections(to: &text)
    let bytes = text.shared()
    let value = Value(message: bytes, range: 0..<bytes.count, pointer: "")
    sections = (value.elements ?? []).map(Self.section)
  }

  private static func section(_ value: Value) -> Section {
    var section = Section()
    for (name, value) in value.members ?? [] {
      if name == "items" {
        section.items = (value.elements ?? []).map { ObviousList.canonical($0.bytes) }
      } else {
        section.members[Array(name.utf8)] = ObviousList.canonical(value.bytes)
      }
    }
    return section
  }

  /// Whether both are the same list; a header or footer that is null is absent, and an item that is
  /// an array is an empty object.
  func isSame(as other: ObviousDocument) -> Bool {
    alike == other.alike
  }

  private var alike: [Section] {
    let null = SharedBytes(copying: "null".utf8).withBytes { ObviousList.canonical($0) }
    return sections.map { section in
      var section = section
      section.items = section.items.map(ObviousList.alike)
      for name in ["header", "footer"] where section.members[Array(name.utf8)] == null {
        section.members[Array(name.utf8)] = nil
      }
      return section
    }
  }

  /// Makes the operations of a patch, one after the other.
  mutating func apply(patch: Value) throws(BrokenLaw) {
    for op in patch.elements ?? [] {
      var members: [String: Value] = [:]
      for (name, value) in op.members ?? [] { members[name] = value }
      func text(_ name: String) throws(BrokenLaw) -> String {
        guard let string = members[name]?.string else {
          throw BrokenLaw(words: "an operation without \(name)")
        }
        return String(decoding: string, as: UTF8.self)
      }
      func value() throws(BrokenLaw) -> Value {
        guard let value = members["value"] else {
          throw BrokenLaw(words: "an operation without a value")
        }
        return value
      }
      let path = try Place(text("path"))
      switch try text("op") {
      case "remove": _ = try take(path)
      case "add": try put(try element(value(), at: path), path)
      case "replace":
        _ = try take(path)
        try put(try element(value(), at: path), path)
      case "move":
        let moved = try take(try Place(text("from")))
        try put(moved, path)
      case let name: throw BrokenLaw(words: "an unknown operation \(name)")
      }
    }
  }

  private enum Place {
    case section(Int)
    case item(Int, Int)
    case member(Int, [UInt8])

    init(_ pointer: String) throws(BrokenLaw) {
      let parts = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      let section = parts.count > 1 && parts.first == "sections" ? Int(parts[2]) : nil
      guard let section, parts.count < 5 else {
        throw BrokenLaw(words: "a path to nothing, \(pointer)")
      }
      if parts.count == 2 {
        self = .section(section)
      } else if parts.count == 4, parts[3] == "items", let item = Int(parts[4]) {
        self = .item(section, item)
      } else if parts.count == 3 {
        var name: [UInt8] = []
        for byte in parts[3].utf8 {
          if name.last == 0x7E, byte == 0x30 || byte == 0x31 {
            // A tilde that was spelled out is no beginning of another escape.
            name[name.count - 1] = byte == 0x30 ? 0xFF : 0x2F
          } else {
            name.append(byte)
          }
        }
        self = .member(section, name.map { $0 == 0xFF ? 0x7E : $0 })
      } else {
        throw BrokenLaw(words: "a path to nothing, \(pointer)")
      }
    }
  }

  private enum Element {
    case section(Section)
    case value([UInt8])
  }

  private func element(_ value: Value, at place: Place) throws(BrokenLaw) -> Element {
    if case .section = place { return .section(Self.section(value)) }
    return .value(ObviousList.canonical(value.bytes))
  }

  private mutating func take(_ place: Place) throws(BrokenLaw) -> Element {
    switch place {
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
    throw BrokenLaw(words: "nothing can be taken from \(place)")
  }

  private mutating func put(_ element: Element, _ place: Place) throws(BrokenLaw) {
    switch (place, element) {
    case (.section(let index), .section(let section)) where index <= sections.count:
      sections.insert(section, at: index)
    case (.item(let section, let item), .value(let value))
    where sections.indices.contains(section) && item <= sections[section].items.count:
      sections[section].items.insert(value, at: item)
    case (.member(let section, let name), .value(let value))
    where sections.indices.contains(section):
      sections[section].members[name] = value
    default: throw BrokenLaw(words: "nothing can be put to \(place)")
    }
  }
}
