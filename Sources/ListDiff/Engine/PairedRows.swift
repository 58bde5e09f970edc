/// Rows that comparing neighbours has not aligned, with their partners in the other list: the old ones,
/// followed by the new ones.
struct PairedRows {
  var old: Int
  var new: Int

  /// The number of pairs; -1 if hashes repeat and the rows are not paired.
  var pairs = 0

  /// Returns the structural operations if both lists have the same sections in the same order, with
  /// the counts of rows that they change. Removes the rows.
  ///
  /// - Complexity: As of ``DiffEngine/findMoves(oldStarts:newStarts:)``.
  func stage(
    _ rows: inout [UnalignedRow], _ alignment: Alignment, _ oldShape: ListShape,
    _ newShape: ListShape
  ) -> (Stage, Counts) {
    var stage = Stage()
    var counts = Counts(deletes: old &- pairs, inserts: new &- pairs)
    if counts.deletes > 0 {
      Self.appendUnpaired(rows, alignment.gaps, from: 0, areNew: false, to: &stage)
    }
    if counts.inserts > 0 {
      Self.appendUnpaired(rows, alignment.gaps, from: old, areNew: true, to: &stage)
    }
    var section = SectionRuns()
    var increasing = IncreasingSubsequence()
    var gaps = 0..<0
    var row = old
    while gaps.upperBound < alignment.gaps.count {
      section.begin(alignment.gaps, &gaps, oldShape, newShape)
      row = section.collect(rows, from: row, alignment.gaps, gaps, oldShape)
      // What comes next takes the memory of the rows.
      if gaps.upperBound == alignment.gaps.count { rows = [] }
      counts.moves &+= section.appendMoves(to: &stage, &increasing, oldShape)
    }
    return (stage, counts)
  }

  /// Appends deletions or, if they `areNew`, insertions of the rows without a partner.
  private static func appendUnpaired(
    _ rows: [UnalignedRow], _ gaps: [AlignmentGap], from start: Int, areNew: Bool,
    to stage: inout Stage
  ) {
    let rows = rows.view
    let gaps = gaps.view
    var next = start
    var gap = 0
    while gap < gaps.count {
      let section = Int(areNew ? gaps[gap].newSection : gaps[gap].oldSection)
      var row = Int(areNew ? gaps[gap].new : gaps[gap].old)
      let end = next &+ Int(areNew ? gaps[gap].newCount : gaps[gap].oldCount)
      gap &+= 1
      while next < end {
        let first = next
        while next < end, rows[next].partner >= 0 { next &+= 1 }
        row &+= next &- first
        if next == end { break }
        let start = next
        while next < end, rows[next].partner < 0 { next &+= 1 }
        let at = ListPath(section: section, row: row)
        let length = next &- start
        stage.ops.append(
          areNew ? .insertItems(at: at, count: length) : .deleteItems(at: at, count: length))
        row &+= length
      }
    }
  }
}

/// The rows of a section that were in the old list, as maximal runs in their new order.
private struct SectionRuns: ~Copyable {
  private var section = 0
  /// The old and the new rows of the section.
  private var home = 0..<0
  private var own = 0..<0

  /// The runs of rows that were in the section before, in memory for more of them, the number of these rows, and
  /// whether they are in their old order.
  private var runs: [MatchedRun] = []
  private var runCount = 0
  private var rows = 0
  private var isInOrder = true
  /// The runs of rows from other sections.
  private var arrivals: [MovedRun] = []

  /// Begins with the section of the gap after a range, which becomes the range of all gaps of the section.
  mutating func begin(
    _ gaps: [AlignmentGap], _ range: inout Range<Int>, _ oldShape: ListShape, _ newShape: ListShape
  ) {
    let first = range.upperBound
    section = Int(gaps[first].newSection)
    home = oldShape.rows(ofSection: section)
    own = newShape.rows(ofSection: section)
    // Each gap and each new row begins a run at most, and so does the end.
    var end = first
    var limit = 1
    while end < gaps.count, Int(gaps[end].newSection) == section {
      limit &+= 1 &+ Int(gaps[end].newCount)
      end &+= 1
    }
    range = first..<end
    runs.fill(limit, with: MatchedRun())
    if arrivals.count > 0 { arrivals.removeAll(keepingCapacity: true) }
  }

  /// Collects the runs from the rows of the section's gaps and the aligned rows between them. Returns the index
  /// after the former.
  mutating func collect(
    _ rows: [UnalignedRow], from start: Int, _ gaps: [AlignmentGap], _ range: Range<Int>,
    _ oldShape: ListShape
  ) -> Int {
    let rows = rows.view
    let gaps = gaps.view
    let (first, end) = (home.lowerBound, home.upperBound)
    var memory: [MatchedRun] = []
    swap(&memory, &runs)
    var runs = RunWriter(memory: memory.mutableView)
    var next = start
    var (old, new) = (first, own.lowerBound)
    var gap = range.lowerBound
    while gap < range.upperBound {
      let start = own.lowerBound &+ Int(gaps[gap].new)
      if start > new { runs.append(old: old, new: new, count: start &- new) }
      new = start
      while new < start &+ Int(gaps[gap].newCount) {
        let partner = Int(rows[next].partner)
        if partner >= first, partner < end {
          runs.append(old: partner, new: new, count: 1)
        } else if partner >= 0 {
          arrive(partner, at: new, oldShape)
        }
        next &+= 1
        new &+= 1
      }
      old = first &+ Int(gaps[gap].oldEnd)
      gap &+= 1
    }
    if own.upperBound > new { runs.append(old: old, new: new, count: own.upperBound &- new) }
    isInOrder = runs.isInOrder
    self.rows = runs.rows
    runCount = runs.count
    swap(&memory, &self.runs)
    return next
  }

  private mutating func arrive(_ old: Int, at new: Int, _ oldShape: ListShape) {
    let from = oldShape.section(ofRow: old)
    let run = MovedRun(rows: MatchedRun(old: old, new: new, count: 1), from: from, to: section)
    if let last = arrivals.last, last.from == run.from,
      last.rows.old + last.rows.count == run.rows.old,
      last.rows.new + last.rows.count == run.rows.new
    {
      arrivals[arrivals.count - 1].rows.count += 1
    } else {
      arrivals.append(run)
    }
  }

  /// Appends moves of the runs that do not stay, and returns their number of rows.
  func appendMoves(
    to stage: inout Stage, _ increasing: inout IncreasingSubsequence, _ oldShape: ListShape
  ) -> Int {
    if isInOrder, arrivals.count == 0 { return 0 }
    let runs = runs.view.extracting(0..<runCount)
    // To compare so few takes no longer than to begin with piles.
    if !isInOrder, runs.count <= 20 {
      increasing.chooseLongest(ofFew: runs)
    } else if !isInOrder {
      increasing.chooseStationary(of: runs, rows: rows, home: home)
    }
    let most = arrivals.count + (isInOrder ? 0 : runs.count - increasing.chosenCount)
    let marks = increasing.marks
    let arrivals = arrivals.view
    let (section, home, own) = (section, home.lowerBound, own.lowerBound)
    let isInOrder = isInOrder
    var moves = 0
    stage.ops.append(addingCapacity: most) { ops in
      var arrival = 0
      var nextArrival = arrivals.count > 0 ? arrivals[0].rows.new : .max
      var index = isInOrder ? runs.count : 0
      while true {
        let run = index < runs.count ? runs[index] : MatchedRun(new: Int(Int32.max))
        if run.new >= nextArrival {
          if nextArrival == .max { break }
          let from = Int(arrivals[arrival].from)
          let run = arrivals[arrival].rows
          ops.append(run.move(from, oldShape.start(ofSection: from), to: section, own))
          moves &+= Int(run.count)
          arrival &+= 1
          nextArrival = arrival < arrivals.count ? arrivals[arrival].rows.new : .max
        } else {
          if marks[index] != IncreasingSubsequence.chosen {
            ops.append(run.move(section, home, to: section, own))
            moves &+= Int(run.count)
          }
          index &+= 1
        }
      }
    }
    return moves
  }
}

/// Writes rows as maximal runs.
private struct RunWriter: ~Escapable {
  private var memory: MutableArrayView<MatchedRun>
  private(set) var count = 0

  /// The old and the new row after the last run.
  private var old = -1
  private var new = -1

  /// The number of rows in all runs.
  private(set) var rows = 0
  private(set) var isInOrder = true

  @_lifetime(copy memory)
  init(memory: consuming MutableArrayView<MatchedRun>) { self.memory = memory }

  /// Appends rows to the last run if they continue it, else as a run.
  @_lifetime(self: copy self)
  @inline(__always)
  mutating func append(old: Int, new: Int, count added: Int) {
    rows &+= added
    if self.old == old, self.new == new {
      memory[count &- 1].count &+= Int32(truncatingIfNeeded: added)
    } else {
      if self.old > old { isInOrder = false }
      memory[count] = MatchedRun(old: old, new: new, count: added)
      count &+= 1
    }
    self.old = old &+ added
    self.new = new &+ added
  }
}

extension MatchedRun {
  /// Returns the move of the rows between sections, which are given with their first rows.
  @inline(__always)
  fileprivate func move(_ from: Int, _ old: Int, to: Int, _ new: Int) -> Op {
    .moveItems(
      from: ListPath(section: from, row: Int(self.old) &- old),
      to: ListPath(section: to, row: Int(self.new) &- new), count: Int(count))
  }
}
