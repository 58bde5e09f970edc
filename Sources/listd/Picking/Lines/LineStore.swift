/// Consecutive lines of an input, which do not change.
final class LineChunk: Sendable {
  let bytes: [UInt8]

  /// The end of each line in the bytes. A line begins after the separator of the one before it.
  let ends: [Int]

  init(bytes: [UInt8], ends: [Int]) {
    self.bytes = bytes
    self.ends = ends
  }

  /// The bytes of a line without its separator.
  subscript(line: Int) -> ArraySlice<UInt8> {
    bytes[(line == 0 ? 0 : ends[line - 1] + 1)..<ends[line]]
  }
}

/// The lines of an input, which a thread appends while others read them.
final class LineStore: @unchecked Sendable {
  /// The lines at one time.
  struct Lines: Sendable {
    fileprivate(set) var chunks: [LineChunk] = []

    /// The number of the first line of each chunk.
    fileprivate(set) var starts: [Int] = []
    fileprivate(set) var count = 0

    /// Returns the chunk with a line, and the number of its first line.
    ///
    /// - Complexity: O(log *c*), where *c* is the number of chunks.
    func chunk(with line: Int) -> (chunk: LineChunk, start: Int) {
      var (low, high) = (0, starts.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if starts[middle] <= line { low = middle } else { high = middle }
      }
      return (chunks[low], starts[low])
    }

    /// The bytes of a line.
    subscript(line: Int) -> ArraySlice<UInt8> {
      let (chunk, start) = chunk(with: line)
      return chunk[line - start]
    }

    fileprivate mutating func append(_ chunk: LineChunk) {
      guard !chunk.ends.isEmpty else { return }
      var chunk = chunk
      // A line that arrives alone does not stay alone.
      while let last = chunks.last, last.bytes.count <= 2 * chunk.bytes.count,
        last.bytes.count + chunk.bytes.count < LineStore.mergedBytes
      {
        let offset = last.bytes.count
        chunk = LineChunk(
          bytes: last.bytes + chunk.bytes, ends: last.ends + chunk.ends.map { $0 + offset })
        chunks.removeLast()
        count = starts.removeLast()
      }
      chunks.append(chunk)
      starts.append(count)
      count += chunk.ends.count
    }
  }

  /// Chunks with fewer bytes are merged.
  private static let mergedBytes = 1 << 15

  // A function that has the lock does not call another one that takes it.
  @exclusivity(unchecked) private var mutex = pthread_mutex_t()
  @exclusivity(unchecked) private var stored = Lines()
  @exclusivity(unchecked) private var hasEnded = false

  /// What identifies each line if its bytes do not; empty if they do.
  let identities: [[UInt8]]

  init(identities: [[UInt8]] = []) {
    self.identities = identities
    pthread_mutex_init(&mutex, nil)
  }

  deinit { pthread_mutex_destroy(&mutex) }

  /// The lines so far, and whether there will be no more.
  var state: (lines: Lines, hasEnded: Bool) { withLock { (stored, hasEnded) } }

  var count: Int { withLock { stored.count } }

  func append(_ chunk: LineChunk) { withLock { stored.append(chunk) } }

  func end() { withLock { hasEnded = true } }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return body()
  }
}
