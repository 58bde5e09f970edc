/// The names of many files, one after the other in pages, so that none needs an object.
struct FileNames {
  /// A name is at an offset in a page, whose number is in the upper half. Its length is before it.
  private var pages: [[UInt8]] = []

  /// The number of bytes of names that are used, and of those that were released.
  private var (used, released) = (0, 0)

  private static let pageSize = 1 << 16
  private static let lengthSize = 2

  /// Whether so many names were released that the others are to be moved to new pages.
  var isMostlyReleased: Bool { released > max(used, Self.pageSize) }

  /// Adds a name. Returns where it is.
  mutating func add(_ name: UnsafeRawBufferPointer) -> UInt32 {
    let size = name.count + Self.lengthSize
    precondition(size <= Self.pageSize)
    if pages.last.map({ $0.count + size > Self.pageSize }) ?? true { pages.append([]) }
    let page = pages.count - 1
    let start = UInt32(page << 16 | pages[page].count)
    pages[page].append(UInt8(name.count & 0xFF))
    pages[page].append(UInt8(name.count >> 8))
    pages[page].append(contentsOf: name)
    used += size
    return start
  }

  /// Calls `body` with the bytes of a name.
  func with<R>(_ start: UInt32, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    pages[Int(start >> 16)].withUnsafeBytes { bytes in
      let start = Int(start & 0xFFFF)
      let count = Int(bytes[start]) | Int(bytes[start + 1]) << 8
      return body(
        UnsafeRawBufferPointer(rebasing: bytes[(start + Self.lengthSize)...].prefix(count)))
    }
  }

  /// Releases a name.
  mutating func release(_ start: UInt32) {
    let size = with(start) { $0.count + Self.lengthSize }
    (used, released) = (used - size, released + size)
  }
}
