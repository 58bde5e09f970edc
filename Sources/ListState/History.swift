/// The revisions of a list before the current one, within a number of bytes.
///
/// They are in short runs, so that the copies that a list's copies have of it share all but the
/// last, and keeping one more copies few.
package struct History: Sendable {
  private static let runLength = 64

  /// Runs of revisions, none of them empty, oldest first.
  private var runs: [[PastRevision]] = []
  private var bytes = 0

  /// The oldest revision that is kept.
  package var oldest: Int? { runs.first?.first?.revision }

  /// All of them, oldest first.
  package var revisions: some Sequence<PastRevision> { runs.joined() }

  /// The memory that they take, in bytes.
  package var footprint: Int { bytes }

  /// A revision and those after it up to one that is told by itself; empty where it is not kept.
  ///
  /// - Complexity: O(log *h* + *k*), where *h* is the number of revisions that are kept and *k* that
  ///   of those returned.
  func way(backTo revision: Int) -> [PastRevision] {
    let first = runs.partitioned { $0[0].revision <= revision } - 1
    guard first >= 0 else { return [] }
    let place = runs[first].partitioned { $0.revision < revision }
    guard place < runs[first].count, runs[first][place].revision == revision else { return [] }
    var way: [PastRevision] = []
    for run in [runs[first][place...]] + runs[(first + 1)...].map({ $0[...] }) {
      for past in run {
        way.append(past)
        guard case .step = past.content else { return way }
      }
    }
    return way
  }

  /// Keeps one more, whatever its size, and those before it as long as there is room.
  ///
  /// - Complexity: O(1) amortized where nobody else has a copy; else O(*h* / 64), where *h* is the
  ///   number of revisions that are kept.
  mutating func append(_ past: PastRevision, within budget: Int) {
    if let last = runs.indices.last, runs[last].count < Self.runLength {
      runs[last].append(past)
    } else {
      runs.append([past])
    }
    bytes += past.footprint
    while bytes > budget, runs[0][0].revision != past.revision {
      bytes -= runs[0][0].footprint
      if runs[0].count == 1 { runs.removeFirst() } else { runs[0].removeFirst() }
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
    case snapshot(Snapshot)
    case draft(Draft)

    /// Told from the next newer revision.
    case step(SnapshotStep)

    /// The snapshot, put together where it is in pieces; `nil` where it is told from another.
    var snapshot: Snapshot? {
      switch self {
      case .snapshot(let snapshot): snapshot
      case .draft(let draft): draft.snapshot()
      case .step: nil
      }
    }
  }

  package let revision: Int
  let content: Content

  /// The memory that the revision keeps alive, in bytes.
  package let footprint: Int

  init(revision: Int, content: Content) {
    self.revision = revision
    self.content = content
    footprint =
      switch content {
      case .snapshot(let snapshot): snapshot.footprint
      // Its first source is that of the revisions around it.
      case .draft(let draft): draft.footprint
      case .step(let step): step.footprint
      }
  }
}
