import Folders

extension System {
  /// Returns what is known about the file at a path, or about the link there unless that is followed;
  /// `nil` and sets `errno` if that fails.
  package static func facts(
    _ path: [UInt8], in folder: Int32, followsLink: Bool = false
  ) -> FileFacts? {
    var facts: FileFacts?
    _ = path.withPath(in: folder) { folder, path in
      facts = Self.facts(path, in: folder, followsLink: followsLink)
      return facts == nil ? -1 : 0
    }
    return facts
  }

  private static func facts(
    _ path: UnsafePointer<CChar>, in folder: Int32, followsLink: Bool = false
  ) -> FileFacts? {
    #if canImport(Glibc)
      // The fields of `struct statx` are at these offsets.
      return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
        let (linkItself, allFields): (Int32, UInt32) = (0x100, 0xFFF)
        let failure = readFacts(
          folder, path, followsLink ? 0 : linkItself, allFields, into: buffer.baseAddress!)
        guard failure == 0 else { return nil }
        func number(_ offset: Int) -> Int { buffer.load(fromByteOffset: offset, as: Int.self) }
        func half(_ offset: Int) -> Int {
          Int(buffer.load(fromByteOffset: offset, as: UInt32.self))
        }
        let hasCreation = half(0) & 0x800 != 0
        let device = UInt64(half(136)) << 32 | UInt64(half(140))
        return FileFacts(
          kind: kind(mode_t(buffer.load(fromByteOffset: 28, as: UInt16.self))), size: number(40),
          modified: number(112) * 1000 + half(120) / 1_000_000,
          identity: FileIdentity(
            device: device, number: UInt64(bitPattern: Int64(number(32))),
            created: hasCreation
              ? FileIdentity.hash(ofCreation: number(80) * 1_000_000_000 + half(88)) : 0),
          names: half(16))
      }
    #else
      var status = stat()
      let flags = followsLink ? 0 : AT_SYMLINK_NOFOLLOW
      guard fstatat(folder, path, &status, flags) == 0 else { return nil }
      let time = modificationTime(of: status)
      return FileFacts(
        kind: kind(status.st_mode), size: Int(status.st_size),
        modified: time.0 * 1000 + time.1 / 1_000_000,
        identity: FileIdentity(
          device: UInt64(truncatingIfNeeded: status.st_dev),
          number: UInt64(truncatingIfNeeded: status.st_ino), created: 0),
        names: Int(status.st_nlink))
    #endif
  }

  private static func kind(_ mode: mode_t) -> FileFacts.Kind {
    switch mode & S_IFMT {
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .file
    }
  }

  /// Opens a folder. Returns -1 and sets `errno` if that fails.
  package static func openFolder(
    _ path: [UInt8], in folder: Int32 = AT_FDCWD, followsLink: Bool = true
  ) -> Int32 {
    path.withPath(in: folder) {
      openAt($0, $1, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
    }
  }

  /// Calls `body` with the name and the facts of each file of an open folder, and closes the folder.
  /// Returns false and sets `errno` if it could not be read whole.
  package static func forEachFile(
    inFolder number: Int32,
    _ body: (_ name: UnsafeRawBufferPointer, _ look: FolderCalls.Look) -> Void
  ) -> Bool {
    guard let folder = fdopendir(number) else {
      close(number)
      return false
    }
    defer { closedir(folder) }
    while true {
      errno = 0
      guard let entry = readdir(folder) else { return errno == 0 }
      let offset = MemoryLayout<dirent>.offset(of: \.d_name)!
      let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
      let dots = bytes.prefix(3)
      if dots.count < 3, dots.allSatisfy({ $0 == 0x2E }) { continue }
      body(bytes) { () throws(FileFailure) in
        guard let facts = facts(name, in: number) else { throw .last }
        return facts
      }
    }
  }

  /// Returns the content of a file in an open folder; `nil` if it cannot be read.
  package static func content(ofFile name: [UInt8], in folder: Int32) -> [UInt8]? {
    let number = name.withPath(in: folder) { openAt($0, $1, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard number >= 0 else { return nil }
    defer { close(number) }
    return try? FileContents.read(Descriptor(number: number), "").withBytes { Array($0) }
  }

  /// Returns the target of a link; `nil` if that fails.
  fileprivate static func target(ofLink path: [UInt8]) -> [UInt8]? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      let count = path.withPath {
        Int32(truncatingIfNeeded: readlinkat($0, $1, buffer.baseAddress!, buffer.count))
      }
      return count < 0 ? nil : buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }
    }
  }

  private static func openAt(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32
  ) -> Int32 { openat(folder, path, flags) }

  /// Opens a folder in which files are looked up.
  fileprivate static func openToSearch(_ path: UnsafePointer<CChar>, in folder: Int32) -> Int32 {
    #if os(Linux)
      let onlyPath: Int32 = 0o10000000
    #else
      let onlyPath = O_RDONLY
    #endif
    return openAt(folder, path, onlyPath | O_DIRECTORY | O_CLOEXEC)
  }
}

extension FolderTree {
  /// The path of the folder without links and from the top of the file system.
  package var absolutePath: [UInt8] {
    (path + [0]).withUnsafeBytes { path in
      let start = path.baseAddress!.assumingMemoryBound(to: CChar.self)
      guard let found = realpath(start, nil) else { return self.path }
      defer { free(found) }
      return Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
    }
  }
}

extension FileFailure {
  /// That of the last call of the system.
  package static var last: FileFailure {
    let kind: Kind =
      switch errno {
      case ENOENT, ENOTDIR: .missing
      case EMFILE, ENFILE, ENOMEM: .limit
      default: .other
      }
    return FileFailure(kind, Descriptor.problem)
  }
}

extension FolderCalls {
  /// Those of the system. Changes are reported if there is a watch.
  package static func system(_ watch: FolderWatch?) -> FolderCalls {
    FolderCalls(
      facts: { path, followsLink throws(FileFailure) in
        guard let facts = System.facts(path, in: AT_FDCWD, followsLink: followsLink) else {
          throw .last
        }
        return facts
      },
      target: { System.target(ofLink: $0) },
      checkPermissions: { folder throws(FileFailure) in
        guard folder.withPath({ faccessat($0, $1, R_OK | X_OK, 0) }) == 0 else { throw .last }
      },
      open: { folder, followsLink throws(FileFailure) in
        let number = System.openFolder(folder, followsLink: followsLink)
        guard number >= 0 else { throw .last }
        return number
      },
      content: { System.content(ofFile: $0, in: $1) },
      forEachFile: { folder, body throws(FileFailure) in
        guard System.forEachFile(inFolder: folder, body) else { throw .last }
      },
      watch: watch?.calls)
  }
}

extension [UInt8] {
  /// Calls `body` with a folder and a path below it that lead where the bytes do as a path of the system,
  /// also if that is too long for the system. Returns the result; -1 and sets `errno` if a folder on the way
  /// cannot be opened.
  @discardableResult
  package func withPath(
    in folder: Int32 = AT_FDCWD, _ body: (Int32, UnsafePointer<CChar>) -> Int32
  ) -> Int32 {
    var (folder, rest) = (folder, self[...])
    var isOpened = false
    defer {
      let why = errno
      if isOpened { close(folder) }
      errno = why
    }
    while rest.count >= Int(PATH_MAX), let end = rest.prefix(Int(PATH_MAX)).lastIndex(of: 0x2F),
      end > rest.startIndex
    {
      let above = folder
      folder = (Array(rest[..<end]) + [0]).withUnsafeBytes {
        System.openToSearch(
          $0.baseAddress!.assumingMemoryBound(to: CChar.self), in: above)
      }
      let why = errno
      if isOpened { close(above) }
      errno = why
      isOpened = folder >= 0
      guard isOpened else { return -1 }
      rest = rest[(end + 1)...].drop { $0 == 0x2F }
    }
    return (rest + [0]).withUnsafeBytes {
      body(folder, $0.baseAddress!.assumingMemoryBound(to: CChar.self))
    }
  }
}

#if canImport(Glibc)
  @_silgen_name("statx")
  private func readFacts(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mask: UInt32,
    into facts: UnsafeMutableRawPointer
  ) -> Int32
#endif
