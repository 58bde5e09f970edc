import ByteBuffers
import Commands
import ListServer

extension JournalFile {
  /// A new file that is written in pieces, one after each request, and replaces this one when it is
  /// complete. Until then, all changes are written to this one.
  struct Rewriting {
    let file: Descriptor
    var rewrite: JournalRewrite

    /// The size of the new file in bytes, and that of the lists in it once they are complete.
    var size = 0
    var contentSize: Int?

    /// The offset of the first line of this file that is not in the new one.
    var copied: Int

    /// The size of this file when the last piece was written.
    var seen: Int
  }

  /// The size of a piece in bytes, unless more has been written to this file since the last one.
  private static let piece = 1 << 18

  /// Files smaller than this are not rewritten, in bytes.
  static let smallest = 1 << 20

  /// The number of items that can be restored in about a second.
  static let mostWork = 1 << 28

  /// The new file.
  private var newPath: String { path + ".new" }

  /// Begins to rewrite the file if it has outgrown its content or would take long to restore, or
  /// continues to.
  func compact(_ lists: inout SharedLists) {
    guard isRegular else { return }
    do throws(CommandProblem) {
      if rewriting == nil {
        guard size > limit || lists.journalWork > workLimit else { return }
        rewriting = Rewriting(
          file: try makeFile(), rewrite: lists.beginRewrite(), copied: size, seen: size)
      }
      if try writePiece() { try finishRewriting(&lists) }
    } catch {
      abandonRewriting()
      Descriptor.report("cannot rewrite \(path): \(error.words)")
      limit = size * 2
      workLimit = lists.journalWork + Self.mostWork
    }
  }

  /// Removes the new file if it is not complete.
  func abandonRewriting() {
    guard let file = rewriting?.file else { return }
    rewriting = nil
    unlink(newPath)
    close(file.number)
  }

  /// Creates the new file.
  private func makeFile() throws(CommandProblem) -> Descriptor {
    let number = System.openFile(newPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw CommandProblem(words: Descriptor.problem) }
    let file = Descriptor(number: number)
    guard Self.isJournal(file) else {
      close(number)
      throw CommandProblem(words: "\(newPath) exists and is not a journal")
    }
    var old = stat()
    guard flock(number, LOCK_EX | LOCK_NB) == 0, ftruncate(number, 0) == 0,
      fstat(descriptor.number, &old) == 0, fchmod(number, old.st_mode & 0o777) == 0
    else {
      let why = Descriptor.problem
      unlink(newPath)
      close(number)
      throw CommandProblem(words: why)
    }
    return file
  }

  /// Writes the next piece of the new file. Returns whether that file is complete.
  private func writePiece() throws(CommandProblem) -> Bool {
    guard var state = rewriting.take() else { return false }
    defer { rewriting = state }
    // The new file grows faster than this one.
    let limit = max(Self.piece, 2 * (size - state.seen))
    state.seen = size
    var out = ByteBuffer()
    while state.contentSize == nil, out.count < limit {
      if !state.rewrite.appendPiece(atMost: limit - out.count, to: &out) {
        state.contentSize = state.size + out.count
      }
    }
    while state.contentSize != nil, out.count < limit, state.copied < size {
      try copyLines(to: &out, &state)
    }
    guard out.withUnsafeBytes({ state.file.write($0) }) else {
      throw CommandProblem(words: Descriptor.problem)
    }
    state.size += out.count
    System.startSync(state.file.number)
    return state.contentSize != nil && state.copied == size
  }

  /// Copies at least one line that was written to this file since the new one was begun.
  private func copyLines(
    to out: inout ByteBuffer, _ state: inout Rewriting
  ) throws(CommandProblem) {
    var lines = ByteBuffer()
    while state.copied + lines.count < size {
      let rest = min(max(Self.piece, lines.count), size - state.copied - lines.count)
      let start = state.copied + lines.count
      let count = lines.withTail(minimum: rest) { tail in
        max(0, descriptor.read(into: .init(rebasing: tail[..<rest]), at: start))
      }
      guard count > 0 else { break }
      let length = lines.withUnsafeBytes { state.rewrite.append(lines: $0, to: &out) }
      state.copied += length
      if length > 0 { return }
    }
    throw CommandProblem(words: "its last changes cannot be read")
  }

  /// Replaces the file by the new one.
  private func finishRewriting(_ lists: inout SharedLists) throws(CommandProblem) {
    guard let made = rewriting, let contentSize = made.contentSize else { return }
    guard System.syncContent(made.file.number) == 0, rename(newPath, path) == 0 else {
      throw CommandProblem(words: Descriptor.problem)
    }
    rewriting = nil
    close(descriptor.number)
    descriptor = made.file
    lists.finish(made.rewrite)
    (size, isTorn, isUnsynced) = (made.size, false, false)
    limit = contentSize * 2 + Self.smallest
    workLimit = Self.mostWork
    syncFolder()
  }

  /// Removes an incomplete new file that a killed daemon has left.
  func removeRemains() {
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
}
