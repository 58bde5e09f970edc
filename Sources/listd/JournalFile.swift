import Commands
import JSONBytes
import ListServer

/// The file that keeps the lists when the process ends.
///
/// The file is locked while it is open. An incomplete write is removed, so that the file always
/// ends with an acknowledged change.
final class JournalFile {
  let path: String
  var descriptor: Descriptor

  /// The size of the file up to its last complete change, in bytes.
  var size = 0

  /// The file is rewritten when it is larger than this.
  var limit = 0
  let isRegular: Bool
  private let syncs: Bool
  var isUnsynced = false

  /// The file is rewritten when restoring its content takes more work than this.
  var workLimit = JournalFile.mostWork

  /// The file that will replace this one.
  var rewriting: Rewriting?

  /// Whether there may be bytes after the last complete change.
  var isTorn = false

  /// Opens or creates a journal and restores the lists from it.
  init(_ path: String, syncs: Bool, to lists: inout SharedLists) throws(CommandProblem) {
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
      } catch { throw CommandProblem(words: "\(path) \(error.description)", exitCode: 1) }
      if size < bytes.count {
        Descriptor.report(
          "the last \(bytes.count - size) bytes of \(path) are an incomplete change and are dropped"
        )
        guard ftruncate(descriptor.number, off_t(size)) == 0 else {
          throw CommandProblem(words: "cannot cut \(path): \(Descriptor.problem)", exitCode: 1)
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
  func syncFolder() {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let number = System.openFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    _ = fsync(number)
    close(number)
  }
}
