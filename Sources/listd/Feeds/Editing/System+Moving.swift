import Commands

extension System {
  /// Why a file was not moved.
  enum MoveProblem: Error {
    /// For a reason of `errno`.
    case failed(Int32)
    /// The file system cannot move a file without replacing another one, or not exchange two.
    case unsupported
  }

  /// Moves a file to a path at which there is none.
  ///
  /// - Throws: If that fails, also if there is a file at the path.
  static func move(_ old: [UInt8], to new: [UInt8]) throws(MoveProblem) {
    try rename(old, new, exchanges: false)
  }

  /// Exchanges two files.
  static func exchange(_ first: [UInt8], _ second: [UInt8]) throws(MoveProblem) {
    try rename(first, second, exchanges: true)
  }

  /// Moves a file to a path at which there is none, on a file system without that call: by a second name,
  /// or a folder by an empty one that it replaces.
  static func moveInSteps(_ old: [UInt8], to new: [UInt8], isFolder: Bool) throws(MoveProblem) {
    if isFolder {
      try check(new.withPath { mkdirat($0, $1, 0o777) })
      // A folder that is no longer empty is not replaced.
      let isMoved = old.withPath { folder, old in new.withPath { renameat(folder, old, $0, $1) } }
      guard isMoved != 0 else { return }
      let why = errno
      _ = new.withPath { unlinkat($0, $1, AT_REMOVEDIR) }
      throw .failed(why)
    }
    try check(old.withPath { folder, old in new.withPath { linkat(folder, old, $0, $1, 0) } })
    try remove(old, isFolder: false)
  }

  /// Makes an empty file or folder at a path at which there is none.
  static func make(_ path: [UInt8], isFolder: Bool) throws(MoveProblem) {
    if isFolder { return try check(path.withPath { mkdirat($0, $1, 0o777) }) }
    let number = path.withPath {
      openNew($0, $1, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
    }
    try check(number)
    _ = closeFile(number)
  }

  /// Removes a name of a file, or an empty folder.
  static func remove(_ path: [UInt8], isFolder: Bool) throws(MoveProblem) {
    try check(path.withPath { unlinkat($0, $1, isFolder ? AT_REMOVEDIR : 0) })
  }

  private static func check(_ result: Int32) throws(MoveProblem) {
    if result < 0 { throw .failed(errno) }
  }

  private static func openNew(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32
  ) -> Int32 { openat(folder, path, flags, 0o666) }

  private static func rename(
    _ old: [UInt8], _ new: [UInt8], exchanges: Bool
  ) throws(MoveProblem) {
    let result = old.withPath { oldFolder, old in
      new.withPath { newFolder, new in
        #if canImport(Glibc)
          return renameBetween(oldFolder, old, newFolder, new, flags: exchanges ? 2 : 1)
        #elseif canImport(Darwin)
          return renameatx_np(
            oldFolder, old, newFolder, new, UInt32(exchanges ? RENAME_SWAP : RENAME_EXCL))
        #else
          errno = ENOSYS
          return -1
        #endif
      }
    }
    guard result != 0 else { return }
    // EINVAL is also that a folder would be moved into itself, which is checked before.
    throw [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(errno) ? .unsupported : .failed(errno)
  }
}

#if canImport(Glibc)
  @_silgen_name("renameat2")
  private func renameBetween(
    _ oldFolder: Int32, _ old: UnsafePointer<CChar>, _ newFolder: Int32,
    _ new: UnsafePointer<CChar>, flags: UInt32
  ) -> Int32
#endif
