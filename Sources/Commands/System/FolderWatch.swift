import Folders

/// Reports changes in folders by the system's notifications, if it has them.
package final class FolderWatch {
  private let notifications = FileNotifications()

  package init() {}

  /// The descriptor that can be read after a change; -1 if there are no notifications.
  package var number: Int32 { notifications.number }

  /// Whether the changes of a folder name the files, and contents that change are among them.
  package var isDetailed: Bool { FileNotifications.areDetailed }

  /// How a tree of files begins and ends to watch its folders.
  var calls: FolderWatching {
    FolderWatching(
      isDetailed: isDetailed,
      begin: { [notifications] in notifications.watch(openFolder: $0, at: $1) },
      end: { [notifications] in notifications.end($0) })
  }

  /// Reads the changes that have been notified.
  package func readEvents() -> [FolderEvent] {
    notifications.readEvents().compactMap { event in
      if case .overflow = event.kind { return .overflow }
      if !event.name.isEmpty { return .file(watch: event.watch, name: event.name) }
      if case .change = event.kind, isDetailed { return nil }
      return .permissions(watch: event.watch)
    }
  }

  /// Whether changes were lost.
  package static func hasLost(_ events: [FolderEvent]) -> Bool {
    events.contains { if case .overflow = $0 { true } else { false } }
  }
}
