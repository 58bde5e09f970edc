/// Files that the daemon keeps open for writing and locks against other daemons.
package enum LockedFile {
  /// Opens and locks a regular file, creating it with mode 0600 if necessary, or opens a character
  /// device.
  ///
  /// - Throws: A problem that begins with `purpose` and the path if the file cannot be opened, is
  ///   of another kind, such as a pipe, or is in use.
  package static func open(
    _ path: String, _ purpose: String
  ) throws(CommandProblem) -> (descriptor: Descriptor, isRegular: Bool) {
    func problem(_ words: String) -> CommandProblem {
      CommandProblem(words: "\(purpose) \(path): \(words)", exitCode: 1)
    }
    while true {
      // Opening a pipe that has no reader must not block.
      let number = System.openFile(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
      guard number >= 0 else { throw problem(Descriptor.problem) }
      var opened = stat()
      fstat(number, &opened)
      let kind = opened.st_mode & S_IFMT
      if kind == S_IFCHR { return (Descriptor(number: number), false) }
      guard kind == S_IFREG else { throw problem("it is not a regular file") }
      guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
        throw problem(
          errno == EWOULDBLOCK
            ? "it is in use by another listd" : "it cannot be locked: \(Descriptor.problem)")
      }
      var named = stat()
      // Another daemon may have put a new file in its place since this one was opened.
      if stat(path, &named) == 0, named.st_ino == opened.st_ino, named.st_dev == opened.st_dev {
        return (Descriptor(number: number), true)
      }
      close(number)
    }
  }
}
