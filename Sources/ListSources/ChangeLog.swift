import ListDiff

/// The items of a list that were inserted, deleted, moved or updated, by which other lists follow it.
///
/// Each change adds items; those that follow the list remember how far they have read. If a list has
/// not read for long, all may have changed, so that the log has at most an eighth of the items.
struct ChangeLog<ItemID: Hashable & Sendable>: Sendable {
  /// How far a log was read.
  struct Position: Hashable {
    fileprivate var items: Int
    fileprivate var sections: Int
    fileprivate var moves: Int

    /// Returns whether sections were inserted, deleted, moved or updated between two positions.
    func hasSameSections(as other: Position) -> Bool { sections == other.sections }

    /// Returns whether no sections were moved between two positions.
    func hasSameOrder(as other: Position) -> Bool { moves == other.moves }
  }

  /// Whether a list follows this one.
  var isKept = false

  /// The number of times that a section was inserted, deleted, moved or updated.
  var sections = 0

  /// The number of times that a section was moved.
  private var moves = 0

  /// The number of items that were added before those in the log.
  private var first = 0
  private var items: [ItemID] = []

  /// The present position.
  var end: Position { Position(items: first + items.count, sections: sections, moves: moves) }

  /// Adds an item of a list of `count` items.
  mutating func add(_ item: ItemID, of count: Int) { add(1, of: count) { CollectionOfOne(item) } }

  /// Adds so many items of a list of `count` items.
  mutating func add<Added: Collection<ItemID>>(
    _ addedCount: Int, of count: Int, _ added: () -> Added
  ) {
    guard isKept else { return }
    let limit = max(128, count / 8)
    if addedCount > limit / 2 { return reset() }
    if items.count + addedCount > limit {
      let dropped = items.count / 2
      items.removeFirst(dropped)
      first += dropped
    }
    items += added()
  }

  /// Adds what differs between two lists.
  mutating func add<Section>(
    _ changes: Changes, from old: ItemTree<Section>, to new: ItemTree<Section>
  ) where Section.Item: Identifiable, Section.Item.ID == ItemID {
    guard isKept else { return }
    if changes.sectionCounts != Changes.Counts() { moveSection() }
    let paths = changes.insertedPaths + changes.moves.map { $0.to } + changes.updates.map { $0.new }
    let ids =
      changes.deletedPaths.compactMap { old.item(at: $0)?.id }
      + paths.compactMap { new.item(at: $0)?.id }
    add(ids.count, of: old.itemCount) { ids }
  }

  /// Records that a section was moved.
  mutating func moveSection() {
    sections += 1
    moves += 1
  }

  /// Makes all lists that follow this one begin anew.
  mutating func reset() {
    first += items.count + 1
    items = []
    moveSection()
  }

  /// Returns the different items that were added since a position, or `nil` if there are too many.
  ///
  /// - Complexity: O(*k*), where *k* is the number of added items.
  func items(since position: Position, atMost limit: Int) -> [ItemID]? {
    guard position.items >= first else { return nil }
    let added = items[(position.items - first)...]
    if added.count > limit { return nil }
    if added.count < 2 { return Array(added) }
    var seen: Set<ItemID> = []
    return added.filter { seen.insert($0).inserted }
  }
}
