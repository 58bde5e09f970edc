extension System {
  /// Creates a Unix socket. Returns -1 if that fails.
  static func makeSocket() -> Int32 {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    return closedOnExec(socket(AF_UNIX, kind, 0))
  }

  static func connectSocket(
    _ number: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
  ) -> Int32 {
    connect(number, address, size)
  }

  static func listenSocket(_ number: Int32) -> Int32 { listen(number, SOMAXCONN) }

  static func acceptSocket(_ number: Int32) -> Int32 { closedOnExec(accept(number, nil, nil)) }

  /// Ends the sending direction of a socket.
  package static func endSending(_ number: Int32) { _ = shutdown(number, Int32(SHUT_WR)) }

  /// Reads the available bytes of a socket without waiting. Returns -1 with `ENOTSOCK` for other
  /// descriptors.
  static func receiveNow(_ number: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    recv(number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
  }

  /// Writes to a socket without waiting. Returns -1 with `ENOTSOCK` for other descriptors.
  package static func sendNow(_ number: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    send(number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
  }

  /// The user of the process at the other end of a Unix socket; `nil` if that is unknown.
  package static func user(ofPeer number: Int32) -> uid_t? {
    #if os(Linux)
      // The fields of `struct ucred`: the process, the user and the group.
      var credentials: (Int32, uid_t, gid_t) = (0, 0, 0)
      let peerCredentials: Int32 = 17
      var size = socklen_t(MemoryLayout.size(ofValue: credentials))
      guard getsockopt(number, SOL_SOCKET, peerCredentials, &credentials, &size) == 0,
        size == socklen_t(MemoryLayout.size(ofValue: credentials))
      else { return nil }
      return credentials.1
    #else
      var user: uid_t = 0
      var group: gid_t = 0
      return getpeereid(number, &user, &group) == 0 ? user : nil
    #endif
  }

  private static func closedOnExec(_ number: Int32) -> Int32 {
    if number >= 0 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    return number
  }
}
