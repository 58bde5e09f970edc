import Synchronization

/// The items of a view that are behind the first ones, of which only the number is known until they are
/// needed one by one.
///
/// A keystroke in a view with a window, and a change of its sources, need only the items in the window.
final class ItemsBehind: Sendable {
  let count: Int
  private let tree = Mutex<ListTree?>(nil)

  init(count: Int) { self.count = count }

  /// Returns all items of the view, which are found by the first call.
  func all(_ find: () -> ListTree) -> ListTree {
    tree.withLock { known in
      if let known { return known }
      let found = find()
      known = found
      return found
    }
  }
}

extension LiveView {
  /// Returns the number of items of the view, of which `all` has the first ones.
  func count(_ all: ListTree) -> Int { all.itemCount + (behind?.count ?? 0) }

  /// All items of the view if it has a window or is an outline; else `nil`.
  ///
  /// - Complexity: O(*n* log *n*) for the first access after a change if there are ``behind`` items, where
  ///   *n* is the number of items of the sources; else O(1).
  var allItems: ListTree? {
    guard let all, let behind else { return all }
    return behind.all {
      var (view, all) = (self, all)
      view.fill(&all, completely: true)
      all.finishChange()
      return all
    }
  }

  /// Whether items behind may be selected in the sources, if the view shows their selection.
  var maySelectItemsBehind: Bool {
    guard behind != nil, definition.selectsInSources, let all else { return false }
    return sources.selectedCount > all.selectedCount
  }

  /// Adds the items behind to ``all``. Nothing may have changed yet.
  mutating func findItemsBehind() {
    guard behind != nil else { return }
    all = allItems
    setBehind(nil)
  }

  /// Adds items behind those of `all` to it, in order: at least those that the window needs.
  mutating func fill(_ all: inout ListTree, completely: Bool = false) {
    guard behind != nil else { return }
    let total = count(all)
    if !completely, let window, !window.isAnchored,
      window.range(of: total, anchor: nil).upperBound <= all.itemCount
    {
      return
    }
    let arrangement = arranged
    precondition(arrangement.count == total, "the items behind are counted")
    let isComplete = completely || window?.isAnchored != false
    let next = (isComplete ? arrangement.order : arrangement.first).dropFirst(all.itemCount)
    let section = all.order.first(ofTree: 0)!
    var keys: [UInt32] = []
    var records: [ItemRecord] = []
    for item in next {
      let source = sources.record(at: sources.location(at: Int(item))!)
      keys.append(source.key)
      records.append(record(of: source, in: &all))
    }
    all.insert(records, at: all.location(forInsertionAt: all.itemCount, in: section))
    showSelection(ofSources: keys, in: &all)
    setBehind(count: total - all.itemCount)
  }

  /// The items of the view, evaluated at once, by their indices in the sources.
  private var arranged: ViewArrangement {
    let items = sources.snapshot(isTidy: false)
    let numbers = textNumbers(of: items.arrangement.rows) { false }!
    var memory = rules.memory(texts: numbers, count: items.itemCount)
    let arranged = definition.arrange(
      ViewItems(items, sourceStarts: sourceStarts), &memory, before: nil
    ) { false }
    return arranged!
  }

  /// Reports whether the view has an item of the sources. `all` has the first ones.
  func has(_ key: UInt32, _ all: ListTree, _ ids: borrowing IDTable) -> Bool {
    if all.contains(key) { return true }
    guard behind != nil, let location = sources.location(of: key) else { return false }
    return rules.accepts(viewed(at: location, ids))
  }
}

extension TreeDelta {
  /// Whether the change concerns sections, or items that repeat, so that a view has to know all of its
  /// items.
  var needsAllItems: Bool {
    order != nil || !deletedSections.isEmpty
      || placed.contains { $0.identity != $0.record.key }
  }
}
