import ListDiff
internal import SumTrees

/// Items with their places in a list, by which another list follows it.
///
/// A list that has the other items in the same order gets these items, and then has all of them in the order of
/// the list that is followed.
struct ItemPatch<Section: ListSection>
where Section.Item: Identifiable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// An item and its place.
  struct Placed {
    var section: Section.ID
    var row: Int
    var item: Section.Item
  }

  /// The items that may have changed, also those that the followed list does not have.
  var items: [Section.Item.ID] = []

  /// The sections of the followed list without their items, or `nil` if they have not changed.
  var sections: [Section]?

  /// Those of the items that the followed list has, in its order.
  var placed: [Placed] = []

  var isEmpty: Bool { items.isEmpty && sections == nil }
}

extension ItemTree {
  /// Returns what has changed since a position of the log, or `nil` if that is too much.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that were changed, and O(*s* log *s*) if
  ///   sections were.
  func patch(since position: ChangeLog<ItemID>.Position) -> ItemPatch<Section>? {
    guard let items = log.items(since: position, atMost: 64 + itemCount / 16) else { return nil }
    var patch = ItemPatch<Section>(items: items)
    if !position.hasSameSections(as: log.end) { patch.sections = listedSections }
    patch.placed = items.compactMap { location(of: $0) }.map { place(of: $0) }.sorted().map {
      let (leaf, index) = ($0.location.leaf, $0.location.index)
      return ItemPatch.Placed(
        section: id(ofSection: $0.section), row: forest.position(of: leaf).before.items + index,
        item: leaves[leaf].items[index])
    }
    return patch
  }

  /// Makes the list follow another one.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items of the patch, and O(*s* log *s*) if it has
  ///   sections.
  mutating func apply(_ patch: ItemPatch<Section>) {
    for item in patch.items { if let location = location(of: item) { remove(at: location) } }
    if let sections = patch.sections { adoptSections(sections) }
    for placed in patch.placed {
      guard let number = numbers[placed.section] else { continue }
      insert([placed.item], at: location(ofRow: placed.row, inSection: number))
    }
  }

  /// Applies a change of the whole list, which leads to `new`. Returns false, and changes nothing, if ids
  /// repeat or much changes.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of rows that change, and O(*s* log *s*) if sections
  ///   do.
  mutating func apply(_ changes: Changes, to new: [Section]) -> Bool {
    let (rows, sections) = (changes.rowCounts, changes.sectionCounts)
    guard rows.deletes + rows.inserts + rows.moves <= 8 + itemCount / 8 else { return false }
    var patch = ItemPatch<Section>()
    var added: Set<ItemID> = []
    var paths = changes.insertedPaths
    for path in paths {
      let id = new[path.section].items[path.row].id
      if contains(id) || !added.insert(id).inserted { return false }
    }
    paths += changes.moves.map { $0.to }
    paths.sort()
    patch.items = changes.deletedPaths.compactMap { item(at: $0)?.id }
    for path in paths {
      let item = new[path.section].items[path.row]
      patch.items.append(item.id)
      patch.placed.append(.init(section: new[path.section].id, row: path.row, item: item))
    }
    if sections != Changes.Counts() {
      guard Set(new.map { $0.id }).count == new.count else { return false }
      patch.sections = new.map { $0.withoutItems }
    }
    apply(patch)
    for (_, path) in changes.updates {
      let item = new[path.section].items[path.row]
      if let location = location(of: item.id) { replace(location, with: item) }
    }
    return true
  }
}
