/// The revisions of a list before the current one, within a number of bytes.
///
/// They are in short runs, and these in blocks of a few, so that the copies that a list's copies
/// have of it share nearly all, and keeping one more copies little.
package struct History: Sendable {
  private typealias Run = [PastRevision]

  /// The most revisions of a run and runs of a block.
  private static let width = 32

  /// Blocks of runs of revisions, none of them empty, oldest first.
  private var blocks: [[Run]] = []
  private var bytes = 0

  /// The oldest revision that is kept.
  package var oldest: Int? { blocks.first?[0][0].revision }

  /// The newest revision that is kept.
  var newest: PastRevision? { blocks.last?.last?.last }

  /// All of them, oldest first.
  package var revisions: some Sequence<PastRevision> { blocks.joined().joined() }

  /// The memory that they take, in bytes.
  package var footprint: Int { bytes }

  /// A revision and those after it up to one that is told by itself; empty where it is not kept.
  ///
  /// - Complexity: O(log *h* + *k*), where *h* is the number of revisions that are kept and *k* that
  ///   of those returned.
  func way(backTo revision: Int) -> [PastRevision] {
    let block = blocks.partitioned { $0[0][0].revision <= revision } - 1
    guard block >= 0 else { return [] }
    let run = blocks[block].partitioned { $0[0].revision <= revision } - 1
    let place = blocks[block][run].partitioned { $0.revision < revision }
    guard place < blocks[block][run].count, blocks[block][run][place].revision == revision else {
      return []
    }
    var way: [PastRevision] = []
    var first = (run: run, place: place)
    for block in blocks[block...] {
      for run in block[first.run...] {
        for past in run[first.place...] {
          way.append(past)
          if case .snapshot = past.content { return way }
        }
        first.place = 0
      }
      first.run = 0
    }
    return way
  }

  /// Keeps one more, whatever its size, and those before it as long as there is room.
  ///
  /// - Complexity: O(1) amortized where nobody else has a copy; else O(*h* / 1024), where *h* is the
  ///   number of revisions that are kept.
  mutating func append(_ past: PastRevision, within budget: Int) {
    let block = blocks.count - 1
    let run = (blocks.last?.count ?? 0) - 1
    if run >= 0, blocks[block][run].count < Self.width {
      blocks[block][run].append(past)
    } else if run >= 0, run < Self.width - 1 {
      blocks[block].append([past])
    } else {
      blocks.append([[past]])
    }
    bytes += past.footprint
    while bytes > budget, blocks[0][0][0].revision != past.revision { removeFirst() }
  }

  /// Drops the oldest revisions until the others are within a number of bytes.
  ///
  /// - Complexity: O(1) amortized for each revision that is dropped.
  mutating func trim(to budget: Int) {
    while bytes > budget, !blocks.isEmpty { removeFirst() }
  }

  private mutating func removeFirst() {
    bytes -= blocks[0][0][0].footprint
    if blocks[0][0].count > 1 {
      blocks[0][0].removeFirst()
    } else if blocks[0].count > 1 {
      blocks[0].removeFirst()
    } else {
      blocks.removeFirst()
    }
  }
}

extension Array {
  /// The number of elements, all at the beginning, that a condition holds for.
  fileprivate func partitioned(by isBefore: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A revision before the current one.
package struct PastRevision: Sendable {
  enum Content: Sendable {
    indirect case snapshot(Snapshot)

    /// In terms of the next newer revision, which edits have made, or a whole snapshot.
    case edits(PackedStep)
    indirect case step(SnapshotStep)

    /// The snapshot, if it is kept by itself.
    var snapshot: Snapshot? {
      if case .snapshot(let snapshot) = self { snapshot } else { nil }
    }
  }

  /// What a revision takes beside its content, which is in memory of its own, in bytes.
  package static let overhead =
    MemoryLayout<PastRevision>.stride + MemoryLayout<SnapshotStep>.stride + 32

  package let revision: Int
  let content: Content

  /// The memory that the revision keeps alive, in bytes.
  package let footprint: Int

  init(revision: Int, content: Content) {
    self.revision = revision
    self.content = content
    footprint =
      switch content {
      case .snapshot(let snapshot): snapshot.footprint + Self.overhead
      case .edits(let step): step.footprint + MemoryLayout<PastRevision>.stride
      case .step(let step): step.footprint + Self.overhead
      }
  }
}
