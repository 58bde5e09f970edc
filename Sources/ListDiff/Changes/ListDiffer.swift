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
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  @_alwaysEmitIntoClient public var ids: [ID] { Array(present) }

  @usableFromInline var table: IDTable<ID>
  @usableFromInline var rows: KeptRows

  /// The ids of the current snapshot as long as they have no keys.
  @usableFromInline var idsWithoutKeys: ContiguousArray<ID>

  /// Makes a differ for an empty list.
  public init() {
    table = IDTable()
    rows = KeptRows()
    idsWithoutKeys = []
  }

  /// Makes a differ for a list with these items.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  @_alwaysEmitIntoClient
  public init<List: Collection>(_ list: List)
  where List.Element: Identifiable, List.Element.ID == ID {
    self.init()
    idsWithoutKeys = ContiguousArray(list.lazy.map { $0.id })
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
  @_alwaysEmitIntoClient
  public mutating func update<Old: Collection, New: Collection>(
    from old: Old, to new: New, moves: Bool = true
  ) -> Changes
  where
    Old.Element == New.Element, Old.Element: Identifiable & Equatable, Old.Element.ID == ID
  {
    let old = ContiguousArray(old)
    let new = ContiguousArray(new)
    assert(old.lazy.map { $0.id }.elementsEqual(present), "not the list of the last update")
    return update(
      old, new, moves: moves, by: IdentifiableRule(), comparesRows: false,
      isSameRow: { _, _ in true })
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
  @_alwaysEmitIntoClient
  public mutating func update<New: Collection<ID>>(
    to new: New, moves: Bool = true, sameContent: (_ old: Int, _ new: Int) -> Bool
  ) -> Changes {
    update(
      present, ContiguousArray(new), moves: moves, by: ValueRule(), comparesRows: true,
      isSameRow: sameContent)
  }

  @_alwaysEmitIntoClient var present: ContiguousArray<ID> {
    guard rows.hasKeys else { return idsWithoutKeys }
    var ids: ContiguousArray<ID> = []
    ids.reserveCapacity(rows.keys.count)
    for key in rows.keys { ids.append(table.ids[Int(key)]) }
    return ids
  }

  /// Compares the contents of aligned rows by the rule and, if `comparesRows` is true, those of all
  /// pairs by their indices.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func update<Rule: ItemRule>(
    _ old: ContiguousArray<Rule.Item>, _ new: ContiguousArray<Rule.Item>, moves: Bool,
    by rule: Rule, comparesRows: Bool, isSameRow: (Int, Int) -> Bool
  ) -> Changes where Rule.ID == ID {
    precondition(
      old.count == (rows.hasKeys ? rows.keys.count : idsWithoutKeys.count),
      "not the list of the last update")
    var alignment = Alignment()
    alignment.align(
      old.span, new.span, id: { rule.id($0) }, isSame: { rule.isSame($0, $1) })
    var changes: Changes
    if alignment.isInOrder(old, new, by: rule) {
      if comparesRows {
        alignment.forEachPair(SectionPartners(), .flat(old.count), .flat(new.count)) { old, new in
          if !isSameRow(old, new) {
            alignment.changedRows.append(Int32(truncatingIfNeeded: new))
          }
        }
      }
      changes = Changes(
        alignment, alignment.rest, SectionPartners(), [], oldRows: .flat(old.count),
        newRows: .flat(new.count))
      if rows.hasKeys, !alignment.gaps.isEmpty {
        rows.replace(alignment, with: keys(alignment, new, rule), newCount: new.count)
      } else if !alignment.gaps.isEmpty {
        replaceIDs(alignment, new, rule)
      }
    } else {
      if !rows.hasKeys {
        rows.begin(table.keys(of: old, rule))
        idsWithoutKeys = []
      }
      rows.replace(alignment, with: keys(alignment, new, rule), newCount: new.count)
      var unaligned = rows.pair(alignment)
      var changed: [Int32] = []
      if comparesRows {
        unaligned.forEachPair { old, new in
          if !isSameRow(old, new) { changed.append(Int32(truncatingIfNeeded: new)) }
        }
      } else if let range = unaligned.pairedRange(from: unaligned.firstPair) {
        _ = unaligned.findChanges(
          in: range, old.span, new.span, id: { rule.id($0) }, isSame: { rule.isSame($0, $1) },
          changed: &changed)
      }
      changes = unaligned.changes(changedRows: changed, moves: moves)
    }
    if rows.hasKeys, rows.hasExcessKeys {
      table = IDTable()
      rows.begin(table.keys(of: new, rule))
    }
    changes.keepsEqualItems = !comparesRows
    return changes
  }

  /// Replaces the ids of the gaps, which have no keys.
  @_alwaysEmitIntoClient @inline(never)
  mutating func replaceIDs<Rule: ItemRule>(
    _ alignment: Alignment, _ new: ContiguousArray<Rule.Item>, _ rule: Rule
  ) where Rule.ID == ID {
    var ids: ContiguousArray<ID> = []
    ids.reserveCapacity(new.count)
    var next = 0
    for gap in alignment.gaps {
      ids.append(contentsOf: idsWithoutKeys[next..<Int(gap.old)])
      for row in Int(gap.new)..<Int(gap.new &+ gap.newCount) { ids.append(rule.id(new[row])) }
      next = Int(gap.old &+ gap.oldCount)
    }
    ids.append(contentsOf: idsWithoutKeys[next...])
    idsWithoutKeys = ids
  }

  /// Returns the keys of the new rows of the gaps.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func keys<Rule: ItemRule>(
    _ alignment: Alignment, _ new: ContiguousArray<Rule.Item>, _ rule: Rule
  ) -> [UInt32] where Rule.ID == ID {
    var keys: [UInt32] = []
    keys.reserveCapacity(alignment.rest.new)
    let items = new.span
    for gap in alignment.gaps {
      let rows = Int(gap.new)..<Int(gap.new &+ gap.newCount)
      table.appendKeys(of: items.extracting(rows), rule, to: &keys)
    }
    return keys
  }
}

extension Alignment {
  /// Returns whether no row of a gap of flat lists also occurs in another gap, so that nothing moves.
  /// Returns false without a check if that would take more than 256 comparisons.
  ///
  /// - Complexity: O(*d* *i*) for *d* rows to delete and *i* to insert, at most 256 comparisons.
  @_alwaysEmitIntoClient
  func isInOrder<Rule: ItemRule>(
    _ old: ContiguousArray<Rule.Item>, _ new: ContiguousArray<Rule.Item>, by rule: Rule
  ) -> Bool {
    let rest = rest
    if rest.old == 0 || rest.new == 0 { return true }
    guard rest.old <= 256, rest.new <= 256, rest.old &* rest.new <= 256 else { return false }
    for gap in gaps {
      for row in Int(gap.new)..<Int(gap.new &+ gap.newCount) {
        let id = rule.id(new[row])
        for gap in gaps {
          for row in Int(gap.old)..<Int(gap.old &+ gap.oldCount) where rule.id(old[row]) == id {
            return false
          }
        }
      }
    }
    return true
  }
}
