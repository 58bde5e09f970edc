import ByteBuffers
import ListDiff

extension LiveView {
  /// Returns the section of the view for an item at a location of the sources. A missing section is
  /// created at the end, and `needsOrder` is set if sections then have to be sorted.
  mutating func section(
    for item: ViewedItem, at location: ListTree.Location, in all: inout ListTree,
    _ needsOrder: inout Bool, _ ids: inout IDTable
  ) -> Int {
    switch rules.division {
    case .keep:
      let section = sources.section(ofLeaf: location.leaf)
      let key = sources.sections[section].key
      if let known = all.section(withKey: key) { return known }
      needsOrder = true
      return all.insertSection(
        key, traits(ofSource: section, in: &all), after: all.order.last(ofTree: 0))
    case .merge(let id, let members):
      return ownSection(GroupID(.string, id), members, in: &all, &ids)
    case .groups:
      let group = rules.group(of: item.bytes)
      // Its members are written when all of its items are known.
      return ownSection(group, nil, in: &all, &ids)
    }
  }

  private mutating func ownSection(
    _ group: GroupID, _ members: [UInt8]?, in all: inout ListTree, _ ids: inout IDTable
  ) -> Int {
    let key = group.bytes.withUnsafeBytes { ids.intern(group.kind, $0) }
    if let known = all.section(withKey: key) { return known }
    groups[key] = group
    return all.insertSection(
      key, ownTraits(members ?? [], in: &all), after: all.order.last(ofTree: 0))
  }

  private func ownTraits(_ members: [UInt8], in all: inout ListTree) -> SectionTraits {
    let number = all.texts.number(of: SharedBytes(copying: members))
    var traits = SectionTraits(
      own: Payload(start: 0, length: members.count, buffer: Int(number)))
    traits.selectionMode = rules.selectionMode
    traits.allowsEmptySelection = rules.allowsEmptySelection
    return traits
  }

  /// Returns the traits of a section of the sources, whose text the view retains.
  private func traits(ofSource section: Int, in all: inout ListTree) -> SectionTraits {
    var traits = sources.sections[section].traits
    traits.own.buffer = all.texts.number(of: sources.texts.buffers[Int(traits.own.buffer)])
    return traits
  }

  /// Whether the view deletes sections that have no items.
  var deletesEmptySections: Bool {
    if case .groups = rules.division { true } else { hidesEmptySections }
  }

  /// Updates the sections after a change of their items.
  mutating func finishSections(
    _ deltas: Span<SourceDelta>, _ all: inout ListTree, _ change: inout ViewChange,
    _ ids: borrowing IDTable
  ) {
    if case .keep = rules.division {
      finishSourceSections(deltas, &all, &change)
    }
    if deletesEmptySections {
      for section in change.touched where !all.sections[section].isDeleted {
        if all.forest.sums(ofTree: section).items == 0 { all.deleteSection(section) }
      }
    }
    if case .groups = rules.division { finishGroups(change.touched, &all, &change, ids) }
  }

  private func finishSourceSections(
    _ deltas: Span<SourceDelta>, _ all: inout ListTree, _ change: inout ViewChange
  ) {
    for index in deltas.indices {
      for key in deltas[index].delta.deletedSections {
        if let section = all.section(withKey: key) { all.deleteSection(section) }
      }
      if !hidesEmptySections {
        // The sections of a run were in the view before.
        for run in deltas[index].delta.order ?? [] where all.section(withKey: run.first) == nil {
          let traits = traits(ofSource: sources.section(withKey: run.first)!, in: &all)
          _ = all.insertSection(run.first, traits, after: all.order.last(ofTree: 0))
        }
      }
      for key in deltas[index].delta.traits.keys {
        guard let section = all.section(withKey: key), let source = sources.section(withKey: key)
        else { continue }
        all.setTraits(traits(ofSource: source, in: &all), ofSection: section)
        change.traits.insert(key)
      }
    }
    guard change.needsOrder else { return }
    change.isReordered = all.order(
      sections: sources.sectionsInOrder.compactMap {
        all.section(withKey: sources.sections[$0].key)
      })
  }

  /// Updates the members of groups whose items have changed, or that show another number of them.
  func describeGroups(
    _ touched: Set<Int>, _ all: inout ListTree, _ change: inout ViewChange
  ) {
    for section in touched {
      let first = sources.bytes(of: source(of: first(ofSection: section, all)).payload)
      let key = all.sections[section].key
      let members = rules.members(
        of: groups[key]!, first: first, count: all.forest.sums(ofTree: section).shown)
      if all.bytes(of: all.sections[section].traits.own).elementsEqual(members) { continue }
      all.setTraits(ownTraits(members, in: &all), ofSection: section)
      change.traits.insert(key)
    }
  }

  /// Updates the members of groups whose items have changed, and sorts groups by their first items.
  /// Each group has items.
  ///
  /// - Complexity: O(*k* log *s*) comparisons of items, where *k* is the number of `touched` groups.
  func finishGroups(
    _ touched: Set<Int>, _ all: inout ListTree, _ change: inout ViewChange,
    _ ids: borrowing IDTable
  ) {
    let touched = touched.filter { !all.sections[$0].isDeleted }
    describeGroups(touched, &all, &change)
    let isSorted = touched.allSatisfy { section in
      let first = firstItem(ofGroup: section, all, ids)
      let last = all.order.element(before: section)
      let next = all.order.element(after: section)
      return last.map { sources.precedes(firstItem(ofGroup: $0, all, ids), first) } ?? true
        && next.map { sources.precedes(first, firstItem(ofGroup: $0, all, ids)) } ?? true
    }
    guard !isSorted else { return }
    // The other groups are in order, and first now.
    for section in touched { all.moveSection(section, after: all.order.last(ofTree: 0)) }
    let sortedCount = all.sectionCount - touched.count
    for (count, section) in zip(sortedCount..., touched) {
      let first = firstItem(ofGroup: section, all, ids)
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        let other = firstItem(ofGroup: all.section(at: middle)!, all, ids)
        if sources.precedes(other, first) { low = middle + 1 } else { high = middle }
      }
      all.moveSection(section, after: low > 0 ? all.section(at: low - 1) : nil)
    }
    change.isReordered = true
  }

  private func first(ofSection section: Int, _ all: ListTree) -> ItemRecord {
    all.record(at: all.location(section: section, item: 0)!)
  }

  /// Returns the first item of a group, as the view sorts it.
  private func firstItem(
    ofGroup section: Int, _ all: ListTree, _ ids: borrowing IDTable
  ) -> SortedItem {
    let location = sources.location(of: first(ofSection: section, all).key)!
    let item = viewed(at: location, ids)
    return SortedItem(section: section, sortKey: rules.sortKey(of: item), location: location)
  }
}

extension ListTree {
  /// Moves sections so that the given ones are first, in their order. Returns whether any section
  /// was moved.
  ///
  /// - Complexity: O(*s* log *s*).
  mutating func order(sections: [Int]) -> Bool {
    var isMoved = false
    var last: Int?
    for section in sections {
      let next = last.map { order.element(after: $0) } ?? order.first(ofTree: 0)
      if next != section {
        moveSection(section, after: last)
        isMoved = true
      }
      last = section
    }
    return isMoved
  }
}
