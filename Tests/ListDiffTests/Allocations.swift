import Foundation
import Synchronization

/// Counts the blocks of memory that Swift's runtime asks for on the present thread.
///
/// Every buffer of an array, a dictionary or a string is one, and so is every box and class. The
/// runtime calls `malloc` through a slot in its table of imports; a function that counts, and then
/// calls the one before, is put into that slot.
enum Allocations {
  /// Calls `body` and returns how many blocks it has asked for.
  static func count(during body: () throws -> Void) throws -> Int {
    try turn.withLock { isInstalled in
      if !isInstalled { try install() }
      isInstalled = true
      blocksAsked = 0
      watchedThread = UInt(pthread_self())
      defer { watchedThread = 0 }
      try body()
      return blocksAsked
    }
  }

  /// The runtime has no such slot where it was looked for, so nothing can be counted.
  struct NoSlot: Error {}

  /// Whether counting has been prepared. Tests run side by side; one at a time counts.
  private static let turn = Mutex(false)

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

// Constants at the start: `malloc` must not have them made.
nonisolated(unsafe) private var watchedThread: UInt = 0
nonisolated(unsafe) private var blocksAsked = 0
/// The runtime's function that asks for the memory of objects.
nonisolated(unsafe) private var objects: UInt = 0
nonisolated(unsafe) private var systemMalloc: Malloc = { _ in nil }

/// Whether the present call of `malloc` is for a heap object: code that is not optimised asks for
/// the frames of its accessors, too.
private func isForObject() -> Bool {
  withUnsafeTemporaryAllocation(of: UInt.self, capacity: 8) { frames in
    guard let first = frames.baseAddress else { return false }
    return frames[..<Int(callers(first, 8))].contains { (objects..<objects + 96).contains($0) }
  }
}

@_silgen_name("backtrace")
private func callers(_ frames: UnsafeMutablePointer<UInt>, _ count: Int32) -> Int32

/// The imports of a shared library in memory, as the dynamic linker sees them (System V ABI,
/// "Dynamic linking").
private struct ImportTable {
  private let base: UnsafeRawPointer
  /// By tag what the library's dynamic section says.
  private var entries: [Int: UInt] = [:]

  /// The imports of a library that is loaded.
  init?(of library: String) {
    // The handle of the C library is its `link_map`: where the library is, its path, its section.
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

  /// Where the address of an imported function is kept.
  func slot(of name: String) -> UnsafeMutablePointer<Malloc?>? {
    guard let names = place(5), let symbols = place(6) else { return nil }
    for (table, size) in [(23, 2), (7, 8)] {
      guard let first = place(table), let size = entries[size] else { continue }
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

  /// The address in an entry, which the dynamic linker may have made absolute.
  private func place(_ tag: Int) -> UnsafeRawPointer? {
    guard let value = entries[tag] else { return nil }
    return value < UInt(bitPattern: base)
      ? base + Int(value) : UnsafeRawPointer(bitPattern: value)
  }
}
