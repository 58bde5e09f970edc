import ByteBuffers

extension FolderTree {
  var hasChanges: Bool { changes.count > 0 }

  /// Takes changes to be sent, with at most `limit` items. The last ones were sent or restored before.
  func takeChanges(limit: Int = .max) -> (deleted: [String], changed: [FolderNode]) {
    changes.take(limit: limit, of: nodes)
  }

  /// Records that the changes that were taken are in the list.
  func confirmSent() { changes.confirm(in: nodes) }

  /// Puts back the changes that were taken, because they are not in the list.
  func restoreUnsent() { changes.restore(in: nodes) }

  /// Appends the items of files, with commas between them.
  func append(_ files: [FolderNode], to out: inout ByteBuffer) {
    var (folder, place): (UInt32?, [UInt8]) = (nil, [])
    for (index, node) in files.enumerated() {
      if index > 0 { out.append(",") }
      // Files of one folder follow one another.
      let parent = nodes.parent(of: node.file)
      if index == 0 || parent != folder {
        (folder, place) = (parent, parent.map { nodes.node($0).path } ?? [])
        if !place.isEmpty { place.append(0x2F) }
      }
      node.append(isLazy: isLazy(node), at: place, to: &out)
    }
  }
}
