import ListDiff

/// What is known of a list without its items.
package struct ListSummary: Sendable {
  package var name: [UInt8]
  package var revision: Int
  package var sections: Int
  package var items: Int
  package var rows: Int
  package var selected: Int
  package var sources: [[UInt8]]?
}

/// Some rows of a list that is kept in pieces.
package struct DraftWindow: Sendable {
  package var revision: Int
  package var total: Int

  /// The rows: where each is, and the item of a snapshot that it shows.
  package var rows: [(at: Path, snapshot: Snapshot, item: Int)] = []
  package var selection: [(at: Path, count: Int)]
  package var cursor: Path?
}

extension ListStore {
  /// Whether there is a list of a name.
  package func contains(_ name: [UInt8]) -> Bool { peek(name) != nil }

  /// What is known of a list without its items.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  package func summary(of name: [UInt8]) -> ListSummary? {
    guard let list = peek(name) else { return nil }
    let places = list.draft.map(DraftPlaces.init)
    return ListSummary(
      name: name, revision: list.revision,
      sections: list.draft?.sections.count ?? list.snapshot.sections.count,
      items: places?.count ?? list.snapshot.itemCount,
      rows: places?.count ?? list.snapshot.rowCount, selected: list.selection.items.count,
      sources: list.sources)
  }

  /// Where items are in a list that is kept in pieces; `nil` where it is not, or where a reference
  /// is to an older revision.
  ///
  /// - Complexity: O(*k* *p*) for a few references, O((*k* + *p*) log *p*) for many, where *k* is
  ///   their number and *p* that of pieces.
  package func draftPlaces(
    of references: [ItemReference], in name: [UInt8]
  ) -> (revision: Int, places: [Path?])? {
    guard let list = peek(name), let draft = list.draft else { return nil }
    var found: [Path?] = []
    for reference in references {
      switch reference {
      case .path(_, _, _?): return nil
      case .path(let section, let row, nil):
        let isThere = draft.item(section: section, row: row) != nil
        found.append(isThere ? Path(section: section, row: row) : nil)
      case .id(let key, let occurrence, let source):
        let handles = key.map { draft.handles(withKeys: [$0])[0] } ?? []
        guard source == nil || source == name, occurrence < handles.count else {
          found.append(nil)
          continue
        }
        found.append(draft.path(of: handles[occurrence]))
      }
    }
    return (list.revision, found)
  }

  /// Some rows of a list that is kept in pieces; `nil` where it is not.
  ///
  /// - Complexity: O(*p* + *k*), where *p* is the number of pieces and *k* that of rows asked for.
  package func draftWindow(_ name: [UInt8], start: Int, count: Int) -> DraftWindow? {
    guard let list = peek(name), let draft = list.draft else { return nil }
    let places = DraftPlaces(draft)
    var window = DraftWindow(
      revision: list.revision, total: places.count,
      selection: places.ranges(of: list.selection.items), cursor: list.cursor.map(places.path))
    let first = min(start, places.count)
    let wanted = first..<first + min(count, places.count - first)
    var before = 0
    for (index, section) in draft.sections.enumerated() {
      var row = 0
      for piece in section.pieces {
        for place in wanted.clamped(to: before..<before + piece.range.count) {
          let offset = place - before
          window.rows.append(
            (
              Path(section: index, row: row + offset), draft.sources[piece.source],
              piece.range.lowerBound + offset
            ))
        }
        row += piece.range.count
        before += piece.range.count
        if before >= wanted.upperBound { return window }
      }
    }
    return window
  }
}

extension Draft {
  /// Where an item that is there is.
  fileprivate func path(of handle: Handle) -> Path? {
    places(of: [handle])[0].map { place in
      let before = sections[place.section].pieces[..<place.piece].reduce(0) { $0 + $1.range.count }
      return Path(section: place.section, row: before + place.offset)
    }
  }
}
