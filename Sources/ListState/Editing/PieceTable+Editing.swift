extension PieceTable {
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

  /// Replaces items with other items, or removes them.
  ///
  /// - Complexity: As of ``positions(of:)``.
  private mutating func rewrite(_ changes: [(old: Handle, new: Handle?)]) {
    let positions = positions(of: changes.map(\.old))
    let order = changes.indices.filter { positions[$0] != nil }.sorted {
      positions[$0]! < positions[$1]!
    }
    var next = order.startIndex
    while next < order.endIndex {
      let section = positions[order[next]]!.section
      var pieces: [Piece] = []
      for (index, piece) in sections[section].pieces.enumerated() {
        var start = piece.range.lowerBound
        while next < order.endIndex, let position = positions[order[next]],
          position.section == section, position.piece == index
        {
          let item = piece.range.lowerBound + position.offset
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
    guard !pieces.isEmpty, let position = positions(of: [anchor])[0] else { return }
    let piece = sections[position.section].pieces[position.piece]
    let cut = piece.range.lowerBound + position.offset + (isAfter ? 1 : 0)
    let before = Piece(source: piece.source, range: piece.range.lowerBound..<cut)
    let after = Piece(source: piece.source, range: cut..<piece.range.upperBound)
    sections[position.section].pieces.replaceSubrange(
      position.piece...position.piece,
      with: ([before] + pieces + [after]).filter { !$0.range.isEmpty })
  }

  mutating func append(_ pieces: [Piece], to section: Int) { sections[section].pieces += pieces }

  // MARK: Sections

  var lastSection: Int? { sections.indices.last }

  func section(withKey key: UInt32) -> Int? { sections.firstIndex { $0.key == key } }

  func key(of section: Int) -> UInt32 { sections[section].key }

  mutating func insert(_ added: EditContent, at position: SectionPosition<Int>) {
    let newContent = sources[newContentSource]
    sections.insert(
      contentsOf: added.sections.map { index in
        let range = newContent.arrangement.range(ofSection: index)
        return Section(
          key: newContent.arrangement.sections[index], source: newContentSource, index: index,
          pieces: range.isEmpty ? [] : [Piece(source: newContentSource, range: range)])
      }, at: index(of: position))
  }

  mutating func remove(_ deleted: [Int]) {
    let deleted = Set(deleted)
    sections = sections.indices.filter { !deleted.contains($0) }.map { sections[$0] }
  }

  mutating func removeAll() { sections = [] }

  mutating func move(_ section: Int, to position: SectionPosition<Int>) {
    let moved = sections[section]
    let index = index(of: position)
    sections.remove(at: section)
    sections.insert(moved, at: index > section ? index - 1 : index)
  }

  mutating func updateOrder() {}

  mutating func update(_ section: Int, from newSection: Int) {
    sections[section].source = newContentSource
    sections[section].index = newSection
  }

  private func index(of position: SectionPosition<Int>) -> Int {
    switch position {
    case .end: sections.count
    case .before(let section): section
    case .after(let section): section + 1
    }
  }
}
