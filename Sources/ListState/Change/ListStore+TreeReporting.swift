import ListDiff
import ListStages

/// The pairs of entries of a comparison, and the old ones that move. Without parts, entries are rows.
struct EntryPairs {
  var matching: Matching
  var moved: [Bool]
}

extension ListStore {
  /// Returns the operations between two states of a tree, and the pairs of entries. The engine has
  /// the matching of the rows then.
  mutating func report(
    _ comparison: TreeComparison, _ tree: ListTree
  ) -> (ListOperations, EntryPairs) {
    var itemStages: [Stage]?
    if comparison.isEmpty {
      engine.match(
        comparison.old.arrangement, comparison.new.arrangement, universe: comparison.universe)
      if comparison.new.hasParts { itemStages = [] }
      return (
        ListOperations(itemStages: itemStages), EntryPairs(matching: engine.matching, moved: [])
      )
    }
    let oldCounts = comparison.old.rowCounts
    let pairs = pair(comparison, oldCounts, tree, &itemStages)
    let (oldStarts, newStarts) = (comparison.old.rowStarts, comparison.new.rowStarts)
    var stages = engine.structuralStages(oldStarts: oldStarts, newStarts: newStarts)
    let isStructural = !stages.isEmpty || itemStages?.isEmpty == false
    var changedItems: [Int] = []
    var changedSections: [(section: Int, before: [UInt8])] = []
    let rules = rules
    /// The item whose parts were compared last, and whether it has the same members beside them.
    var besides: (entry: Int, areSame: Bool)?
    let last = engine.contentStage(newStarts: newStarts) { from, to in
      let (old, new) = (comparison.old.sections[from], comparison.new.sections[to])
      let change = tree.contentChange(ofSection: old.section, new.section, rules)
      if change != .none {
        let own = Array(tree.bytes(of: tree.traitsBefore(old.section).own))
        changedSections.append((new.index, own))
      }
      return max(change, tree.change.forcedSections[tree.sections[new.section].key] ?? .none)
    } row: { from, to in
      guard let old = comparison.old.record(ofRow: from), let new = comparison.new.record(ofRow: to)
      else {
        return .none
      }
      let change: ContentChange
      if let oldPart = tree.part(at: comparison.old.index(ofRow: from), of: old),
        let newPart = tree.part(at: comparison.new.index(ofRow: to), of: new)
      {
        let entry = comparison.new.entry(ofRow: to)
        if besides?.entry != entry {
          besides = (entry, tree.areSameBesideParts(old, new, rules))
        }
        change =
          besides!.areSame && tree.isSameText(oldPart.payload, newPart.payload, rules.isSameItem)
          ? .none : oldPart.template == newPart.template ? .reconfigure : .reload
      } else {
        change = tree.contentChange(of: old, new, rules)
        if change != .none, !comparison.new.hasParts {
          changedItems.append(comparison.new.items(ofEntry: to).lowerBound)
        }
      }
      return max(change, tree.change.forcedItems[new.key] ?? .none)
    }
    if comparison.new.hasParts { changedItems = tree.changedItems(comparison, pairs, rules) }
    if !last.ops.isEmpty { stages.append(last) }
    comparison.expand(
      &stages, RowLengths(oldCounts, starts: oldStarts),
      RowLengths(comparison.new.rowCounts, starts: newStarts))
    let operations = ListOperations(
      stages: stages, itemStages: itemStages, rows: rowCounts(comparison),
      sections: engine.movement.sectionCounts, changedItems: changedItems,
      changedSections: changedSections,
      changesContent: isStructural || !changedItems.isEmpty || !changedSections.isEmpty)
    return (operations, pairs)
  }

  /// Pairs the entries of a comparison, and in the engine its rows, and finds the fewest moves. If
  /// items have parts, sets the stages of the change in items.
  private mutating func pair(
    _ comparison: TreeComparison, _ rowCounts: [Int32], _ tree: ListTree,
    _ itemStages: inout [Stage]?
  ) -> EntryPairs {
    engine.weights.rows = weights(comparison.old.hasParts ? comparison.old.itemCounts : rowCounts)
    if comparison.listsAll { engine.weights.sections = comparison.old.sectionCounts }
    defer {
      engine.weights.rows = []
      engine.weights.sections = []
    }
    engine.match(
      comparison.old.arrangement, comparison.new.arrangement,
      universe: max(ids.universe, comparison.universe))
    engine.findMoves(oldStarts: comparison.old.starts, newStarts: comparison.new.starts)
    var pairs = EntryPairs(matching: engine.matching, moved: engine.movement.movedRows)
    guard comparison.old.hasParts else { return pairs }
    let (oldStarts, newStarts) = (comparison.old.starts, comparison.new.starts)
    var stages = engine.structuralStages(oldStarts: oldStarts, newStarts: newStarts)
    comparison.expand(
      &stages, RowLengths(comparison.old.itemCounts, starts: oldStarts),
      RowLengths(comparison.new.itemCounts, starts: newStarts))
    itemStages = stages
    pairs.matching = engine.matchRows(of: comparison.old.shown, comparison.new.shown)
    engine.weights.rows = weights(rowCounts)
    engine.findMoves(oldStarts: comparison.old.rowStarts, newStarts: comparison.new.rowStarts)
    return pairs
  }

  /// Returns numbers of rows as the engine wants them: none if each is one row.
  private func weights(_ counts: [Int32]) -> [Int32] { counts.allSatisfy { $0 == 1 } ? [] : counts }

  /// Counts rows of the list. A row of the comparison stands for several.
  private func rowCounts(_ comparison: TreeComparison) -> Counts {
    var counts = Counts(updates: engine.movement.rowCounts.updates)
    for (row, partner) in engine.matching.rowsToNew.enumerated() {
      if partner < 0 { counts.deletes += comparison.old.count(ofRow: row) }
      if engine.movement.movedRows[row] { counts.moves += comparison.old.count(ofRow: row) }
    }
    for (row, partner) in engine.matching.rowsToOld.enumerated() where partner < 0 {
      counts.inserts += comparison.new.count(ofRow: row)
    }
    return counts
  }
}

extension TreeComparison {
  /// Converts stages from the entries and the listed sections to all rows, or items, and sections.
  fileprivate func expand(
    _ stages: inout [Stage], _ before: RowLengths, _ after: @autoclosure () -> RowLengths
  ) {
    guard !listsAll else {
      return before.standing(forSections: old.sectionStarts)
        .expand(&stages, to: after().standing(forSections: new.sectionStarts))
    }
    before.expand(&stages, to: after())
    for index in stages.indices { stages[index].move(to: new.sections) }
  }
}

extension ListTree {
  /// Compares the content of a section before the change with that of a present one.
  func contentChange(
    ofSection before: Int, _ after: Int, _ rules: any ContentRules
  ) -> ContentChange {
    let old = traitsBefore(before)
    let new = sections[after].traits
    if isSameText(old.own, new.own, rules.isSameSection) { return .none }
    return old.headerTemplate == new.headerTemplate && old.footerTemplate == new.footerTemplate
      ? .reconfigure : .reload
  }

  /// Reports whether two items have the same identity and equal contents.
  func isSame(_ one: ItemRecord, _ other: ItemRecord, _ rules: any ContentRules) -> Bool {
    identity(of: one.key) == identity(of: other.key) && one.template == other.template
      && contentChange(of: one, other, rules) == .none
  }

  /// Compares the content of an item before the change with the present one.
  fileprivate func contentChange(
    of before: ItemRecord, _ after: ItemRecord, _ rules: any ContentRules
  ) -> ContentChange {
    if isSameText(before.payload, after.payload, rules.isSameItem) { return .none }
    return before.template == after.template ? .reconfigure : .reload
  }

  /// Reports whether an item before the change has the same members beside its parts as one now.
  fileprivate func areSameBesideParts(
    _ before: ItemRecord, _ after: ItemRecord, _ rules: any ContentRules
  ) -> Bool {
    isSameText(before.payload, after.payload, rules.isSameBesideParts)
  }

  fileprivate func isSameText(
    _ one: Payload, _ other: Payload, _ rule: ContentRules.Comparison
  ) -> Bool {
    one == other || rule(bytes(of: one), bytes(of: other))
  }

  /// Returns the indices of the kept items that have a different value, whether they have rows or
  /// not.
  fileprivate func changedItems(
    _ comparison: TreeComparison, _ pairs: EntryPairs, _ rules: any ContentRules
  ) -> [Int] {
    var changed: [Int] = []
    for (entry, partner) in pairs.matching.rowsToOld.enumerated() where partner >= 0 {
      guard let new = comparison.new.entries[entry].record,
        let old = comparison.old.entries[Int(partner)].record,
        !isSameText(old.payload, new.payload, rules.isSameItem)
      else { continue }
      changed.append(comparison.new.items(ofEntry: entry).lowerBound)
    }
    return changed
  }
}

extension Stage {
  /// Converts section indices from listed sections to all sections.
  fileprivate mutating func move(to sections: [TreeComparison.Side.Section]) {
    func path(_ path: Path) -> Path {
      Path(section: sections[path.section].index, row: path.row)
    }
    func runs(_ at: Int, _ count: Int) -> [Range<Int>] {
      sections[at..<at + count].map(\.index).runs
    }
    for index in ops.indices.reversed() {
      switch ops[index] {
      case .deleteItems(let at, let count):
        ops[index] = .deleteItems(at: path(at), count: count)
      case .insertItems(let at, let count):
        ops[index] = .insertItems(at: path(at), count: count)
      case .moveItems(let from, let to, let count):
        ops[index] = .moveItems(from: path(from), to: path(to), count: count)
      case .reloadItems(let at, let count):
        ops[index] = .reloadItems(at: path(at), count: count)
      case .reconfigureItems(let at, let count):
        ops[index] = .reconfigureItems(at: path(at), count: count)
      case .reloadSections(let at, let count):
        ops.replaceSubrange(
          index...index,
          with: runs(at, count).map { .reloadSections(at: $0.lowerBound, count: $0.count) })
      case .reconfigureSections(let at, let count):
        ops.replaceSubrange(
          index...index,
          with: runs(at, count).map { .reconfigureSections(at: $0.lowerBound, count: $0.count) })
      case .deleteSections, .insertSections, .moveSections:
        preconditionFailure("all sections are listed if any is inserted, deleted or moved")
      }
    }
  }
}
