/// What an edit has done to a folder.
package struct FolderMoves {
  /// The files that have other names or folders now, also each other's names. A folder is `nil` if it is unknown.
  package var moved: [(node: FolderNode, folder: FolderNode?, name: [UInt8])] = []
  package var removed: [FolderNode] = []
  package var made: [(folder: FolderNode?, name: [UInt8])] = []

  package init() {}
}

extension FolderTree {
  /// Follows an edit, before it is notified.
  package func follow(_ moves: FolderMoves) {
    let folders = Set((moves.moved.map { $0.node } + moves.removed).compactMap { $0.parent?.file })
    relocate(moves.moved)
    // Files that have been moved out of a folder are not removed with it.
    for node in moves.removed { remove(node) }
    for (folder, name) in moves.made { if let folder { look(at: name, in: folder) } }
    for (node, folder, _) in moves.moved where node.isPresent {
      if node.parent?.child(node.name) != node {
        // Its folder is not in the list.
        remove(node)
      } else if let folder {
        look(at: node.name, in: folder)
        if node.isOpen, isRead(node) { read(node) {} }
      }
    }
    for folder in folders { lookAgain(at: nodes.node(folder)) }
  }

  /// Looks at the file with a name in a folder that was read, and reads it if it is a new folder.
  package func look(at name: [UInt8], in folder: FolderNode) {
    look(at: name, in: folder) {}
    lookAgain(at: folder)
  }

  private func relocate(_ moves: [(node: FolderNode, folder: FolderNode?, name: [UInt8])]) {
    for (node, _, _) in moves { nodes.takeOut(node.file) }
    for (node, folder, name) in moves {
      name.withUnsafeBytes { nodes.rename(node.file, $0, in: folder?.file) }
      guard let folder, let content = folder.content, folder.isOpen else { continue }
      nodes.insert(node.file, into: content)
      node.forAll { changes.put($0) }
    }
  }
}
