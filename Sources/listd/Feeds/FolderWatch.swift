/// Reports changes in folders by the system's notifications, if it has them.
final class FolderWatch {
  private let notifications = FileNotifications()

  /// The descriptor that can be read after a change; -1 if there are no notifications.
  var number: Int32 { notifications.number }

  /// A change in the folder of a watch: of the file with a name, or of the permissions of the folder itself; unless
  /// the watch `isDetailed`, that is any change in the folder.
  enum Event {
    case file(watch: Int32, name: [UInt8])
    case permissions(watch: Int32)
    /// Changes were lost.
    case overflow
  }

  /// Whether the changes of a folder name the files, and contents that change are among them.
  var isDetailed: Bool { FileNotifications.areDetailed }

  /// Watches an open folder at a path. Returns the number of the watch; -1 if that fails.
  func add(_ folder: Int32, _ path: [UInt8]) -> Int32 {
    notifications.watch(openFolder: folder, at: path)
  }

  /// Ends a watch.
  func remove(_ watch: Int32) { notifications.end(watch) }

  /// Reads the changes that have been notified.
  func readEvents() -> [Event] {
    notifications.readEvents().compactMap { event in
      if case .overflow = event.kind { return .overflow }
      if !event.name.isEmpty { return .file(watch: event.watch, name: event.name) }
      if case .change = event.kind, isDetailed { return nil }
      return .permissions(watch: event.watch)
    }
  }
}
