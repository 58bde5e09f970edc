import ByteBuffers
import Folders

/// The items of a list that a tree of files fills.
struct FolderMirror {
  private(set) var items: [String: PlainValue] = [:]

  /// The items before the changes that were sent last.
  private var before: [String: PlainValue]?

  /// The identifiers of the items, in the order of their paths.
  var ids: [String] {
    func path(_ id: String) -> [UInt8] { items[id]?["path"]?.text ?? [] }
    return items.keys.sorted { path($0).lexicographicallyPrecedes(path($1)) }
  }

  /// Whether the list has links.
  var hasLinks: Bool { items.values.contains { $0["target"] != nil } }

  /// Sends the next changes of a tree. Returns whether there were some.
  mutating func send(_ tree: FolderTree, limit: Int) -> Bool {
    confirm(tree)
    before = items
    let (deleted, changed) = tree.takeChanges(limit: limit)
    for id in deleted {
      precondition(items.removeValue(forKey: id) != nil, "\(id) is deleted twice")
    }
    var text = ByteBuffer()
    text.append("[")
    tree.append(changed, to: &text)
    text.append("]")
    guard case .array(let values) = text.withUnsafeBytes({ PlainValue($0) }) else { return false }
    precondition(values.count == changed.count)
    for (node, value) in zip(changed, values) {
      precondition(value["id"]?.text == Array(node.id.utf8), "an item has another identifier")
      items[node.id] = value
    }
    return !deleted.isEmpty || !changed.isEmpty
  }

  /// The changes that were sent are in the list.
  mutating func confirm(_ tree: FolderTree) {
    if before != nil { tree.confirmSent() }
    before = nil
  }

  /// The changes that were sent are not in the list.
  mutating func withdraw(_ tree: FolderTree) {
    guard let before else { return }
    items = before
    self.before = nil
    tree.restoreUnsent()
  }
}

extension PlainValue {
  /// The member of an object.
  subscript(name: String) -> PlainValue? {
    if case .object(let members, _) = self { members[Array(name.utf8)] } else { nil }
  }

  /// The content of a string.
  var text: [UInt8]? { if case .string(let text) = self { text } else { nil } }

  /// A whole number.
  var number: Int? { if case .number(let text) = self { Int(text) } else { nil } }
}
