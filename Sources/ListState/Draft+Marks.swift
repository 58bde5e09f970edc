import ListDiff

extension Edits {
  /// Whether the edits can be made of a list in pieces: no item that they bring shows as parts or
  /// repeats, and no place of an older revision is to be looked up.
  var arePlain: Bool {
    brought.parts == nil && !brought.arrangement.hasRepeats && edits.allSatisfy(\.isPlain)
  }

  /// Whether so much is edited of a list with a number of items that it is better done item by item.
  func areMany(besides itemCount: Int) -> Bool {
    let size = edits.reduce(0) { $0 + $1.size }
    return size > 128 && size * size > itemCount
  }
}

extension Edit {
  fileprivate var isPlain: Bool {
    switch self {
    case .appendItems, .updateItems, .putItems, .appendSections, .insertSections, .updateSections:
      true
    case .insertItems(_, let anchor): anchor.item.isPresent
    case .deleteItems(let items), .touchItems(let items, _), .moveItemsToSection(let items, _):
      items.allSatisfy(\.isPresent)
    case .moveItems(let items, let anchor): items.allSatisfy(\.isPresent) && anchor.item.isPresent
    case .deleteSections, .moveSection, .touchSections, .deleteAllItems: true
    }
  }
}

extension ItemReference {
  /// Whether it names something of the present.
  fileprivate var isPresent: Bool {
    if case .path(_, _, _?) = self { return false }
    return true
  }
}

extension Draft {
  /// How many sources and pieces a draft may have before it is better put together.
  private static let sourceLimit = 256
  private static let pieceLimit = 1024

  /// Whether the draft has been cut up so much that it is better put together.
  var isWorn: Bool {
    sources.count > Self.sourceLimit
      || sections.reduce(0, { $0 + $1.pieces.count }) - sections.count > Self.pieceLimit
  }

  /// The memory that the draft keeps alive beside its first source, in bytes: its own columns, and
  /// the texts that it may share with drafts around it.
  var footprint: Int {
    sources.dropFirst().reduce(sources.footprint) { sum, source in
      source.buffers.reduce(sum) { $0 + $1.count }
    } + sections.reduce(sections.footprint) { $0 + $1.pieces.footprint }
  }

  /// The pieces put together, of a draft in which each item has an identity of its own.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  func snapshot() -> Snapshot {
    var builder = builder()
    builder.finishDistinct()
    return builder.snapshot
  }

  /// Whether an item that came since an earlier state is like another one.
  func repeatsItems(since earlier: Draft) -> Bool {
    var keys: [UInt32] = []
    for source in sources[earlier.sources.count...] {
      keys += source.traits.indices.filter { !source.traits[$0].contains(.promised) }
        .map { source.arrangement.rows[$0] }
    }
    return handles(withKeys: keys).contains { $0.count > 1 }
  }

  /// The item at a place counted through all sections.
  func handle(ofItem item: Int, _ places: DraftPlaces) -> Handle? {
    let path = places.path(of: item)
    return self.item(section: path.section, row: path.row)
  }

  func key(ofItem item: Int, _ places: DraftPlaces) -> UInt32 {
    guard let handle = handle(ofItem: item, places) else {
      preconditionFailure("an item that is not there")
    }
    return key(of: handle)
  }

  /// The traits of a section.
  func traits(ofSection section: Int) -> SectionTraits {
    sources[sections[section].source].sections[sections[section].index]
  }
}

extension DraftPlaces {
  /// A set of items as rows, each range as long as it can be within a section.
  func ranges(of items: BitSet) -> [(at: Path, count: Int)] {
    var ranges: [(at: Path, count: Int)] = []
    for item in items.members {
      let path = path(of: item)
      if let last = ranges.last, last.at.advanced(by: last.count) == path {
        ranges[ranges.count - 1].count += 1
      } else {
        ranges.append((path, 1))
      }
    }
    return ranges
  }
}

extension NamedList {
  /// Makes the selection and the cursor those after edits.
  mutating func carryMarks(
    _ map: DraftMap, _ old: Draft, _ new: Draft, _ places: DraftPlaces, _ policy: CursorPolicy
  ) {
    var carried = Selection(count: places.count)
    var single = Set<Int>()
    let items = selection.items.members.compactMap(map.place).sorted()
    for item in items {
      let section = places.path(of: item).section
      let mode = new.traits(ofSection: section).selectionMode
      guard mode != .none, let handle = new.handle(ofItem: item, places),
        !new.sources[handle.source].traits[handle.item].contains(.notSelectable),
        mode == .multiple || single.insert(section).inserted
      else { continue }
      carried.items.insert(item)
    }
    carried.anchor = selection.anchor.flatMap(map.place)
    carried.extended = selection.extended.compactMap(map.place)
    selection = carried
    cursor = row(of: cursor, map, places.count, policy)
  }

  private func row(
    of cursor: Int?, _ map: DraftMap, _ count: Int, _ policy: CursorPolicy
  ) -> Int? {
    guard count > 0 else { return nil }
    if policy == .first { return 0 }
    guard let cursor else { return nil }
    if policy == .follow, let row = map.place(of: cursor) ?? map.neighbour(of: cursor) {
      return row
    }
    return min(cursor, count - 1)
  }
}
