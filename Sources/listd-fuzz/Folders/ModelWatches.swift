import Folders

/// The notifications of a file system: those of inotify, which merge equal ones and are lost if there are too
/// many, or those of kqueue, which have no names.
struct ModelWatches {
  /// Whether notifications have names.
  let isDetailed: Bool

  /// The number of folders that can be watched.
  var limit: Int

  /// The folders by watches.
  private var folders: [Int32: Int] = [:]
  private var last: Int32 = 0
  private var queue: [FolderEvent] = []
  private var isLost = false
  private static let room = 24

  init(isDetailed: Bool, limit: Int) { (self.isDetailed, self.limit) = (isDetailed, limit) }

  var isEmpty: Bool { queue.isEmpty }

  /// The number of folders that are watched.
  var count: Int { folders.count }

  /// Watches a folder.
  mutating func begin(_ folder: ModelFiles.File) -> Int32 {
    if isDetailed, let watch = folders.first(where: { $0.value == folder.serial })?.key {
      return watch
    }
    guard folders.count < limit else { return -1 }
    if isDetailed {
      last += 1
    } else {
      // Descriptors are used again.
      last = 1
      while folders[last] != nil { last += 1 }
    }
    folders[last] = folder.serial
    return last
  }

  mutating func end(_ watch: Int32) {
    folders[watch] = nil
    // The events of a descriptor vanish when it is closed.
    guard !isDetailed else { return }
    queue.removeAll { if case .permissions(watch) = $0 { true } else { false } }
  }

  /// Ends all watches, and forgets what they have reported.
  mutating func endAll() { (folders, queue, isLost) = ([:], [], false) }

  /// Ends the watches of a deleted folder.
  mutating func forget(_ folder: ModelFiles.File) {
    guard isDetailed else { return }
    for (watch, serial) in folders where serial == folder.serial { folders[watch] = nil }
  }

  /// Reports that the file with a name was added or removed.
  mutating func note(_ name: [UInt8], in folder: ModelFiles.File) {
    for watch in watches(of: folder) {
      add(isDetailed ? .file(watch: watch, name: name) : .permissions(watch: watch))
    }
  }

  /// Reports that the file with a name has another content, or other permissions.
  mutating func noteContent(of name: [UInt8], in folder: ModelFiles.File) {
    if isDetailed { note(name, in: folder) }
  }

  mutating func notePermissions(of folder: ModelFiles.File) {
    for watch in watches(of: folder) { add(.permissions(watch: watch)) }
  }

  /// Lets the queue overflow.
  mutating func lose() {
    guard !isLost, isDetailed else { return }
    isLost = true
    queue.append(.overflow)
  }

  /// Returns the first notifications.
  mutating func take(_ count: Int) -> [FolderEvent] {
    let taken = Array(queue.prefix(count))
    queue.removeFirst(taken.count)
    if queue.isEmpty { isLost = false }
    return taken
  }

  /// Whether a folder is watched.
  func areAdded(to folder: ModelFiles.File) -> Bool { !watches(of: folder).isEmpty }

  /// Whether a change of the file with a name waits to be looked at.
  func isWaiting(_ name: [UInt8], in folder: ModelFiles.File) -> Bool {
    let watches = watches(of: folder)
    return queue.contains {
      if case .file(let watch, name) = $0 { watches.contains(watch) } else { false }
    }
  }

  private func watches(of folder: ModelFiles.File) -> [Int32] {
    folders.filter { $0.value == folder.serial }.map { $0.key }.sorted()
  }

  private mutating func add(_ event: FolderEvent) {
    if isLost { return }
    // The last one is merged with an equal one; descriptors have one each.
    switch event {
    case .file(let watch, let name):
      if case .file(watch, name) = queue.last { return }
    case .permissions(let watch):
      if isDetailed ? false : queue.contains(where: { Self.isOf(watch, $0) }) { return }
    case .overflow: break
    }
    if queue.count == Self.room, isDetailed { return lose() }
    queue.append(event)
  }

  private static func isOf(_ watch: Int32, _ event: FolderEvent) -> Bool {
    if case .permissions(watch) = event { true } else { false }
  }
}
