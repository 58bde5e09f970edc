import Folders

/// A thread that reads the files of a folder and of those in it, and follows them. It appends their paths to
/// a store, and removes those of deleted files.
enum FilesReader {
  /// The time between two readings if the system does not report all changes.
  private static let interval = Duration.seconds(2)

  /// Begins to read. Files that `.gitignore` names are left out.
  ///
  /// - Throws: If the folder cannot be read.
  static func start(
    _ path: String, separator: UInt8, into store: LineStore, _ waker: Waker
  ) throws(CommandProblem) {
    var name = path[...]
    while name.utf8.count > 1, name.hasSuffix("/") { name.removeLast() }
    let folder = System.openFolder(Array(name.utf8))
    guard folder >= 0, let facts = System.facts([0x2E], in: folder) else {
      throw CommandProblem(
        words: "cannot read \(path): \(Descriptor.problem)", isOfCommandLine: false)
    }
    _ = System.closeFile(folder)
    let bytes = Array(name.utf8)
    System.startThread {
      TerminalSignals.blockSignals()
      let watch = FolderWatch()
      let tree = FolderTree(
        bytes, facts,
        FolderTree.Options(levels: nil, isLazy: false, showsHidden: true, showsIgnored: false),
        .system(watch))
      let prefix = bytes == [0x2E] ? [] : bytes.last == 0x2F ? bytes : bytes + [0x2F]
      var lines = FileLines(store, prefix: prefix, separator: separator)
      var nextReport = MonotonicTime.now
      func report() {
        guard tree.hasChanges else { return }
        lines.update(tree.takeChanges())
        tree.confirmSent()
        waker.wake()
        nextReport = MonotonicTime.now.advanced(by: .milliseconds(20))
      }
      tree.read(tree.root) { if nextReport <= .now { report() } }
      report()
      store.end()
      waker.wake()
      guard watch.number >= 0 else { return }
      while true {
        let isReady = Waiting.wait(for: [watch.number], interval) == .ready
        // Changes that belong together arrive together.
        if isReady { usleep(30_000) }
        let events = isReady ? watch.readEvents() : []
        tree.look(at: events) {}
        if FolderWatch.hasLost(events) || !isReady && tree.hasUnwatched { tree.read(tree.root) {} }
        report()
      }
    }
  }
}

/// The lines of files in a store.
private struct FileLines {
  private let store: LineStore

  /// What is before the path in the folder.
  private let prefix: [UInt8]
  private let separator: UInt8

  /// The number of each file's line, by its identifier.
  private var numbers: [String: Int] = [:]
  private var count = 0

  init(_ store: LineStore, prefix: [UInt8], separator: UInt8) {
    (self.store, self.prefix, self.separator) = (store, prefix, separator)
  }

  /// Removes the lines of files that were deleted or have other paths, and appends those of new ones.
  ///
  /// - Complexity: O(*c* log *c*), where *c* is the number of changes.
  mutating func update(_ changes: (deleted: [String], changed: [FolderNode])) {
    var removed = changes.deleted.compactMap { numbers.removeValue(forKey: $0) }
    var new: [(path: [UInt8], id: String)] = []
    let lines = store.state.lines
    for node in changes.changed {
      let path = prefix + node.path
      let isFile = node.facts.kind != .folder
      if let number = numbers[node.id] {
        if isFile, lines[number].elementsEqual(path) { continue }
        numbers[node.id] = nil
        removed.append(number)
      }
      if isFile { new.append((path, node.id)) }
    }
    new.sort { $0.path.lexicographicallyPrecedes($1.path) }
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for (path, id) in new {
      bytes += path
      ends.append(bytes.count)
      bytes.append(separator)
      numbers[id] = count
      count += 1
    }
    store.remove(removed)
    store.append(LineChunk(bytes: bytes, ends: ends))
  }
}
