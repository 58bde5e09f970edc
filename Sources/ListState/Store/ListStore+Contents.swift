import ByteBuffers
import ListDiff
import ListStages

extension ListStore {
  /// Returns the last stage of a change whose rows are matched: the updates of contents.
  ///
  /// Sets `same` to all items that are known to be equal byte by byte.
  mutating func contentStage(
    _ contents: ContentComparison, _ same: inout [MatchedRun]
  ) -> Stage {
    Self.contentStage(contents, &same, &engine, &rowPairs)
  }

  private static func contentStage(
    _ contents: ContentComparison, _ same: inout [MatchedRun], _ engine: inout DiffEngine,
    _ batch: inout RowPairBatch
  ) -> Stage {
    guard contents.old.parts == nil, contents.new.parts == nil else {
      // Rows are compared in their new order.
      var known = UnchangedItems(same)
      var lastItems: ContentComparison.LastItems?
      return engine.contentStage(newStarts: contents.new.rowStarts) {
        contents.section($0, $1)
      } row: { old, new in
        known.contains(contents.old.item(ofRow: old), contents.new.item(ofRow: new))
          ? .none : contents.row(old, new, &lastItems)
      }
    }
    let isStopped = engine.isStopped
    // Appended at the end, because `same` would be copied while it is read.
    var more: [MatchedRun] = []
    var unchanged = UnchangedRows(same)
    batch.begin(contents)
    let stage = engine.contentStage(newStarts: contents.new.rowStarts, known: same) {
      contents.section($0, $1)
    } comparing: { runs, ops in
      for run in runs {
        unchanged.forEachOther(of: run) { old, new in
          batch.append(old, new)
          if batch.isFull, !isStopped() { batch.compare(contents, &ops, &more) }
        }
      }
      batch.compare(contents, &ops, &more)
    }
    batch.end()
    unchanged = UnchangedRows([])
    if !more.isEmpty { same += more }
    return stage
  }
}

/// A batch of pairs of rows whose contents are compared together, so that waits for memory overlap.
///
/// Its memory is kept from one change to the next.
struct RowPairBatch: ~Copyable {
  private struct Pair {
    let old: Int
    let new: Int

    /// The old text.
    var text = Payload.empty
  }

  private var pairs: [Pair] = []
  private var texts = TextComparisonBatch()

  /// The bytes of the snapshots' buffers, without reference counting for each access.
  private var oldBuffers: [UnsafeRawBufferPointer] = []
  private var newBuffers: [UnsafeRawBufferPointer] = []

  /// Begins a comparison. Its snapshots must live until ``end()`` is called.
  mutating func begin(_ contents: ContentComparison) {
    contents.old.appendBuffers(to: &oldBuffers)
    contents.new.appendBuffers(to: &newBuffers)
  }

  mutating func end() {
    oldBuffers.removeAll(keepingCapacity: true)
    newBuffers.removeAll(keepingCapacity: true)
  }

  /// The number of pairs in a full batch.
  private static let size = 128

  var isFull: Bool { pairs.count == Self.size }

  mutating func append(_ old: Int, _ new: Int) {
    // After a cancellation, nothing is compared.
    if isFull { return }
    pairs.append(Pair(old: old, new: new))
  }

  /// Appends the updates of changed rows to `ops`, and the pairs that are equal byte by byte to
  /// `same`.
  mutating func compare(
    _ contents: ContentComparison, _ ops: inout ContentOps, _ same: inout [MatchedRun]
  ) {
    let (oldPayloads, newPayloads) = (contents.old.payloads, contents.new.payloads)
    // Each loop is short, so that many of its steps wait for memory at the same time.
    for index in pairs.indices { pairs[index].text = oldPayloads[pairs[index].old] }
    for pair in pairs {
      texts.append(oldBuffers.text(pair.text), newBuffers.text(newPayloads[pair.new]))
    }
    var lastItems: ContentComparison.LastItems?
    texts.compare { index, isSame in
      let (old, new) = (pairs[index].old, pairs[index].new)
      guard isSame else { return ops.append(contents.row(old, new, &lastItems), row: new) }
      if let last = same.last, Int(last.old + last.count) == old,
        Int(last.new + last.count) == new
      {
        same[same.count - 1].count += 1
      } else {
        same.append(MatchedRun(old: old, new: new, count: 1))
      }
    }
    pairs.removeAll(keepingCapacity: true)
  }
}

extension [UnsafeRawBufferPointer] {
  /// Returns the bytes of a text in one of these buffers, valid during its lifetime.
  fileprivate func text(_ payload: Payload) -> UnsafeRawBufferPointer {
    let start = Int(payload.start)
    return UnsafeRawBufferPointer(
      rebasing: self[Int(payload.buffer)][start..<start + Int(payload.length)])
  }
}

extension Snapshot {
  /// Appends the bytes of each buffer, valid during the lifetime of the snapshot.
  fileprivate func appendBuffers(to bytes: inout [UnsafeRawBufferPointer]) {
    let buffers = storage.columns.buffers
    let span = buffers.span
    for index in span.indices { bytes.append(span[index].bytes) }
  }
}
