import ListDiff

extension ListStore {
  /// The number of identifiers below which the table is not swept.
  private static let smallestTable = 1 << 14

  /// The size, in bytes, below which the table is not swept because of its size.
  private static let smallestSize = 1 << 25

  /// The number of identifiers that are visited for each request during a sweep, and more for each
  /// identifier that it has added.
  private static let visits = 512
  private static let visitsOfAddition = 8

  /// The number that is visited for each request if the table is always swept.
  private static let fewVisits = 8

  /// Continues a sweep of the identifier table, or begins one if the number or the size of its
  /// identifiers has doubled since most of them were in use.
  ///
  /// The caller must not hold keys that are not in a list.
  ///
  /// - Complexity: O(*k*), where *k* is the number of added identifiers; O(*n*) if the size of the
  ///   identifiers has doubled or the table is full, where *n* is the size of all kept snapshots.
  ///   The first edit of a tree after a sweep has begun copies a few bytes for each item, because
  ///   the sweep still has the tree.
  package mutating func sweepIfGrown() {
    // The value of an item without an identifier is interned, and may have any size.
    let isLarge = ids.size > max(Self.smallestSize, 2 * liveIDBytes)
    if isLarge || ids.overflow != nil { return sweep() }
    if ids.isSwept {
      let added = ids.additions - sweptAdditions
      sweptAdditions = ids.additions
      let visits = isAlwaysSwept ? Self.fewVisits : Self.visits
      return continueSweep(visits + added * Self.visitsOfAddition)
    }
    if isAlwaysSwept { return beginSweep() }
    guard ids.count > max(Self.smallestTable, 2 * liveIDs) else { return }
    let present = lists.values.reduce(0) { $0 + (summary(of: $1.name)?.items ?? 0) }
    guard ids.count > 2 * present else {
      // Most identifiers are in use. Check again when the table has doubled.
      liveIDs = present
      return
    }
    beginSweep()
  }

  /// Removes the identifiers that no list uses, and joins the bytes of the others. The caller must
  /// not hold keys that are not in a list.
  ///
  /// - Complexity: O(*n*), where *n* is the size of all kept snapshots.
  package mutating func sweep() {
    beginSweep()
    _ = unmarked.mark(.max, in: &ids)
    let live = ids.marks!.keys
    ids.sweep { live.contains(Int($0)) }
    liveIDs = ids.count
    liveIDBytes = ids.size
  }

  /// Begins to remove the identifiers that no list uses.
  ///
  /// The content that the lists have now is kept until its identifiers are marked. A key that is
  /// added to a list later is in that content or was interned later, and is kept, too.
  package mutating func beginSweep() {
    finishEdits()
    unmarked = UnmarkedContent(of: lists.values)
    ids.beginSweep()
    sweptAdditions = ids.additions
  }

  /// Visits about `visits` identifiers: first to mark those in use, then to release the others.
  package mutating func continueSweep(_ visits: Int) {
    let rest = unmarked.mark(visits, in: &ids)
    guard rest > 0 else { return }
    ids.releaseUnmarked(amongNext: rest)
    if ids.isSwept { return }
    liveIDs = ids.count
    #if DEBUG
      ids.checkInvariants()
    #endif
  }
}
