import ByteBuffers
import JSONBytes
import ListCompare

/// A file or folder in the list of a folder.
final class FolderNode {
  /// The identifier of the item, which no other file gets while the daemon lives.
  let id: String
  var name: [UInt8]
  weak var parent: FolderNode?
  var facts: FileFacts

  /// Of a link: where it leads, and whether that is a folder.
  var target: [UInt8]?
  var leadsToFolder = false

  /// The files in a folder by their names; `nil` if it was not read.
  var children: [[UInt8]: FolderNode]?

  /// The watch of a folder that is watched, and the rules for its files.
  var watch: Int32 = -1
  var rules: IgnoreRules?

  /// Whether the list has the item, and whether it is to be added or updated.
  var isSent = false
  var hasChanged = false

  init(_ id: String, _ name: [UInt8], in parent: FolderNode?, _ facts: FileFacts) {
    self.id = id
    self.name = name
    self.parent = parent
    self.facts = facts
  }

  /// Whether the node may have children.
  var isFolder: Bool { facts.kind == .folder || leadsToFolder }

  /// The path below the topmost folder; empty for that.
  var path: [UInt8] {
    guard let parent else { return [] }
    let above = parent.path
    return above.isEmpty ? name : above + [0x2F] + name
  }

  /// The number of folders above it, without the topmost one.
  var level: Int {
    var (level, node) = (0, parent)
    while let above = node {
      if above.parent != nil { level += 1 }
      node = above.parent
    }
    return level
  }

  /// Calls `body` for the node and all below it.
  func forAll(_ body: (FolderNode) -> Void) {
    var rest = [self]
    while let node = rest.popLast() {
      body(node)
      if let children = node.children { rest += children.values }
    }
  }

  /// Appends the item of a file in a folder that is at a path.
  func append(
    isLazy: Bool, in folder: FolderNode?, at above: [UInt8], to out: inout ByteBuffer
  ) {
    out.append("{")
    out.append(member: "id", string: id)
    out.append(member: "name", escaping: name)
    out.append(member: "path", escaping: above.isEmpty ? name : above + [0x2F] + name)
    let type: StaticString =
      switch facts.kind {
      case .file: "\"file\""
      case .folder: "\"folder\""
      case .link: "\"link\""
      }
    out.append(member: "type")
    out.append(type)
    out.append(member: "size", facts.size)
    out.append(member: "modified", facts.modified)
    if let folder, !folder.id.isEmpty { out.append(member: "parent", string: folder.id) }
    if let target { out.append(member: "target", escaping: target) }
    if isLazy { out.append(member: "lazy", true) }
    let isText = name.withUnsafeBytes { Bytes.firstInvalidUTF8(in: $0) == nil }
    if !isText {
      out.append(member: "bytes")
      out.append("\"")
      name.withUnsafeBytes { out.append(base64: $0) }
      out.append("\"")
    }
    out.append("}")
  }
}

extension ByteBuffer {
  fileprivate mutating func append(member name: StaticString, escaping text: [UInt8]) {
    append(member: name)
    text.withUnsafeBytes { text in
      if Bytes.firstInvalidUTF8(in: text) == nil {
        append(string: text)
      } else {
        var escaped = ByteBuffer()
        escaped.append(escapingInvalidUTF8In: text)
        escaped.withUnsafeBytes { append(string: $0) }
      }
    }
  }
}
