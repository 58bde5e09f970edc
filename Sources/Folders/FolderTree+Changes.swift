import ByteBuffers

extension FolderTree {
  /// The number of changes to be sent, also of files that were removed since.
  package var changeCount: Int { changes.count }

  package var hasChanges: Bool { changeCount > 0 }

  /// Takes changes to be sent, with at most `limit` items. The last ones were sent or restored before.
  package func takeChanges(limit: Int = .max) -> (deleted: [String], changed: [FolderNode]) {
    changes.take(limit: limit, of: nodes)
  }

  /// Records that the changes that were taken are in the list.
  package func confirmSent() { changes.confirm(in: nodes) }

  /// Puts back the changes that were taken, because they are not in the list.
  package func restoreUnsent() { changes.restore(in: nodes) }

  /// Appends the items of files, with commas between them.
  package func append(_ files: [FolderNode], to out: inout ByteBuffer) {
    var (folder, place): (UInt32?, [UInt8]) = (nil, [])
    for (index, node) in files.enumerated() {
      if index > 0 { out.append(",") }
      // Files of one folder follow one another.
      let parent = nodes.parent(of: node.file)
      if index == 0 || parent != folder {
        (folder, place) = (parent, parent.map { nodes.node($0).path } ?? [])
        if !place.isEmpty { place.append(0x2F) }
      }
      node.append(
        isLazy: isLazy(node), hasTemplate: options.hasTemplates, at: place, to: &out)
    }
  }
}
