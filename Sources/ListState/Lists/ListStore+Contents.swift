import ByteBuffers
import ListDiff

extension ListStore {
  /// Returns the last stage of a change whose rows are matched: the updates of contents.
  ///
  /// Sets `change.same` to all items that are known to be equal byte by byte.
  mutating func contentStage(
    _ contents: inout ContentComparison, _ change: inout SnapshotChange
  ) -> Stage {
    let new = contents.new
    guard contents.old.parts == nil, new.parts == nil, new.forcedUpdates.isEmpty else {
      change.same = []
      let others = contents
      return engine.contentStage(newStarts: new.rowStarts) {
        others.section($0, $1)
      } row: {
        contents.row($0, $1)
      }
    }
    let isStopped = engine.isStopped
    var left = engine.matching.runs.count
    var unchanged = UnchangedRows(change.same)
    var batch = RowPairBatch(contents.old, new)
    var same = change.same
    let others = contents
    let stage = engine.contentStage(newStarts: new.rowStarts, known: same) {
      others.section($0, $1)
    } comparing: { run, ops in
      unchanged.forEachOther(of: run) { old, new in
        batch.append(old, new)
        if batch.isFull, !isStopped() { batch.compare(&contents, &ops, &same) }
      }
      left -= 1
      if left == 0 { batch.compare(&contents, &ops, &same) }
    }
    change.same = same
    return stage
  }
}

/// A batch of pairs of rows whose contents are compared together, so that waits for memory overlap.
private struct RowPairBatch: ~Copyable {
  private var texts = TextComparisonBatch()
  private var olds: [Int] = []
  private var news: [Int] = []

  /// The old texts.
  private var payloads: [Payload] = []
  private let oldTexts: TextColumn
  private let newTexts: TextColumn

  init(_ old: Snapshot, _ new: Snapshot) {
    oldTexts = TextColumn(old)
    newTexts = TextColumn(new)
  }

  /// The number of pairs in a full batch.
  private static let size = 128

  var isFull: Bool { olds.count == Self.size }

  mutating func append(_ old: Int, _ new: Int) {
    // After a cancellation, nothing is compared.
    if isFull { return }
    olds.append(old)
    news.append(new)
  }

  /// Appends the updates of changed rows to `ops`, and the pairs that are equal byte by byte to
  /// `same`.
  mutating func compare(
    _ contents: inout ContentComparison, _ ops: inout ContentOps, _ same: inout [MatchedRun]
  ) {
    // Each loop is short, so that many of its steps wait for memory at the same time.
    for old in olds { payloads.append(oldTexts.payloads[old]) }
    for (index, new) in news.enumerated() {
      texts.append(oldTexts[payloads[index]], newTexts[newTexts.payloads[new]])
    }
    payloads.removeAll(keepingCapacity: true)
    texts.compare { index, isSame in
      let old = olds[index]
      let new = news[index]
      guard isSame else { return ops.append(contents.row(old, new), row: new) }
      if let last = same.last, Int(last.old + last.count) == old,
        Int(last.new + last.count) == new
      {
        same[same.count - 1].count += 1
      } else {
        same.append(MatchedRun(old: old, new: new, count: 1))
      }
    }
    olds.removeAll(keepingCapacity: true)
    news.removeAll(keepingCapacity: true)
  }
}

/// The texts of a snapshot's items, without reference counting for each access.
private struct TextColumn {
  let payloads: [Payload]
  private let buffers: [UnsafeRawBufferPointer]
  private let owners: [SharedBytes]

  init(_ snapshot: Snapshot) {
    payloads = snapshot.payloads
    owners = snapshot.buffers
    buffers = owners.map(\.bytes)
  }

  /// The bytes of a text, valid during the lifetime of this column.
  subscript(payload: Payload) -> UnsafeRawBufferPointer {
    let start = Int(payload.start)
    return UnsafeRawBufferPointer(
      rebasing: buffers[Int(payload.buffer)][start..<start + Int(payload.length)])
  }
}
