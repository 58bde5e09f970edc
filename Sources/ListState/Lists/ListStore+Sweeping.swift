import ListDiff

extension ListStore {
  /// The number of identifiers below which the table is not swept.
  private static let smallestTable = 1 << 14

  /// The size, in bytes, below which the table is not swept because of its size.
  private static let smallestSize = 1 << 25

  /// Sweeps the identifier table if the number or the size of its identifiers has doubled since
  /// most of them were in use.
  ///
  /// The caller must not hold keys that are not in a list.
  ///
  /// - Complexity: O(1); each time that the table has doubled O(*n*), where *n* is the size of all
  ///   kept snapshots.
  package mutating func sweepIfGrown() {
    // The value of an item without an identifier is interned, and may have any size.
    let isLarge = ids.size > max(Self.smallestSize, 2 * liveIDBytes)
    if isLarge || ids.overflow != nil { return sweep() }
    guard ids.count > max(Self.smallestTable, 2 * liveIDs) else { return }
    let present = lists.keys.reduce(0) { $0 + (summary(of: $1)?.items ?? 0) }
    guard ids.count > 2 * present else {
      // Most identifiers are in use. Check again when the table has doubled.
      liveIDs = present
      return
    }
    sweep()
  }

  /// Removes the identifiers that no list uses. The caller must not hold keys that are not in a
  /// list.
  ///
  /// - Complexity: O(*n*), where *n* is the size of all kept snapshots.
  package mutating func sweep() {
    finishEdits()
    var live = BitSet(bound: ids.universe)
    for list in lists.values { mark(list, in: &live) }
    ids.sweep { live.contains(Int($0)) }
    liveIDs = ids.count
    liveIDBytes = ids.size
  }

  private func mark(_ list: NamedList, in live: inout BitSet) {
    if let tree = list.tree { mark(tree, in: &live) } else { mark(list.snapshot, in: &live) }
    if let view = list.view { mark(view.items.snapshot, in: &live) }
    if let view = list.live {
      mark(view.sources, in: &live)
      if let all = view.all { mark(all, in: &live) }
      for key in view.missingParents { mark(key, in: &live) }
    }
    for revision in list.older.revisions {
      switch revision.content {
      case .snapshot(let snapshot): mark(snapshot, in: &live)
      // The kept items of the next newer revision are marked there.
      case .step(let step): mark(step.rest, in: &live)
      case .edits(let packed): mark(packed.step.rest, in: &live)
      }
    }
  }

  private func mark(_ tree: ListTree, in live: inout BitSet) {
    for key in tree.repeats.keys { mark(key, in: &live) }
    for section in tree.sectionsInOrder {
      mark(tree.sections[section].key, in: &live)
      mark(template: tree.sections[section].traits.headerTemplate, in: &live)
      mark(template: tree.sections[section].traits.footerTemplate, in: &live)
      for leaf in tree.leaves(ofSection: section) {
        for record in tree.leaves[leaf].records {
          mark(record.key, in: &live)
          mark(template: record.template, in: &live)
        }
      }
    }
    for part in tree.parts.all { mark(part, in: &live) }
  }

  private func mark(_ snapshot: Snapshot, in live: inout BitSet) {
    for key in snapshot.arrangement.sections { mark(key, in: &live) }
    for key in snapshot.arrangement.rows { mark(key, in: &live) }
    for section in snapshot.sections {
      mark(template: section.headerTemplate, in: &live)
      mark(template: section.footerTemplate, in: &live)
    }
    for template in snapshot.templates { mark(template: template, in: &live) }
    guard let parts = snapshot.parts else { return }
    for part in parts.parts(at: 0..<snapshot.rowCount) { mark(part, in: &live) }
  }

  private func mark(_ part: Part, in live: inout BitSet) {
    if part.key != ItemRows.whole { mark(part.key, in: &live) }
    mark(template: part.template, in: &live)
  }

  /// Marks a template, which is stored as its key plus one, 0 for the default template.
  private func mark(template: UInt32, in live: inout BitSet) {
    if template > 0 { mark(template - 1, in: &live) }
  }

  /// Marks a key, and the keys that its identifier contains.
  private func mark(_ key: UInt32, in live: inout BitSet) {
    guard live.insert(Int(key)) else { return }
    // The identifier of an item that comes by way of many lists contains as many keys.
    var rest = ids.inner(of: key)
    while let key = rest.popLast() {
      if live.insert(Int(key)) { rest += ids.inner(of: key) }
    }
  }
}
