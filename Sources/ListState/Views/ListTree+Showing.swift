import ListDiff

extension ListTree {
  /// Shows a range of the items of a view after a change of these, of which it has shown another one.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that the change names and of those that
  ///   only one of the ranges has; if sections were moved the length of the range instead.
  mutating func show(_ range: Range<Int>, of all: ListTree, _ viewChange: ViewChange) {
    for key in viewChange.removed {
      if let location = location(of: key) { remove(at: location) }
    }
    if viewChange.isReordered {
      while let location = location(at: 0) { remove(at: location) }
    }
    // What is left is in all items in the same order, with nothing but inserted items between.
    while let location = location(at: 0),
      all.index(ofKey: record(at: location).key)! < range.lowerBound
    {
      remove(at: location)
    }
    while itemCount > 0, let location = location(at: itemCount - 1),
      all.index(ofKey: record(at: location).key)! >= range.upperBound
    {
      remove(at: location)
    }
    var positions: [Int] = []
    if itemCount > 0 {
      let first = all.index(ofKey: key(at: 0)!)!
      let last = all.index(ofKey: key(at: itemCount - 1)!)!
      let inside = viewChange.inserted.compactMap(all.index(ofKey:))
      positions = Array(range.lowerBound..<first)
      positions += inside.filter { $0 > first && $0 < last }.sorted()
      positions += Array(last + 1..<max(last + 1, range.upperBound))
    } else {
      positions = Array(range)
    }
    insert(positions, of: all, from: range.lowerBound)
    for key in viewChange.traits {
      guard let section = section(withKey: key), let source = all.section(withKey: key) else {
        continue
      }
      setTraits(traits(ofSection: source, of: all), ofSection: section)
    }
    deleteEmptySections(of: viewChange)
    deselect(deselectedIn: all)
    select(viewChange.marked, as: all)
  }

  /// Selects and deselects items as another tree that has them does.
  mutating func select(_ keys: [UInt32], as all: ListTree) {
    for key in keys {
      guard let location = location(of: key), let other = all.location(of: key) else { continue }
      setSelected(all.record(at: other).traits.contains(.selected), at: location)
    }
  }

  /// Inserts the items at ascending positions among all items of a view, of which this list then has those
  /// from `start` on.
  private mutating func insert(_ positions: [Int], of all: ListTree, from start: Int) {
    for position in positions {
      let location = all.location(at: position)!
      let source = all.section(ofLeaf: location.leaf)
      let key = all.sections[source].key
      let before: Int? =
        position > start
        ? self.location(at: position - start - 1).map {
          self.section(ofLeaf: $0.leaf)
        } : nil
      let section: Int
      if let known = self.section(withKey: key) {
        section = known
        if before != section, isOutOfOrder(section, after: before) {
          moveSection(section, after: before)
        }
      } else {
        section = insertSection(key, traits(ofSection: source, of: all), after: before)
      }
      var record = all.record(at: location)
      record.payload.buffer = texts.number(of: all.texts.buffers[Int(record.payload.buffer)])
      let first = max(start, all.order.position(of: source).before.items)
      let place = self.location(forInsertionAt: position - first, in: section)
      insert([record], at: place)
    }
  }

  /// Whether a section is not behind another one, with none but empty ones between.
  private func isOutOfOrder(_ section: Int, after other: Int?) -> Bool {
    var next = other.map { order.element(after: $0) } ?? order.first(ofTree: 0)
    while let found = next, found != section {
      if forest.sums(ofTree: found).items > 0 { return true }
      next = order.element(after: found)
    }
    return next == nil
  }

  private mutating func traits(ofSection section: Int, of all: ListTree) -> SectionTraits {
    var traits = all.sections[section].traits
    traits.own.buffer = texts.number(of: all.texts.buffers[Int(traits.own.buffer)])
    return traits
  }

  private mutating func deleteEmptySections(of viewChange: ViewChange) {
    var seen = Set<Int>()
    for (leaf, _) in change.leaves where forest.contains(leaf) {
      let section = section(ofLeaf: leaf)
      guard seen.insert(section).inserted, !sections[section].isDeleted,
        forest.sums(ofTree: section).items == 0
      else { continue }
      deleteSection(section)
    }
  }

  /// Deselects the items that are not selected among all items of a view.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of selected items.
  mutating func deselect(deselectedIn all: ListTree) {
    guard selectedCount > 0 else { return }
    for index in selectedIndices {
      let location = location(at: index)!
      guard let other = all.location(of: record(at: location).key),
        all.record(at: other).traits.contains(.selected)
      else {
        setSelected(false, at: location)
        continue
      }
    }
  }

  /// Reports items and sections as updated even if they are the same.
  mutating func force(_ viewChange: ViewChange) {
    for (key, forced) in viewChange.forcedItems {
      guard let location = location(of: key) else { continue }
      save(location.leaf)
      change.forcedItems[key] = max(change.forcedItems[key] ?? .none, forced)
    }
    for (key, forced) in viewChange.forcedSections where section(withKey: key) != nil {
      change.forcedSections[key] = max(change.forcedSections[key] ?? .none, forced)
    }
  }
}
