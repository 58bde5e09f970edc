import ByteBuffers
import ListDiff

/// A snapshot in terms of the next newer one, so that many revisions take little memory.
///
/// The step stores no items that are equal, byte by byte, in both snapshots, and all others.
struct SnapshotStep: Sendable {
  /// The items that are equal in the newer snapshot, by index. In any order if all items are.
  private let kept: [MatchedRun]

  /// The snapshot without the kept items. Its sections start at the same indices as with them.
  let rest: Snapshot

  private let itemCount: Int

  /// Creates the step back from a newer snapshot to an older one. Returns `nil` if it would hardly
  /// save memory.
  ///
  /// `same` names items that are equal in both, byte by byte, in the order of the newer snapshot.
  ///
  /// - Complexity: O(*n*), where *n* is the number of sections, runs and items that differ.
  init?(from newer: borrowing Snapshot, to older: borrowing Snapshot, same: [MatchedRun]) {
    let count = same.reduce(0) { $0 + Int($1.count) }
    guard older.parts == nil, newer.parts == nil, count > older.itemCount / 2 else { return nil }
    // A shuffle has as many runs as items. They are sorted only when the step is applied.
    let hasRepeats = older.arrangement.hasRepeats || newer.arrangement.hasRepeats
    let areAllKept = count == older.itemCount && !hasRepeats
    // An item of either snapshot may be equal to several of the other one.
    let runs = hasRepeats ? Self.distinct(same.map(\.inverse)) { false }?.map(\.inverse) : same
    kept = areAllKept ? same : Self.distinct(runs ?? []) { false } ?? []
    itemCount = older.itemCount
    var rest = Snapshot()
    rest.arrangement.sections = older.arrangement.sections
    rest.arrangement.starts = older.arrangement.starts
    rest.arrangement.hasRepeats = older.arrangement.hasRepeats
    rest.depth = older.depth
    var texts: [UInt8] = []
    for var section in older.sections {
      section.own = texts.append(older, section.own)
      rest.sections.append(section)
    }
    if !areAllKept {
      var next = 0
      for run in kept {
        rest.append(older, next..<Int(run.old), &texts)
        next = Int(run.old) + Int(run.count)
      }
      rest.append(older, next..<itemCount, &texts)
    }
    rest.buffers = [SharedBytes(copying: texts)]
    self.rest = rest
  }

  /// The number of runs and of items of the step.
  var count: Int { kept.count + rest.itemCount }

  /// The memory that the step takes, in bytes.
  var footprint: Int { rest.footprint + kept.footprint }

  /// Returns the older snapshot, given the newer one, or `nil` if it `isStopped`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  func applied(to newer: Snapshot, isStopped: () -> Bool) -> Snapshot? {
    var older = rest
    let buffer = UInt32(newer.buffers.count)
    older.buffers = newer.buffers + rest.buffers
    for section in older.sections.indices { older.sections[section].own.buffer = buffer }
    for payload in older.payloads.indices { older.payloads[payload].buffer = buffer }
    let hasTemplates = !rest.templates.isEmpty || !newer.templates.isEmpty
    let own = older
    older.arrangement.rows = []
    older.payloads = []
    older.traits = []
    older.templates = []
    var done = 0
    func add(_ items: Range<Int>, of source: Snapshot) {
      older.arrangement.rows.append(contentsOf: source.arrangement.rows[items])
      older.payloads.append(contentsOf: source.payloads[items])
      older.traits.append(contentsOf: source.traits[items])
      if hasTemplates {
        older.templates.append(contentsOf: items.lazy.map { source.template(ofItem: $0) })
      }
    }
    func addOwn(upTo item: Int) {
      let count = item - older.payloads.count
      add(done..<done + count, of: own)
      done += count
    }
    guard let runs = sortedRuns(isStopped: isStopped) else { return nil }
    for (number, run) in runs.enumerated() {
      if number & 0xFFF == 0, isStopped() { return nil }
      addOwn(upTo: Int(run.old))
      add(Int(run.new)..<Int(run.new + run.count), of: newer)
    }
    addOwn(upTo: itemCount)
    // Otherwise, each step would add buffers.
    older.tidyBuffers()
    return older
  }

  /// Returns the kept items as runs in the order of the older snapshot, or `nil` if it `isStopped`.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of runs, and at most O(*n*).
  func sortedRuns(isStopped: () -> Bool) -> [MatchedRun]? {
    Self.distinct(kept, isStopped: isStopped)
  }

  /// Returns the indices of runs in the order of the older items, or `nil` if it `isStopped`. Sorts
  /// many runs with a linked list of the runs that start at each item.
  private static func order(of runs: [MatchedRun], isStopped: () -> Bool) -> [Int32]? {
    let bound = runs.reduce(0) { max($0, Int($1.old) + 1) }
    if runs.count < bound / 64 {
      return runs.indices.sorted { (runs[$0].old, $0) < (runs[$1].old, $1) }
        .map { Int32(truncatingIfNeeded: $0) }
    }
    var first = [Int32](repeating: -1, count: bound)
    var next = [Int32](repeating: -1, count: runs.count)
    for (index, run) in runs.enumerated().reversed() {
      if index & 0xFFFF == 0xFFFF, isStopped() { return nil }
      next[index] = first[Int(run.old)]
      first[Int(run.old)] = Int32(truncatingIfNeeded: index)
    }
    var order: [Int32] = []
    order.reserveCapacity(runs.count)
    for (item, var index) in first.enumerated() {
      if item & 0xFFFF == 0xFFFF, isStopped() { return nil }
      while index >= 0 {
        order.append(index)
        index = next[Int(index)]
      }
    }
    return order
  }

  /// Returns the runs in the order of the older items, cut so that no item is in two of them, or
  /// `nil` if it `isStopped`.
  private static func distinct(
    _ runs: [MatchedRun], isStopped: () -> Bool
  ) -> [MatchedRun]? {
    guard let order = order(of: runs, isStopped: isStopped) else { return nil }
    var result: [MatchedRun] = []
    result.reserveCapacity(runs.count)
    var end: Int32 = 0
    for (number, index) in order.enumerated() {
      if number & 0xFFFF == 0xFFFF, isStopped() { return nil }
      var run = runs[Int(index)]
      let overlap = min(run.count, max(0, end - run.old))
      run.old += overlap
      run.new += overlap
      run.count -= overlap
      guard run.count > 0 else { continue }
      end = run.old + run.count
      result.append(run)
    }
    return result
  }
}

extension MatchedRun {
  /// The same pairs with the sides exchanged.
  fileprivate var inverse: MatchedRun {
    MatchedRun(old: Int(new), new: Int(old), count: Int(count))
  }
}

extension [UInt8] {
  /// Appends a text of a snapshot and returns its range.
  fileprivate mutating func append(_ snapshot: Snapshot, _ payload: Payload) -> Payload {
    let start = count
    append(contentsOf: snapshot.bytes(of: payload))
    return Payload(start: start, length: Int(payload.length), buffer: 0)
  }
}

extension Snapshot {
  /// Appends items of another snapshot and copies their texts.
  fileprivate mutating func append(
    _ other: Snapshot, _ items: Range<Int>, _ texts: inout [UInt8]
  ) {
    for item in items {
      arrangement.rows.append(other.arrangement.rows[item])
      traits.append(other.traits[item])
      if !other.templates.isEmpty { templates.append(other.templates[item]) }
      payloads.append(texts.append(other, other.payloads[item]))
    }
  }
}
