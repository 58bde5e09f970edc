extension Changes {
  /// Computes the change of a flat list. The caller contains no more of it than what two empty lists
  /// need.
  @_alwaysEmitIntoClient @inline(__always)
  init<Old: Collection, New: Collection, Rule: ItemRule>(
    from old: Old, to new: New, moves: Bool, by rule: Rule
  ) where Old.Element == Rule.Item, New.Element == Rule.Item {
    if old.isEmpty, new.isEmpty {
      self.init(oldRows: .flat(0), newRows: .flat(0), keepsEqualItems: true)
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
      of: old, new, moves: moves, id: { rule.id($0) }, isSame: { rule.isSame($0, $1) })
    keepsEqualItems = true
  }

  /// Computes the change of a flat list with two closures. Closure literals at the call site are inlined
  /// into the loops.
  @_alwaysEmitIntoClient @inline(__always)
  init<Item, ID: Hashable>(
    of old: ContiguousArray<Item>, _ new: ContiguousArray<Item>, moves: Bool,
    id: (borrowing Item) -> ID, isSame: (borrowing Item, borrowing Item) -> Bool
  ) {
    if old.isEmpty || new.isEmpty {
      self.init(oldCount: old.count, newCount: new.count)
      return
    }
    var alignment = Alignment()
    alignment.align(old.span, new.span, id: id, isSame: isSame)
    let rest = alignment.rest
    if rest.old == 0 || rest.new == 0 {
      self.init(
        alignment, rest, SectionPartners(), [], oldRows: .flat(old.count),
        newRows: .flat(new.count))
    } else {
      var rows = UnalignedRows(
        alignment, rest, SectionPartners(), changedSections: [], oldRows: .flat(old.count),
        newRows: .flat(new.count))
      self.init(
        &rows, CollectionOfOne(old), CollectionOfOne(new), moves: moves, id: id, isSame: isSame)
    }
  }

  /// Computes the change of aligned lists: reads the ids and contents that pairing the rows needs.
  @_alwaysEmitIntoClient @inline(__always)
  init<Lists: RandomAccessCollection, Item, ID: Hashable>(
    _ unaligned: inout UnalignedRows, _ old: Lists, _ new: Lists, moves: Bool,
    id: (borrowing Item) -> ID, isSame: (borrowing Item, borrowing Item) -> Bool
  ) where Lists.Element == ContiguousArray<Item>, Lists.Index == Int {
    var hash = IDHash()
    while unaligned.needsHashes {
      if unaligned.usesOwnHashes != hash.usesOwnHashes { hash = IDHash(usingOwnHashes: true) }
      var rows = unaligned.takeRows()
      rows.append(addingCapacity: unaligned.rowCount) { output in
        for index in 0..<unaligned.rangeCount {
          let range = unaligned.range(index)
          if range.start == range.end { continue }
          let items = range.isNew ? new[range.section] : old[range.section]
          hash.append(range, of: items.span, id: id, to: &output)
        }
      }
      unaligned.pair(&rows, isPlain: hash.isPlain)
    }
    var changed: [Int32] = []
    var next = unaligned.firstPair
    while let range = unaligned.pairedRange(from: next) {
      let before = old[range.old]
      let after = new[range.new]
      if unaligned.findChanges(
        in: range, before.span, after.span, id: id, isSame: isSame, changed: &changed)
      {
        next = range.end
      } else {
        unaligned.pairExactly(old, new, id: id)
        changed.removeAll()
        next = unaligned.firstPair
      }
    }
    self = unaligned.changes(changedRows: changed, moves: moves)
  }

  /// Computes the change of a flat list if the old or the new list is empty.
  @_alwaysEmitIntoClient @inline(__always)
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

  @_alwaysEmitIntoClient @inline(never)
  init<Section: ListSection, Rule: ItemRule>(
    fromSections old: [Section], to new: [Section], moves: Bool, by rule: Rule
  ) where Rule.Item == Section.Item {
    self.init(
      ofSections: old, new, moves: moves, id: { rule.id($0) }, isSame: { rule.isSame($0, $1) })
  }

  /// Computes the change of a list with sections with two closures.
  @_alwaysEmitIntoClient @inline(__always)
  init<Section: ListSection, ID: Hashable>(
    ofSections old: [Section], _ new: [Section], moves: Bool,
    id: (borrowing Section.Item) -> ID,
    isSame: (borrowing Section.Item, borrowing Section.Item) -> Bool
  ) {
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
          id: id, isSame: isSame)
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
    let rest = alignment.rest
    if partners.areKeptInOrder, rest.old == 0 || rest.new == 0 {
      self.init(alignment, rest, partners, changedSections, oldRows: oldRows, newRows: newRows)
      return
    }
    let hasRest = rest.old > 0 || rest.new > 0
    var rows = UnalignedRows(
      alignment, rest, partners, changedSections: changedSections, oldRows: oldRows,
      newRows: newRows)
    self.init(
      &rows, hasRest ? old.map { ContiguousArray($0.items) } : [],
      hasRest ? new.map { ContiguousArray($0.items) } : [], moves: moves, id: id, isSame: isSame)
  }

  /// Creates the change of a list in which no section and no row moves. `rest` are the numbers of rows in gaps.
  @usableFromInline
  init(
    _ alignment: Alignment, _ rest: (old: Int, new: Int), _ partners: SectionPartners,
    _ changedSections: [Int],
    oldRows: ListShape, newRows: ListShape
  ) {
    let isInOrder = partners.areInOrder
    if isInOrder, rest.old | rest.new == 0, alignment.changedRows.isEmpty, changedSections.isEmpty {
      self.init(oldRows: oldRows, newRows: newRows)
      return
    }
    var stage = Stage()
    var sectionCounts = Counts()
    if !isInOrder {
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
    self.init(
      alignment.stage(after: stage, rest).asList(), Counts(deletes: rest.old, inserts: rest.new),
      sectionCounts, changedSections,
      changedRows: alignment.changedRows, oldRows: oldRows, newRows: newRows)
  }

  /// Creates a change from its structural stages and the sections and rows that it updates.
  init(
    _ structure: consuming [Stage], _ rowCounts: consuming Counts,
    _ sectionCounts: consuming Counts,
    _ changedSections: [Int], changedRows: [Int32], oldRows: ListShape, newRows: ListShape
  ) {
    var stages = structure
    if changedRows.count | changedSections.count != 0 {
      var contents = Stage()
      contents.append(.reconfigure, sections: changedSections)
      contents.append(.reconfigure, rows: changedRows, of: newRows)
      stages.append(contents)
      rowCounts.updates = changedRows.count
      sectionCounts.updates = changedSections.count
    }
    self.init(
      stages: stages, rowCounts: rowCounts, sectionCounts: sectionCounts, oldRows: oldRows,
      newRows: newRows)
  }
}

extension Stage {
  /// Returns the stage in a list, which is empty if the stage is.
  consuming func asList() -> [Stage] { ops.isEmpty ? [] : [self] }

  /// Appends reloads or reconfigurations of ascending sections.
  @usableFromInline mutating func append(_ verb: Op.Verb, sections: [Int]) {
    for section in sections {
      append(
        verb == .reload
          ? .reloadSections(at: section, count: 1) : .reconfigureSections(at: section, count: 1))
    }
  }

  /// Appends reloads or reconfigurations of ascending rows, given as indices in the list.
  @usableFromInline mutating func append(_ verb: Op.Verb, rows: [Int32], of shape: ListShape) {
    let rows = rows.view
    var section = 0
    var home = 0..<0
    var next = 0
    while next < rows.count {
      let start = Int(rows[next])
      while start >= home.upperBound {
        home = shape.rows(ofSection: section)
        section &+= 1
      }
      var end = start
      while next < rows.count, Int(rows[next]) == end, end < home.upperBound {
        next &+= 1
        end &+= 1
      }
      let at = ListPath(section: section &- 1, row: start &- home.lowerBound)
      let count = end &- start
      ops.append(
        verb == .reload
          ? .reloadItems(at: at, count: count) : .reconfigureItems(at: at, count: count))
    }
  }
}

extension [Int32] {
  /// Creates the starts of sections: the index of each section's first row, followed by the number
  /// of rows. A function that maps them first would allocate.
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
  /// Returns the stage with the deletions and insertions of the rows in gaps appended, except those
  /// of rows that are deleted or inserted with their section.
  fileprivate func stage(after stage: consuming Stage, _ rest: (old: Int, new: Int)) -> Stage {
    let count = gaps.count * (rest.old > 0 && rest.new > 0 ? 2 : 1)
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
}

extension UnalignedRows {
  /// Pairs all items again by their ids, without relying on hashes.
  @_alwaysEmitIntoClient @inline(never)
  mutating func pairExactly<Lists: Collection, ID: Hashable>(
    _ old: Lists, _ new: Lists, id: (borrowing Lists.Element.Element) -> ID
  ) where Lists.Element: Collection {
    var keys: [ID: UInt32] = [:]
    func rows(_ lists: Lists) -> [UInt32] {
      var rows: [UInt32] = []
      for list in lists {
        for item in list {
          let key = id(item)
          let next = UInt32(truncatingIfNeeded: keys.count)
          let known = keys[key] ?? next
          if known == next { keys[key] = next }
          rows.append(known)
        }
      }
      return rows
    }
    let oldRows = rows(old)
    pairExactly(oldRows, rows(new), keys: keys.count)
  }
}
