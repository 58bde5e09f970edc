import JSONBytes
import ListServer

/// The file that keeps the lists when the process ends.
///
/// The file is locked while it is open. An incomplete write is removed, so that the file always
/// ends with an acknowledged change.
final class JournalFile {
  let path: String
  private var descriptor: Descriptor

  /// The size of the file up to its last complete change, in bytes.
  private var size = 0

  /// The file is rewritten when it is larger than this.
  private var limit = 0
  private let isRegular: Bool
  private let syncs: Bool
  private var isUnsynced = false

  /// The file is rewritten when restoring its content takes more work than this.
  private var workLimit = JournalFile.mostWork

  /// Whether there may be bytes after the last complete change.
  private var isTorn = false

  /// Files smaller than this are not rewritten, in bytes.
  private static let smallest = 1 << 20

  /// The number of items that can be restored in about a second.
  private static let mostWork = 1 << 28

  /// Opens or creates a journal and restores the lists from it.
  init(_ path: String, syncs: Bool, to lists: inout SharedLists) throws(Options.Problem) {
    self.syncs = syncs
    (descriptor, isRegular) = try LockedFile.open(path, "cannot open the journal")
    // If the path was a link, its target exists only now.
    self.path = FileContents.resolved(path)
    if isRegular {
      removeRemains()
      // The file may have been created just now.
      if syncs { syncFolder() }
      let bytes = try FileContents.read(descriptor, path)
      do {
        let restored = try lists.restore(bytes)
        size = restored.end
        // A journal whose lines are not chained is rewritten as soon as possible.
        limit = lists.journalChain.isChained ? restored.size * 2 + Self.smallest : -1
      } catch { throw Options.Problem(words: "\(path) \(error.description)", exitCode: 1) }
      if size < bytes.count {
        Descriptor.report(
          "the last \(bytes.count - size) bytes of \(path) are an incomplete change and are dropped"
        )
        guard ftruncate(descriptor.number, off_t(size)) == 0 else {
          throw Options.Problem(words: "cannot cut \(path): \(Descriptor.problem)", exitCode: 1)
        }
      }
    }
    lists.recordChanges(in: JournalSink(path: path) { [self] in write($0) })
  }

  /// Waits until everything that was written is on the disk, if the options ask for that.
  func sync() -> Bool {
    guard syncs, isUnsynced else { return true }
    isUnsynced = false
    if System.syncContent(descriptor.number) == 0 { return true }
    Descriptor.report("cannot sync \(path): \(Descriptor.problem)")
    return false
  }

  /// Rewrites the file if it has outgrown its content or would take long to restore.
  func compact(_ lists: inout SharedLists) {
    guard isRegular, size > limit || lists.journalWork > workLimit else { return }
    do throws(Options.Problem) {
      size = try replace(with: &lists)
      limit = size * 2 + Self.smallest
      workLimit = Self.mostWork
      isTorn = false
      syncFolder()
    } catch {
      Descriptor.report("cannot rewrite \(path): \(error.words)")
      limit = size * 2
      workLimit = lists.journalWork + Self.mostWork
    }
  }

  /// The file that replaces this one when it is complete.
  private var newPath: String { path + ".new" }

  /// Replaces the file by a new one that holds the lists. Returns the size of the new file.
  ///
  /// - Throws: If that fails; then the old file is kept.
  private func replace(with lists: inout SharedLists) throws(Options.Problem) -> Int {
    let number = System.openFile(newPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw Options.Problem(words: Descriptor.problem) }
    let file = Descriptor(number: number)
    guard Self.isJournal(file) else {
      close(number)
      throw Options.Problem(words: "\(newPath) exists and is not a journal")
    }
    var old = stat()
    var written = 0
    let isOpen =
      flock(number, LOCK_EX | LOCK_NB) == 0 && ftruncate(number, 0) == 0
      && fstat(descriptor.number, &old) == 0 && fchmod(number, old.st_mode & 0o777) == 0
    let chain =
      isOpen
      ? lists.writeJournal { bytes in
        written += bytes.count
        return file.write(bytes)
      } : nil
    guard let chain, System.syncContent(number) == 0, rename(newPath, path) == 0 else {
      let why = Descriptor.problem
      unlink(newPath)
      close(number)
      throw Options.Problem(words: why)
    }
    close(descriptor.number)
    descriptor = file
    lists.journalChain = chain
    return written
  }

  /// Removes an incomplete new file that a killed daemon has left.
  private func removeRemains() {
    let number = System.openFile(newPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0 else { return }
    if Self.isJournal(Descriptor(number: number)) { unlink(newPath) }
    close(number)
  }

  /// Whether a file is a journal or the beginning of one.
  private static func isJournal(_ file: Descriptor) -> Bool {
    var opened = stat()
    guard fstat(file.number, &opened) == 0, opened.st_mode & S_IFMT == S_IFREG else { return false }
    return withUnsafeTemporaryAllocation(byteCount: Journal.header.utf8.count, alignment: 1) {
      let count = pread(file.number, $0.baseAddress, $0.count, 0)
      return count >= 0 && Journal.canBegin(with: .init(rebasing: $0.prefix(count)))
    }
  }

  /// Appends bytes to the file. If that fails, returns why, and the file is unchanged.
  private func write(_ bytes: UnsafeRawBufferPointer) -> String? {
    if isTorn, ftruncate(descriptor.number, off_t(size)) != 0 { return Descriptor.problem }
    isTorn = false
    var end = size
    if end == 0 {
      var header = Journal.header
      if let why = header.withUTF8({ put(UnsafeRawBufferPointer($0), &end) }) { return why }
    }
    if let why = put(bytes, &end) { return why }
    size = end
    isUnsynced = true
    return nil
  }

  private func put(_ bytes: UnsafeRawBufferPointer, _ end: inout Int) -> String? {
    var rest = bytes
    while !rest.isEmpty {
      let count = pwrite(descriptor.number, rest.baseAddress, rest.count, off_t(end))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let why = count == 0 ? "nothing could be written" : Descriptor.problem
        isTorn = isRegular && ftruncate(descriptor.number, off_t(size)) != 0
        return why
      }
      end += count
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return nil
  }

  /// Waits until the directory entry of the file is on the disk.
  private func syncFolder() {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let number = System.openFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    _ = fsync(number)
    close(number)
  }
}
