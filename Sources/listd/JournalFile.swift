import JSONBytes
import ListServer

/// The file in which lists outlive the process.
///
/// It is locked while it is open. What could not be written whole is taken back, so that the file
/// always ends with a change that was acknowledged.
final class JournalFile {
  let path: String
  private var descriptor: Descriptor

  /// Up to where the file holds whole changes.
  private var size = 0

  /// The size from which the file is written anew.
  private var limit = 0
  private let isRegular: Bool
  private let syncs: Bool
  private var isUnsynced = false

  /// From how much work to restore what the file holds on it is written anew.
  private var workLimit = JournalFile.mostWork

  /// Whether there may be bytes behind the last whole change.
  private var isTorn = false

  /// Files smaller than this are not worth writing anew, in bytes.
  private static let smallest = 1 << 14

  /// As many items as can be gone through within about a second.
  private static let mostWork = 1 << 28

  /// Opens or makes a journal and restores lists from it.
  init(_ path: String, syncs: Bool, to lists: inout SharedLists) throws(Options.Problem) {
    self.syncs = syncs
    (descriptor, isRegular) = try LockedFile.open(path, "cannot open the journal")
    // A link may have led to a file that was not there before.
    self.path = WholeFile.resolved(path)
    if isRegular {
      removeRemains()
      // The file may have been made just now.
      if syncs { syncFolder() }
      let bytes = try WholeFile.read(descriptor, path)
      do {
        let restored = try lists.restore(bytes)
        size = restored.end
        // A journal whose lines are not chained is written anew as soon as possible.
        limit = lists.journalChain.isChained ? restored.size * 2 + Self.smallest : -1
      } catch { throw Options.Problem(words: "\(path) \(error.description)", exitCode: 1) }
      if size < bytes.count {
        Descriptor.report(
          "the last \(bytes.count - size) bytes of \(path) were cut short and are dropped")
        guard ftruncate(descriptor.number, off_t(size)) == 0 else {
          throw Options.Problem(words: "cannot cut \(path): \(Descriptor.problem)", exitCode: 1)
        }
      }
    }
    lists.keepChanges(in: JournalSink(path: path) { [self] in write($0) })
  }

  /// Makes sure that all that was written is on the disk, where that is wanted.
  func sync() -> Bool {
    guard syncs, isUnsynced else { return true }
    isUnsynced = false
    if System.syncContent(descriptor.number) == 0 { return true }
    Descriptor.report("cannot sync \(path): \(Descriptor.problem)")
    return false
  }

  /// Writes the file anew where it has grown past what it holds, or would be slow to read.
  func compact(_ lists: inout SharedLists) {
    guard isRegular, size > limit || lists.journalWork > workLimit else { return }
    do throws(Options.Problem) {
      size = try replace(with: &lists)
      limit = size * 2 + Self.smallest
      workLimit = Self.mostWork
      isTorn = false
      syncFolder()
    } catch {
      Descriptor.report("cannot write \(path) anew: \(error.words)")
      limit = size * 2
      workLimit = lists.journalWork + Self.mostWork
    }
  }

  /// The file that takes the place of this one when it is whole.
  private var newPath: String { path + ".new" }

  /// Puts a new file that holds the lists in the place of this one; returns its size.
  ///
  /// - Throws: where that cannot be; then this file stays.
  private func replace(with lists: inout SharedLists) throws(Options.Problem) -> Int {
    let number = System.openFile(newPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw Options.Problem(words: Descriptor.problem) }
    let file = Descriptor(number: number)
    guard Self.isJournal(file) else {
      close(number)
      throw Options.Problem(words: "\(newPath) is a file of somebody else")
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

  /// Removes what is left of writing the file anew by a daemon that was killed meanwhile.
  private func removeRemains() {
    let number = System.openFile(newPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0 else { return }
    if Self.isJournal(Descriptor(number: number)) { unlink(newPath) }
    close(number)
  }

  /// Whether a file is a journal, or as much of one as was written of it.
  private static func isJournal(_ file: Descriptor) -> Bool {
    var opened = stat()
    guard fstat(file.number, &opened) == 0, opened.st_mode & S_IFMT == S_IFREG else { return false }
    return withUnsafeTemporaryAllocation(byteCount: Journal.header.utf8.count, alignment: 1) {
      let count = pread(file.number, $0.baseAddress, $0.count, 0)
      return count >= 0 && Journal.canBegin(with: .init(rebasing: $0.prefix(count)))
    }
  }

  /// Writes at the end of the file; returns why that cannot be, and then the file is as it was.
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

  /// Makes sure that the file's new name is on the disk.
  private func syncFolder() {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let number = System.openFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    _ = fsync(number)
    close(number)
  }
}
