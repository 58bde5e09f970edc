import Commands

/// Reports changes of a file by the system's notifications, if it has them.
final class FileWatch {
  private let path: String

  /// The name of the file in its folder.
  private let name: [UInt8]
  private let folder: String
  private let notifications = FileNotifications()

  /// The descriptor that can be read after a change; -1 if there are no notifications.
  var number: Int32 { notifications.number }

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
    renew()
  }

  /// Whether every change is notified.
  var isReliable: Bool {
    var status = stat()
    return parent >= 0 && lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && file >= 0
  }

  /// Watches the file that is at the path now.
  func renew() {
    let before = (parent, file)
    parent = notifications.watch(folder, isFolder: true)
    file = notifications.watch(path, isFolder: false)
    // A watch of the same file may be the same.
    for watch in [before.0, before.1] where watch >= 0 && watch != parent && watch != file {
      notifications.end(watch)
    }
  }

  /// Reads the notifications that have arrived. Returns whether one is about the file.
  func readEvents() -> Bool {
    // Events of the folder itself, and an overflow, have no name.
    notifications.readEvents().count { $0.watch == file || $0.name.isEmpty || $0.name == name } > 0
  }
}
