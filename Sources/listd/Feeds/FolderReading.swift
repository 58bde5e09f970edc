/// What the system knows about a file.
struct FileFacts {
  enum Kind { case file, folder, link }

  var kind: Kind
  var size: Int

  /// The time of the last change of the content, in milliseconds.
  var modified: Int

  /// What identifies the file as long as it exists. The time of its creation is 0 if it is not known.
  var identity: FileIdentity

  /// The number of its names, if it was just looked at.
  var names = 1
}

/// What identifies a file: the numbers of the device and of the file, and the time of its creation,
/// because numbers are used again.
struct FileIdentity: Hashable {
  var device: UInt64
  var number: UInt64
  var created: Int
}

extension System {
  /// Returns what is known about the file at a path, or about the link there unless that is followed;
  /// `nil` and sets `errno` if that fails.
  static func facts(
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
            created: hasCreation ? number(80) * 1_000_000_000 + half(88) : 0),
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
  static func openFolder(
    _ path: [UInt8], in folder: Int32 = AT_FDCWD, followsLink: Bool = true
  ) -> Int32 {
    path.withPath(in: folder) {
      openAt($0, $1, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
    }
  }

  /// Calls `body` with the name and the facts of each file of an open folder, and closes the folder.
  /// Returns false and sets `errno` if it could not be read whole.
  static func forEachFile(
    inFolder number: Int32,
    _ body: (_ name: UnsafeRawBufferPointer, _ facts: () -> FileFacts?) -> Void
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
      body(bytes) { facts(name, in: number) }
    }
  }

  /// Returns the content of a file in an open folder; `nil` if it cannot be read.
  static func content(ofFile name: [UInt8], in folder: Int32) -> [UInt8]? {
    let number = name.withPath(in: folder) { openAt($0, $1, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard number >= 0 else { return nil }
    defer { close(number) }
    return try? FileContents.read(Descriptor(number: number), "").withBytes { Array($0) }
  }

  /// Returns the target of a link; `nil` if that fails.
  static func target(ofLink path: [UInt8]) -> [UInt8]? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      let count = path.withPath {
        Int32(truncatingIfNeeded: readlinkat($0, $1, buffer.baseAddress!, buffer.count))
      }
      return count < 0 ? nil : buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }
    }
  }

  /// Whether a link leads to a folder.
  static func isFolder(atEndOf path: [UInt8]) -> Bool {
    facts(path, in: AT_FDCWD, followsLink: true)?.kind == .folder
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

extension [UInt8] {
  /// Calls `body` with a folder and a path below it that lead where the bytes do as a path of the system,
  /// also if that is too long for the system. Returns the result; -1 and sets `errno` if a folder on the way
  /// cannot be opened.
  @discardableResult
  func withPath(
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
