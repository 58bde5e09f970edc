extension FolderTree {
  /// Reads a folder, and those below it that are to be in the list. Calls `step` after each.
  package func read<E: Error>(
    _ folder: FolderNode, _ step: () throws(E) -> Void
  ) throws(E) {
    if folder.isRoot { (hasUnwatched, unfinished) = (false, []) }
    nodes.beginPass()
    var rest = [folder]
    while let node = rest.popLast() {
      // It may have been removed by a step.
      guard node.isPresent else { continue }
      readFiles(of: node)
      for child in node.children {
        if isRead(child) { rest.append(child) } else { giveUp(child) }
      }
      try step()
    }
  }

  /// Reads the folders that are wanted now, and gives up those that are not any more. Calls `step` after each folder
  /// that is read.
  package func want<E: Error>(
    _ folders: Set<String>, _ step: () throws(E) -> Void
  ) throws(E) {
    let before = wanted
    wanted = folders
    for id in before.subtracting(folders) {
      if let node = nodes[id], isLazy(node) { giveUp(node) }
    }
    for id in folders.subtracting(before) {
      guard let node = nodes[id], isLazy(node), !node.isOpen else { continue }
      try read(node, step)
    }
  }

  /// Reads the files of one folder. Those that it has stay if it cannot be read.
  func readFiles(of folder: FolderNode) {
    let full = fullPath(folder)
    let content = nodes.makeContent(of: folder.file)
    let number: Int32
    do throws(FileFailure) {
      number = try calls.open(full, folder.isRoot || folder.leadsToFolder)
    } catch {
      // Permissions that change are notified to the folder above, limits are not.
      let isUnwatched = calls.watch != nil && content.watch < 0
      if error.kind == .limit || isUnwatched && folder.isRoot { hasUnwatched = true }
      return note(error, of: folder)
    }
    // The folder may have changed since it was looked at.
    var hasChanged = watch(folder, content, number, full)
    if calls.watch != nil, content.watch < 0 { hasUnwatched = true }
    content.rules = rules(of: folder, number)
    var place = folder.path
    if !place.isEmpty { place.append(0x2F) }
    var missing = Set(content.children.map { Array($0.numbers) } ?? [])
    content.begin()
    var failure: FileFailure?
    do throws(FileFailure) {
      try calls.forEachFile(number) { name, look in
        if folder.isRoot, Self.isOfEdit(name) { unfinished.append(Array(name)) }
        guard !isHidden(name) else { return }
        do throws(FileFailure) {
          let facts = try look()
          guard !isIgnored(name, facts, at: place, content.rules) else { return }
          let file = update(name, in: folder, content, facts)
          if missing.isEmpty || missing.remove(file) == nil { hasChanged = true }
        } catch {
          guard error.kind != .missing else { return }
          failure = error
          if let known = nodes.child(name, in: content) { missing.remove(known) }
        }
      }
    } catch {
      (failure, missing) = (error, [])
    }
    for file in missing where nodes.parent(of: file) == folder.file { remove(nodes.node(file)) }
    if hasChanged || !missing.isEmpty { lookAgain(at: folder) }
    note(failure, of: folder)
  }

  /// Watches an open folder. Returns false if it is watched already, or not possible.
  private func watch(
    _ folder: FolderNode, _ content: FolderNodes.Content, _ number: Int32, _ full: [UInt8]
  ) -> Bool {
    // A link may lead to another folder than before.
    guard let watching = calls.watch, content.watch < 0 || folder.leadsToFolder else {
      return false
    }
    let watch = watching.begin(number, full)
    guard watch != content.watch else { return false }
    endWatch(of: folder)
    content.watch = watch
    if watch >= 0 { watched[watch, default: []].append(folder.file) }
    return watch >= 0
  }

  /// Records why a folder could not be read whole; `nil` if it could be.
  func note(_ failure: FileFailure?, of folder: FolderNode) {
    unread[folder.file] = failure.map { "cannot read \(fullPath(folder).text): \($0.words)" }
  }

  /// Reads a folder again if that is possible again, after its permissions have changed, or if any other change in
  /// it may have been notified in this way.
  func readIfPossible<E: Error>(
    _ folder: FolderNode, _ step: () throws(E) -> Void
  ) throws(E) {
    do throws(FileFailure) {
      try calls.checkPermissions(fullPath(folder))
    } catch {
      return note(error, of: folder)
    }
    // Changes below it may not have been seen.
    if unread.keys.contains(where: { isAbove(folder.file, nodes.node($0)) }) {
      return try read(folder, step)
    }
    guard calls.watch?.isDetailed == false else { return }
    readFiles(of: folder)
    for node in folder.children where isRead(node) && !node.isOpen { try read(node, step) }
  }

  private static let git = Array(".git".utf8)

  /// Whether a name is one of those that an edit of a folder needs until it is finished.
  private static func isOfEdit(_ name: UnsafeRawBufferPointer) -> Bool {
    name.starts(with: editPrefix)
  }

  func isHidden(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.first == 0x2E else { return false }
    return Self.isOfEdit(name) || !options.showsHidden
      || !options.showsIgnored && name.elementsEqual(Self.git)
  }

  /// Whether rules leave out a file in a folder whose path, with a slash at its end unless it is empty, is
  /// `place`.
  func isIgnored(
    _ name: some Sequence<UInt8>, _ facts: FileFacts, at place: [UInt8], _ rules: IgnoreRules?
  ) -> Bool {
    rules?.ignores(place + name, isFolder: facts.kind == .folder) ?? false
  }

  /// Returns the rules for the files of an open folder.
  private func rules(of folder: FolderNode, _ number: Int32) -> IgnoreRules? {
    if options.showsIgnored { return nil }
    let above = folder.parent?.content?.rules
    let files = IgnoreRules.files.compactMap { calls.content($0, number) }
    if files.isEmpty { return above }
    let below = folder.path
    return IgnoreRules(above: above, folder: below.isEmpty ? [] : below + [0x2F], files: files)
  }
}
