/// Reports changes of a file by the system's notifications, if it has them.
final class FileWatch {
  private let path: String

  /// The name of the file in its folder.
  private let name: [UInt8]
  private let folder: String

  /// The descriptor that can be read after a change; -1 if there are no notifications.
  let number: Int32

  /// The watches of the file and of its folder; -1 if these are not watched.
  private var file: Int32 = -1
  private var parent: Int32 = -1

  /// How often the file is looked at if no notifications are sent, and how long a change may take.
  static let interval = Duration.seconds(2)
  static let settling = Duration.milliseconds(20)

  init(_ path: String) {
    self.path = path
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    name = Array((parts.last ?? "").utf8)
    let before = parts.dropLast().joined(separator: "/")
    folder = parts.count == 1 ? "." : before.isEmpty ? "/" : before
    number = System.beginWatching()
    renew()
  }

  deinit { if number >= 0 { close(number) } }

  /// Whether every change is notified.
  var isReliable: Bool {
    var status = stat()
    return parent >= 0 && lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && file >= 0
  }

  /// Watches the file that is at the path now.
  func renew() {
    guard number >= 0 else { return }
    parent = System.watch(folder, isFolder: true, number)
    file = System.watch(path, isFolder: false, number)
  }

  /// Reads the notifications that have arrived. Returns whether one is about the file.
  func readEvents() -> Bool {
    var isChanged = false
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) { buffer in
      while true {
        let count = number < 0 ? -1 : System.readBytes(number, buffer)
        guard count > 0 else { return }
        var offset = 0
        // An event is the watch, the events, a cookie, and the length of the name that follows.
        while offset + 16 <= count {
          let watch = buffer.loadUnaligned(fromByteOffset: offset, as: Int32.self)
          let length = Int(buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
          let text = buffer[(offset + 16)..<min(offset + 16 + length, count)].prefix { $0 != 0 }
          // Events of the folder itself, and an overflow, have no name.
          if watch == file || text.isEmpty || text.elementsEqual(name) { isChanged = true }
          offset += 16 + length
        }
      }
    }
    return isChanged
  }
}

extension System {
  /// Opens a descriptor for notifications of changes. Returns -1 if the system has none.
  static func beginWatching() -> Int32 {
    #if canImport(Glibc)
      let closedAndNonblocking: Int32 = 0o2000000 | 0o4000
      return makeNotifications(closedAndNonblocking)
    #else
      return -1
    #endif
  }

  /// Watches the content of a file, or the names in a folder. Returns the number of the watch; -1 if
  /// that fails.
  static func watch(_ path: String, isFolder: Bool, _ number: Int32) -> Int32 {
    #if canImport(Glibc)
      let (modify, attributes, closed): (UInt32, UInt32, UInt32) = (0x2, 0x4, 0x8)
      let (movedFrom, movedTo, create): (UInt32, UInt32, UInt32) = (0x40, 0x80, 0x100)
      let (delete, selfDeleted, selfMoved): (UInt32, UInt32, UInt32) = (0x200, 0x400, 0x800)
      return addNotification(
        number, path,
        isFolder
          ? movedFrom | movedTo | create | delete | selfDeleted | selfMoved
          : modify | attributes | closed | selfDeleted | selfMoved)
    #else
      return -1
    #endif
  }
}

#if canImport(Glibc)
  @_silgen_name("inotify_init1")
  private func makeNotifications(_ flags: Int32) -> Int32
  @_silgen_name("inotify_add_watch")
  private func addNotification(_ number: Int32, _ path: UnsafePointer<CChar>, _ events: UInt32)
    -> Int32
#endif
