/// The system's notifications of changes: of inotify on Linux, of kqueue on systems of Apple.
package final class FileNotifications {
  /// The descriptor that can be read after a change; -1 if the system has no notifications.
  package let number: Int32

  /// A change of what is watched.
  package struct Event {
    /// What has changed.
    package enum Kind {
      case change
      /// Of the permissions, and other attributes.
      case attributes
      /// Changes were lost.
      case overflow
    }

    package var kind: Kind
    package var watch: Int32

    /// The name of the file in a watched folder; empty if that is unknown, or the folder itself has changed.
    package var name: [UInt8] = []
  }

  #if canImport(Darwin)
    /// Whether the changes of a folder name the files, and contents that change are among them.
    static let areDetailed = false

    /// The open files and folders that are watched.
    private var files: Set<Int32> = []

    /// Others need descriptors, too.
    private static let mostFiles: Int = {
      var limit = rlimit()
      return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? Int(clamping: limit.rlim_cur) / 2 : 100
    }()

    package init() {
      number = kqueue()
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    deinit {
      for file in files { close(file) }
      if number >= 0 { close(number) }
    }

    /// Watches an open folder. Returns the number of the watch; -1 if that fails.
    package func watch(openFolder folder: Int32, at path: [UInt8]) -> Int32 {
      add(fcntl(folder, F_DUPFD_CLOEXEC, 0))
    }

    /// Watches the content of a file, or the names in a folder. Returns the number of the watch; -1 if
    /// that fails.
    package func watch(_ path: String, isFolder: Bool) -> Int32 {
      add(System.openFile(path, O_EVTONLY | O_CLOEXEC))
    }

    private func add(_ file: Int32) -> Int32 {
      guard file >= 0 else { return -1 }
      let events = NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE
      var change = kevent(
        ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(events), data: 0, udata: nil)
      guard files.count < Self.mostFiles, kevent(number, &change, 1, nil, 0, nil) == 0 else {
        close(file)
        return -1
      }
      files.insert(file)
      return file
    }

    /// Ends a watch.
    package func end(_ watch: Int32) { if files.remove(watch) != nil { close(watch) } }

    /// Reads the changes that have been notified.
    package func readEvents() -> [Event] {
      var events: [Event] = []
      withUnsafeTemporaryAllocation(of: kevent.self, capacity: 64) { buffer in
        var now = timespec()
        while number >= 0 {
          let count = kevent(number, nil, 0, buffer.baseAddress, Int32(buffer.count), &now)
          guard count > 0 else { return }
          for event in buffer.prefix(Int(count)) {
            let isOfAttributes = event.fflags == UInt32(NOTE_ATTRIB)
            events.append(
              Event(kind: isOfAttributes ? .attributes : .change, watch: Int32(event.ident)))
          }
        }
      }
      return events
    }
  #else
    /// Whether the changes of a folder name the files, and contents that change are among them.
    static let areDetailed = true

    package init() {
      #if canImport(Glibc)
        let closedAndNonblocking: Int32 = 0o2000000 | 0o4000
        number = makeNotifications(closedAndNonblocking)
      #else
        number = -1
      #endif
    }

    deinit { if number >= 0 { close(number) } }

    private static let (modified, attributes, closed): (UInt32, UInt32, UInt32) = (0x2, 0x4, 0x8)
    private static let names: UInt32 = 0x40 | 0x80 | 0x100 | 0x200
    private static let (itself, onlyFolder): (UInt32, UInt32) = (0x400 | 0x800, 0x0100_0000)
    private static let lost: UInt32 = 0x4000

    /// Watches an open folder. Returns the number of the watch; -1 if that fails.
    package func watch(openFolder folder: Int32, at path: [UInt8]) -> Int32 {
      let events =
        Self.modified | Self.attributes | Self.closed | Self.names | Self.itself | Self.onlyFolder
      // The path may lead elsewhere by now, or be too long.
      let watch = add("/proc/self/fd/\(folder)", events)
      guard watch < 0, errno == ENOENT else { return watch }
      return path.withPath { $0 == AT_FDCWD ? add($1, events) : -1 }
    }

    /// Watches the content of a file, or the names in a folder. Returns the number of the watch; -1 if
    /// that fails.
    package func watch(_ path: String, isFolder: Bool) -> Int32 {
      add(
        path,
        Self.itself | (isFolder ? Self.names : Self.modified | Self.attributes | Self.closed))
    }

    private func add(_ path: UnsafePointer<CChar>, _ events: UInt32) -> Int32 {
      #if canImport(Glibc)
        return number < 0 ? -1 : addNotification(number, path, events)
      #else
        return -1
      #endif
    }

    /// Ends a watch.
    package func end(_ watch: Int32) {
      #if canImport(Glibc)
        _ = removeNotification(number, watch)
      #endif
    }

    /// Reads the changes that have been notified.
    package func readEvents() -> [Event] {
      var events: [Event] = []
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
        while true {
          let count = number < 0 ? -1 : System.readBytes(number, buffer)
          guard count > 0 else { return }
          var offset = 0
          // An event is the watch, the events, a cookie, and the length of the name that follows.
          while offset + 16 <= count {
            let watch = buffer.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            let kind = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let length = Int(buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            let name = buffer[(offset + 16)..<min(offset + 16 + length, count)].prefix { $0 != 0 }
            offset += 16 + length
            events.append(
              Event(
                kind: kind & Self.lost != 0
                  ? .overflow : kind & Self.attributes != 0 ? .attributes : .change,
                watch: watch, name: Array(name)))
          }
        }
      }
      return events
    }
  #endif
}

#if canImport(Glibc)
  @_silgen_name("inotify_init1")
  private func makeNotifications(_ flags: Int32) -> Int32
  @_silgen_name("inotify_add_watch")
  private func addNotification(_ number: Int32, _ path: UnsafePointer<CChar>, _ events: UInt32)
    -> Int32
  @_silgen_name("inotify_rm_watch")
  private func removeNotification(_ number: Int32, _ watch: Int32) -> Int32
#endif
