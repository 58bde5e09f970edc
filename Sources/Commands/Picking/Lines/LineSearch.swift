import FuzzyMatch
import Synchronization

/// Threads that search lines while more of them arrive.
///
/// Lines are searched in blocks. A block has its own store and remembers what matches in it, so that
/// only blocks with new lines are searched again.
final class LineSearch: PickSearch, @unchecked Sendable {
  /// The header lines before the first line that is searched.
  let skipped: Int
  let store: LineStore
  private let form: LineForm
  private let wake: @Sendable () -> Void

  // A function that has the lock does not call another one that takes it.
  @exclusivity(unchecked) private var mutex = pthread_mutex_t()
  @exclusivity(unchecked) private var changed = pthread_cond_t()
  @exclusivity(unchecked) private var blocks: [SearchedBlock] = []
  @exclusivity(unchecked) private var lines = LineStore.Lines()

  /// The number of removals that blocks know.
  @exclusivity(unchecked) private var removals = 0
  @exclusivity(unchecked) private var inputHasEnded = false
  @exclusivity(unchecked) private var request: Request?
  @exclusivity(unchecked) private var isClosed = false

  /// The number of blocks when the present request was made: a result has all of these.
  @exclusivity(unchecked) private var least = 0
  @exclusivity(unchecked) private var result: Result?

  /// The results of earlier requests for the present lines.
  @exclusivity(unchecked) private var earlier: [Request: Result] = [:]

  /// The number of results that are remembered, and of lines of each.
  private static let most = (results: 256, lines: 1 << 14)

  /// When the next result is made, unless all lines have been searched: merging takes time, too.
  @exclusivity(unchecked) private var nextResult = MonotonicTime.now

  /// The number of the present request. A thread that searches for another one stops.
  private let number = Atomic(0)

  /// Starts the threads.
  init(
    _ store: LineStore, _ form: LineForm, skipping skipped: Int,
    wake: @escaping @Sendable () -> Void
  ) {
    self.store = store
    self.form = form
    self.skipped = skipped
    self.wake = wake
    super.init()
    pthread_mutex_init(&mutex, nil)
    pthread_cond_init(&changed, nil)
    let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    for _ in 0..<max(1, min(8, processors)) {
      System.startThread { [self] in
        TerminalSignals.blockSignals()
        work()
      }
    }
  }

  /// Ends the threads.
  override func close() {
    withLock {
      isClosed = true
      number.add(1, ordering: .relaxed)
      pthread_cond_broadcast(&changed)
    }
  }

  override func update() {
    let (lines, hasEnded) = store.state
    withLock {
      guard lines.version != self.lines.version || hasEnded != inputHasEnded else { return }
      if lines.version != self.lines.version { earlier = [:] }
      self.lines = lines
      inputHasEnded = hasEnded
      let kept = kept
      let before = blocks.count
      blocks.removeAll { $0.first + SearchedBlock.most <= kept.lowerBound }
      least = max(0, least - (before - blocks.count))
      var next =
        blocks.last.map { $0.first + SearchedBlock.most }
        ?? kept.lowerBound / SearchedBlock.most * SearchedBlock.most
      while next < kept.upperBound {
        blocks.append(SearchedBlock(first: next))
        next += SearchedBlock.most
      }
      for block in blocks {
        let start = max(0, kept.lowerBound - block.first)
        block.set(start..<max(start, min(SearchedBlock.most, kept.upperBound - block.first)))
      }
      for line in lines.removals[removals...] {
        let number = line - skipped
        guard let first = blocks.first?.first, number >= first else { continue }
        let block = blocks[(number - first) / SearchedBlock.most]
        block.remove(number - block.first)
      }
      removals = lines.removals.count
      collect()
      pthread_cond_broadcast(&changed)
    }
  }

  /// The numbers of the lines that are kept. The caller has the lock.
  private var kept: Range<Int> {
    let end = max(0, lines.count - skipped)
    return min(max(0, lines.first - skipped), end)..<end
  }

  override func search(_ request: Request, _ place: Place) {
    withLock {
      guard request != self.request else { return }
      self.request = request
      number.add(1, ordering: .relaxed)
      least = blocks.count
      result = earlier[request].map { known in
        var known = known
        known.isFinal = inputHasEnded
        return known
      }
      // Also if the result is known: the next query may narrow this one.
      if result != nil { wake() }
      nextResult = .now
      collect()
      pthread_cond_broadcast(&changed)
    }
  }

  override func takeResult() -> Result? {
    withLock {
      defer { result = nil }
      return result
    }
  }

  override func await(_ request: Request, _ place: Place) -> Result {
    update()
    search(request, place)
    return withLock {
      if result == nil {
        // It may have been taken already.
        earlier[request] = nil
        number.add(1, ordering: .relaxed)
        least = blocks.count
        collect()
        pthread_cond_broadcast(&changed)
      }
      while true {
        if let result, result.searched == lines.count(after: skipped) { return result }
        pthread_cond_wait(&changed, &mutex)
      }
    }
  }

  override var header: [ArraySlice<UInt8>] {
    let lines = store.state.lines
    return (0..<min(skipped, lines.count)).map { lines[$0] }
  }

  override var total: Int { store.state.lines.count(after: skipped) }
  override var hasEnded: Bool { store.state.hasEnded }
  override var isFull: Bool { store.isFull }

  override func bytes(of line: Int) -> ArraySlice<UInt8> { store.state.lines[line + skipped] }

  override func reading(_ form: LineForm, _ waker: Waker) -> LineSearch? {
    LineSearch(store, form, skipping: skipped) { waker.wake() }
  }

  override func remove(_ lines: [Int]) {
    store.remove(lines.map { $0 + skipped })
    update()
  }

  // MARK: Threads

  private func work() {
    var row = RowText()
    while true {
      guard let (block, content, lines, removals, request, number) = next() else { return }
      block.update(
        to: content.lines, removing: removals, of: lines, skipping: skipped, form, &row)
      let found = request.flatMap { search(block, $0, number) }
      withLock {
        block.isBusy = false
        if let (matched, found) = found, number == self.number.load(ordering: .relaxed) {
          (block.number, block.searched) = (number, content)
          (block.matched, block.found) = (matched, found)
          block.input = lines.first > 0 ? lines : nil
          collect()
        }
        pthread_cond_broadcast(&changed)
      }
    }
  }

  /// Waits for a block that has to be searched or read; nil at the end. The request is nil if there is
  /// nothing to search for.
  private func next() -> (
    SearchedBlock, SearchedBlock.Content, LineStore.Lines, [Int], Request?, Int
  )? {
    withLock {
      while true {
        if isClosed { return nil }
        let number = number.load(ordering: .relaxed)
        let wanted = request.flatMap { $0.query.isEmpty ? nil : $0 }
        let block = blocks.first {
          !$0.isBusy
            && ($0.isOld || wanted != nil && ($0.number != number || $0.searched != $0.content))
        }
        if let block {
          block.isBusy = true
          return (block, block.content, lines, block.removals, wanted, number)
        }
        pthread_cond_wait(&changed, &mutex)
      }
    }
  }

  private struct Stopped: Error {}

  /// Returns the number of lines of a block that match and the first of them; nil if another request was
  /// made meanwhile.
  private func search(
    _ block: SearchedBlock, _ request: Request, _ number: Int
  ) -> (Int, [RankedLine])? {
    do throws(Stopped) {
      let check = { [self] () throws(Stopped) in
        if self.number.load(ordering: .relaxed) != number { throw Stopped() }
      }
      let (query, ranking) = (request.query, request.ranking)
      let first = block.first
      if ranking.isSorted, ranking.isPlain, request.count < block.read {
        let places =
          ranking.isReversed ? (0..<Int32(block.read)).map { Int32(block.read) - $0 } : []
        let order = RowOrder(comparesLengths: ranking.comparesLengths, places: places)
        let best = try block.texts.best(request.count, of: query, by: order, checking: check)
        let rows = best.rows.map { row in
          let length =
            ranking.comparesLengths ? block.texts.length(of: row.row, matching: query) : 0
          return RankedLine(line: first + Int(row.row), score: row.score, tie: UInt64(length))
        }
        return (best.count, rows)
      }
      let (rows, lengths) = try block.texts.ranks(
        of: query, withLengths: ranking.comparesLengths, checking: check)
      var lowest = Int32.min
      if !ranking.isPlain, ranking.isSorted, request.count < rows.count {
        lowest = rows.map { $0.score }.sorted(by: >)[request.count]
      }
      var found: [RankedLine] = []
      found.reserveCapacity(rows.count)
      for (index, row) in rows.enumerated() where row.score >= lowest {
        var tie = lengths.isEmpty ? 0 : UInt64(lengths[index])
        if !ranking.isPlain, ranking.isSorted {
          if index & 63 == 0 { try check() }
          tie = block.texts.text(of: row.row).map { ranking.tie(of: $0, query) } ?? 0
        }
        found.append(RankedLine(line: first + Int(row.row), score: row.score, tie: tie))
      }
      found.sort { ranking.precedes($0, $1) }
      try check()
      return (rows.count, Array(found.prefix(request.count)))
    } catch { return nil }
  }

  /// Makes a result if enough blocks have been searched. The caller has the lock.
  private func collect() {
    guard let request else { return }
    let total = lines.count(after: skipped)
    var input = LineInput(lines: lines, skipped: skipped, first: kept.lowerBound)
    var result = Result(request: request, version: lines.version, content: .input(input))
    guard !request.query.isEmpty else {
      (result.searched, result.count, result.isFinal) = (total, total, inputHasEnded)
      self.result = result
      return wake()
    }
    let number = number.load(ordering: .relaxed)
    guard blocks.prefix(least).allSatisfy({ $0.number == number }) else { return }
    let found = blocks.filter { $0.number == number }
    // The lines of the result before are shown until others were searched.
    guard !found.isEmpty || blocks.isEmpty else { return }
    let isWhole =
      found.count == blocks.count && found.allSatisfy { $0.searched == $0.content }
    let start = MonotonicTime.now
    guard isWhole || nextResult <= start else { return }
    result.searched = found.reduce(0) { $0 + $1.searched.count }
    result.count = found.reduce(0) { $0 + $1.matched }
    let ranking = request.ranking
    let merged = ranking.merge(found.map { $0.found })
    input.older = found.first?.input
    result.content = .input(input)
    result.lines = merged.prefix(request.count).map { $0.line }
    result.isFinal = inputHasEnded && isWhole
    if isWhole, merged.count <= Self.most.lines {
      if earlier.count >= Self.most.results { earlier = [:] }
      // What is shown already is not shown again.
      let isKnown = earlier.updateValue(result, forKey: request)?.isFinal == result.isFinal
      if isKnown, self.result == nil { return }
    }
    self.result = result
    let end = MonotonicTime.now
    nextResult = end.advanced(by: start.duration(to: end) * 4)
    wake()
  }

  private func withLock<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return body()
  }
}
