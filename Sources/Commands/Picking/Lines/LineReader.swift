/// Divides bytes, which arrive in pieces, into lines.
struct LineSplitter {
  private let separator: UInt8

  /// The beginning of a line that has not ended.
  private var rest: [UInt8] = []

  init(separator: UInt8) { self.separator = separator }

  /// Returns the lines that end in the next bytes; nil if none does.
  mutating func add(_ bytes: UnsafeRawBufferPointer) -> LineChunk? {
    guard let base = bytes.baseAddress,
      let last = bytes.lastIndex(of: separator)
    else {
      rest += bytes
      return nil
    }
    let before = rest.count
    var content = rest
    content.reserveCapacity(before + last + 1)
    content += UnsafeRawBufferPointer(rebasing: bytes[...last])
    rest = Array(bytes[(last + 1)...])
    var ends: [Int] = []
    var start = 0
    while start <= last {
      // In bounds: the last byte of the range is a separator.
      let found = memchr(base + start, Int32(separator), last + 1 - start)!
      let end = UnsafeRawPointer(found) - base
      ends.append(before + end)
      start = end + 1
    }
    return LineChunk(bytes: content, ends: ends)
  }

  /// Returns the last line if it has no separator.
  mutating func end() -> LineChunk? {
    guard !rest.isEmpty else { return nil }
    defer { rest = [] }
    return LineChunk(bytes: rest, ends: [rest.count])
  }
}

/// A thread that reads lines from a descriptor into a store.
final class LineReader: Sendable {
  private static let bytes = 1 << 17

  /// Reads until the input ends, and then closes the descriptor, or until there is no memory for more.
  /// `wake` is called when there are more lines, and at the end.
  static func start(
    _ number: Int32, separator: UInt8, into store: LineStore, wake: @escaping @Sendable () -> Void
  ) {
    System.startThread {
      TerminalSignals.blockSignals()
      var splitter = LineSplitter(separator: separator)
      let input = Descriptor(number: number)
      _ = input.enlargePipe()
      let hasEnded = withUnsafeTemporaryAllocation(byteCount: bytes, alignment: 16) { buffer in
        while true {
          let count = input.read(into: buffer)
          guard count > 0 else { return true }
          guard let chunk = splitter.add(.init(rebasing: buffer[..<count])) else { continue }
          let hasRoom = store.append(chunk)
          wake()
          // What writes the input waits.
          guard hasRoom else { return false }
        }
      }
      guard hasEnded else { return }
      if let chunk = splitter.end() { store.append(chunk) }
      store.end()
      _ = System.closeFile(number)
      wake()
    }
  }
}
