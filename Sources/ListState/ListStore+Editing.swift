import ListDiff

extension ListStore {
  /// Makes edits of a list as one change.
  ///
  /// - Complexity: That of ``replace(_:with:_:)``, and for each edit O(*k* *p*) or
  ///   O((*k* + *p*) log *p*), where *k* is the number of its items and *p* that of pieces that the
  ///   edits have cut the list into.
  /// - Throws: as ``replace(_:with:_:)``, `listNotFound`, and `edit` with what is wrong with the
  ///   first edit that cannot be made.
  package mutating func edit(
    _ name: [UInt8], _ edits: Edits, _ request: ChangeRequest
  ) throws(ListFailure) -> [ListChange] {
    let list = try list(name)
    try checkWritable(list)
    try checkBase(of: list, request)
    var (snapshot, touched) = try edited(list.snapshot, of: list, edits)
    snapshot.touched = touched
    return try replace(name, with: snapshot, request)
  }

  /// A snapshot of a list, which may be an older one, with edits made.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items, and as of ``edit(_:_:_:)``.
  /// - Throws: `edit` with what is wrong with the first edit that cannot be made.
  package mutating func edited(
    _ snapshot: Snapshot, of list: NamedList, _ edits: Edits
  ) throws(ListFailure) -> (snapshot: Snapshot, touched: TouchedContents) {
    var draft = Draft(
      snapshot, of: list.name, number: list.revision, KeyIndex(snapshot, universe: ids.universe))
    draft.bring(edits.brought)
    if edits.areMany(besides: snapshot.itemCount) {
      var blocks = ItemBlocks(draft, universe: ids.universe)
      try make(edits, of: &blocks, snapshot, list)
      draft.sections = blocks.draftSections
      draft.touchedItems = blocks.touchedItems
      draft.touchedSections = blocks.touchedSections
    } else {
      try make(edits, of: &draft, snapshot, list)
    }
    let result = draft.snapshot(using: &places)
    return (result, draft.touched(in: result))
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

extension Draft {
  /// The pieces put together.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  func snapshot(using places: inout KeyPlaces) -> Snapshot {
    var builder = builder()
    builder.finish(using: &places)
    return builder.snapshot
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
    // What edits have replaced is not to be kept for as long as the list is edited.
    builder.tidyBuffers()
    return builder
  }

  /// What is to be told even where it is the same, by index in the snapshot put together.
  func touched(in snapshot: Snapshot) -> TouchedContents {
    var touched = TouchedContents()
    for (index, section) in sections.enumerated() {
      if let change = touchedSections[section.key] { touched.sections[index] = change }
    }
    guard !touchedItems.isEmpty else { return touched }
    var starts: [[Int]] = []
    var count = 0
    for section in sections {
      starts.append([])
      for piece in section.pieces {
        starts[starts.count - 1].append(count)
        count += piece.range.count
      }
    }
    let handles = Array(touchedItems.keys)
    for (handle, place) in zip(handles, places(of: handles)) {
      guard let place else { continue }
      let item = starts[place.section][place.piece] + place.offset
      touched.items[item] = touchedItems[handle]
    }
    return touched
  }
}

/// What is told as an update even where the content is the same, by new index.
package struct TouchedContents: Sendable {
  package var items: [Int: ContentChange] = [:]
  package var sections: [Int: ContentChange] = [:]

  package init() {}

  package var isEmpty: Bool { items.isEmpty && sections.isEmpty }
}

extension Edits {
  /// Whether so much is edited of a list with a number of items that it is better done item by item.
  fileprivate func areMany(besides itemCount: Int) -> Bool {
    let size = edits.reduce(0) { $0 + $1.size }
    return size > 128 && size * size > itemCount
  }
}
