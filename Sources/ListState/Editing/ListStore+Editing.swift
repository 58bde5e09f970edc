import ListDiff

extension ListStore {
  /// Makes edits of a list as one change.
  ///
  /// - Complexity: That of ``replace(_:with:_:)``, and for each edit O(*k* *p*) or O((*k* + *p*)
  ///   log *p*), where *k* is the number of its items and *p* the number of pieces into which the
  ///   edits have cut the list.
  /// - Throws: the errors of ``replace(_:with:_:)``, `listNotFound`, and `edit` with the failure of
  ///   the first edit that cannot be made.
  package mutating func edit(
    _ name: [UInt8], _ edits: Edits, _ request: ChangeRequest
  ) throws(ListFailure) -> [ListChange] {
    let list = try list(name)
    try checkWritable(list)
    try checkBase(of: list, request)
    var (snapshot, forcedUpdates, kept) = try edited(list.snapshot, of: list, edits)
    snapshot.forcedUpdates = forcedUpdates
    return try replace(name, with: snapshot, request, same: kept)
  }

  /// Returns a snapshot of a list, which may be an older one, with edits made, and the items that
  /// they keep unchanged, in the order of the result.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items, and as of ``edit(_:_:_:)``.
  /// - Throws: `edit` with the failure of the first edit that cannot be made.
  package mutating func edited(
    _ snapshot: Snapshot, of list: NamedList, _ edits: Edits
  ) throws(ListFailure) -> (
    snapshot: Snapshot, forcedUpdates: ForcedUpdates, kept: [MatchedRun]
  ) {
    var table = PieceTable(
      snapshot, of: list.name, number: list.revision, KeyIndex(snapshot, universe: ids.universe))
    table.addSource(edits.newContent)
    if edits.areMany(besides: snapshot.itemCount) {
      var blocks = ItemBlocks(table, universe: ids.universe)
      try make(edits, of: &blocks, snapshot, list)
      #if DEBUG
        blocks.checkInvariants()
      #endif
      table.sections = blocks.pieceSections
      table.forcedItems = blocks.forcedItems
      table.forcedSections = blocks.forcedSections
    } else {
      try make(edits, of: &table, snapshot, list)
    }
    #if DEBUG
      table.checkInvariants()
    #endif
    let result = table.snapshot(using: &keyIndices)
    return (result, table.forcedUpdates(in: result), table.kept)
  }

  private mutating func make(
    _ edits: Edits, of editable: inout some EditableList, _ snapshot: Snapshot, _ list: NamedList
  ) throws(ListFailure) {
    var pasts: [Int: PastSnapshot] = [:]
    for (index, edit) in edits.edits.enumerated() {
      do throws(EditFailure) {
        try editable.make(edit) { (revision) throws(EditFailure) in
          guard let past = try? past(revision, of: list, in: snapshot, &pasts) else {
            throw .revisionNotFound(
              revision, oldest: list.oldestRevision, current: list.revision)
          }
          return past
        }
      } catch {
        throw .edit(index: index, error)
      }
    }
  }
}

extension PieceTable {
  /// Returns the pieces merged into a snapshot.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  func snapshot(using keyIndices: inout LastKeyIndices) -> Snapshot {
    var builder = builder()
    builder.finish(using: &keyIndices)
    return builder.snapshot
  }

  /// The items of the first source that are in the table, in their order there.
  ///
  /// - Complexity: O(*p*), where *p* is the number of pieces.
  var kept: [MatchedRun] {
    var runs: [MatchedRun] = []
    var item = 0
    for piece in sections.lazy.flatMap(\.pieces) {
      defer { item += piece.range.count }
      guard piece.source == 0 else { continue }
      let run = MatchedRun(old: piece.range.lowerBound, new: item, count: piece.range.count)
      if let last = runs.last, last.old + last.count == run.old, last.new + last.count == run.new {
        runs[runs.count - 1].count += run.count
      } else {
        runs.append(run)
      }
    }
    return runs
  }

  func builder() -> SnapshotBuilder {
    var builder = SnapshotBuilder(buffers: [])
    var numbers: [[Int]] = []
    for source in sources {
      let base = builder.snapshot.buffers.count
      numbers.append(source.buffers.indices.map { base + $0 })
      for buffer in source.buffers { builder.addBuffer(buffer) }
    }
    for section in sections {
      var traits = sources[section.source].sections[section.index]
      traits.own = traits.own.moved(to: numbers[section.source])
      builder.beginSection(section.key, traits)
      for piece in section.pieces {
        builder.addItems(of: sources[piece.source], piece.range, buffers: numbers[piece.source])
      }
    }
    // Replaced content is not kept for as long as the list is edited.
    builder.tidyBuffers()
    return builder
  }

  /// Returns the forced updates by index in `snapshot`, the merged pieces.
  func forcedUpdates(in snapshot: Snapshot) -> ForcedUpdates {
    var forcedUpdates = ForcedUpdates()
    for (index, section) in sections.enumerated() {
      if let change = forcedSections[section.key] { forcedUpdates.sections[index] = change }
    }
    guard !forcedItems.isEmpty else { return forcedUpdates }
    var starts: [[Int]] = []
    var count = 0
    for section in sections {
      starts.append([])
      for piece in section.pieces {
        starts[starts.count - 1].append(count)
        count += piece.range.count
      }
    }
    let handles = Array(forcedItems.keys)
    for (handle, position) in zip(handles, positions(of: handles)) {
      guard let position else { continue }
      let item = starts[position.section][position.piece] + position.offset
      forcedUpdates.items[item] = forcedItems[handle]
    }
    return forcedUpdates
  }
}

/// Items and sections to report as updated even if their content is unchanged, by new index.
package struct ForcedUpdates: Sendable {
  package var items: [Int: ContentChange] = [:]
  package var sections: [Int: ContentChange] = [:]

  package init() {}

  package var isEmpty: Bool { items.isEmpty && sections.isEmpty }
}

extension Edits {
  /// Reports whether there are so many edits, for a list of `itemCount` items, that making them
  /// item by item is faster.
  fileprivate func areMany(besides itemCount: Int) -> Bool {
    let size = edits.reduce(0) { $0 + $1.size }
    return size > 128 && size * size > itemCount
  }
}
