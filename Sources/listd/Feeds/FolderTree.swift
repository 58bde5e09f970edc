/// The files of a folder as its list shows them, and what has changed since the list was sent.
///
/// The thread of the feed and the one that edits the folder use it, one at a time.
final class FolderTree {
  /// The path of the folder, without a slash at its end.
  let path: [UInt8]
  let options: Options

  struct Options {
    /// The number of levels that are read at once; `nil` if all are.
    var levels: Int?

    /// Whether folders are read only when they are wanted.
    var isLazy: Bool
    var showsHidden: Bool
    var showsIgnored: Bool
  }

  /// The files that are known.
  let nodes: FolderNodes
  var root: FolderNode { nodes.node(FolderNodes.root) }

  /// The identifiers of the folders whose files are wanted.
  var wanted: Set<String> = []

  /// What has changed.
  @exclusivity(unchecked) var changes = FolderChanges()

  /// The folders that are watched.
  struct Watched {
    fileprivate var folders: [Int32: UInt32] = [:]
    fileprivate let nodes: FolderNodes

    /// The folder of a watch.
    subscript(watch: Int32) -> FolderNode? { folders[watch].map { nodes.node($0) } }
  }

  private(set) var watched: Watched
  private let watch: FolderWatch?

  /// What reports changes; nil if nothing does.
  var notifications: FolderWatch? { watch.flatMap { $0.number < 0 ? nil : $0 } }

  /// Whether a folder could not be watched, or not be read for a reason that is not notified when it ends.
  private(set) var hasUnwatched = false

  /// Why folders could not be read whole.
  private var unread: [UInt32: String] = [:]

  /// Why a folder could not be read whole; `nil` if all could be.
  var problem: String? { unread.values.min() }

  /// The files that unfinished edits of the folder have left.
  private(set) var unfinished: [[UInt8]] = []

  init(_ path: [UInt8], _ facts: FileFacts, _ options: Options, _ watch: FolderWatch?) {
    self.path = path
    self.options = options
    self.watch = watch
    nodes = FolderNodes(root: facts)
    watched = Watched(nodes: nodes)
  }

  /// Whether a folder's item says that its files are read when it is expanded.
  func isLazy(_ node: FolderNode) -> Bool {
    node.leadsToFolder || options.isLazy && nodes[node.file].kind == .folder
  }

  /// Whether the files of a folder are to be in the list.
  func isRead(_ node: FolderNode) -> Bool {
    if node.isRoot { return true }
    guard node.isFolder else { return false }
    if isLazy(node) { return wanted.contains(node.id) }
    return options.levels.map { node.level + 1 < $0 } ?? true
  }

  /// The path of the folder without links and from the top of the file system.
  var absolutePath: [UInt8] {
    (path + [0]).withUnsafeBytes { path in
      let start = path.baseAddress!.assumingMemoryBound(to: CChar.self)
      guard let found = realpath(start, nil) else { return self.path }
      defer { free(found) }
      return Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
    }
  }

  func fullPath(_ node: FolderNode) -> [UInt8] {
    let below = node.path
    return below.isEmpty ? path : path + [0x2F] + below
  }

  /// Reads a folder, and those below it that are to be in the list. Calls `step` after each.
  func read<E: Error>(_ folder: FolderNode, _ step: () throws(E) -> Void) throws(E) {
    if folder.isRoot { (hasUnwatched, unfinished) = (false, []) }
    nodes.beginPass()
    var rest = [folder]
    while let node = rest.popLast() {
      // It may have been removed by a step.
      guard node.isPresent else { continue }
      readFiles(of: node)
      rest += node.children.filter { isRead($0) }
      try step()
    }
  }

  /// Reads the files of one folder. Those that it has stay if it cannot be read.
  private func readFiles(of folder: FolderNode) {
    let full = fullPath(folder)
    let number = System.openFolder(full, followsLink: folder.isRoot || folder.leadsToFolder)
    let why = errno
    let content = nodes.makeContent(of: folder.file)
    if let watch, content.watch < 0, number >= 0 {
      content.watch = watch.add(number, full)
      if content.watch >= 0 { watched.folders[content.watch] = folder.file }
    }
    let isUnwatched = watch != nil && content.watch < 0
    guard number >= 0 else {
      // Permissions that change are notified to the folder above, limits are not.
      if [EMFILE, ENFILE, ENOMEM].contains(why) || isUnwatched && folder.isRoot {
        hasUnwatched = true
      }
      return note(why, at: full, of: folder)
    }
    if isUnwatched { hasUnwatched = true }
    content.rules = rules(of: folder, number)
    var place = folder.path
    if !place.isEmpty { place.append(0x2F) }
    var missing = Set(content.children.map { Array($0.numbers) } ?? [])
    content.begin()
    var failure: Int32 = 0
    let isWhole = System.forEachFile(inFolder: number) { name, facts in
      if folder.isRoot, UnfinishedEdit.isItsName(name) { unfinished.append(Array(name)) }
      guard !isHidden(name) else { return }
      guard let facts = facts() else {
        let why = errno
        guard why != ENOENT else { return }
        failure = why
        if let known = nodes.child(name, in: content) { missing.remove(known) }
        return
      }
      guard !isIgnored(name, facts, at: place, content.rules) else { return }
      let file = update(name, in: folder, content, facts)
      if !missing.isEmpty { missing.remove(file) }
    }
    if !isWhole { (failure, missing) = (errno, []) }
    for file in missing where nodes.parent(of: file) == folder.file { remove(nodes.node(file)) }
    note(failure, at: full, of: folder)
  }

  /// Records why a folder could not be read whole; 0 if it could be.
  private func note(_ failure: Int32, at full: [UInt8], of folder: FolderNode) {
    unread[folder.file] =
      failure == 0 ? nil : "cannot read \(full.text): \(String(cString: strerror(failure)))"
  }

  /// Reads a folder again if that is possible again, after its permissions have changed, or if any other change in
  /// it may have been notified in this way.
  func readIfPossible<E: Error>(
    _ folder: FolderNode, _ step: () throws(E) -> Void
  ) throws(E) {
    let full = fullPath(folder)
    guard full.withPath({ faccessat($0, $1, R_OK | X_OK, 0) }) == 0 else {
      return note(errno, at: full, of: folder)
    }
    // Changes below it may not have been seen.
    if unread[folder.file] != nil { return try read(folder, step) }
    guard watch?.isDetailed == false else { return }
    readFiles(of: folder)
    for node in folder.children where isRead(node) && !node.isOpen { try read(node, step) }
  }

  /// Looks at the file with a name in a folder that was read. Calls `step` after each folder that is read.
  func look<E: Error>(
    at name: [UInt8], in folder: FolderNode, _ step: () throws(E) -> Void
  ) throws(E) {
    guard let content = folder.content, folder.isOpen else { return }
    if IgnoreRules.files.contains(name), !options.showsIgnored {
      try read(folder, step)
      return
    }
    nodes.beginPass()
    let isHidden = name.withUnsafeBytes { self.isHidden($0) }
    let facts = isHidden ? nil : System.facts(fullPath(folder) + [0x2F] + name, in: AT_FDCWD)
    // A file that cannot be looked at now stays until its folder is read again.
    if facts == nil, !isHidden, errno != ENOENT, errno != ENOTDIR { return }
    let known = folder.child(name)
    let place = folder.isRoot ? [] : folder.path + [0x2F]
    guard let facts, !isIgnored(name, facts, at: place, content.rules) else {
      if let known { remove(known) }
      return lookAgain(at: folder)
    }
    let node = nodes.node(name.withUnsafeBytes { update($0, in: folder, content, facts) })
    let isNew = known != node
    if isNew { lookAgain(at: folder) }
    // Other rules apply to the files of a folder that was moved.
    if isNew || !node.isOpen, isRead(node) { try read(node, step) }
  }

  /// Updates the item of a folder, in which a file was added or removed.
  private func lookAgain(at folder: FolderNode) {
    guard !folder.isRoot, let facts = System.facts(fullPath(folder), in: AT_FDCWD),
      facts.identity == folder.facts.identity, nodes.set(facts, of: folder.file)
    else { return }
    changes.put(folder)
  }

  /// Updates what is known about the file with a name, or adds it. Returns it.
  private func update(
    _ name: UnsafeRawBufferPointer, in folder: FolderNode, _ content: FolderNodes.Content,
    _ facts: FileFacts
  ) -> UInt32 {
    if let file = nodes.child(name, in: content) {
      let known = nodes.facts(of: file)
      if known.identity == facts.identity, known.kind == facts.kind {
        if nodes.set(facts, of: file) { changes.put(nodes.node(file)) }
        return file
      }
      remove(nodes.node(file))
    }
    var removed: UInt32?
    let moved = nodes.first(facts.identity) { file, isPresent in
      guard isPresent else {
        // Without the time of its creation, another file could be taken for this one.
        if facts.identity.created != 0 { removed = removed ?? file }
        return false
      }
      return isMoved(nodes.node(file), facts)
    }
    if let moved, moved != FolderNodes.root, !isAbove(moved, folder) {
      nodes.takeOut(moved)
      nodes.rename(moved, name, in: folder.file)
      nodes.set(facts, of: moved)
      nodes.insert(moved, into: content)
      // The paths of all below it have changed.
      nodes.node(moved).forAll { changes.put($0) }
      return moved
    }
    if let removed { nodes.restore(removed, name, in: folder.file, facts) }
    let file = removed ?? nodes.add(name, in: folder.file, facts)
    nodes.insert(file, into: content)
    if facts.kind == .link {
      let full = fullPath(nodes.node(file))
      nodes.setTarget(
        System.target(ofLink: full), leadsToFolder: System.isFolder(atEndOf: full), of: file)
    }
    changes.add(nodes.node(file))
    return file
  }

  /// Whether a file is no longer where it was.
  private func isMoved(_ node: FolderNode, _ facts: FileFacts) -> Bool {
    // All names of a file are not looked at again for each of them. A folder has one.
    if facts.names > 1, facts.kind != .folder, nodes.isFound(node.file) { return false }
    return nodes[node.file].kind == facts.kind
      && System.facts(fullPath(node), in: AT_FDCWD)?.identity != facts.identity
  }

  private func isAbove(_ file: UInt32, _ folder: FolderNode) -> Bool {
    var above: UInt32? = folder.file
    while let current = above {
      if current == file { return true }
      above = nodes.parent(of: current)
    }
    return false
  }

  /// Records that files have been moved to other names, also to each other's.
  func relocate(_ moves: [(node: FolderNode, folder: FolderNode?, name: [UInt8])]) {
    for (node, _, _) in moves { nodes.takeOut(node.file) }
    for (node, folder, name) in moves {
      name.withUnsafeBytes { nodes.rename(node.file, $0, in: folder?.file) }
      guard let folder, let content = folder.content, folder.isOpen else { continue }
      nodes.insert(node.file, into: content)
      node.forAll { changes.put($0) }
    }
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

  /// Removes the files of a folder, which stays.
  func giveUp(_ folder: FolderNode) {
    for node in folder.children { remove(node) }
    unread[folder.file] = nil
    folder.content?.end()
    endWatch(of: folder)
  }

  private func endWatch(of folder: FolderNode) {
    guard let content = folder.content, content.watch >= 0 else { return }
    watch?.remove(content.watch)
    watched.folders[content.watch] = nil
    content.watch = -1
  }

  private static let git = Array(".git".utf8)

  private func isHidden(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.first == 0x2E else { return false }
    return UnfinishedEdit.isItsName(name) || !options.showsHidden
      || !options.showsIgnored && name.elementsEqual(Self.git)
  }

  /// Whether rules leave out a file in a folder whose path, with a slash at its end unless it is empty, is
  /// `place`.
  private func isIgnored(
    _ name: some Sequence<UInt8>, _ facts: FileFacts, at place: [UInt8], _ rules: IgnoreRules?
  ) -> Bool {
    rules?.ignores(place + name, isFolder: facts.kind == .folder) ?? false
  }

  /// Returns the rules for the files of an open folder.
  private func rules(of folder: FolderNode, _ number: Int32) -> IgnoreRules? {
    if options.showsIgnored { return nil }
    let above = folder.parent?.content?.rules
    let files = IgnoreRules.files.compactMap { System.content(ofFile: $0, in: number) }
    if files.isEmpty { return above }
    let below = folder.path
    return IgnoreRules(above: above, folder: below.isEmpty ? [] : below + [0x2F], files: files)
  }
}
