import Foundation
import Synchronization

/// Counts the allocations of Swift's runtime on the current thread.
///
/// Each buffer of an array, a dictionary or a string is an allocation, and so is each box and class
/// instance. The runtime calls `malloc` through a slot in its import table. That slot is replaced
/// by a function that counts and then calls the previous one.
enum Allocations {
  /// Returns the number of allocations during a call of `body`.
  static func count(during body: () throws -> Void) throws -> Int {
    try lock.withLock { isInstalled in
      if !isInstalled { try install() }
      isInstalled = true
      blocksAsked = 0
      watchedThread = UInt(pthread_self())
      defer { watchedThread = 0 }
      try body()
      return blocksAsked
    }
  }

  /// The error if the import slot is not found, so that nothing can be counted.
  struct NoSlot: Error {}

  /// Whether the counting function is installed. Tests run in parallel; the lock lets one count at
  /// a time.
  private static let lock = Mutex(false)

  private static func install() throws {
    guard let function = dlsym(nil, "swift_slowAlloc") else { throw NoSlot() }
    // The first call loads a library.
    _ = isForObject()
    objects = UInt(bitPattern: function)
    guard let slot = ImportTable(of: "libswiftCore.so")?.slot(of: "malloc") else {
      throw NoSlot()
    }
    let pageSize = Int(getpagesize())
    let page = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: slot) & ~UInt(pageSize - 1))
    let writable = mprotect(page, pageSize, PROT_READ | PROT_WRITE)
    guard writable == 0, let before = slot.pointee else { throw NoSlot() }
    systemMalloc = before
    slot.pointee = { size in
      if watchedThread == UInt(pthread_self()) {
        watchedThread = 0
        if isForObject() { blocksAsked += 1 }
        watchedThread = UInt(pthread_self())
      }
      return systemMalloc(size)
    }
  }
}

private typealias Malloc = @convention(c) (Int) -> UnsafeMutableRawPointer?

// Initialized statically, because `malloc` must not run lazy initializers.
nonisolated(unsafe) private var watchedThread: UInt = 0
nonisolated(unsafe) private var blocksAsked = 0
/// The address of the runtime's function that allocates objects.
nonisolated(unsafe) private var objects: UInt = 0
nonisolated(unsafe) private var systemMalloc: Malloc = { _ in nil }

/// Returns whether the current call of `malloc` is for a heap object. Unoptimized code also
/// allocates the frames of its accessors.
private func isForObject() -> Bool {
  withUnsafeTemporaryAllocation(of: UInt.self, capacity: 8) { frames in
    guard let first = frames.baseAddress else { return false }
    return frames[..<Int(callers(first, 8))].contains { (objects..<objects + 96).contains($0) }
  }
}

@_silgen_name("backtrace")
private func callers(_ frames: UnsafeMutablePointer<UInt>, _ count: Int32) -> Int32

/// The import table of a loaded shared library, as the dynamic linker uses it (System V ABI,
/// "Dynamic linking").
private struct ImportTable {
  private let base: UnsafeRawPointer
  /// The entries of the dynamic section by tag.
  private var entries: [Int: UInt] = [:]

  /// Finds the import table of a loaded library.
  init?(of library: String) {
    // The handle of a library is its `link_map`: base address, path, dynamic section.
    guard let map = dlopen(library, RTLD_NOLOAD | RTLD_NOW),
      let base = map.load(as: UnsafeRawPointer?.self),
      let path = map.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self),
      var entry = map.load(fromByteOffset: 16, as: UnsafeRawPointer?.self),
      String(cString: path).hasSuffix(library)
    else { return nil }
    self.base = base
    while entry.load(as: Int.self) != 0 {
      entries[entry.load(as: Int.self)] = entry.load(fromByteOffset: 8, as: UInt.self)
      entry += 16
    }
  }

  /// Returns the slot with the address of an imported function.
  func slot(of name: String) -> UnsafeMutablePointer<Malloc?>? {
    guard let names = address(5), let symbols = address(6) else { return nil }
    for (table, size) in [(23, 2), (7, 8)] {
      guard let first = address(table), let size = entries[size] else { continue }
      for relocation in stride(from: first, to: first + Int(size), by: 24) {
        let symbol = Int(relocation.load(fromByteOffset: 12, as: UInt32.self))
        let start = Int((symbols + symbol * 24).load(as: UInt32.self))
        let found = (names + start).assumingMemoryBound(to: CChar.self)
        guard symbol > 0, String(cString: found) == name else { continue }
        let slot = base + relocation.load(as: Int.self)
        return UnsafeMutableRawPointer(mutating: slot).assumingMemoryBound(to: Malloc?.self)
      }
    }
    return nil
  }

  /// Returns the address in an entry, which the dynamic linker may have relocated.
  private func address(_ tag: Int) -> UnsafeRawPointer? {
    guard let value = entries[tag] else { return nil }
    return value < UInt(bitPattern: base)
      ? base + Int(value) : UnsafeRawPointer(bitPattern: value)
  }
}
