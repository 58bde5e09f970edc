extension FolderTree {
  /// Looks at what has changed. Calls `step` after each folder that is read. If changes were lost, the folder has to
  /// be read again.
  ///
  /// - Complexity: O(*e* + *f*), where *e* is the number of events and *f* that of files in folders that are
  ///   read.
  package func look<E: Error>(
    at events: [FolderEvent], _ step: () throws(E) -> Void
  ) throws(E) {
    var seen: Set<[UInt8]> = []
    var changed: Set<UInt32> = []
    for event in events {
      switch event {
      case .file(let watch, let name):
        for folder in folders(of: watch) {
          guard seen.insert(Array(folder.id.utf8) + [0x2F] + name).inserted else { continue }
          changed.insert(folder.file)
          try look(at: name, in: folder, step)
        }
      case .permissions(let watch):
        // One may be removed while another one is read.
        for folder in folders(of: watch) where folder.isPresent {
          try readIfPossible(folder, step)
        }
      case .overflow: break
      }
    }
    for folder in changed { lookAgain(at: nodes.node(folder)) }
  }

  /// The folders of a watch.
  func folders(of watch: Int32) -> [FolderNode] {
    watched[watch, default: []].map { nodes.node($0) }
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
    var facts: FileFacts?
    if !name.withUnsafeBytes({ isHidden($0) }) {
      do throws(FileFailure) {
        facts = try calls.facts(fullPath(folder) + [0x2F] + name, false)
      } catch {
        // A file that cannot be looked at now stays until its folder is read again.
        guard error.kind == .missing else { return note(error, of: folder) }
      }
    }
    let known = folder.child(name)
    let place = folder.isRoot ? [] : folder.path + [0x2F]
    guard let facts, !isIgnored(name, facts, at: place, content.rules) else {
      if let known { remove(known) }
      return
    }
    let node = nodes.node(name.withUnsafeBytes { update($0, in: folder, content, facts) })
    if !isRead(node) {
      giveUp(node)
    } else if known != node || !node.isOpen {
      // Other rules apply to the files of a folder that was moved.
      try read(node, step)
    }
  }

  /// Updates the item of a folder, in which a file may have been added or removed.
  func lookAgain(at folder: FolderNode) {
    guard !folder.isRoot, folder.isPresent, let facts = facts(fullPath(folder)),
      facts.identity == folder.facts.identity, nodes.set(facts, of: folder.file)
    else { return }
    changes.put(folder)
  }

  private func facts(_ path: [UInt8], followsLink: Bool = false) -> FileFacts? {
    do throws(FileFailure) { return try calls.facts(path, followsLink) } catch { return nil }
  }

  /// Updates what is known about the file with a name, or adds it. Returns it.
  func update(
    _ name: UnsafeRawBufferPointer, in folder: FolderNode, _ content: FolderNodes.Content,
    _ facts: FileFacts
  ) -> UInt32 {
    if let file = nodes.child(name, in: content) {
      let known = nodes.facts(of: file)
      if known.identity == facts.identity, known.kind == facts.kind {
        if nodes.set(facts, of: file) {
          changes.put(nodes.node(file))
          updateNames(of: facts, without: file)
        }
        if facts.kind == .link { lookAtTarget(of: nodes.node(file)) }
        return file
      }
      if options.keepsNames, facts.kind != .folder, known.kind == facts.kind {
        replace(file, facts)
        if facts.kind == .link { lookAtTarget(of: nodes.node(file)) }
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
    updateNames(of: facts)
    if let moved, moved != FolderNodes.root, !isAbove(moved, folder) {
      nodes.takeOut(moved)
      nodes.rename(moved, name, in: folder.file)
      nodes.set(facts, of: moved)
      nodes.insert(moved, into: content)
      if facts.kind == .link { lookAtTarget(of: nodes.node(moved)) }
      // The paths of all below it have changed.
      nodes.node(moved).forAll { changes.put($0) }
      return moved
    }
    if let removed { nodes.restore(removed, name, in: folder.file, facts) }
    let file = removed ?? nodes.add(name, in: folder.file, facts)
    nodes.insert(file, into: content)
    if facts.kind == .link { lookAtTarget(of: nodes.node(file)) }
    changes.add(nodes.node(file))
    return file
  }

  /// Lets a file have the record of the one that it has taken the place of.
  private func replace(_ file: UInt32, _ facts: FileFacts) {
    // Programs save a file under another name first. What had the identity has that of the old file now.
    let old = nodes.facts(of: file).identity
    while let other = nodes.first(
      facts.identity,
      where: { $0 != file && (!$1 || isMoved(nodes.node($0), facts)) })
    {
      if nodes[other].flags.contains(.isPresent) { remove(nodes.node(other)) }
      nodes.identify(other, as: old)
    }
    nodes.identify(file, as: facts.identity)
    nodes.set(facts, of: file)
    changes.put(nodes.node(file))
  }

  /// Updates the items of the names of a file but one, which are equal before.
  private func updateNames(of facts: FileFacts, without known: UInt32? = nil) {
    guard facts.names > 1, facts.kind == .file else { return }
    _ = nodes.first(facts.identity) { file, isPresent in
      guard isPresent, file != known else { return false }
      guard nodes.setContent(facts, of: file) else { return true }
      changes.put(nodes.node(file))
      return false
    }
  }

  /// Looks at the target of a link, which may have been made or deleted.
  private func lookAtTarget(of link: FolderNode) {
    let full = fullPath(link)
    let leadsToFolder = facts(full, followsLink: true)?.kind == .folder
    guard nodes.setTarget(calls.target(full), leadsToFolder: leadsToFolder, of: link.file) else {
      return
    }
    if !leadsToFolder { giveUp(link) }
    changes.put(link)
  }

  /// Whether a file is no longer where it was.
  private func isMoved(_ node: FolderNode, _ facts: FileFacts) -> Bool {
    // All names of a file are not looked at again for each of them. A folder has one.
    if facts.names > 1, facts.kind != .folder, nodes.isFound(node.file) { return false }
    guard nodes[node.file].kind == facts.kind else { return false }
    let there = self.facts(fullPath(node))
    if options.keepsNames, facts.kind != .folder, there?.kind == facts.kind { return false }
    return there?.identity != facts.identity
  }

  /// Whether a file is a folder, or above it.
  func isAbove(_ file: UInt32, _ folder: FolderNode) -> Bool {
    var above: UInt32? = folder.file
    while let current = above {
      if current == file { return true }
      above = nodes.parent(of: current)
    }
    return false
  }
}
