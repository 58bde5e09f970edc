/// The items of a folder's list to delete, to add and to update.
struct FolderChanges {
  private var deleted: Set<UInt32> = []

  /// Files that have changed; also those that were removed since.
  private var changed: [UInt32] = []

  /// What was taken to be sent and may not be in the list yet.
  private var sending: (deleted: [UInt32], changed: [UInt32]) = ([], [])

  /// The number of items, also of files that were removed since.
  var count: Int { deleted.count + changed.count }

  /// Takes changes to be sent, with at most `limit` items. The last ones were sent or restored before.
  mutating func take(
    limit: Int, of nodes: FolderNodes
  ) -> (deleted: [String], changed: [FolderNode]) {
    precondition(sending.deleted.isEmpty && sending.changed.isEmpty)
    sending.deleted = deleted.sorted()
    deleted = []
    let taken = changed.prefix(limit)
    for file in taken where nodes[file].flags.contains(.hasChanged) {
      nodes[file].flags.remove(.hasChanged)
      sending.changed.append(file)
    }
    changed.removeFirst(taken.count)
    if changed.isEmpty { changed = [] }
    return (
      sending.deleted.map { nodes.node($0).id }, sending.changed.map { nodes.node($0) }
    )
  }

  /// Records that the changes that were taken are in the list.
  mutating func confirm(in nodes: FolderNodes) {
    for file in sending.changed {
      if nodes.node(file).isPresent {
        nodes[file].flags.insert(.isSent)
      } else {
        deleted.insert(file)
      }
    }
    sending = ([], [])
  }

  /// Puts back the changes that were taken, because they are not in the list.
  mutating func restore(in nodes: FolderNodes) {
    deleted.formUnion(sending.deleted)
    for file in sending.changed where nodes.node(file).isPresent { put(nodes.node(file)) }
    sending = ([], [])
  }

  /// Records that the item of a file is to be added or updated.
  mutating func put(_ node: FolderNode) {
    guard !node.nodes[node.file].flags.contains(.hasChanged) else { return }
    node.nodes[node.file].flags.insert(.hasChanged)
    changed.append(node.file)
  }

  /// Records that a file was added. The list may still have the item that it had before.
  mutating func add(_ node: FolderNode) {
    if !deleted.isEmpty, deleted.remove(node.file) != nil {
      node.nodes[node.file].flags.insert(.isSent)
    }
    put(node)
  }

  /// Records that a file is going to be removed.
  mutating func delete(_ node: FolderNode) {
    if node.nodes[node.file].flags.contains(.isSent) { deleted.insert(node.file) }
  }
}
