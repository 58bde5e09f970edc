extension Changes {
  /// Computes the change of a flat list. The caller contains no more of it than what two empty lists
  /// need.
  @_alwaysEmitIntoClient @inline(__always)
  init<Old: Collection, New: Collection, Rule: ItemRule>(
    from old: Old, to new: New, moves: Bool, by rule: Rule
  ) where Old.Element == Rule.Item, New.Element == Rule.Item {
    if old.isEmpty, new.isEmpty {
      self.init(oldRows: .flat(0), newRows: .flat(0))
      keepsEqualItems = rule.keepsEqualItems
    } else {
      self.init(of: ContiguousArray(old), ContiguousArray(new), moves: moves, by: rule)
    }
  }

  @_alwaysEmitIntoClient @inline(never)
  init<Rule: ItemRule>(
    of old: ContiguousArray<Rule.Item>, _ new: ContiguousArray<Rule.Item>, moves: Bool,
    by rule: Rule
  ) {
    self.init(
      of: old, new, id: { rule.id($0) }, isSame: { rule.isSame($0, $1) },
      withRest: {
        Changes(
          $0, CollectionOfOne(old), CollectionOfOne(new), oldRows: .flat(old.count),
          newRows: .flat(new.count), moves: moves, by: rule)
      })
    keepsEqualItems = rule.keepsEqualItems
  }

  /// Computes the change with two closures. Closure literals at the call site are inlined into the
  /// loop.
  @_alwaysEmitIntoClient @inline(__always)
  init<Item, ID: Hashable>(
    from old: ContiguousArray<Item>, to new: ContiguousArray<Item>, moves: Bool,
    id: (Item) -> ID, isSame: (Item, Item) -> Bool
  ) {
    self.init(of: old, new, id: id, isSame: isSame) { alignment in
      withoutActuallyEscaping(id) { id in
        withoutActuallyEscaping(isSame) { isSame in
          Changes(
            alignment, CollectionOfOne(old), CollectionOfOne(new), oldRows: .flat(old.count),
            newRows: .flat(new.count), moves: moves, by: ClosureRule(id, isSame))
        }
      }
    }
  }

  /// Computes the change by comparing neighbours, or `withRest` does so if both lists have other rows.
  @_alwaysEmitIntoClient @inline(__always)
  init<Item, ID: Hashable>(
    of old: ContiguousArray<Item>, _ new: ContiguousArray<Item>, id: (Item) -> ID,
    isSame: (Item, Item) -> Bool, withRest: (Alignment) -> Changes
  ) {
    if old.isEmpty || new.isEmpty {
      self.init(oldCount: old.count, newCount: new.count)
      return
    }
    var alignment = Alignment()
    alignment.align(old.span, new.span, id: id, isSame: isSame)
    if alignment.oldRest == 0 || alignment.newRest == 0 {
      self.init(alignment, oldRows: .flat(old.count), newRows: .flat(new.count))
    } else {
      self = withRest(alignment)
    }
  }

  /// Computes the change of aligned lists, whose sections have `partners`.
  @_alwaysEmitIntoClient @inline(never)
  init<Lists: RandomAccessCollection, Rule: ItemRule>(
    _ alignment: Alignment, _ old: Lists, _ new: Lists,
    _ partners: SectionPartners = SectionPartners(), changedSections: [Int] = [],
    oldRows: ListShape, newRows: ListShape, moves: Bool, by rule: Rule
  ) where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    if partners.areKeptInOrder, alignment.isInOrder(old, new, by: rule) {
      self.init(alignment, partners, changedSections, oldRows: oldRows, newRows: newRows)
      return
    }
    var alignment = alignment
    let rows = FewRows(&alignment, old, new, partners, by: rule)
    if moves, partners.areInOrder, let rows {
      self.init(alignment, rows, changedSections, oldRows: oldRows, newRows: newRows)
      return
    }
    var pairing = Pairing(
      alignment, oldRows, newRows, partners, changedSections: changedSections)
    if let rows {
      pairing.pairRest(rows, alignment)
    } else {
      pairing.pairRest(old, new, by: rule)
      pairing.compareRest(old, new, by: rule)
    }
    pairing.solve(moves: moves)
    self = pairing.changes()
  }

  /// Computes the change of a flat list if the old or the new list is empty.
  @inlinable @inline(__always)
  init(oldCount: Int, newCount: Int) {
    let start = ListPath(section: 0, row: 0)
    self.init(
      stages: oldCount == newCount
        ? []
        : [
          Stage(ops: [
            oldCount > 0
              ? .deleteItems(at: start, count: oldCount) : .insertItems(at: start, count: newCount)
          ])
        ], rowCounts: Counts(deletes: oldCount, inserts: newCount), oldRows: .flat(oldCount),
      newRows: .flat(newCount))
  }

  @_alwaysEmitIntoClient
  init<Section: ListSection, Rule: ItemRule>(
    fromSections old: [Section], to new: [Section], moves: Bool, by rule: Rule
  ) where Rule.Item == Section.Item {
    let partners = SectionPartners(old, new)
    var alignment = Alignment()
    var changedSections: [Int] = []
    let oldStarts = [Int32](startsOf: old)
    let newStarts = [Int32](startsOf: new)
    for section in new.indices {
      let partner = partners.old(section)
      if partner >= 0 {
        let before = ContiguousArray(old[partner].items)
        let after = ContiguousArray(new[section].items)
        alignment.align(
          before.span, after.span, sections: (partner, section), start: Int(newStarts[section]),
          id: { rule.id($0) }, isSame: { rule.isSame($0, $1) })
        if !old[partner].hasSameContent(as: new[section]) { changedSections.append(section) }
      } else {
        alignment.append((-1, section), old: 0, new: new[section].items.count)
      }
    }
    if !partners.areInOrder {
      for section in old.indices where partners.toNew[section] < 0 {
        alignment.append((section, -1), old: old[section].items.count, new: 0)
      }
    }
    let oldRows = ListShape(starts: oldStarts)
    let newRows = ListShape(starts: newStarts)
    if partners.areKeptInOrder, alignment.oldRest == 0 || alignment.newRest == 0 {
      self.init(alignment, partners, changedSections, oldRows: oldRows, newRows: newRows)
      return
    }
    let hasRest = alignment.oldRest > 0 || alignment.newRest > 0
    self.init(
      alignment, hasRest ? old.map { ContiguousArray($0.items) } : [],
      hasRest ? new.map { ContiguousArray($0.items) } : [], partners,
      changedSections: changedSections, oldRows: oldRows, newRows: newRows, moves: moves, by: rule)
  }

  /// Creates the change of a flat list in which no row moves.
  @usableFromInline
  init(_ alignment: Alignment, oldRows: ListShape, newRows: ListShape) {
    self.init(oldRows: oldRows, newRows: newRows)
    add((alignment.stage(), alignment.counts))
    add([], changedRows: alignment.changedRows)
  }

  /// Creates the change of a list in which no section and no row moves.
  @usableFromInline
  init(
    _ alignment: Alignment, _ partners: SectionPartners, _ changedSections: [Int],
    oldRows: ListShape, newRows: ListShape
  ) {
    self.init(oldRows: oldRows, newRows: newRows)
    var stage = Stage()
    if !partners.areInOrder {
      let starts = newRows.starts
      for (section, new) in partners.toNew.enumerated() where new < 0 {
        stage.append(.deleteSections(at: section, count: 1))
        sectionCounts.deletes += 1
      }
      for (section, old) in partners.toOld.enumerated() where old < 0 {
        stage.append(.insertSections(at: section, count: 1))
        stage.insertedRowCounts.append(Int(starts[section + 1] - starts[section]))
        sectionCounts.inserts += 1
      }
    }
    add((alignment.stage(after: stage), alignment.counts))
    add(changedSections, changedRows: alignment.changedRows)
  }

  /// Creates the change of a list with the same sections in the same order, in which few rows move.
  @usableFromInline
  init(
    _ alignment: Alignment, _ rows: FewRows, _ changedSections: [Int], oldRows: ListShape,
    newRows: ListShape
  ) {
    self.init(oldRows: oldRows, newRows: newRows)
    add(rows.stage(alignment, oldRows))
    add(changedSections, changedRows: rows.changedRows(alignment, newRows))
  }

  private mutating func add(_ structure: (stage: Stage, counts: Counts)) {
    rowCounts = structure.counts
    if !structure.stage.ops.isEmpty { stages.append(structure.stage) }
  }

  /// Adds the updates of sections and rows.
  mutating func add(_ changedSections: [Int], changedRows: [Int32]) {
    if changedRows.isEmpty, changedSections.isEmpty { return }
    if case .flat = newRows, changedSections.isEmpty { return add(changedRows: changedRows) }
    var contents = ContentOps(newRows)
    for section in changedSections { contents.append(.reconfigure, section: section) }
    for row in changedRows { contents.append(.reconfigure, row: Int(row)) }
    rowCounts.updates = contents.rows
    sectionCounts.updates = contents.sections
    stages.append(contents.finish())
  }

  /// Adds the updates of rows of a flat list.
  private mutating func add(changedRows: [Int32]) {
    var contents = Stage()
    var next = 0
    while next < changedRows.count {
      let start = Int(changedRows[next])
      var end = start
      while next < changedRows.count, Int(changedRows[next]) == end {
        next += 1
        end += 1
      }
      let at = ListPath(section: 0, row: start)
      contents.ops.append(.reconfigureItems(at: at, count: end - start))
    }
    rowCounts.updates = changedRows.count
    stages.append(contents)
  }
}

extension [Int32] {
  /// Creates the starts of sections: the index of each section's first row, followed by the number
  /// of rows.
  @_alwaysEmitIntoClient
  init<Section: ListSection>(startsOf sections: [Section]) {
    self.init()
    reserveCapacity(sections.count &+ 1)
    var start = 0
    append(0)
    for section in sections {
      start &+= section.items.count
      append(Int32(truncatingIfNeeded: start))
    }
  }
}

extension Alignment {
  /// Adds all rows of a section without a partner, of which one number is -1.
  @inlinable
  mutating func append(_ sections: (old: Int, new: Int), old: Int, new: Int) {
    if old + new > 0 { append(AlignmentGap(sections, old: 0..<old, new: 0..<new)) }
  }

  /// The numbers of rows in gaps.
  fileprivate var counts: Counts { Counts(deletes: oldRest, inserts: newRest) }

  /// Returns the stage with the deletions and insertions of the rows in gaps appended, except those
  /// of rows that are deleted or inserted with their section.
  fileprivate func stage(after stage: consuming Stage = Stage()) -> Stage {
    let count = gaps.count * (oldRest > 0 && newRest > 0 ? 2 : 1)
    if count > 0 { stage.ops.reserveCapacity(stage.ops.count + count) }
    for gap in gaps where gap.oldCount > 0 && gap.newSection >= 0 {
      let at = ListPath(section: Int(gap.oldSection), row: Int(gap.old))
      stage.ops.append(.deleteItems(at: at, count: Int(gap.oldCount)))
    }
    for gap in gaps where gap.newCount > 0 && gap.oldSection >= 0 {
      let at = ListPath(section: Int(gap.newSection), row: Int(gap.new))
      stage.ops.append(.insertItems(at: at, count: Int(gap.newCount)))
    }
    return stage
  }

  /// Returns whether no row of a gap also occurs in another gap, so that nothing moves. Returns
  /// false without a check if that would take more than 256 comparisons.
  ///
  /// - Complexity: O(*d* *i*) for *d* rows to delete and *i* to insert, at most 256 comparisons.
  @_alwaysEmitIntoClient
  func isInOrder<Lists: RandomAccessCollection, Rule: ItemRule>(
    _ old: Lists, _ new: Lists, by rule: Rule
  ) -> Bool where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    if oldRest == 0 || newRest == 0 { return true }
    guard oldRest <= 256, newRest <= 256, oldRest &* newRest <= 256 else { return false }
    for gap in gaps where gap.newCount > 0 {
      let after = new[Int(gap.newSection)]
      for row in Int(gap.new)..<Int(gap.new &+ gap.newCount) {
        let id = rule.id(after[row])
        for gap in gaps where gap.oldCount > 0 {
          let before = old[Int(gap.oldSection)]
          for row in Int(gap.old)..<Int(gap.old &+ gap.oldCount) where rule.id(before[row]) == id {
            return false
          }
        }
      }
    }
    return true
  }
}
