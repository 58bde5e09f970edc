import ByteBuffers
import Commands
import Folders
import ListCompare

/// The trash of a user for the files of a file system, as the freedesktop standard defines it.
struct Trash {
  /// The folder with the folders `files` and `info`.
  private let path: [UInt8]

  /// The folder that the paths of files are relative to; `nil` if they are absolute.
  private let top: [UInt8]?

  /// A file in the trash.
  struct Entry {
    let file: [UInt8]
    let info: [UInt8]
  }

  /// Returns the trash for a file at an absolute path on a device, and makes it if it is missing; `nil`
  /// if that fails.
  static func find(for path: [UInt8], device: UInt64) -> Trash? {
    if let home = homePath, let above = existing(home), above.facts.identity.device == device,
      makeFolder(home)
    {
      return Trash(path: home, top: nil).made
    }
    // The topmost folder of the file system.
    var top = path
    while top != [0x2F] {
      let above = parent(of: top)
      guard System.facts(above, in: AT_FDCWD)?.identity.device == device else { break }
      top = above
    }
    let base = top == [0x2F] ? top : top + [0x2F]
    let user = Array("\(getuid())".utf8)
    var status = stat()
    let shared = base + Array(".Trash".utf8)
    if shared.withPath({ fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) }) == 0,
      status.st_mode & S_IFMT == S_IFDIR,
      status.st_mode & S_ISVTX != 0, makeFolder(shared + [0x2F] + user),
      let trash = Trash(path: shared + [0x2F] + user, top: base).made
    {
      return trash
    }
    let own = base + Array(".Trash-".utf8) + user
    return makeFolder(own) ? Trash(path: own, top: base).made : nil
  }

  /// The trash of the user's home.
  private static var homePath: [UInt8]? {
    func variable(_ name: String) -> [UInt8]? {
      guard let value = getenv(name) else { return nil }
      let bytes = Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
      return bytes.first == 0x2F ? bytes : nil
    }
    let data =
      variable("XDG_DATA_HOME") ?? variable("HOME").map { $0 + Array("/.local/share".utf8) }
    return data.map { $0 + Array("/Trash".utf8) }
  }

  /// Itself, if its folders exist or could be made.
  private var made: Trash? {
    Self.makeFolder(path + Self.files) && Self.makeFolder(path + Self.info) ? self : nil
  }

  private static let files = Array("/files".utf8)
  private static let info = Array("/info".utf8)

  /// Makes a folder that belongs to the user, and the missing ones above it. Returns false if that fails.
  private static func makeFolder(_ path: [UInt8]) -> Bool {
    var status = stat()
    if path.withPath({ fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) }) == 0 {
      return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
        && path.withPath { faccessat($0, $1, W_OK | X_OK, 0) } == 0
    }
    let above = parent(of: path)
    if System.facts(above, in: AT_FDCWD) == nil, above != path, !makeFolder(above) { return false }
    return path.withPath { mkdirat($0, $1, 0o700) } == 0 || errno == EEXIST && makeFolder(path)
  }

  /// Returns the nearest folder at or above a path that exists.
  private static func existing(_ path: [UInt8]) -> (path: [UInt8], facts: FileFacts)? {
    var path = path
    while true {
      if let facts = System.facts(path, in: AT_FDCWD) { return (path, facts) }
      let above = parent(of: path)
      if above == path { return nil }
      path = above
    }
  }

  private static func parent(of path: [UInt8]) -> [UInt8] {
    let end = path.lastIndex(of: 0x2F) ?? 0
    return end == 0 ? [0x2F] : Array(path[..<end])
  }

  /// Moves a file at an absolute path to the trash.
  func take(_ file: [UInt8]) throws(System.MoveProblem) -> Entry {
    let name = file.lastIndex(of: 0x2F).map { Array(file[($0 + 1)...]) } ?? file
    var number = 1
    while true {
      // The longest names have no room for a number and an extension.
      let unique =
        number == 1 && name.count < 240 ? name : name.prefix(230) + Array(".\(number)".utf8)
      let entry = Entry(
        file: path + Self.files + [0x2F] + unique,
        info: path + Self.info + [0x2F] + unique + Array(".trashinfo".utf8))
      do throws(System.MoveProblem) {
        try writeInfo(of: file, to: entry.info)
      } catch {
        guard case .failed(EEXIST) = error else { throw error }
        number += 1
        continue
      }
      do throws(System.MoveProblem) {
        try System.moveAnyhow(file, to: entry.file)
        return entry
      } catch {
        try? System.remove(entry.info, isFolder: false)
        guard case .failed(EEXIST) = error else { throw error }
        number += 1
      }
    }
  }

  /// Moves a file back from the trash.
  static func putBack(_ entry: Entry, to path: [UInt8]) throws(System.MoveProblem) {
    try System.moveAnyhow(entry.file, to: path)
    try? System.remove(entry.info, isFolder: false)
  }

  /// Describes a file that is about to be in the trash.
  private func writeInfo(of file: [UInt8], to info: [UInt8]) throws(System.MoveProblem) {
    var text = ByteBuffer()
    text.append("[Trash Info]\nPath=")
    for byte in top.map({ Array(file.dropFirst($0.count)) }) ?? file { text.append(escaping: byte) }
    text.append("\nDeletionDate=")
    text.append(contentsOf: Self.now)
    text.append("\n")
    try System.make(info, isFolder: false)
    let number = info.withPath { System.openToWrite($1, in: $0) }
    guard number >= 0 else { throw .failed(errno) }
    let isWritten = text.withUnsafeBytes { Descriptor(number: number).write($0) }
    let why = errno
    _ = System.closeFile(number)
    if !isWritten {
      try? System.remove(info, isFolder: false)
      throw .failed(why)
    }
  }

  /// The local time, as in `2026-01-31T12:00:00`.
  private static var now: [UInt8] {
    var seconds = time(nil)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      let count = strftime(buffer.baseAddress!, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
      return Array(UnsafeRawBufferPointer(buffer).prefix(count))
    }
  }
}

extension System {
  fileprivate static func openToWrite(_ path: UnsafePointer<CChar>, in folder: Int32) -> Int32 {
    openat(folder, path, O_WRONLY | O_CLOEXEC)
  }

  /// Moves a file to a path at which there is none, in one step if the file system can do that.
  static func moveAnyhow(_ old: [UInt8], to new: [UInt8]) throws(MoveProblem) {
    do throws(MoveProblem) { try move(old, to: new) } catch {
      guard case .unsupported = error else { throw error }
      try moveInSteps(old, to: new, isFolder: facts(old, in: AT_FDCWD)?.kind == .folder)
    }
  }
}

extension ByteBuffer {
  /// Appends a byte of a path as in a URL.
  fileprivate mutating func append(escaping byte: UInt8) {
    let isPlain =
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: true
      default: false
      }
    guard !isPlain else { return append(byte) }
    append(0x25)
    for digit in [byte >> 4, byte & 0xF] { append(digit < 10 ? 0x30 + digit : 0x37 + digit) }
  }
}
