import ByteBuffers
import JSONBytes

/// A column of a table of items.
package struct TableColumn: Hashable, Sendable {
  /// What the column is called, and the path of the member that its values are.
  package var title: String
  package var member: String

  package init(_ title: String, member: String) {
    self.title = title
    self.member = member
  }
}

extension TableColumn {
  /// The number of items whose members are looked at, and of columns that are made of them.
  private static let limits = (items: 50, columns: 40)

  /// Finds the members of the first items of a list, given as `"items":[…]` or `"sections":[…]`.
  ///
  /// Members of members are columns of their own. An `id` that another column repeats is not a column,
  /// nor is a `text` that is made of the others, as `listd set` makes it of a record.
  static func all(ofItems content: UnsafeRawBufferPointer) -> [TableColumn] {
    Found(content).columns
  }

  /// Whether the first items of a list have a `text` that is made of their other members, so that it
  /// changes with these.
  package static func isTextDerived(inItems content: UnsafeRawBufferPointer) -> Bool {
    Found(content).isTextDerived
  }

  private struct Found {
    private var paths: [String] = []
    private var known: Set<String> = []
    private var items = 0
    private var hasObjects = false

    /// Columns with the value of `id` in all items, and whether each `text` is made of other values.
    private var copies: Set<String>?
    private(set) var isTextDerived = true

    init(_ content: UnsafeRawBufferPointer) {
      var reader = JSONReader(content)
      _ = try? read(list: &reader, content)
      if items == 0 || !known.contains("text") { isTextDerived = false }
    }

    private mutating func read(
      list reader: inout JSONReader, _ bytes: UnsafeRawBufferPointer
    ) throws(JSONError) {
      try reader.openObject()
      while let name = try reader.nextMember() {
        if reader.matches(name, "items") {
          try reader.openArray()
          while try reader.nextElement() {
            let item = try reader.skip()
            if items < TableColumn.limits.items { add(bytes, item) }
          }
        } else if reader.matches(name, "sections") {
          try reader.openArray()
          while try reader.nextElement() { try read(list: &reader, bytes) }
        } else {
          _ = try reader.skip()
        }
      }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer, _ item: Range<Int>) {
      items += 1
      guard bytes[item.lowerBound] == 0x7B else {
        isTextDerived = false
        return add(path: "text")
      }
      hasObjects = true
      var values: [(path: String, text: String)] = []
      add(membersOf: item, bytes, "", depth: 0, &values)
      let id = values.first { $0.path == "id" }?.text
      let equal = Set(values.filter { $0.path != "id" && $0.text == id }.map { $0.path })
      copies = copies.map { $0.intersection(equal) } ?? equal
      let text = values.first { $0.path == "text" }?.text ?? ""
      let others = values.filter { $0.path != "id" && $0.path != "text" }.map { $0.text }
      if !Self.isRecord(text, of: others, id: id ?? "") { isTextDerived = false }
    }

    /// Whether a text has all values, and nothing else but what separates them, and perhaps the `id`.
    private static func isRecord(_ text: String, of values: [String], id: String) -> Bool {
      func letters(_ text: String) -> [UInt8] { text.utf8.filter { !",;\t\" ".utf8.contains($0) } }
      let count = letters(text).count - values.reduce(0) { $0 + letters($1).count }
      guard !values.isEmpty, count == 0 || count == letters(id).count else { return false }
      let plain = text.utf8.filter { $0 != 0x22 }
      return values.allSatisfy { value in
        let value = value.utf8.filter { $0 != 0x22 }
        return (0...plain.count).contains { plain[$0...].starts(with: value) }
      }
    }

    private mutating func add(
      membersOf object: Range<Int>, _ bytes: UnsafeRawBufferPointer, _ path: String, depth: Int,
      _ values: inout [(path: String, text: String)]
    ) {
      for member in JSONMember.all(of: object, in: bytes) where !member.name.hasPrefix("$") {
        let inside = path.isEmpty ? member.name : "\(path).\(member.name)"
        if path.isEmpty, member.name == "parts" || member.name == "template" { continue }
        if bytes[member.value.lowerBound] == 0x7B, depth < 2 {
          add(membersOf: member.value, bytes, inside, depth: depth + 1, &values)
        } else {
          let value = UnsafeRawBufferPointer(rebasing: bytes[member.value])
          values.append((inside, JSONText.plain(value)))
          add(path: inside)
        }
      }
    }

    private mutating func add(path: String) {
      guard paths.count < TableColumn.limits.columns, known.insert(path).inserted else { return }
      paths.append(path)
    }

    /// The columns, `id` first.
    var columns: [TableColumn] {
      var paths = paths
      if paths.contains("text"), isTextDerived { paths.removeAll { $0 == "text" } }
      if let index = paths.firstIndex(of: "id") {
        paths.remove(at: index)
        if paths.allSatisfy({ !(copies ?? []).contains($0) }) { paths.insert("id", at: 0) }
      }
      // Lines of text have no title.
      return paths.map { TableColumn(hasObjects ? $0 : "", member: $0) }
    }
  }
}
