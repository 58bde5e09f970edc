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
    var live = BitSet(bound: ids.universe)
    for list in lists.values { mark(list, in: &live) }
    ids.sweep { live.contains(Int($0)) }
    liveIDs = ids.count
    liveIDBytes = ids.size
  }

  private func mark(_ list: NamedList, in live: inout BitSet) {
    // Drafts that began with the same snapshot have the same sources, the later ones more.
    var drafts: [Int: Draft] = [:]
    func note(_ draft: Draft) {
      guard draft.sources.count > drafts[draft.number]?.sources.count ?? 0 else { return }
      drafts[draft.number] = draft
    }
    if let draft = list.draft { note(draft) } else { mark(list.snapshot, in: &live) }
    for revision in list.older.revisions {
      switch revision.content {
      case .snapshot(let snapshot): mark(snapshot, in: &live)
      case .draft(let draft): note(draft)
      // What it has from the next newer revision is marked there.
      case .step(let step): mark(step.rest, in: &live)
      }
    }
    for draft in drafts.values {
      for source in draft.sources { mark(source, in: &live) }
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
