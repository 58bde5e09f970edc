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

    /// The number of the first line that is kept.
    fileprivate(set) var first = 0

    /// The first lines of the input, which are kept although those after them are not.
    private var header: [ArraySlice<UInt8>] = []

    /// The number of bytes in the chunks.
    fileprivate var bytes = 0

    /// The number of lines that are kept after a header.
    func count(after header: Int) -> Int { max(0, count - max(first, header)) }

    /// Returns the chunk with a line that is kept, and the number of its first line.
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

    /// The bytes of a line; none if it is not kept.
    subscript(line: Int) -> ArraySlice<UInt8> {
      guard line >= first else { return line < header.count ? header[line] : [] }
      let (chunk, start) = chunk(with: line)
      return chunk[line - start]
    }

    /// Forgets lines after a header, so that a number of lines is kept.
    fileprivate mutating func keepLast(_ most: Int, after header: Int) {
      let first = count - most
      guard first > max(self.first, header) else { return }
      if self.first == 0 { self.header = (0..<header).map { self[$0] } }
      self.first = first
      var dropped = 0
      while dropped + 1 < starts.count, starts[dropped + 1] <= first {
        bytes -= chunks[dropped].bytes.count
        dropped += 1
      }
      chunks.removeFirst(dropped)
      starts.removeFirst(dropped)
    }

    fileprivate mutating func append(_ chunk: LineChunk) {
      guard !chunk.ends.isEmpty else { return }
      bytes += chunk.bytes.count
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

  /// Whether the rest of the input is not read.
  @exclusivity(unchecked) private var hasStopped = false

  /// What identifies each line if its bytes do not; empty if they do.
  let identities: [[UInt8]]

  /// The number of lines that are kept after a header, the last ones; nil if all are.
  private let tail: Int?
  private let header: Int

  /// - Parameters:
  ///   - tail: The number of lines that are kept after the header; nil if all are.
  init(identities: [[UInt8]] = [], tail: Int? = nil, header: Int = 0) {
    self.identities = identities
    self.tail = tail
    self.header = header
    pthread_mutex_init(&mutex, nil)
  }

  deinit { pthread_mutex_destroy(&mutex) }

  /// The lines so far, and whether there will be no more.
  var state: (lines: Lines, hasEnded: Bool) { withLock { (stored, hasEnded) } }

  /// Whether there is no memory for more lines, so that the rest of the input is not read.
  var isFull: Bool { withLock { hasStopped } }

  /// Appends lines. Returns false if there is no memory for more.
  @discardableResult
  func append(_ chunk: LineChunk) -> Bool {
    withLock {
      stored.append(chunk)
      if let tail { stored.keepLast(tail, after: header) }
      hasStopped = Self.memory(of: stored) > Self.mostMemory
      return !hasStopped
    }
  }

  func end() { withLock { hasEnded = true } }

  /// About how many bytes lines take, as they are and as texts that are searched.
  private static func memory(of lines: Lines) -> Int {
    2 * lines.bytes + 48 * (lines.count - lines.first)
  }

  /// Half of the memory that the process may have.
  private static let mostMemory = System.mostMemory / 2

  private func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return body()
  }
}
