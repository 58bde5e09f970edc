import Folders

/// A folder that changes, the tree that follows it, and the list that the tree fills.
final class FollowedFolder {
  private var steps: Steps
  private let options: FoldersTarget.Options
  private let files: ModelFiles
  private let calls: ModelCalls
  private let watches: Bool
  private let hasCreation: Bool
  private var tree: FolderTree
  private var mirror = FolderMirror()
  private var isRead = false

  /// The folders that are expanded, and whether a link ever was, so that files may have had several places.
  private var wanted: Set<String> = []
  private var hasExpandedLink = false

  /// Which file each identifier is of.
  private var fileOf: [String: Int] = [:]

  /// The identifiers of files, and those files that had several places in the list.
  private var idOf: [Int: String] = [:]
  private var shared: Set<Int> = []

  init(_ steps: Steps) {
    self.steps = steps
    let (first, second) = (self.steps.next(), self.steps.next())
    let depth = first & 3
    options = FoldersTarget.Options(
      levels: depth == 2 ? 1 + second & 1 : nil, isLazy: depth == 1,
      showsHidden: first & 4 != 0, showsIgnored: first & 8 != 0, keepsNames: second & 8 != 0)
    // Most folders are watched, with names, on file systems that know when files were made.
    watches = first >> 4 != 15
    hasCreation = first >> 4 & 3 != 2
    let limit = second >> 4 == 15 ? second >> 1 & 7 : 100
    files = ModelFiles(
      hasCreation: hasCreation,
      watches: ModelWatches(isDetailed: first >> 4 & 7 != 5, limit: limit))
    calls = ModelCalls(files)
    tree = FolderTree(
      Array("/r".utf8), files.root.facts, options.tree, calls.calls(watches: watches))
  }

  /// Makes all steps, and lets the list settle.
  func run() {
    while !steps.isAtEnd { step() }
    settle(isWhole: false)
    settle(isWhole: true)
  }

  private func step() {
    let kind = steps.next()
    switch kind & 31 {
    case 20: follow(1 + steps.next() & 7)
    case 21: expand(steps.next())
    case 22:
      let limit = steps.next()
      if isRead { _ = mirror.send(tree, limit: limit & 7) }
      if limit & 8 != 0 { mirror.withdraw(tree) }
    case 23: settle(isWhole: false)
    case 24: settle(isWhole: true)
    case 25: files.watches.lose()
    case 26: calls.refusals = steps.next() & 3
    case 27: begin(stoppingAfter: steps.next() & 7)
    case 28: edit()
    case 29...31:
      let after = steps.next() & 31
      let change = steps.nextChange(steps.next())
      calls.races.append((after, { [files] in change(files) }))
    default: steps.nextChange(kind)(files)
    }
    precondition(calls.areClosed, "a folder stays open")
  }

  // MARK: Following

  private func read() {
    isRead = true
    files.mayLeadElsewhere = false
    tree.read(tree.root) { if tree.changeCount > 3 { _ = mirror.send(tree, limit: 3) } }
  }

  /// Looks at some of the notifications.
  private func follow(_ count: Int) {
    if !isRead { read() }
    let events = files.watches.take(count)
    if events.contains(where: { if case .overflow = $0 { true } else { false } }) {
      read()
    } else {
      tree.look(at: events) {}
    }
  }

  /// Expands or collapses a folder.
  private func expand(_ choice: Int) {
    let ids = mirror.ids.filter {
      if case .bool(true)? = mirror.items[$0]?["lazy"] { true } else { false }
    }
    guard !ids.isEmpty else { return }
    let id = ids[choice % ids.count]
    if mirror.items[id]?["target"] != nil { hasExpandedLink = true }
    if wanted.remove(id) == nil { wanted.insert(id) }
    tree.want(wanted) {}
  }

  private struct Stopped: Error {}

  /// Stops to read the folder in the middle, and begins with an empty list.
  private func begin(stoppingAfter count: Int) {
    var count = count
    do throws(Stopped) {
      try tree.read(tree.root) { () throws(Stopped) in
        count -= 1
        if count < 0 { throw Stopped() }
      }
    } catch {}
    // The watches end with the tree.
    files.watches.endAll()
    (tree, mirror) = (
      FolderTree(
        Array("/r".utf8), files.root.facts, options.tree, calls.calls(watches: watches)),
      FolderMirror()
    )
    (wanted, idOf, shared, isRead, hasExpandedLink) = ([], [:], [], false, false)
  }

  /// Waits until all notifications were looked at, and the folder was read if there are not enough of them.
  private func settle(isWhole: Bool) {
    calls.finishRaces()
    calls.refusals = 0
    repeat { follow(.max) } while !files.watches.isEmpty
    send()
    let isWhole =
      isWhole || !watches || !files.watches.isDetailed || tree.hasUnwatched
      || files.mayLeadElsewhere && mirror.hasLinks
    if isWhole { read() }
    send()
    tree.checkInvariants()
    check(isWhole: isWhole)
    guard isWhole else { return }
    read()
    precondition(!mirror.send(tree, limit: .max), "changes of a folder that stays as it is")
    mirror.confirm(tree)
  }

  /// Sends all changes.
  private func send() {
    while mirror.send(tree, limit: 5) || tree.hasChanges {}
    mirror.confirm(tree)
  }

  private func check(isWhole: Bool) {
    let rows = ModelRows(mirror, files, options, wanted: wanted, isWhole: isWhole)
    precondition(
      tree.problem == nil ? !isWhole || !rows.hasUnread : !rows.unreadable.isEmpty,
      "the problem is \(tree.problem ?? "nothing")")
    if options.keepsNames { return }
    var places: [Int: Int] = [:]
    for (_, file) in rows.found { places[file.serial, default: 0] += 1 }
    for (id, file) in rows.found {
      let known = fileOf.updateValue(file.serial, forKey: id)
      precondition(known == nil || known == file.serial, "\(id) was another file")
      if places[file.serial]! > 1 || file.hadNames { shared.insert(file.serial) }
      guard hasCreation, !hasExpandedLink, !shared.contains(file.serial) else { continue }
      let before = idOf.updateValue(id, forKey: file.serial)
      precondition(before == nil || before == id, "\(before ?? "") has become \(id)")
    }
  }

  // MARK: Edits

  /// Moves, exchanges, makes or removes files by an edit of the folder, which may be undone.
  private func edit() {
    let kind = steps.next()
    let (first, second) = (steps.next(), steps.next())
    let name = [0x61 + UInt8(second & 7)]
    guard isRead else { return }
    if kind & 8 == 0 { mirror.confirm(tree) } else { mirror.withdraw(tree) }
    let places = mirror.ids.compactMap { id in tree.nodes[id].flatMap { place(of: $0) } }
    guard !places.isEmpty else { return }
    let (a, b) = (places[first % places.count], places[second % places.count])
    var moves = FolderMoves()
    var undo: () -> Void = {}
    switch kind & 3 {
    case 0:
      // Also links to folders are not moved into themselves.
      guard !isIn(a.node, b.node), !isIn(b.node, a.node),
        files.exchange(a.name, in: a.folder, with: b.name, in: b.folder)
      else { return }
      moves.moved = [
        (a.node, b.node.parent, b.name), (b.node, a.node.parent, a.name),
      ]
      undo = { [files] in _ = files.exchange(a.name, in: a.folder, with: b.name, in: b.folder) }
    case 1:
      let target = b.node.isFolder && b.node.isPresent ? b.node : b.node.parent ?? tree.root
      guard !isIn(target, a.node),
        let folder = try? files.file(at: tree.fullPath(target), followsLink: true),
        folder.kind == .folder, folder.isOpenable,
        files.move(a.name, in: a.folder, to: name, in: folder, replaces: false)
      else { return }
      moves.moved = [(a.node, target, name)]
      undo = { [files] in
        files.move(name, in: folder, to: a.name, in: a.folder, replaces: false)
      }
    case 2:
      guard a.node.facts.kind != .folder else { return }
      let trash = [UInt8(ascii: "t")]
      guard files.move(a.name, in: a.folder, to: trash, in: files.outside, replaces: false) else {
        return
      }
      moves.removed = [a.node]
      undo = { [files] in files.move(trash, in: files.outside, to: a.name, in: a.folder) }
    default:
      guard a.folder[name] == nil else { return }
      files.make(kind & 16 == 0 ? .file : .folder, name, in: a.folder)
      moves.made = [(a.node.parent, name)]
      undo = { [files] in files.delete(name, in: a.folder) }
    }
    let before = (a.node.parent, b.node.parent)
    tree.follow(moves)
    _ = mirror.send(tree, limit: .max)
    if kind & 4 == 0 { return mirror.confirm(tree) }
    undo()
    mirror.withdraw(tree)
    for (folder, name) in moves.moved.map({ ($0.folder, $0.name) }) + moves.made {
      if let folder { tree.look(at: name, in: folder) }
    }
    if let folder = before.0 { tree.look(at: a.name, in: folder) }
    if kind & 3 == 0, let folder = before.1 { tree.look(at: b.name, in: folder) }
  }

  private func isIn(_ node: FolderNode, _ folder: FolderNode) -> Bool {
    node == folder || node.parent.map { isIn($0, folder) } ?? false
  }

  /// Where a file of the list is; `nil` if it is no longer there, or cannot be moved.
  private func place(
    of node: FolderNode
  ) -> (node: FolderNode, folder: ModelFiles.File, name: [UInt8])? {
    guard let above = node.parent,
      let folder = try? files.file(at: tree.fullPath(above), followsLink: true),
      folder.kind == .folder, folder.isOpenable, let file = folder[node.name],
      file.identity == node.facts.identity, file !== files.root, file !== files.outside
    else { return nil }
    return (node, folder, node.name)
  }
}
