import ListDiff

extension ListStore {
  /// A table smaller than this is not worth sweeping, in identifiers.
  private static let smallestTable = 1 << 14

  /// A table of fewer bytes is not worth sweeping for their sake.
  private static let smallestSize = 1 << 25

  /// Gives back the identifiers that no list has any more, once there are twice as many as there
  /// were in use, or they have twice as many bytes.
  ///
  /// No key is held outside the lists while this runs.
  ///
  /// - Complexity: O(1), but each time that the table has doubled O(*n*), where *n* is the size of
  ///   all snapshots that are kept.
  package mutating func sweepIfGrown() {
    // An item without an identifier is one itself, of any size.
    let isLarge = ids.size > max(Self.smallestSize, 2 * liveIDBytes)
    if isLarge || ids.overflow != nil { return sweep() }
    guard ids.count > max(Self.smallestTable, 2 * liveIDs) else { return }
    let present = lists.keys.reduce(0) { $0 + (summary(of: $1)?.items ?? 0) }
    guard ids.count > 2 * present else {
      // Most of them are in use, to be looked at when the table has doubled again.
      liveIDs = present
      return
    }
    sweep()
  }

  /// Gives back the identifiers that no list has any more; no key is held outside the lists.
  ///
  /// - Complexity: O(*n*), where *n* is the size of all snapshots that are kept.
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
    }
    for revision in list.older.revisions {
      switch revision.content {
      case .snapshot(let snapshot): mark(snapshot, in: &live)
      // What it has from the next newer revision is marked there.
      case .step(let step): mark(step.rest, in: &live)
      case .edits(let packed): mark(packed.step.rest, in: &live)
      }
    }
  }

  private func mark(_ tree: ListTree, in live: inout BitSet) {
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
    for key in parts.items.keys where key != ItemRows.whole { mark(key, in: &live) }
    for template in parts.templates { mark(template: template, in: &live) }
  }

  /// A template is told by its key plus one, 0 for the default one.
  private func mark(template: UInt32, in live: inout BitSet) {
    if template > 0 { mark(template - 1, in: &live) }
  }

  /// Marks a key, and those that its identifier is made of.
  private func mark(_ key: UInt32, in live: inout BitSet) {
    guard live.insert(Int(key)) else { return }
    // An item that comes through many lists is made of as many keys.
    var rest = ids.inner(of: key)
    while let key = rest.popLast() {
      if live.insert(Int(key)) { rest += ids.inner(of: key) }
    }
  }
}
