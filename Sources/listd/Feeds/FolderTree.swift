import ByteBuffers
import Synchronization

/// The files of a folder as its list shows them, and what has changed since the list was sent.
///
/// The thread of the feed and the one that edits the folder use it, one at a time.
final class FolderTree {
  let root: FolderNode

  /// The path of the folder, without a slash at its end.
  let path: [UInt8]
  private let options: Options

  struct Options {
    /// The number of levels that are read at once; `nil` if all are.
    var levels: Int?

    /// Whether folders are read only when they are wanted.
    var isLazy: Bool
    var showsHidden: Bool
    var showsIgnored: Bool
  }

  /// The identifiers of the folders whose files are wanted.
  var wanted: Set<String> = []

  /// The nodes by their identifiers, and by what identifies their files: several if a file has several names.
  private(set) var nodes: [String: FolderNode] = [:]
  private var present: [FileIdentity: [FolderNode]] = [:]

  /// The identifiers of files that are not in the list now.
  private var known: [FileIdentity: [String]] = [:]

  /// The items to delete, and to add or to update: of these, files that `hasChanged`.
  private var deleted: Set<String> = []
  private var changed: [FolderNode] = []

  /// What was taken to be sent and may not be in the list yet.
  private var sending: (deleted: [String], changed: [FolderNode]) = ([], [])

  /// The watched folders.
  private(set) var watched: [Int32: FolderNode] = [:]
  private let watch: FolderWatch?

  /// What reports changes; nil if nothing does.
  var notifications: FolderWatch? { watch.flatMap { $0.number < 0 ? nil : $0 } }

  /// Whether a folder could not be watched, or not be read for a reason that is not notified when it ends.
  private(set) var hasUnwatched = false

  /// Why folders could not be read whole, by their identifiers.
  private var unread: [String: String] = [:]

  /// Why a folder could not be read whole; `nil` if all could be.
  var problem: String? { unread.values.min() }

  /// The files that unfinished edits of the folder have left.
  var unfinished: [[UInt8]] = []

  /// The number of the last identifier.
  private static let lastID = Atomic(0)

  init(_ path: [UInt8], _ facts: FileFacts, _ options: Options, _ watch: FolderWatch?) {
    self.path = path
    self.options = options
    self.watch = watch
    root = FolderNode("", [], in: nil, facts)
  }

  var hasChanges: Bool { !deleted.isEmpty || !changed.isEmpty }

  /// Takes changes to be sent, with at most `limit` items. The last ones were sent or restored before.
  func takeChanges(limit: Int = .max) -> (deleted: [String], changed: [FolderNode]) {
    precondition(sending.deleted.isEmpty && sending.changed.isEmpty)
    sending.deleted = deleted.sorted()
    deleted = []
    let taken = changed.prefix(limit)
    sending.changed = taken.filter { $0.hasChanged }
    changed.removeFirst(taken.count)
    for node in sending.changed { node.hasChanged = false }
    return sending
  }

  /// Records that the changes that were taken are in the list.
  func confirmSent() {
    for node in sending.changed { node.isSent = true }
    sending = ([], [])
  }

  /// Puts back the changes that were taken, because they are not in the list.
  func restoreUnsent() {
    deleted.formUnion(sending.deleted)
    for node in sending.changed { queue(node) }
    sending = ([], [])
  }

  /// Records that the item of a file is to be added or updated.
  private func queue(_ node: FolderNode) {
    guard !node.hasChanged else { return }
    node.hasChanged = true
    changed.append(node)
  }

  /// Appends the items of files, with commas between them.
  func append(_ nodes: [FolderNode], to out: inout ByteBuffer) {
    var (folder, path): (FolderNode?, [UInt8]) = (nil, [])
    for (index, node) in nodes.enumerated() {
      if index > 0 { out.append(",") }
      // Files of one folder follow one another.
      let parent = node.parent
      if parent !== folder { (folder, path) = (parent, parent?.path ?? []) }
      node.append(isLazy: isLazy(node), in: folder, at: path, to: &out)
    }
  }

  /// Whether a folder's item says that its files are read when it is expanded.
  func isLazy(_ node: FolderNode) -> Bool {
    node.leadsToFolder || options.isLazy && node.facts.kind == .folder
  }

  /// Whether the files of a folder are to be in the list.
  func isRead(_ node: FolderNode) -> Bool {
    if node === root { return true }
    guard node.isFolder else { return false }
    if isLazy(node) { return wanted.contains(node.id) }
    return options.levels.map { node.level + 1 < $0 } ?? true
  }

  /// The path of the folder without links and from the top of the file system.
  var absolutePath: [UInt8] {
    path.withPath { path in
      guard let found = realpath(path, nil) else { return self.path }
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
    if folder === root { (hasUnwatched, unfinished) = (false, []) }
    var rest = [folder]
    while let node = rest.popLast() {
      // It may have been removed by a step.
      guard node === root || nodes[node.id] === node else { continue }
      readFiles(of: node)
      rest += (node.children ?? [:]).values.filter { isRead($0) }
      try step()
    }
  }

  /// Reads the files of one folder. Those that it has stay if it cannot be read.
  private func readFiles(of folder: FolderNode) {
    let full = fullPath(folder)
    if let watch, folder.watch < 0 {
      folder.watch = watch.add(full)
      if folder.watch >= 0 { watched[folder.watch] = folder }
    }
    let isUnwatched = watch != nil && folder.watch < 0
    let number = System.openFolder(full)
    guard number >= 0 else {
      // Permissions that change are notified to the folder above, limits are not.
      if [EMFILE, ENFILE, ENOMEM].contains(errno) || isUnwatched && folder === root {
        hasUnwatched = true
      }
      return note(errno, at: full, of: folder)
    }
    if isUnwatched { hasUnwatched = true }
    folder.rules = rules(of: folder, full)
    var missing = folder.children ?? [:]
    if folder.children == nil { folder.children = [:] }
    var failure: Int32 = 0
    let isWhole = System.forEachFile(inFolder: number) { name, facts in
      if folder === root, UnfinishedEdit.isItsName(name) { unfinished.append(name) }
      guard !isHidden(name) else { return }
      guard let facts = facts() else {
        if errno != ENOENT { (failure, missing[name]) = (errno, nil) }
        return
      }
      guard !isIgnored(name, facts, in: folder) else { return }
      if !missing.isEmpty { missing[name] = nil }
      update(name, in: folder, facts)
    }
    if !isWhole { (failure, missing) = (errno, [:]) }
    for node in missing.values where node.parent === folder { remove(node) }
    note(failure, at: full, of: folder)
  }

  /// Records why a folder could not be read whole; 0 if it could be.
  private func note(_ failure: Int32, at full: [UInt8], of folder: FolderNode) {
    unread[folder.id] =
      failure == 0 ? nil : "cannot read \(full.text): \(String(cString: strerror(failure)))"
  }

  /// Reads a folder again if that is possible again, after its permissions have changed.
  func readIfPossible<E: Error>(
    _ folder: FolderNode, _ step: () throws(E) -> Void
  ) throws(E) {
    let full = fullPath(folder)
    guard full.withPath({ access($0, R_OK | X_OK) }) == 0 else {
      return note(errno, at: full, of: folder)
    }
    // Changes below it may not have been seen.
    if unread[folder.id] != nil { try read(folder, step) }
  }

  /// Looks at the file with a name in a folder that was read. Calls `step` after each folder that is read.
  func look<E: Error>(
    at name: [UInt8], in folder: FolderNode, _ step: () throws(E) -> Void
  ) throws(E) {
    guard let children = folder.children else { return }
    if IgnoreRules.files.contains(name), !options.showsIgnored {
      try read(folder, step)
      return
    }
    let isHidden = isHidden(name)
    let facts = isHidden ? nil : System.facts(fullPath(folder) + [0x2F] + name, in: AT_FDCWD)
    // A file that cannot be looked at now stays until its folder is read again.
    if facts == nil, !isHidden, errno != ENOENT, errno != ENOTDIR { return }
    guard let facts, !isIgnored(name, facts, in: folder) else {
      if let node = children[name] { remove(node) }
      return lookAgain(at: folder)
    }
    let node = update(name, in: folder, facts)
    let isNew = children[name] !== node
    if isNew { lookAgain(at: folder) }
    // Other rules apply to the files of a folder that was moved.
    if isNew || node.children == nil, isRead(node) { try read(node, step) }
  }

  /// Records that files have been moved to other names, also to each other's.
  func relocate(_ moves: [(node: FolderNode, folder: FolderNode?, name: [UInt8])]) {
    for (node, _, _) in moves { node.parent?.children?[node.name] = nil }
    for (node, folder, name) in moves {
      (node.parent, node.name) = (folder, name)
      guard let folder, folder.children != nil else { continue }
      folder.children![name] = node
      node.forAll { queue($0) }
    }
  }

  /// Updates the item of a folder, in which a file was added or removed.
  private func lookAgain(at folder: FolderNode) {
    guard folder !== root, let facts = System.facts(fullPath(folder), in: AT_FDCWD),
      facts.identity == folder.facts.identity, facts != folder.facts
    else { return }
    folder.facts = facts
    queue(folder)
  }

  /// Updates the node of a file, or adds one. Returns it.
  @discardableResult
  private func update(
    _ name: [UInt8], in folder: FolderNode, _ facts: FileFacts
  ) -> FolderNode {
    if let node = folder.children?[name] {
      if node.facts.identity == facts.identity, node.facts.kind == facts.kind {
        if node.facts != facts {
          node.facts = facts
          queue(node)
        }
        return node
      }
      remove(node)
    }
    if let node = movedNode(facts), node !== root, !isAbove(node, folder) {
      node.parent?.children?[node.name] = nil
      (node.parent, node.name, node.facts) = (folder, name, facts)
      folder.children![name] = node
      // The paths of all below it have changed.
      node.forAll { queue($0) }
      return node
    }
    let id = takeID(facts.identity)
    let node = FolderNode(id, name, in: folder, facts)
    if facts.kind == .link {
      let full = fullPath(folder) + [0x2F] + name
      node.target = System.target(ofLink: full)
      node.leadsToFolder = System.isFolder(atEndOf: full)
    }
    folder.children![name] = node
    nodes[id] = node
    present[facts.identity, default: []].append(node)
    // The list still has the item of a file that was here before.
    node.isSent = !deleted.isEmpty && deleted.remove(id) != nil
    queue(node)
    return node
  }

  /// Returns the node of a file that is no longer where it was.
  private func movedNode(_ facts: FileFacts) -> FolderNode? {
    present[facts.identity]?.first { node in
      node.facts.kind == facts.kind
        && System.facts(fullPath(node), in: AT_FDCWD)?.identity != facts.identity
    }
  }

  private func isAbove(_ node: FolderNode, _ folder: FolderNode) -> Bool {
    var above: FolderNode? = folder
    while let current = above {
      if current === node { return true }
      above = current.parent
    }
    return false
  }

  private func takeID(_ identity: FileIdentity) -> String {
    if !known.isEmpty, let id = known[identity]?.popLast() { return id }
    return "f\(Self.lastID.add(1, ordering: .relaxed).newValue)"
  }

  /// Removes a file and all below it.
  func remove(_ node: FolderNode) {
    if let folder = node.parent, folder.children?[node.name] === node {
      folder.children![node.name] = nil
    }
    var removed: [FolderNode] = []
    node.forAll { removed.append($0) }
    for node in removed {
      if node.watch >= 0 {
        watch?.remove(node.watch)
        watched[node.watch] = nil
        node.watch = -1
      }
      nodes[node.id] = nil
      unread[node.id] = nil
      let identity = node.facts.identity
      present[identity]?.removeAll { $0 === node }
      if present[identity]?.isEmpty == true { present[identity] = nil }
      // Without the time of its creation, another file could be taken for this one.
      if identity.created != 0 { known[identity, default: []].append(node.id) }
      node.hasChanged = false
      if node.isSent { deleted.insert(node.id) }
    }
  }

  /// Removes the files of a folder, which stays.
  func giveUp(_ folder: FolderNode) {
    for node in (folder.children ?? [:]).values { remove(node) }
    folder.children = nil
    unread[folder.id] = nil
    guard folder.watch >= 0 else { return }
    watch?.remove(folder.watch)
    watched[folder.watch] = nil
    folder.watch = -1
  }

  private static let git = Array(".git".utf8)

  private func isHidden(_ name: [UInt8]) -> Bool {
    UnfinishedEdit.isItsName(name) || !options.showsHidden && name.first == 0x2E
      || !options.showsIgnored && name == Self.git
  }

  private func isIgnored(_ name: [UInt8], _ facts: FileFacts, in folder: FolderNode) -> Bool {
    guard let rules = folder.rules else { return false }
    let above = folder.path
    return rules.ignores(
      above.isEmpty ? name : above + [0x2F] + name, isFolder: facts.kind == .folder)
  }

  /// Returns the rules for the files of a folder.
  private func rules(of folder: FolderNode, _ full: [UInt8]) -> IgnoreRules? {
    if options.showsIgnored { return nil }
    let above = folder.parent?.rules
    let files = IgnoreRules.files.compactMap { name -> [UInt8]? in
      let path = String(decoding: full + [0x2F] + name, as: UTF8.self)
      return try? FileContents.read(path).withBytes { Array($0) }
    }
    if files.isEmpty { return above }
    let below = folder.path
    return IgnoreRules(above: above, folder: below.isEmpty ? [] : below + [0x2F], files: files)
  }
}
