/// Reports changes in folders by the system's notifications, if it has them.
final class FolderWatch {
  /// The descriptor that can be read after a change; -1 if there are no notifications.
  let number: Int32

  /// A change in the folder of a watch: of the file with a name, or of the permissions of the folder itself.
  enum Event {
    case file(watch: Int32, name: [UInt8])
    case permissions(watch: Int32)
    /// Changes were lost.
    case overflow
  }

  init() { number = System.beginWatching() }

  deinit { if number >= 0 { close(number) } }

  /// Watches an open folder at a path. Returns the number of the watch; -1 if that fails.
  func add(_ folder: Int32, _ path: [UInt8]) -> Int32 {
    number < 0 ? -1 : System.watchFolder(folder, path, number)
  }

  /// Ends a watch.
  func remove(_ watch: Int32) { System.endWatch(watch, number) }

  /// Reads the changes that have been notified.
  func readEvents() -> [Event] {
    var events: [Event] = []
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
      while true {
        let count = number < 0 ? -1 : System.readBytes(number, buffer)
        guard count > 0 else { return }
        var offset = 0
        while offset + 16 <= count {
          let watch = buffer.loadUnaligned(fromByteOffset: offset, as: Int32.self)
          let kind = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          let length = Int(buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
          let name = buffer[(offset + 16)..<min(offset + 16 + length, count)].prefix { $0 != 0 }
          offset += 16 + length
          let (overflow, attributes): (UInt32, UInt32) = (0x4000, 0x4)
          if kind & overflow != 0 {
            events.append(.overflow)
          } else if !name.isEmpty {
            events.append(.file(watch: watch, name: Array(name)))
          } else if kind & attributes != 0 {
            events.append(.permissions(watch: watch))
          }
        }
      }
    }
    return events
  }
}

extension System {
  fileprivate static func watchFolder(
    _ folder: Int32, _ path: [UInt8], _ number: Int32
  ) -> Int32 {
    #if canImport(Glibc)
      let content: UInt32 = 0x2 | 0x4 | 0x8
      let names: UInt32 = 0x40 | 0x80 | 0x100 | 0x200
      let (own, onlyFolder): (UInt32, UInt32) = (0x400 | 0x800, 0x0100_0000)
      // The path may lead elsewhere by now, or be too long.
      let watch = addNotification(
        number, "/proc/self/fd/\(folder)", content | names | own | onlyFolder)
      guard watch < 0, errno == ENOENT else { return watch }
      return path.withPath {
        $0 != AT_FDCWD ? -1 : addNotification(number, $1, content | names | own | onlyFolder)
      }
    #else
      return -1
    #endif
  }

  fileprivate static func endWatch(_ watch: Int32, _ number: Int32) {
    #if canImport(Glibc)
      _ = removeNotification(number, watch)
    #endif
  }
}

#if canImport(Glibc)
  @_silgen_name("inotify_add_watch")
  private func addNotification(_ number: Int32, _ path: UnsafePointer<CChar>, _ events: UInt32)
    -> Int32
  @_silgen_name("inotify_rm_watch")
  private func removeNotification(_ number: Int32, _ watch: Int32) -> Int32
#endif
