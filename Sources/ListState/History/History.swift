/// The revisions of a list before the current one, within a budget of bytes.
///
/// Revisions are in short runs, and runs in short blocks, so that copies of a history share nearly
/// all of it, and appending to a shared history copies little.
package struct History: Sendable {
  private typealias Run = [PastRevision]

  /// The maximum number of revisions in a run and of runs in a block.
  private static let width = 32

  /// Blocks of runs of revisions, oldest first. None of them is empty.
  private var blocks: [[Run]] = []
  private var bytes = 0

  /// The oldest revision that is kept.
  package var oldest: Int? { blocks.first?[0][0].revision }

  /// The newest revision that is kept.
  var newest: PastRevision? { blocks.last?.last?.last }

  /// All revisions, oldest first.
  package var revisions: some Sequence<PastRevision> { blocks.joined().joined() }

  /// The memory that the revisions take, in bytes.
  package var footprint: Int { bytes }

  /// Returns a revision and the revisions after it, up to the first one that is kept as a snapshot.
  /// Returns an empty array if the revision is not kept.
  ///
  /// - Complexity: O(log *h* + *k*), where *h* is the number of kept revisions and *k* the number
  ///   of those returned.
  func steps(backTo revision: Int) -> [PastRevision] {
    let block = blocks.partitioned { $0[0][0].revision <= revision } - 1
    guard block >= 0 else { return [] }
    let run = blocks[block].partitioned { $0[0].revision <= revision } - 1
    let index = blocks[block][run].partitioned { $0.revision < revision }
    guard index < blocks[block][run].count, blocks[block][run][index].revision == revision else {
      return []
    }
    var steps: [PastRevision] = []
    var first = (run: run, index: index)
    for block in blocks[block...] {
      for run in block[first.run...] {
        for past in run[first.index...] {
          steps.append(past)
          if case .snapshot = past.content { return steps }
        }
        first.index = 0
      }
      first.run = 0
    }
    return steps
  }

  /// Appends a revision, whatever its size, and drops the oldest ones that exceed the budget.
  ///
  /// - Complexity: O(1) amortized if the history is not shared; else O(*h* / 1024), where *h* is
  ///   the number of kept revisions.
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

  /// Drops the oldest revisions until the others are within a budget of bytes.
  ///
  /// - Complexity: O(1) amortized for each dropped revision.
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
  /// Returns the number of elements at the start that satisfy a condition. No later element
  /// satisfies it.
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

    /// The revision in terms of the next newer one, which was made by edits or is a snapshot.
    case edits(PackedStep)
    indirect case step(SnapshotStep)

    /// The snapshot, if the revision is kept as one.
    var snapshot: Snapshot? {
      if case .snapshot(let snapshot) = self { snapshot } else { nil }
    }
  }

  /// The memory, in bytes, that a revision takes beside its content.
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
