/// A row that comparing neighbours has not aligned.
@frozen @usableFromInline
struct UnalignedRow: BitwiseCopyable {
  /// The hash of its id.
  @usableFromInline let hash: UInt64

  /// Its flat index.
  @usableFromInline let row: Int32

  /// The flat index of its partner in the other list, or -1.
  @usableFromInline var partner: Int32 = -1

  @_transparent @usableFromInline
  init(hash: UInt64, row: Int) {
    self.hash = hash
    self.row = Int32(truncatingIfNeeded: row)
  }
}

/// The rows of two lists that are not aligned, and how they are paired.
///
/// It works on hashes only: its user, the code that is specialized for the type of the items, hashes the
/// ids of ``range(_:)`` as long as it ``needsHashes``, compares the pairs of ``pairedRange(from:)``,
/// and gets the change from ``changes(changedRows:moves:)``. All that it calls is mutating, because other
/// calls copy the value in debug builds.
@usableFromInline
struct UnalignedRows: ~Copyable {
  private var alignment: Alignment
  private let partners: SectionPartners
  private let changedSections: [Int]
  private let oldRows: ListShape
  private let newRows: ListShape
  private let oldCount: Int
  private let newCount: Int
  /// Whether the aligned old rows matter, and whether all pairs are known.
  private var readsAligned: Bool
  private var isDone: Bool

  /// The old rows that are not aligned, then the new ones, then the aligned old ones if they matter.
  private var rows: [UnalignedRow]
  @usableFromInline var pairedRows: [UnalignedRow] { mutating get { rows } }

  /// The ranges of the aligned old rows; empty if the lists are flat.
  private var alignedRanges: [HashedRange]

  /// Whether ids are hashed by their own hash, because strings may be equal without having the same
  /// bytes.
  private var usesOwn: Bool
  @usableFromInline var usesOwnHashes: Bool { mutating get { usesOwn } }

  /// Whether pairs have equal hashes, so that their ids must be compared.
  private var mayCollide: Bool
  @usableFromInline var checksIDs: Bool { mutating get { mayCollide } }

  private var isInOrder: Bool
  private var paired: PairedRows
  private var table: RowTable
  private var pairing: Pairing?

  @usableFromInline
  init(
    _ alignment: Alignment, _ rest: (old: Int, new: Int), _ partners: SectionPartners,
    changedSections: [Int], oldRows: ListShape, newRows: ListShape
  ) {
    self.alignment = alignment
    self.partners = partners
    self.changedSections = changedSections
    self.oldRows = oldRows
    self.newRows = newRows
    (oldCount, newCount) = rest
    paired = PairedRows(old: oldCount, new: newCount)
    (readsAligned, isDone) = (false, oldCount + newCount == 0)
    (rows, alignedRanges) = ([], [])
    (usesOwn, mayCollide, isInOrder) = (false, true, false)
    table = RowTable()
    pairing = nil
  }

  // MARK: Hashes

  /// Whether ids must be hashed: those of all ranges, in order.
  @usableFromInline var needsHashes: Bool { mutating get { !isDone } }

  @usableFromInline var rangeCount: Int {
    mutating get {
      if !readsAligned { return 2 * alignment.gaps.count }
      return alignedRanges.count == 0 ? alignment.gaps.count + 1 : alignedRanges.count
    }
  }

  /// The number of rows in all ranges.
  @usableFromInline var rowCount: Int {
    mutating get { readsAligned ? oldRows.count - oldCount : oldCount + newCount }
  }

  @usableFromInline
  mutating func range(_ index: Int) -> HashedRange {
    if readsAligned {
      return alignedRanges.count == 0 ? alignedRange(index) : alignedRanges[index]
    }
    let isNew = index >= alignment.gaps.count
    let gap = alignment.gaps[isNew ? index - alignment.gaps.count : index]
    let section = Int(isNew ? gap.newSection : gap.oldSection)
    let start = Int(isNew ? gap.new : gap.old)
    let count = Int(isNew ? gap.newCount : gap.oldCount)
    var offset = 0
    if count > 0 {
      offset = isNew ? newRows.start(ofSection: section) : oldRows.start(ofSection: section)
    }
    return (isNew, max(section, 0), start, start + count, offset)
  }

  /// Returns a range of aligned old rows of a flat list: those before, between and after the gaps.
  private mutating func alignedRange(_ index: Int) -> HashedRange {
    let gaps = alignment.gaps
    return (
      false, 0, index == 0 ? 0 : Int(gaps[index - 1].oldEnd),
      index == gaps.count ? oldRows.count : Int(gaps[index].old), 0
    )
  }

  /// Finds the ranges of the aligned old rows, which are hashed next.
  private mutating func collectAlignedRanges() {
    readsAligned = true
    if oldRows.count == oldCount { return pairAll() }
    if case .flat = oldRows, case .flat = newRows { return }
    var ranges: [HashedRange] = []
    alignment.forEachRun(partners, oldRows, newRows) { [oldRows] old, _, count in
      let section = oldRows.section(ofRow: old)
      let offset = oldRows.start(ofSection: section)
      ranges.append((false, section, old - offset, old - offset + count, offset))
    }
    alignedRanges = ranges
  }

  // MARK: Pairs

  /// Returns the rows so far, with memory for those that are appended next.
  @usableFromInline
  mutating func takeRows() -> [UnalignedRow] {
    var result: [UnalignedRow] = []
    if !readsAligned {
      let aligned = oldRows.count - oldCount
      result.reserveCapacity(oldCount + newCount + (aligned <= 256 ? aligned : 0))
    } else {
      swap(&result, &rows)
    }
    return result
  }

  /// Pairs rows by the hashes of all ranges. `isPlain` is whether equal ids have equal hashes.
  @usableFromInline
  mutating func pair(_ hashed: inout [UnalignedRow], isPlain: Bool) {
    swap(&rows, &hashed)
    if !isPlain {
      usesOwn = true
      restart()
    } else if readsAligned {
      pairAll()
    } else if hasNoCommonHash() {
      isInOrder = true
      isDone = true
    } else if mayBeFew() || pairByTable() {
      collectAlignedRanges()
    } else {
      finish()
    }
  }

  private mutating func restart() {
    readsAligned = false
    alignedRanges = []
    pairing = nil
  }

  /// Returns whether no row of a gap has the hash of a row in another gap, so that nothing moves. Returns false
  /// without a check if that would take more than 256 comparisons.
  private mutating func hasNoCommonHash() -> Bool {
    guard partners.areKeptInOrder, oldCount <= 256, newCount <= 256, oldCount &* newCount <= 256
    else { return false }
    let rows = rows.view
    var new = oldCount
    while new < oldCount &+ newCount {
      let hash = rows[new].hash
      var old = 0
      while old < oldCount {
        if rows[old].hash == hash { return false }
        old &+= 1
      }
      new &+= 1
    }
    return true
  }

  /// Returns whether all rows can be compared with each other.
  private mutating func mayBeFew() -> Bool {
    let aligned = oldRows.count - oldCount
    return oldCount <= 24 && newCount <= 24 && aligned <= 288
      && oldCount * newCount + (oldCount + newCount) * aligned <= 600
  }

  /// Pairs the rows that are not aligned. Returns whether other pairs may be better.
  private mutating func pairByTable() -> Bool {
    // With a deleted section its rows are deleted, too, and with an inserted one its rows are inserted.
    let hasUnpairedSections = partners.toNew.contains(-1) || partners.toOld.contains(-1)
    guard oldCount > 0 && newCount > 0 || hasUnpairedSections else { return false }
    table = RowTable(capacity: oldCount + newCount)
    let pairs = table.pair(&rows, old: oldCount, new: newCount)
    paired.pairs = pairs ?? -1
    return pairs != 0 || hasUnpairedSections
  }

  private mutating func finish() {
    isDone = true
    // What comes next takes the memory of the table.
    table = RowTable()
  }

  /// Pairs the rows with all hashes that matter. An id that only aligned rows have occurs on both sides in the
  /// same rows and order, so it may repeat. If one of the unaligned rows has it, other pairs may need fewer
  /// moves.
  private mutating func pairAll() {
    let others = oldCount + newCount
    let isPaired =
      mayBeFew()
      ? paired.pairFewDistinct(&rows)
      : paired.pairs >= 0 && !table.contains(anyOf: &rows, from: others)
    finish()
    if isPaired
      || paired.pairFewRepeats(
        &rows, &alignment, partners, oldShape: oldRows, newShape: newRows)
    {
      return
    }
    let own = makePairing()
    own.pairRepeats(&rows, old: oldCount, new: newCount, alignment, partners)
    compareAll(own.rowsToOld)
    pairing = own
  }

  private func makePairing() -> Pairing {
    Pairing(oldRows, newRows, partners, changedSections: changedSections)
  }

  /// Lists all pairs to be compared.
  private mutating func compareAll(_ partners: [Int32]) {
    rows.removeAll(keepingCapacity: true)
    rows.append(atMost: partners.count) { rows in
      let partners = partners.view
      var count = 0
      var row = 0
      while row < partners.count {
        if partners[row] >= 0 {
          rows[count] = UnalignedRow(hash: 0, row: row)
          rows[count].partner = partners[row]
          count &+= 1
        }
        row &+= 1
      }
      return count
    }
    paired = PairedRows(old: 0, new: rows.count)
  }

  /// Pairs all items again by keys that do not rely on hashes.
  @usableFromInline
  mutating func pairExactly(_ oldKeys: [UInt32], _ newKeys: [UInt32], keys: Int) {
    let own = makePairing()
    own.pairRepeats(oldKeys, newKeys, keys: keys)
    compareAll(own.rowsToOld)
    pairing = own
    mayCollide = false
  }

  /// Pairs the rows of flat lists by their keys, which do not repeat. `positions` has an element for each key.
  mutating func pairDistinct(
    _ oldKeys: [UInt32], _ newKeys: [UInt32], positions: inout [Int32]
  ) {
    let gaps = alignment.gaps
    var all = takeRows()
    all.append(addingCapacity: oldCount + newCount) { rows in
      let (oldKeys, newKeys) = (oldKeys.view, newKeys.view)
      var positions = positions.mutableView
      for gap in gaps {
        for row in Int(gap.old)..<Int(gap.oldEnd) {
          positions[Int(oldKeys[row])] = Int32(truncatingIfNeeded: rows.count)
          rows.append(UnalignedRow(hash: UInt64(oldKeys[row]), row: row))
        }
      }
      for gap in gaps {
        for row in Int(gap.new)..<Int(gap.new &+ gap.newCount) {
          rows.append(UnalignedRow(hash: UInt64(newKeys[row]), row: row))
        }
      }
    }
    let old = oldCount
    var pairs = 0
    var view = all.mutableView
    let positions = positions.view
    for row in old..<view.count {
      // The position may be one of an earlier update.
      let other = Int(positions[Int(view[row].hash)])
      if other >= old || view[other].hash != view[row].hash { continue }
      view[row].partner = view[other].row
      view[other].partner = view[row].row
      pairs &+= 1
    }
    rows = all
    paired.pairs = pairs
    isInOrder = pairs == 0
    mayCollide = false
    isDone = true
  }

  /// The index of the first pair to compare.
  @usableFromInline var firstPair: Int { mutating get { isInOrder ? rows.count : paired.old } }

  /// Returns the next rows, in order from `first` on, that are in one new section and whose
  /// partners, if any, are in one old section; `nil` if no further row has a partner.
  @usableFromInline
  mutating func pairedRange(from first: Int) -> PairedRange? {
    let end = paired.old + paired.new
    if case .flat = oldRows, case .flat = newRows {
      return first < end
        ? (first, end, 0, 0, 0, 0) : nil
    }
    let rows = rows.view
    var index = first
    while index < end, rows[index].partner < 0 { index += 1 }
    guard index < end else { return nil }
    let new = newRows.section(ofRow: Int(rows[index].row))
    let own = newRows.rows(ofSection: new)
    let old = oldRows.section(ofRow: Int(rows[index].partner))
    let home = oldRows.rows(ofSection: old)
    let start = index
    while index < end, own.contains(Int(rows[index].row)) {
      let partner = Int(rows[index].partner)
      if partner >= 0, !home.contains(partner) { break }
      index += 1
    }
    return (start, index, old, home.lowerBound, new, own.lowerBound)
  }

  /// Calls `body` with each pair of rows, in any order.
  @usableFromInline
  mutating func forEachPair(_ body: (_ old: Int, _ new: Int) -> Void) {
    if pairing == nil { alignment.forEachPair(partners, oldRows, newRows, body) }
    for row in rows[firstPair..<max(firstPair, paired.old + paired.new)] where row.partner >= 0 {
      body(Int(row.partner), Int(row.row))
    }
  }

  // MARK: Result

  /// Returns the change, in which the contents of the given new rows have changed.
  @usableFromInline
  mutating func changes(changedRows: [Int32], moves: Bool) -> Changes {
    if isInOrder {
      return Changes(
        alignment, (oldCount, newCount), partners, changedSections, oldRows: oldRows,
        newRows: newRows)
    }
    var changed = changedRows
    if pairing == nil, alignment.changedRows.count > 0 { changed += alignment.changedRows }
    if changed.count > 1 { changed.sortNumbers() }
    if pairing == nil, moves, partners.areInOrder {
      let (stage, counts) = paired.stage(&rows, alignment, oldRows, newRows)
      return Changes(
        stage.asList(), counts, Counts(), changedSections, changedRows: changed, oldRows: oldRows,
        newRows: newRows)
    }
    let own = pairing ?? makePairing()
    if pairing == nil {
      own.pair(alignment, partners)
      own.pair(rows, from: paired.old, count: paired.new)
    }
    // What comes next takes the memory of the rows.
    rows = []
    own.changedRows = changed
    own.solve(moves: moves)
    return own.changes()
  }
}
