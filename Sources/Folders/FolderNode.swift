import ByteBuffers
import JSONBytes

/// A file or folder in the list of a folder.
package struct FolderNode: Equatable {
  package let nodes: FolderNodes

  /// The number of the file.
  package let file: UInt32

  package static func == (a: FolderNode, b: FolderNode) -> Bool {
    a.file == b.file && a.nodes === b.nodes
  }

  /// The identifier of the item, which no other file gets while the daemon lives; empty for the topmost folder.
  package var id: String { isRoot ? "" : "f\(nodes.id(of: file))" }
  package var isRoot: Bool { file == FolderNodes.root }

  /// Whether the file was not removed.
  package var isPresent: Bool { nodes[file].flags.contains(.isPresent) }
  package var name: [UInt8] { nodes.withName(of: file) { Array($0) } }
  package var parent: FolderNode? { nodes.parent(of: file).map { nodes.node($0) } }
  package var facts: FileFacts { nodes.facts(of: file) }

  /// Whether the node is a link to a folder.
  package var leadsToFolder: Bool { nodes[file].flags.contains(.leadsToFolder) }

  /// Whether the node may have children.
  package var isFolder: Bool { nodes[file].kind == .folder || leadsToFolder }

  /// What is kept of a folder that is read or watched.
  var content: FolderNodes.Content? { nodes.content(of: file) }

  /// Whether the files in the folder are known.
  package var isOpen: Bool { content?.children != nil }

  /// The files in the folder.
  package var children: [FolderNode] {
    content?.children.map { $0.numbers.map { nodes.node($0) } } ?? []
  }

  /// Returns the file with a name in the folder.
  package func child(_ name: [UInt8]) -> FolderNode? {
    guard let content else { return nil }
    return name.withUnsafeBytes { nodes.child($0, in: content) }.map { nodes.node($0) }
  }

  /// The path below the topmost folder; empty for that.
  package var path: [UInt8] {
    guard let parent else { return [] }
    var path = parent.path
    if !path.isEmpty { path.append(0x2F) }
    nodes.withName(of: file) { path.append(contentsOf: $0) }
    return path
  }

  /// The number of folders above it, without the topmost one.
  var level: Int {
    var (level, node) = (0, parent)
    while let above = node {
      if !above.isRoot { level += 1 }
      node = above.parent
    }
    return level
  }

  /// Calls `body` for the node and all below it.
  func forAll(_ body: (FolderNode) -> Void) {
    var rest = [self]
    while let node = rest.popLast() {
      body(node)
      if node.isFolder { rest += node.children }
    }
  }

  /// Appends the item of a file, whose path without its name is `above`, empty or with a slash at its end.
  func append(
    isLazy: Bool, hasTemplate: Bool, at above: [UInt8], to out: inout ByteBuffer
  ) {
    let facts = facts
    out.append("{")
    out.append(member: "id")
    out.append(idOf: file, in: nodes)
    out.append(member: "name")
    let isText = nodes.withName(of: file) { name in
      out.append(escaping: name)
      out.append(member: "path")
      var path = above
      path.append(contentsOf: name)
      path.withUnsafeBytes { out.append(escaping: $0) }
      return Bytes.firstInvalidUTF8(in: name) == nil
    }
    let (type, template): (StaticString, StaticString) =
      switch facts.kind {
      case .file: ("\"file\"", "\"File\"")
      case .folder: ("\"folder\"", "\"Folder\"")
      case .link: ("\"link\"", "\"Link\"")
      }
    out.append(member: "type")
    out.append(type)
    if hasTemplate {
      out.append(member: "template")
      out.append(template)
    }
    out.append(member: "size", facts.size)
    out.append(member: "modified", facts.modified)
    if let folder = nodes.parent(of: file), folder != FolderNodes.root {
      out.append(member: "parent")
      out.append(idOf: folder, in: nodes)
    }
    if facts.kind == .link, let target = nodes.target(of: file) {
      out.append(member: "target")
      target.withUnsafeBytes { out.append(escaping: $0) }
    }
    if isLazy { out.append(member: "lazy", true) }
    if !isText {
      out.append(member: "bytes")
      out.append("\"")
      nodes.withName(of: file) { out.append(base64: $0) }
      out.append("\"")
    }
    out.append("}")
  }
}

extension ByteBuffer {
  /// Appends the identifier of a file as a string.
  fileprivate mutating func append(idOf file: UInt32, in nodes: FolderNodes) {
    append("\"f")
    append(decimal: nodes.id(of: file))
    append("\"")
  }

  /// Appends a name or path as a string.
  fileprivate mutating func append(escaping text: UnsafeRawBufferPointer) {
    if Bytes.firstInvalidUTF8(in: text) == nil {
      append(string: text)
    } else {
      var escaped = ByteBuffer()
      escaped.append(escapingInvalidUTF8In: text)
      escaped.withUnsafeBytes { append(string: $0) }
    }
  }
}

extension [UInt8] {
  /// The bytes of a name or path as the list shows them.
  package var shown: [UInt8] {
    withUnsafeBytes { bytes in
      var out = ByteBuffer()
      out.append(escapingInvalidUTF8In: bytes)
      return out.withUnsafeBytes { Array($0) }
    }
  }

  /// The bytes of a name or path for people.
  package var text: String { String(decoding: shown, as: UTF8.self) }
}
