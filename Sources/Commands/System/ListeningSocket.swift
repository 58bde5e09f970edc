/// A Unix socket that accepts the connections of its own user.
package final class ListeningSocket {
  package let number: Int32
  private let path: String

  /// The file at the path when listening began. Another daemon may replace it later.
  private let file: stat

  /// An open descriptor that is closed to refuse a connection when no more can be opened.
  private var spare: Int32

  /// Whether a waiting connection could neither be accepted nor refused.
  package var isStuck = false

  /// Whether the last connection was refused because no descriptor was free.
  private var isExhausted = false

  package init(_ number: Int32, _ path: String, _ file: stat) {
    self.number = number
    self.path = path
    self.file = file
    spare = System.openFile("/dev/null", O_RDONLY | O_CLOEXEC)
  }

  /// Accepts the waiting connections, except those of other users and those for which no descriptor
  /// is free.
  package func accept() -> [Descriptor] {
    var accepted: [Descriptor] = []
    while true {
      let connection = System.acceptSocket(number)
      if connection >= 0 {
        isExhausted = false
        if isOwnUsers(connection) {
          accepted.append(Descriptor(number: connection))
        } else {
          close(connection)
        }
      } else if errno == EMFILE || errno == ENFILE {
        guard refuse() else { return accepted }
      } else if errno != EINTR && errno != ECONNABORTED {
        return accepted
      }
    }
  }

  /// Whether the file at the path is this socket, as far as the directory can be read.
  package var isAtItsPath: Bool {
    var found = stat()
    guard lstat(path, &found) == 0 else { return errno != ENOENT && errno != ENOTDIR }
    return found.st_ino == file.st_ino && found.st_dev == file.st_dev
  }

  /// Stops listening.
  package func stop() {
    close(number)
    if spare >= 0 { close(spare) }
  }

  /// Stops listening and removes the socket.
  package func remove() {
    // The number of the file can be that of another one as soon as the socket is closed.
    if isAtItsPath { unlink(path) }
    stop()
  }

  /// Accepts a connection with the spare descriptor and closes it. Returns whether there was one.
  private func refuse() -> Bool {
    let why = Descriptor.problem
    if spare >= 0 { close(spare) }
    let connection = System.acceptSocket(number)
    // Another thread or process may have taken the descriptor.
    isStuck = connection < 0 && errno != EAGAIN
    if connection >= 0 { close(connection) }
    spare = System.openFile("/dev/null", O_RDONLY | O_CLOEXEC)
    guard connection >= 0 else { return false }
    if !isExhausted { Descriptor.report("a connection is refused: \(why)") }
    isExhausted = true
    return true
  }

  private func isOwnUsers(_ connection: Int32) -> Bool {
    guard let user = System.user(ofPeer: connection) else {
      Descriptor.report("a connection is refused: its user is unknown: \(Descriptor.problem)")
      return false
    }
    guard user == geteuid() else {
      Descriptor.report("a connection of the user \(user) is refused")
      return false
    }
    return true
  }
}
