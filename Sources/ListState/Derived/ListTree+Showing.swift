import ByteBuffers
import ListDiff

extension ListTree {
  /// Shows the window of a view after a change of its items. The tree has the previously shown
  /// range. If `isStopped`, it has any items.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that the change names and of
  ///   those that are in one of the ranges only; if sections were moved, *k* is the length of the
  ///   range.
  mutating func show(
    _ view: LiveView, _ all: ListTree, _ viewChange: ViewChange,
    isStopped: () -> Bool = { false }
  ) {
    let range = view.range(of: all)
    for key in viewChange.removed {
      if let location = location(of: key) { remove(at: location) }
    }
    if viewChange.isReordered {
      while let location = location(at: 0) { remove(at: location) }
    }
    // The remaining items are in the same order as among all items, with only inserted items
    // between.
    var (first, last) = (0, 0)
    while let location = location(at: 0) {
      first = all.shownIndex(ofKey: key(at: location))!
      if first >= range.lowerBound { break }
      remove(at: location)
    }
    while let location = location(at: itemCount - 1) {
      last = all.shownIndex(ofKey: key(at: location))!
      if last < range.upperBound { break }
      remove(at: location)
    }
    var positions: [Int] = []
    if itemCount > 0 {
      positions += range.lowerBound..<first
      // An item may have been inserted twice, and may be collapsed again.
      let inserted = viewChange.inserted.filter { !contains($0) }
      if !inserted.isEmpty {
        let inside = Set(inserted.compactMap(all.shownIndex(ofKey:)))
        positions += inside.filter { $0 > first && $0 < last }.sorted()
      }
      positions += last + 1..<max(last + 1, range.upperBound)
    } else {
      positions = Array(range)
    }
    insert(positions, of: all, from: range.lowerBound, view, isStopped: isStopped)
    refresh(viewChange.refreshed, view, all)
    for key in viewChange.traits {
      guard let section = section(withKey: key), let source = all.section(withKey: key) else {
        continue
      }
      setTraits(traits(ofSection: source, of: all), ofSection: section)
    }
    if view.deletesEmptySections { deleteEmptySections() } else { takeSections(of: all) }
    deselect(deselectedIn: all)
    select(viewChange.marked, as: all)
  }

  /// Selects some items, given by their indices in order, and no others. Nothing else has changed.
  mutating func select(only items: [Int]) {
    let selected = selectedIndices
    if selected == items { return }
    for index in selected { setSelected(false, at: location(at: index)!) }
    for index in items { setSelected(true, at: location(at: index)!) }
    finishChange()
  }

  /// Copies the selection of items from another tree that has them.
  mutating func select(_ keys: [UInt32], as all: ListTree) {
    for key in keys {
      guard let location = location(of: key), let other = all.location(of: key) else { continue }
      setSelected(all.record(at: other).traits.contains(.selected), at: location)
    }
  }

  /// Inserts items, given by ascending indices among all items of a view. This tree then has the
  /// items of the view from `start` on.
  private mutating func insert(
    _ positions: [Int], of all: ListTree, from start: Int, _ view: LiveView,
    isStopped: () -> Bool
  ) {
    var next = 0
    while next < positions.count {
      let position = positions[next]
      let location = all.location(atShown: position)!
      let run = positions[next...].prefix { $0 - positions[next] < ItemLeaf.capacity }
      let items = all.shownItems(from: location, at: run)
      next += items.count
      if next & 0xFFF < items.count, isStopped() { return }
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
      let first = max(start, all.order.position(of: source).before.shown)
      let insertion = self.location(forInsertionAt: position - first, in: section)
      insert(rows(items, of: all, view), at: insertion)
    }
  }

  /// Renders the texts of rows of an outline again.
  private mutating func refresh(_ keys: [UInt32], _ view: LiveView, _ all: ListTree) {
    let keys = Set(keys).filter(contains)
    if keys.isEmpty { return }
    let items = keys.map { all.location(of: $0)! }
    for record in rows(items, of: all, view) { replace(location(of: record.key)!, with: record) }
  }

  /// Returns items of a view, by their locations among all, as its rows show them, with their texts in this tree.
  private mutating func rows(
    _ items: [Location], of all: ListTree, _ view: LiveView
  ) -> [ItemRecord] {
    let records = items.map(all.record(at:))
    var rows = records
    guard let outline = view.outline else {
      for row in rows.indices {
        rows[row] = adopt(view.source(of: rows[row]), from: view.sources)
        rows[row].traits = records[row].traits
      }
      return rows
    }
    var text: [UInt8] = []
    for row in rows.indices {
      let start = text.count
      view.appendText(of: records[row], outline, all, at: items[row], to: &text)
      rows[row].payload = Payload(start: start, length: text.count - start, buffer: 0)
      // The parts are at the same offsets as in the text of the item.
      rows[row].parts = adoptParts(of: rows[row], from: all)
    }
    let buffer = texts.number(of: SharedBytes(copying: text))
    for row in rows.indices { rows[row].payload.buffer = buffer }
    return rows
  }

  /// Returns whether a section does not follow another one directly, ignoring empty sections
  /// between.
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

  /// Copies the sections of all items of a view, in their order.
  private mutating func takeSections(of all: ListTree) {
    guard all.change.changesOrder || sectionCount < all.sectionCount else { return }
    for section in sectionsInOrder where all.section(withKey: sections[section].key) == nil {
      deleteSection(section)
    }
    let sections = all.sectionsInOrder.map { section in
      let key = all.sections[section].key
      return self.section(withKey: key)
        ?? insertSection(key, traits(ofSection: section, of: all), after: order.last(ofTree: 0))
    }
    _ = order(sections: sections)
  }

  private mutating func deleteEmptySections() {
    if change.leaves.isEmpty { return }
    var seen = Set<Int>()
    for leaf in change.leaves.map(\.leaf) where forest.contains(leaf) {
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

extension ListTree {
  var shownCount: Int { order.sums(ofTree: 0).shown }

  /// Returns the index of an item among those that are not collapsed; `nil` if it is collapsed or
  /// missing.
  ///
  /// - Complexity: O(log *n*).
  func shownIndex(ofKey key: UInt32) -> Int? {
    guard let location = location(of: key), !leaves[location.leaf].isHidden(at: location.index)
    else { return nil }
    let (section, before) = forest.position(of: location.leaf)
    var index = order.position(of: section).before.shown + before.shown + location.index
    if forest.sums(of: location.leaf).hidden > 0 {
      index -= (0..<location.index).count { leaves[location.leaf].isHidden(at: $0) }
    }
    return index
  }

  /// Returns the location of the item at an index among those that are not collapsed.
  ///
  /// - Complexity: O(log *n*).
  func location(atShown index: Int) -> Location? {
    guard let (section, position) = order.find(index, .shown, inTree: 0),
      let (leaf, before) = forest.find(index - position.shown, .shown, inTree: section)
    else { return nil }
    var left = index - position.shown - before.shown
    guard forest.sums(of: leaf).hidden > 0 else { return Location(leaf: leaf, index: left) }
    for item in 0..<leaves[leaf].count where !leaves[leaf].isHidden(at: item) {
      if left == 0 { return Location(leaf: leaf, index: item) }
      left -= 1
    }
    return nil
  }

  /// Returns the locations of the items at some indices among those that are not collapsed, as long as they are
  /// consecutive in one leaf. `location` is that of the first.
  fileprivate func shownItems(from location: Location, at indices: ArraySlice<Int>) -> [Location] {
    var items: [Location] = []
    for item in location.index..<leaves[location.leaf].count
    where !leaves[location.leaf].isHidden(at: item) {
      let next = indices.startIndex + items.count
      guard next < indices.endIndex, indices[next] == indices[indices.startIndex] + items.count
      else { break }
      items.append(Location(leaf: location.leaf, index: item))
    }
    return items
  }
}
