/// Compares each snapshot of a flat list with the one before, and keeps what it knows of the ids.
///
/// `init(from:to:moves:)` hashes the ids of both lists where rows move. A differ that stays
/// with the list knows those of the old one.
///
/// ```swift
/// var differ = ListDiffer(mails)
/// let changes = differ.update(from: mails, to: newMails)
/// mails = newMails
/// ```
public struct ListDiffer<ID: Hashable>: ~Copyable {
  /// The ids of the present snapshot.
  public var ids: [ID] { Array(present) }

  private var present: ContiguousArray<ID> = []
  /// The key of each id that has been seen; those of the present snapshot while `isKeyed`.
  private var keyOfID: [ID: UInt32] = [:]
  private var rows = Arrangement(sections: [0], starts: [0, 0])
  private var isKeyed = false
  /// By key the last update that saw it.
  private var seen: [Int32] = []
  private var turn: Int32 = 0
  private var engine = DiffEngine()

  /// Makes a differ for an empty list.
  public init() {}

  /// Makes a differ for a list with these items.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  public init<List: Collection>(_ list: List)
  where List.Element: Identifiable, List.Element.ID == ID {
    present = ContiguousArray(list.map(\.id))
  }

  /// Finds the change from the present snapshot to another, which becomes the present one.
  ///
  /// `old` is the list with which the differ was last updated. It has its contents, and the differ
  /// has its ids. The result is that of `init(from:to:moves:)`.
  ///
  /// - Precondition: `old` is as long as the present snapshot; a debug build compares the ids.
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items of both lists and *r* the
  ///   number of runs of items that stand in another order; O(*n* log *n*) where ids repeat. Only ids
  ///   that are not where they were expected are hashed, and each once.
  public mutating func update<Old: Collection, New: Collection>(
    from old: Old, to new: New, moves: Bool = true
  ) -> Changes
  where
    Old.Element == New.Element, Old.Element: Identifiable & Equatable, Old.Element.ID == ID
  {
    let old = ContiguousArray(old)
    let new = ContiguousArray(new)
    assert(old.map(\.id).elementsEqual(present), "not the list of the last update")
    return update(to: new.map(\.id), moves: moves, oldCount: old.count) { old[$0] == new[$1] }
  }

  /// Finds the change from the present snapshot to one with these ids, which becomes the present one.
  ///
  /// `sameContent` is called with the old and the new row of each item that both have.
  ///
  /// ```swift
  /// let changes = differ.update(to: newMails.map(\.id)) { mails[$0] == newMails[$1] }
  /// ```
  ///
  /// - Complexity: As of ``update(from:to:moves:)``.
  public mutating func update<New: Collection<ID>>(
    to new: New, moves: Bool = true, sameContent: (_ old: Int, _ new: Int) -> Bool
  ) -> Changes {
    update(to: Array(new), moves: moves, oldCount: present.count, sameContent)
  }

  private mutating func update(
    to new: [ID], moves: Bool, oldCount: Int, _ isSame: (Int, Int) -> Bool
  ) -> Changes {
    precondition(oldCount == present.count, "not the list of the last update")
    let old = present
    let new = ContiguousArray(new)
    present = new
    var alignment = Alignment()
    alignment.align(old.span, new.span, id: { $0 }, isSame: { _, _ in true })
    if alignment.isInOrder(CollectionOfOne(old), CollectionOfOne(new), by: ValueRule()) {
      alignment.forEachPair(oldCount: old.count) { old, new in
        if !isSame(old, new) { alignment.changedRows.append(Int32(truncatingIfNeeded: new)) }
      }
      if isWorn { isKeyed = false }
      if isKeyed { replaceKeys(alignment, new) }
      return Changes(alignment, oldCount: old.count, newCount: new.count)
    }
    if !isKeyed || isWorn { key(old) }
    let before = rows
    replaceKeys(alignment, new)
    engine.match(before, rows, universe: seen.count)
    engine.findMoves(oldStarts: before.starts, newStarts: rows.starts)
    if !moves { engine.dissolveMoves(oldStarts: before.starts, newStarts: rows.starts) }
    var stages = engine.structuralStages(oldStarts: before.starts, newStarts: rows.starts)
    let contents = engine.contentStage(newStarts: rows.starts) { _, _ in
      .none
    } row: {
      isSame($0, $1) ? .none : .reconfigure
    }
    if !contents.ops.isEmpty { stages.append(contents) }
    return Changes(
      stages: stages, rowCounts: engine.movement.rowCounts, oldRows: .flat(old.count),
      newRows: .flat(new.count))
  }

  /// Whether ids that are not in the list any more have left too many keys behind.
  private var isWorn: Bool { seen.count > 4 * present.count + 1_024 || turn == .max }

  /// Gives all ids keys.
  private mutating func key(_ ids: ContiguousArray<ID>) {
    keyOfID = Dictionary(minimumCapacity: ids.count)
    seen = []
    rows.rows = []
    rows.hasRepeats = false
    turn = 1
    for id in ids { append(keyOf(id)) }
    rows.starts = [0, Int32(truncatingIfNeeded: ids.count)]
    isKeyed = true
  }

  private mutating func keyOf(_ id: ID) -> UInt32 {
    let next = UInt32(truncatingIfNeeded: seen.count)
    if let key = keyOfID[id] { return key }
    keyOfID[id] = next
    seen.append(0)
    return next
  }

  private mutating func append(_ key: UInt32) {
    if seen[Int(key)] == turn { rows.hasRepeats = true }
    seen[Int(key)] = turn
    rows.rows.append(key)
  }

  /// Makes the keys of the new ids, from those of the old ones where these are aligned.
  private mutating func replaceKeys(_ alignment: Alignment, _ new: ContiguousArray<ID>) {
    let old = rows.rows
    turn += 1
    rows.rows = []
    rows.rows.reserveCapacity(new.count)
    rows.hasRepeats = false
    var next = (old: 0, new: 0)
    func copy(upTo end: Int, _ differ: inout ListDiffer) {
      for offset in 0..<end - next.new { differ.append(old[next.old + offset]) }
      next = (next.old + end - next.new, end)
    }
    for gap in alignment.gaps {
      copy(upTo: Int(gap.new), &self)
      for row in Int(gap.new)..<Int(gap.new + gap.newCount) { append(keyOf(new[row])) }
      next = (Int(gap.old + gap.oldCount), Int(gap.new + gap.newCount))
    }
    copy(upTo: new.count, &self)
    rows.starts = [0, Int32(truncatingIfNeeded: new.count)]
  }
}
