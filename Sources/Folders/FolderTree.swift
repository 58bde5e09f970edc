/// The files of a folder as its list shows them, and what has changed since the list was sent.
///
/// One thread uses it at a time.
package final class FolderTree {
  /// The path of the folder, without a slash at its end.
  package let path: [UInt8]
  package let options: Options
  let calls: FolderCalls

  /// Which files are in the list.
  package struct Options {
    /// The number of levels that are read at once; `nil` if all are.
    var levels: Int?

    /// Whether folders are read only when they are wanted.
    var isLazy: Bool
    var showsHidden: Bool
    var showsIgnored: Bool

    /// Whether items have a template for each type.
    package var hasTemplates = false

    /// Whether a file that takes the place of another one has its identifier.
    package var keepsNames = false

    package init(levels: Int?, isLazy: Bool, showsHidden: Bool, showsIgnored: Bool) {
      (self.levels, self.isLazy) = (levels, isLazy)
      (self.showsHidden, self.showsIgnored) = (showsHidden, showsIgnored)
    }
  }

  /// The files that are known.
  package let nodes: FolderNodes
  package var root: FolderNode { nodes.node(FolderNodes.root) }

  /// The identifiers of the folders whose files are wanted.
  package var wanted: Set<String> = []

  /// What has changed.
  @exclusivity(unchecked) var changes = FolderChanges()

  /// The folders of each watch: several if links lead to one of them.
  var watched: [Int32: [UInt32]] = [:]

  /// Whether a folder could not be watched, or not be read for a reason that is not notified when it ends.
  package internal(set) var hasUnwatched = false

  /// Why folders could not be read whole.
  var unread: [UInt32: String] = [:]

  /// Why a folder could not be read whole; `nil` if all could be.
  package var problem: String? { unread.values.min() }

  /// The files that unfinished edits of the folder have left.
  package internal(set) var unfinished: [[UInt8]] = []

  /// How the names of the files begin that an edit of a folder needs until it is finished. They are in no list.
  package static let editPrefix = Array(".listd-edit-".utf8)

  /// Creates the tree of a folder, which was not read yet. `facts` is what is known about the folder.
  package init(_ path: [UInt8], _ facts: FileFacts, _ options: Options, _ calls: FolderCalls) {
    (self.path, self.options, self.calls) = (path, options, calls)
    nodes = FolderNodes(root: facts)
  }

  /// Whether a folder's item says that its files are read when it is expanded.
  package func isLazy(_ node: FolderNode) -> Bool {
    node.leadsToFolder || options.isLazy && nodes[node.file].kind == .folder
  }

  /// Whether the files of a folder are to be in the list.
  func isRead(_ node: FolderNode) -> Bool {
    if node.isRoot { return true }
    guard node.isFolder else { return false }
    if isLazy(node) { return wanted.contains(node.id) }
    return options.levels.map { node.level + 1 < $0 } ?? true
  }

  /// Returns the path of a file for the system.
  package func fullPath(_ node: FolderNode) -> [UInt8] {
    let below = node.path
    return below.isEmpty ? path : path + [0x2F] + below
  }

  /// Removes a file and all below it.
  func remove(_ node: FolderNode) {
    guard node.isPresent else { return }
    nodes.takeOut(node.file)
    var removed: [FolderNode] = []
    node.forAll { removed.append($0) }
    for node in removed {
      endWatch(of: node)
      unread[node.file] = nil
      changes.delete(node)
      nodes.remove(node.file)
    }
  }

  /// Removes the files of a folder, which stays, and forgets why it could not be read.
  package func giveUp(_ folder: FolderNode) {
    guard let content = folder.content else { return }
    for node in folder.children { remove(node) }
    unread[folder.file] = nil
    content.end()
    endWatch(of: folder)
  }

  func endWatch(of folder: FolderNode) {
    guard let content = folder.content, content.watch >= 0 else { return }
    watched[content.watch]?.removeAll { $0 == folder.file }
    if watched[content.watch]?.isEmpty ?? true {
      watched[content.watch] = nil
      calls.watch?.end(content.watch)
    }
    content.watch = -1
  }
}
