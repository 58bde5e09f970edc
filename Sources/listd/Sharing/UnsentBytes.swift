import ByteBuffers
import Commands

/// Bytes that wait to be written to a client.
///
/// The bytes are kept in blocks, so that the memory in use is proportional to the waiting bytes and
/// is freed as they are written. Blocks of long notifications are shared between clients.
struct UnsentBytes: ~Copyable {
  /// Blocks with the number of their bytes, in order. `last` follows them.
  private var blocks: [(bytes: SharedBytes, count: Int)] = []
  private var last = ByteBuffer()

  /// The number of bytes of the first block that were written.
  private var taken = 0

  /// The number of waiting bytes.
  private(set) var count = 0

  private static let blockSize = 1 << 16

  var isEmpty: Bool { count == 0 }

  /// Appends a copy of bytes.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    count += bytes.count
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Self.blockSize - last.count)
      rest = rest.dropFirst(piece.count)
      last.append(UnsafeRawBufferPointer(rebasing: piece))
      if last.count == Self.blockSize { endBlock() }
    }
  }

  /// Appends the first `count` bytes of a block.
  mutating func append(_ bytes: SharedBytes, count: Int) {
    endBlock()
    blocks.append((bytes, count))
    self.count += count
  }

  /// Removes the bytes that `take` accepts. `take` gets the next bytes and returns how many of them
  /// it has written.
  mutating func remove(_ take: (UnsafeRawBufferPointer) -> Int) {
    while let first = blocks.first {
      let start = taken
      let count = first.bytes.withBytes {
        take(UnsafeRawBufferPointer(rebasing: $0[start..<first.count]))
      }
      self.count -= count
      taken += count
      guard taken == first.count else { return }
      blocks.removeFirst()
      taken = 0
    }
    guard !last.isEmpty else { return }
    let start = taken
    let count = last.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    self.count -= count
    taken += count
    if taken == last.count { removeAll() }
  }

  /// Removes all bytes, and frees their memory.
  mutating func removeAll() { self = UnsentBytes() }

  /// Moves the last bytes into a block of exactly their size.
  private mutating func endBlock() {
    guard !last.isEmpty else { return }
    blocks.append((last.withUnsafeBytes { SharedBytes(copying: $0) }, last.count))
    last.removeAll()
  }
}
