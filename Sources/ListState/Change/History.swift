/// The revisions of a list before the current one, within a budget of bytes.
///
/// The newest revisions are a linked list and the others in short runs, so that copies of a history
/// share nearly all of it, and appending to a shared history copies little.
package struct History: Sendable {
  private typealias Run = [PastRevision]

  /// The newest revision and those before it.
  private indirect enum Newest: Sendable {
    case none
    case revision(PastRevision, before: Newest)
  }

  /// The number of revisions in a run, of which the first ones may be dropped.
  private static let width = 32

  /// Runs of revisions, oldest first. None of them is empty.
  private var runs: [Run] = []

  /// The revisions after those in ``runs``, fewer than in a run.
  private var last = Newest.none
  private var lastCount = 0
  private var bytes = 0

  /// The oldest revision that is kept.
  package var oldest: Int? { runs.first?[0].revision ?? lastRun.first?.revision }

  /// The memory that the newest revision takes, in bytes; `nil` if none is kept.
  var newestFootprint: Int? {
    if case .revision(let newest, _) = last { newest.footprint } else { runs.last?.last?.footprint }
  }

  /// All revisions, oldest first.
  package var revisions: some Sequence<PastRevision> { (runs + [lastRun]).joined() }

  /// The number of ``revisions(ofRun:)``.
  var runCount: Int { runs.count + 1 }

  /// Returns some consecutive revisions, oldest first.
  func revisions(ofRun index: Int) -> [PastRevision] { index < runs.count ? runs[index] : lastRun }

  /// The memory that the revisions take, in bytes.
  package var footprint: Int { bytes }

  /// Returns a revision and the revisions after it, up to the first one that is kept as a snapshot.
  /// Returns an empty array if the revision is not kept.
  ///
  /// - Complexity: O(log *h* + *k*), where *h* is the number of kept revisions and *k* the number
  ///   of those returned.
  func steps(backTo revision: Int) -> [PastRevision] {
    let run = max(0, runs.partitioned { $0[0].revision <= revision } - 1)
    var steps: [PastRevision] = []
    for past in (runs[run...] + [lastRun]).joined() where past.revision >= revision {
      if steps.isEmpty, past.revision > revision { break }
      steps.append(past)
      if case .snapshot = past.content { break }
    }
    return steps
  }

  /// Appends a revision, whatever its size, and drops the oldest ones that exceed the budget.
  ///
  /// - Complexity: O(1) amortized if the history is not shared; else O(*h* / 1024), where *h* is
  ///   the number of kept revisions.
  mutating func append(_ past: PastRevision, within budget: Int) {
    last = .revision(past, before: last)
    lastCount += 1
    if lastCount == Self.width { endRun() }
    bytes += past.footprint
    while bytes > budget, oldest != past.revision { removeFirst() }
  }

  /// Drops the oldest revisions until the others are within a budget of bytes.
  ///
  /// - Complexity: O(1) amortized for each dropped revision.
  mutating func trim(to budget: Int) {
    while bytes > budget, oldest != nil { removeFirst() }
  }

  private mutating func removeFirst() {
    if runs.isEmpty { endRun() }
    bytes -= runs[0][0].footprint
    if runs[0].count > 1 { runs[0].removeFirst() } else { runs.removeFirst() }
  }

  /// Makes the revisions in ``last`` a run.
  private mutating func endRun() {
    runs.append(lastRun)
    last = .none
    lastCount = 0
  }

  /// The revisions in ``last``, oldest first.
  private var lastRun: Run {
    var run: Run = []
    run.reserveCapacity(lastCount)
    var rest = last
    while case .revision(let past, let before) = rest {
      run.append(past)
      rest = before
    }
    run.reverse()
    return run
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

    /// The revision in terms of the next newer one.
    case step(PackedStep)

    /// The snapshot, if the revision is kept as one.
    var snapshot: Snapshot? {
      if case .snapshot(let snapshot) = self { snapshot } else { nil }
    }
  }

  /// The memory, in bytes, that a revision takes beside its snapshot.
  package static let overhead = MemoryLayout<PastRevision>.stride + 56

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
      case .step(let step): step.footprint + MemoryLayout<PastRevision>.stride
      }
  }
}
