/// What the system knows about a file.
struct FileFacts: Equatable {
  enum Kind { case file, folder, link }

  var kind: Kind
  var size: Int

  /// The time of the last change of the content, in milliseconds.
  var modified: Int

  /// What identifies the file as long as it exists. The time of its creation is 0 if it is not known.
  var identity: FileIdentity
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
    path.withPath { facts($0, in: folder, followsLink: followsLink) }
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
            created: hasCreation ? number(80) * 1_000_000_000 + half(88) : 0))
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
          number: UInt64(truncatingIfNeeded: status.st_ino), created: 0))
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
  static func openFolder(_ path: [UInt8], in folder: Int32 = AT_FDCWD) -> Int32 {
    (path + [0]).withUnsafeBytes { bytes in
      openAt(
        folder, bytes.baseAddress!.assumingMemoryBound(to: CChar.self),
        O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
  }

  /// Calls `body` with the name and the facts of each file of an open folder, and closes the folder.
  /// Returns false if it could not be read whole.
  static func forEachFile(
    inFolder number: Int32, _ body: (_ name: [UInt8], _ facts: () -> FileFacts?) -> Void
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
      let bytes = Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
      if bytes == [0x2E] || bytes == [0x2E, 0x2E] { continue }
      body(bytes) { facts(name, in: number) }
    }
  }

  /// Returns the target of a link; `nil` if that fails.
  static func target(ofLink path: [UInt8]) -> [UInt8]? {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      (path + [0]).withUnsafeBytes { bytes in
        let count = readlink(
          bytes.baseAddress!.assumingMemoryBound(to: CChar.self),
          buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
        return count < 0 ? nil : Array(buffer.prefix(count))
      }
    }
  }

  /// Whether a link leads to a folder.
  static func isFolder(atEndOf path: [UInt8]) -> Bool {
    var status = stat()
    return (path + [0]).withUnsafeBytes { bytes in
      stat(bytes.baseAddress!.assumingMemoryBound(to: CChar.self), &status) == 0
    } && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func openAt(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32
  ) -> Int32 { openat(folder, path, flags) }
}

#if canImport(Glibc)
  @_silgen_name("statx")
  private func readFacts(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mask: UInt32,
    into facts: UnsafeMutableRawPointer
  ) -> Int32
#endif
