/// Compares each snapshot of a flat list with the previous one and keeps the ids between updates.
///
/// `init(from:to:moves:)` hashes the ids of both lists if rows move. A differ that is kept with the
/// list already has those of the old one.
///
/// ```swift
/// var differ = ListDiffer(mails)
/// let changes = differ.update(from: mails, to: newMails)
/// mails = newMails
/// ```
public struct ListDiffer<ID: Hashable>: ~Copyable {
  /// The ids of the current snapshot.
  public var ids: [ID] { Array(present) }

  private var present: ContiguousArray<ID> = []
  /// The key of each id that has been seen. If `hasKeys` is true, every id of the current snapshot
  /// has one.
  private var keyOfID: [ID: UInt32] = [:]
  private var rows = Arrangement(sections: [0], starts: [0, 0])
  private var hasKeys = false
  /// By key, the generation of the last update that contained it.
  private var seen: [Int32] = []
  private var generation: Int32 = 0
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

  /// Finds the change from the current snapshot to another, which becomes the current one.
  ///
  /// `old` is the list of the last update: it supplies the contents, the differ supplies the ids.
  /// The result is that of `init(from:to:moves:)`.
  ///
  /// - Precondition: `old` has as many items as the current snapshot. A debug build also compares
  ///   the ids.
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items of both lists and *r* the
  ///   number of runs of items that are out of order; O(*n* log *n*) if ids repeat. Only ids that
  ///   are not at their expected index are hashed, each once.
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

  /// Finds the change from the current snapshot to one with these ids, which becomes the current
  /// one.
  ///
  /// `sameContent` is called with the old and the new row of each kept item.
  ///
  /// ```swift
  /// let changes = differ.update(to: newMails.map(\.id)) { mails[$0] == newMails[$1] }
  /// ```
  ///
  /// - Complexity: The same as ``update(from:to:moves:)``.
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
      if hasExcessKeys { hasKeys = false }
      if hasKeys { replaceKeys(alignment, new) }
      return Changes(alignment, oldCount: old.count, newCount: new.count)
    }
    if !hasKeys || hasExcessKeys { assignKeys(old) }
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

  /// Whether the table holds too many keys of ids that are no longer in the list.
  private var hasExcessKeys: Bool { seen.count > 4 * present.count + 1_024 || generation == .max }

  /// Assigns a key to each id.
  private mutating func assignKeys(_ ids: ContiguousArray<ID>) {
    keyOfID = Dictionary(minimumCapacity: ids.count)
    seen = []
    rows.rows = []
    rows.hasRepeats = false
    generation = 1
    for id in ids { append(keyOf(id)) }
    rows.starts = [0, Int32(truncatingIfNeeded: ids.count)]
    hasKeys = true
  }

  private mutating func keyOf(_ id: ID) -> UInt32 {
    let next = UInt32(truncatingIfNeeded: seen.count)
    if let key = keyOfID[id] { return key }
    keyOfID[id] = next
    seen.append(0)
    return next
  }

  private mutating func append(_ key: UInt32) {
    if seen[Int(key)] == generation { rows.hasRepeats = true }
    seen[Int(key)] = generation
    rows.rows.append(key)
  }

  /// Replaces the keys by those of the new ids, reusing the old keys of aligned rows.
  private mutating func replaceKeys(_ alignment: Alignment, _ new: ContiguousArray<ID>) {
    let old = rows.rows
    generation += 1
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
