import JSONBytes

/// Bytes that wait to be taken by a client.
///
/// They are kept in blocks, so that as much memory is used as bytes wait, and it is freed as they are
/// taken. Long notifications are blocks that clients share.
struct UnsentBytes: ~Copyable {
  /// Blocks with the number of bytes that wait, before `last`.
  private var blocks: [(bytes: SharedBytes, count: Int)] = []
  private var last = ByteBuffer()

  /// How many bytes of the first block were taken.
  private var taken = 0

  /// How many bytes wait.
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

  /// Appends the first bytes of a block.
  mutating func append(_ bytes: SharedBytes, count: Int) {
    endBlock()
    blocks.append((bytes, count))
    self.count += count
  }

  /// Removes the bytes that `take` takes: it gets the first of them, and returns how many it took.
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

  /// Makes a block, without room that it does not need, of the last bytes.
  private mutating func endBlock() {
    guard !last.isEmpty else { return }
    blocks.append((last.withUnsafeBytes { SharedBytes(copying: $0) }, last.count))
    last.removeAll()
  }
}
