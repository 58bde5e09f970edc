import ByteBuffers
import ListCompare

/// The files of a folder and of those in it, which are read on a thread and followed.
final class FilesFeed: RowFeed {
  private let box = FilesBox()

  /// Begins to read the paths of files into a store. Those that `.gitignore` names are left out.
  ///
  /// - Throws: If the folder cannot be read.
  init(
    _ path: String, separator: UInt8, into store: LineStore, _ waker: Waker
  ) throws(Options.Problem) {
    var name = path[...]
    while name.utf8.count > 1, name.hasSuffix("/") { name.removeLast() }
    let folder = System.openFolder(Array(name.utf8))
    guard folder >= 0, let facts = System.facts([0x2E], in: folder) else {
      throw Options.Problem(
        words: "cannot read \(path): \(Descriptor.problem)", isOfCommandLine: false)
    }
    _ = System.closeFile(folder)
    let (box, bytes) = (box, Array(name.utf8))
    System.startThread {
      TerminalSignals.blockSignals()
      let tree = FolderTree(
        bytes, facts,
        FolderTree.Options(levels: nil, isLazy: false, showsHidden: true, showsIgnored: false),
        FolderWatch())
      let prefix = bytes == [0x2E] ? [] : bytes.last == 0x2F ? bytes : bytes + [0x2F]
      let form = PathForm(prefix: prefix, separator: separator)
      Self.read(tree, form, into: store, waker)
      Self.follow(tree, form, box, waker)
    }
  }

  override func next() throws(Options.Problem) -> Reading? {
    box.take().map { Reading(file: ComparedFile(name: "files", content: $0)) }
  }

  private static func read(
    _ tree: FolderTree, _ form: PathForm, into store: LineStore, _ waker: Waker
  ) {
    var nextReport = MonotonicTime.now
    func report() {
      let (bytes, ends) = form.lines(of: tree.takeChanges().changed)
      tree.confirmSent()
      store.append(LineChunk(bytes: bytes, ends: ends))
      waker.wake()
      nextReport = MonotonicTime.now.advanced(by: .milliseconds(20))
    }
    tree.read(tree.root) { if nextReport <= .now { report() } }
    report()
    store.end()
    waker.wake()
  }

  private static func follow(
    _ tree: FolderTree, _ form: PathForm, _ box: FilesBox, _ waker: Waker
  ) {
    guard let watch = tree.notifications else { return }
    while !box.isClosed {
      guard Waiting.wait(for: [watch.number], .seconds(1)) == .ready else { continue }
      // Changes that belong together arrive together.
      usleep(30_000)
      var isLost = false
      for event in watch.readEvents() {
        switch event {
        case .file(let number, let name):
          if let folder = tree.watched[number] { tree.look(at: name, in: folder) {} }
        case .permissions(let number):
          if let folder = tree.watched[number] { tree.readIfPossible(folder) {} }
        case .overflow: isLost = true
        }
      }
      if isLost { tree.read(tree.root) {} }
      guard tree.hasChanges else { continue }
      _ = tree.takeChanges()
      tree.confirmSent()
      let (bytes, _) = form.lines(of: Array(tree.nodes.values))
      var content = ByteBuffer()
      content.append(contentsOf: bytes)
      box.put(content.shared())
      waker.wake()
    }
  }

  override func end() { box.close() }
}

/// How the paths of files are lines.
private struct PathForm {
  /// What is before the path in the folder.
  let prefix: [UInt8]
  let separator: UInt8

  /// The paths of files, and the ends of their lines.
  func lines(of nodes: [FolderNode]) -> ([UInt8], [Int]) {
    let paths = nodes.filter { $0.facts.kind != .folder }.map { $0.path }
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for path in paths.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      bytes += prefix + path
      ends.append(bytes.count)
      bytes.append(separator)
    }
    return (bytes, ends)
  }
}

/// What one thread has read for another one.
private final class FilesBox: @unchecked Sendable {
  // A function that has the lock does not call another one that takes it.
  @exclusivity(unchecked) private var mutex = pthread_mutex_t()
  @exclusivity(unchecked) private var content: SharedBytes?
  @exclusivity(unchecked) private var hasClosed = false

  init() { pthread_mutex_init(&mutex, nil) }

  func put(_ new: SharedBytes) { withLock { content = new } }

  func take() -> SharedBytes? {
    withLock {
      defer { content = nil }
      return content
    }
  }

  func close() { withLock { hasClosed = true } }

  var isClosed: Bool { withLock { hasClosed } }

  private func withLock<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return body()
  }
}
