extension FolderTree {
  /// Traps if the tables of files disagree.
  package func checkInvariants() {
    for node in [root] + nodes.values {
      precondition(node.isRoot || nodes.isIdentified(node.file), "a file without its identity")
      if let parent = node.parent {
        precondition(parent.isPresent, "a file in a removed folder")
        precondition(parent.child(node.name) == node, "a file that its folder does not have")
      }
      for child in node.children {
        precondition(child.isPresent && child.parent == node, "a file that is not in its folder")
      }
      guard let watch = node.content?.watch, watch >= 0 else { continue }
      precondition(folders(of: watch).contains(node), "a watch without its folder")
    }
    for (watch, files) in watched {
      precondition(!files.isEmpty && Set(files).count == files.count, "a watch of nothing")
      for folder in folders(of: watch) {
        precondition(folder.isPresent && folder.content?.watch == watch, "a watch of nothing")
      }
    }
  }
}
