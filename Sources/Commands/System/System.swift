// The C library, imported once for all files of the program.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Darwin
#endif

/// System calls whose names collide with a method here, or that differ between systems.
package enum System {
  /// Calls `open`.
  package static func openFile(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    open(path, flags, mode)
  }

  /// Calls `read`.
  package static func readBytes(_ number: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(number, buffer.baseAddress, buffer.count)
  }

  /// Calls `write`.
  package static func writeBytes(_ number: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(number, buffer.baseAddress, buffer.count)
  }

  /// Calls `close`.
  package static func closeFile(_ number: Int32) -> Int32 { close(number) }

  /// The number of bytes that the process may have, by the memory of the machine and its limits.
  static var mostMemory: Int {
    var most = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    #if canImport(Glibc)
      let resources = [RLIMIT_AS, RLIMIT_DATA].map { __rlimit_resource_t($0.rawValue) }
    #else
      let resources = [RLIMIT_AS, RLIMIT_DATA]
    #endif
    for resource in resources {
      var limit = rlimit()
      if getrlimit(resource, &limit) == 0 { most = min(most, Int(clamping: limit.rlim_cur)) }
    }
    return most
  }

  /// The modification time of a file, in seconds and nanoseconds.
  package static func modificationTime(of status: stat) -> (Int, Int) {
    #if canImport(Darwin)
      (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
    #else
      (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    #endif
  }

  /// Waits until the content of a file is on the disk.
  package static func syncContent(_ number: Int32) -> Int32 {
    #if os(Linux)
      fdatasync(number)
    #else
      // `fsync` only moves the content to the disk's own memory.
      fcntl(number, F_FULLFSYNC) == 0 ? 0 : fsync(number)
    #endif
  }

  /// Begins to move the content of a file to the disk, and does not wait for that.
  package static func startSync(_ number: Int32) {
    #if canImport(Glibc)
      let writes: UInt32 = 2
      _ = syncRange(number, 0, 0, writes)
    #endif
  }

  /// Makes a pipe as large as an unprivileged process may. Returns false if the system cannot do
  /// that.
  package static func enlargePipe(_ number: Int32) -> Bool {
    #if os(Linux)
      let setPipeSize: Int32 = 1031
      let largestPipe: Int32 = 1 << 20
      return fcntl(number, setPipeSize, largestPipe) >= largestPipe
    #else
      return false
    #endif
  }

  /// The number of bytes that can be written to a pipe at once; `nil` if that is unknown.
  package static func room(inPipe number: Int32) -> Int? {
    #if os(Linux)
      let getPipeSize: Int32 = 1032
      let size = Int(fcntl(number, getPipeSize))
      var unread: Int32 = 0
      guard size > 0, ioctl(number, UInt(FIONREAD), &unread) == 0 else { return nil }
      // Pages of a pipe may be partly filled.
      return size / 2 - Int(unread)
    #else
      return nil
    #endif
  }

  /// Makes all threads reuse large blocks of memory instead of returning each to the system.
  package static func keepMemory() {
    #if canImport(Glibc)
      let (trimThreshold, mmapThreshold, arenaMax): (Int32, Int32, Int32) = (-1, -3, -8)
      _ = mallopt(arenaMax, 1)
      _ = mallopt(mmapThreshold, 1 << 25)
      _ = mallopt(trimThreshold, 1 << 23)
    #endif
  }

  /// Returns all free pages to the system, including those between used ones.
  package static func returnMemory() {
    #if canImport(Glibc)
      _ = trimMemory(0)
    #endif
  }

  /// Makes the system map memory that was not used yet in large pages, if it has them.
  static func useLargePages(_ memory: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
      let (page, hugePages) = (1 << 21, Int32(14))
      guard let base = memory.baseAddress, memory.count >= 2 * page else { return }
      let start = base.alignedUp(toMultipleOf: page)
      let end = (base + memory.count).alignedDown(toMultipleOf: page)
      _ = madvise(start, end - start, hugePages)
    #endif
  }

  /// Whether a process with this ID exists.
  package static func isAlive(_ process: Int) -> Bool {
    guard let id = pid_t(exactly: process), id > 0 else { return false }
    return kill(id, 0) == 0 || errno == EPERM
  }

  /// Runs a body on a new thread.
  package static func startThread(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(ThreadBody(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let failure = pthread_create(
        &thread, nil,
        { argument in
          Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, box.toOpaque())
    #else
      var thread = pthread_t()
      let failure = pthread_create(
        &thread, nil,
        { argument in
          Unmanaged<ThreadBody>.fromOpaque(argument!).takeRetainedValue().run()
          return nil
        }, box.toOpaque())
    #endif
    precondition(failure == 0, "no thread can be started")
    // The thread is never joined, so its memory is released when it ends.
    #if canImport(Darwin)
      pthread_detach(thread!)
    #else
      pthread_detach(thread)
    #endif
  }
}

#if canImport(Glibc)
  // The module of the C library lacks these functions, and a static program cannot look them up.
  @_silgen_name("mallopt")
  private func mallopt(_ parameter: Int32, _ value: Int32) -> Int32
  @_silgen_name("sync_file_range")
  private func syncRange(_ file: Int32, _ start: Int64, _ count: Int64, _ flags: UInt32) -> Int32
  @_silgen_name("malloc_trim")
  private func trimMemory(_ padding: Int) -> Int32
#endif

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
