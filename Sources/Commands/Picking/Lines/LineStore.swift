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

    /// The lines that were removed, in the order of removal and in that of the input.
    private(set) var removals: [Int] = []
    private var removed: [Int] = []

    /// The number of changes so far.
    private(set) var version = 0

    /// The number of lines that are there after a header.
    func count(after header: Int) -> Int {
      let start = max(first, header)
      return max(0, count - start - removed.count + removedCount(before: start))
    }

    /// The number of lines that were removed before a line.
    private func removedCount(before line: Int) -> Int {
      var (low, high) = (0, removed.count)
      while low < high {
        let middle = (low + high) / 2
        if removed[middle] < line { low = middle + 1 } else { high = middle }
      }
      return low
    }

    func isRemoved(_ line: Int) -> Bool {
      let index = removedCount(before: line)
      return index < removed.count && removed[index] == line
    }

    /// The line at a place among those that are there from a line on.
    ///
    /// - Complexity: O(log *r*), where *r* is the number of removed lines.
    func line(at place: Int, from start: Int) -> Int {
      let before = removedCount(before: start)
      var (low, high) = (before, removed.count)
      while low < high {
        let middle = (low + high) / 2
        if removed[middle] - (middle - before) <= start + place {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return start + place + low - before
    }

    /// The place of a line among those that are there from a line on; nil if it is not there.
    func place(of line: Int, from start: Int) -> Int? {
      guard line >= start, line < count, !isRemoved(line) else { return nil }
      return line - start - removedCount(before: line) + removedCount(before: start)
    }

    fileprivate mutating func remove(_ lines: [Int]) {
      let new = lines.filter { $0 >= first && $0 < count && !isRemoved($0) }
      guard !new.isEmpty else { return }
      version += 1
      removals += new
      removed += new
      removed.sort()
    }

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
      version += 1
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

  /// The number of lines that are kept after a header, the last ones; nil if all are.
  private let tail: Int?
  private let header: Int

  /// - Parameters:
  ///   - tail: The number of lines that are kept after the header; nil if all are.
  init(tail: Int? = nil, header: Int = 0) {
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

  /// Removes lines. Their numbers, and those of all others, stay as they are.
  ///
  /// - Complexity: O(*k* log *k* + *r*), where *k* is the number of lines and *r* that of all removed ones.
  func remove(_ lines: [Int]) { withLock { stored.remove(lines) } }

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
