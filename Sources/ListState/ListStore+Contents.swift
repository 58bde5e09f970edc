import ListDiff

import class JSONBytes.SharedBytes
import struct JSONBytes.TextPairs

extension ListStore {
  /// The last stage of a change, whose rows are matched: what is to be told of contents.
  ///
  /// Leaves in `change.same` all items that are known to be the same byte by byte.
  mutating func contentStage(
    _ contents: inout ContentComparison, _ change: inout SnapshotChange
  ) -> Stage {
    let new = contents.new
    guard contents.old.parts == nil, new.parts == nil, new.touched.isEmpty else {
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
    var known = KnownRows(change.same)
    var waiting = WaitingRows(contents.old, new)
    var same = change.same
    let others = contents
    let stage = engine.contentStage(newStarts: new.rowStarts, known: same) {
      others.section($0, $1)
    } comparing: { run, ops in
      known.forEachOther(of: run) { old, new in
        waiting.append(old, new)
        if waiting.isFull, !isStopped() { waiting.compare(&contents, &ops, &same) }
      }
      left -= 1
      if left == 0 { waiting.compare(&contents, &ops, &same) }
    }
    change.same = same
    return stage
  }
}

/// Pairs of rows whose contents are to be compared together.
private struct WaitingRows: ~Copyable {
  private var texts = TextPairs()
  private var olds: [Int] = []
  private var news: [Int] = []

  /// Where the old texts are.
  private var payloads: [Payload] = []
  private let oldTexts: TextColumn
  private let newTexts: TextColumn

  init(_ old: Snapshot, _ new: Snapshot) {
    oldTexts = TextColumn(old)
    newTexts = TextColumn(new)
  }

  /// How many pairs are worth waiting for.
  private static let size = 128

  var isFull: Bool { olds.count == Self.size }

  mutating func append(_ old: Int, _ new: Int) {
    // Where the work is given up, nothing is compared any more.
    if isFull { return }
    olds.append(old)
    news.append(new)
  }

  /// Tells the rows that changed, and notes those that are the same byte by byte.
  mutating func compare(
    _ contents: inout ContentComparison, _ ops: inout ContentOps, _ same: inout [MatchedRun]
  ) {
    // Each of the loops is short, so that many of its steps wait for memory at the same time.
    for old in olds { payloads.append(oldTexts.payloads[old]) }
    for (place, new) in news.enumerated() {
      texts.append(oldTexts[payloads[place]], newTexts[newTexts.payloads[new]])
    }
    payloads.removeAll(keepingCapacity: true)
    texts.compare { place, isSame in
      let old = olds[place]
      let new = news[place]
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

/// The texts of a snapshot's items, without counting who uses their buffers each time.
private struct TextColumn {
  let payloads: [Payload]
  private let buffers: [UnsafeRawBufferPointer]
  private let owners: [SharedBytes]

  init(_ snapshot: Snapshot) {
    payloads = snapshot.payloads
    owners = snapshot.buffers
    buffers = owners.map(\.bytes)
  }

  /// The bytes of a text, valid as long as this column lives.
  subscript(payload: Payload) -> UnsafeRawBufferPointer {
    let start = Int(payload.start)
    return UnsafeRawBufferPointer(
      rebasing: buffers[Int(payload.buffer)][start..<start + Int(payload.length)])
  }
}
