import JSONBytes

/// The path of a Unix socket in the file system.
package struct SocketPath {
  package let path: String
  private var address = sockaddr_un()

  /// - Throws: If the path is empty or longer than a socket's path can be.
  package init(_ path: String) throws(CommandProblem) {
    self.path = path
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, !bytes.contains(0) else {
      throw CommandProblem(words: "a socket needs a path")
    }
    guard bytes.count <= room else {
      throw CommandProblem(
        words: "\(path): the path of a socket has at most \(room) bytes, and this has "
          + "\(bytes.count)", exitCode: 1)
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  /// The kind of file at the path.
  package enum State {
    case nothing
    case stale
    case live
    case otherFile
  }

  /// Connects to the daemon that listens at the path. If that fails, returns `nil` and sets
  /// `errno`.
  package func connect() -> Descriptor? {
    let number = System.makeSocket()
    guard number >= 0 else { return nil }
    while withAddress({ System.connectSocket(number, $0, $1) }) != 0 {
      guard errno == EINTR else {
        let why = errno
        close(number)
        errno = why
        return nil
      }
    }
    return Descriptor(number: number)
  }

  /// Returns whether a daemon listens at the path, or a stale socket or another file is there.
  package func state() -> State {
    var found = stat()
    guard lstat(path, &found) == 0 else { return .nothing }
    guard found.st_mode & S_IFMT == S_IFSOCK else { return .otherFile }
    if let descriptor = connect() {
      close(descriptor.number)
      return .live
    }
    // A daemon whose queue of connections is full is alive, too.
    return errno == ECONNREFUSED || errno == ENOENT ? .stale : .live
  }

  /// Whether there is no file at the path.
  package var isFree: Bool {
    var found = stat()
    return lstat(path, &found) != 0 && errno == ENOENT
  }

  /// Locks the directory of the path, so that only this process can start to listen there.
  ///
  /// Returns the descriptor of the directory. `listen` releases its lock.
  ///
  /// - Throws: If a daemon listens there, the file is not a socket, or the directory is not safe;
  ///   unless `waits`, also if another process has locked the directory.
  package func claim(waits: Bool) throws(CommandProblem) -> Int32 {
    let directory = try lockDirectory(waits: waits)
    let words: String
    switch state() {
    case .nothing, .stale: return directory
    case .live: words = "another listd listens there"
    case .otherFile: words = "the file is not a socket"
    }
    close(directory)
    throw problem(words)
  }

  /// Starts listening at the path, replacing a stale socket, and releases the directory.
  ///
  /// - Throws: If that fails.
  package func listen(in directory: Int32) throws(CommandProblem) -> ListeningSocket {
    defer { close(directory) }
    let number = System.makeSocket()
    guard number >= 0 else { throw problem(Descriptor.problem) }
    // The socket is renamed after it accepts connections, so that clients that see the file can
    // connect.
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let new = (try? SocketPath("\(folder).listd-\(getpid())")) ?? self
    unlink(new.path)
    let mask = umask(0o177)
    let isBound = new.withAddress { bind(number, $0, $1) } == 0
    let why = Descriptor.problem
    umask(mask)
    var file = stat()
    guard isBound, System.listenSocket(number) == 0, fcntl(number, F_SETFL, O_NONBLOCK) == 0,
      rename(new.path, path) == 0, lstat(path, &file) == 0
    else {
      let problem = problem(isBound ? Descriptor.problem : why)
      if isBound { unlink(new.path) }
      close(number)
      throw problem
    }
    return ListeningSocket(number, path, file)
  }

  /// Opens and locks the directory of the socket.
  ///
  /// - Throws: If the directory belongs to another user, others may write to it, or it is locked
  ///   and the process does not wait.
  private func lockDirectory(waits: Bool) throws(CommandProblem) -> Int32 {
    let end = path.lastIndex(of: "/")
    let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let number = System.openFile(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw problem("\(directory): \(Descriptor.problem)") }
    var opened = stat()
    let words: String?
    if fstat(number, &opened) != 0 {
      words = Descriptor.problem
    } else if opened.st_uid != geteuid() {
      words = "the directory \(directory) belongs to another user"
    } else if opened.st_mode & (S_IWGRP | S_IWOTH) != 0 {
      words = "other users may write in the directory \(directory)"
    } else {
      let mode = LOCK_EX | (waits ? 0 : LOCK_NB)
      var isLocked = flock(number, mode) == 0
      while !isLocked, errno == EINTR { isLocked = flock(number, mode) == 0 }
      words = isLocked || waits ? nil : Descriptor.problem
    }
    if let words {
      close(number)
      throw problem(words)
    }
    return number
  }

  private func problem(_ words: String) -> CommandProblem {
    CommandProblem(words: "cannot listen at \(path): \(words)", exitCode: 1)
  }

  private func withAddress<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
