extension Draft {
  func items(withKeys keys: ArraySlice<UInt32>, first limit: Int) -> [SameItems] {
    handles(withKeys: Array(keys)).map { SameItems(count: $0.count, first: $0) }
  }

  func item(withKey key: UInt32, occurrence: Int) -> Handle? {
    let handles = handles(withKeys: [key])[0]
    return occurrence < handles.count ? handles[occurrence] : nil
  }

  mutating func remove(_ items: [Handle]) { rewrite(items.map { ($0, nil) }) }

  mutating func replace(_ changes: [(old: Handle, new: Handle)]) {
    rewrite(changes.map { ($0.old, $0.new) })
  }

  /// Puts other items in the places of items that are there, or nothing.
  ///
  /// - Complexity: As of ``places(of:)``.
  private mutating func rewrite(_ changes: [(old: Handle, new: Handle?)]) {
    let places = places(of: changes.map(\.old))
    let order = changes.indices.filter { places[$0] != nil }.sorted { places[$0]! < places[$1]! }
    var next = order.startIndex
    while next < order.endIndex {
      let section = places[order[next]]!.section
      var pieces: [Piece] = []
      for (index, piece) in sections[section].pieces.enumerated() {
        var start = piece.range.lowerBound
        while next < order.endIndex, let place = places[order[next]],
          place.section == section, place.piece == index
        {
          let item = piece.range.lowerBound + place.offset
          if item >= start {
            pieces.append(Piece(source: piece.source, range: start..<item))
            if let new = changes[order[next]].new { pieces.append(Self.piece(new)) }
            start = item + 1
          }
          next += 1
        }
        pieces.append(Piece(source: piece.source, range: start..<piece.range.upperBound))
      }
      sections[section].pieces = pieces.filter { !$0.range.isEmpty }
    }
  }

  mutating func insert(_ pieces: [Piece], at anchor: Handle, isAfter: Bool) {
    guard !pieces.isEmpty, let place = places(of: [anchor])[0] else { return }
    let piece = sections[place.section].pieces[place.piece]
    let cut = piece.range.lowerBound + place.offset + (isAfter ? 1 : 0)
    let before = Piece(source: piece.source, range: piece.range.lowerBound..<cut)
    let after = Piece(source: piece.source, range: cut..<piece.range.upperBound)
    sections[place.section].pieces.replaceSubrange(
      place.piece...place.piece, with: ([before] + pieces + [after]).filter { !$0.range.isEmpty })
  }

  mutating func append(_ pieces: [Piece], to section: Int) { sections[section].pieces += pieces }

  // MARK: Sections

  var lastSection: Int? { sections.indices.last }

  func section(withKey key: UInt32) -> Int? { sections.firstIndex { $0.key == key } }

  func key(of section: Int) -> UInt32 { sections[section].key }

  mutating func insert(_ added: Given, at place: SectionPlace<Int>) {
    let brought = sources[broughtSource]
    sections.insert(
      contentsOf: added.sections.map { index in
        let range = brought.arrangement.range(ofSection: index)
        return Section(
          key: brought.arrangement.sections[index], source: broughtSource, index: index,
          pieces: range.isEmpty ? [] : [Piece(source: broughtSource, range: range)])
      }, at: index(of: place))
  }

  mutating func remove(_ gone: [Int]) {
    let gone = Set(gone)
    sections = sections.indices.filter { !gone.contains($0) }.map { sections[$0] }
  }

  mutating func removeAll() { sections = [] }

  mutating func move(_ section: Int, to place: SectionPlace<Int>) {
    let moved = sections[section]
    let index = index(of: place)
    sections.remove(at: section)
    sections.insert(moved, at: index > section ? index - 1 : index)
  }

  mutating func settleOrder() {}

  mutating func update(_ section: Int, from brought: Int) {
    sections[section].source = broughtSource
    sections[section].index = brought
  }

  private func index(of place: SectionPlace<Int>) -> Int {
    switch place {
    case .end: sections.count
    case .before(let section): section
    case .after(let section): section + 1
    }
  }
}
