import ListDiff

/// A snapshot that is being edited, as pieces of other snapshots in order (a piece table).
///
/// The first source is the snapshot before the edits. Each request that supplies new content adds a
/// source. Costs depend on the number of pieces, not on the number of items.
struct PieceTable: EditableList, Sendable {
  /// A range of items of a source.
  struct Piece: Hashable {
    var source: Int
    var range: Range<Int>
  }

  /// An item, identified by its source and its index there.
  struct Handle: Hashable {
    var source: Int
    var item: Int
  }

  struct Section {
    var key: UInt32
    /// The source that has the section's own members, and the section's index in it.
    var source: Int
    var index: Int
    var pieces: [Piece] = []
  }

  /// The position of an item: its section, its piece, and its offset in the piece.
  struct Position: Comparable {
    var section: Int
    var piece: Int
    var offset: Int

    static func < (a: Position, b: Position) -> Bool {
      (a.section, a.piece, a.offset) < (b.section, b.piece, b.offset)
    }
  }

  /// The revision that the table was created from. Equal for all tables of the list with that
  /// origin.
  let number: Int

  /// The name of the list. A reference may name it as its source.
  let name: [UInt8]

  private(set) var sources: [Snapshot]
  var sections: [Section] = []

  /// The source with the new content of the current request.
  private(set) var newContentSource = 0

  /// Items and sections to report as updated even if their content is unchanged.
  var forcedItems: [Handle: ContentChange] = [:]
  var forcedSections: [UInt32: ContentChange] = [:]

  /// The items of the first source by key, and the items of the other sources by key.
  private let index: KeyIndex
  private var added: [UInt32: [Handle]] = [:]

  /// Creates a table with the content of a snapshot.
  init(_ snapshot: Snapshot, of name: [UInt8], number: Int, _ index: KeyIndex) {
    self.number = number
    self.name = name
    sources = [snapshot]
    self.index = index
    for (section, key) in snapshot.arrangement.sections.enumerated() {
      let range = snapshot.arrangement.range(ofSection: section)
      sections.append(
        Section(
          key: key, source: 0, index: section,
          pieces: range.isEmpty ? [] : [Piece(source: 0, range: range)]))
    }
  }

  /// Adds the new content of a request as a source. Its items are in no section yet.
  mutating func addSource(_ snapshot: Snapshot) {
    guard !snapshot.sections.isEmpty else { return }
    sources.append(snapshot)
    newContentSource = sources.count - 1
    for (item, key) in snapshot.arrangement.rows.enumerated() {
      added[key, default: []].append(Handle(source: newContentSource, item: item))
    }
  }

  /// Removes the forced updates of earlier edits.
  mutating func removeForcedUpdates() {
    forcedItems = [:]
    forcedSections = [:]
  }

  func handle(at position: Position) -> Handle {
    let piece = sections[position.section].pieces[position.piece]
    return Handle(source: piece.source, item: piece.range.lowerBound + position.offset)
  }

  /// Returns the positions of items, `nil` for an item that was removed.
  ///
  /// - Complexity: O(*k* *p*) for a few items, O((*k* + *p*) log *p*) for many, where *k* is the
  ///   number of items and *p* the number of pieces.
  func positions(of handles: [Handle]) -> [Position?] {
    guard handles.count > 8 else { return handles.map(position) }
    var runs: [(piece: Piece, position: Position)] = []
    for (section, content) in sections.enumerated() {
      for (index, piece) in content.pieces.enumerated() {
        runs.append((piece, Position(section: section, piece: index, offset: 0)))
      }
    }
    func start(_ piece: Piece) -> (Int, Int) { (piece.source, piece.range.lowerBound) }
    runs.sort { start($0.piece) < start($1.piece) }
    return handles.map { handle in
      var low = 0
      var high = runs.count
      while low < high {
        let middle = (low + high) / 2
        if start(runs[middle].piece) <= (handle.source, handle.item) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      guard low > 0 else { return nil }
      let (piece, position) = runs[low - 1]
      guard piece.source == handle.source, piece.range.contains(handle.item) else { return nil }
      return Position(
        section: position.section, piece: position.piece,
        offset: handle.item - piece.range.lowerBound)
    }
  }

  private func position(of handle: Handle) -> Position? {
    for (section, content) in sections.enumerated() {
      for (piece, run) in content.pieces.enumerated()
      where run.source == handle.source && run.range.contains(handle.item) {
        return Position(section: section, piece: piece, offset: handle.item - run.range.lowerBound)
      }
    }
    return nil
  }

  /// Reports whether an item has not been removed.
  func contains(_ handle: Handle) -> Bool { position(of: handle) != nil }

  /// Returns the items with each of some keys, in order.
  func handles(withKeys keys: [UInt32]) -> [[Handle]] {
    var candidates: [Handle] = []
    var counts: [Int] = []
    for key in keys {
      let before = candidates.count
      candidates += index.items(withKey: key).map { Handle(source: 0, item: $0) }
      candidates += added[key] ?? []
      counts.append(candidates.count - before)
    }
    let positions = positions(of: candidates)
    var next = 0
    return counts.map { count in
      defer { next += count }
      let present = (next..<next + count).compactMap { i in
        positions[i].map { (candidates[i], $0) }
      }
      return present.count < 2 ? present.map(\.0) : present.sorted { $0.1 < $1.1 }.map(\.0)
    }
  }

  func item(section: Int, row: Int) -> Handle? {
    guard sections.indices.contains(section) else { return nil }
    var left = row
    for piece in sections[section].pieces {
      let source = sources[piece.source]
      let first = source.rows(ofItem: piece.range.lowerBound).lowerBound
      let end = source.rows(ofItem: piece.range.upperBound - 1).upperBound
      if left < end - first {
        return Handle(source: piece.source, item: source.item(ofRow: first + left))
      }
      left -= end - first
    }
    return nil
  }

  static func piece(_ handle: Handle) -> Piece {
    Piece(source: handle.source, range: handle.item..<handle.item + 1)
  }
}

extension PieceTable {
  /// Stops the program if an invariant is violated: pieces are not empty and within their sources,
  /// and no item is in two pieces.
  ///
  /// - Complexity: O(*p* log *p*), where *p* is the number of pieces.
  func checkInvariants() {
    precondition(newContentSource < sources.count, "the new content is a source")
    var pieces: [Piece] = []
    for section in sections {
      precondition(
        sources[section.source].sections.indices.contains(section.index),
        "a section's own members are in its source")
      pieces += section.pieces
    }
    for piece in pieces {
      let items = 0..<sources[piece.source].itemCount
      precondition(
        !piece.range.isEmpty && piece.range.clamped(to: items) == piece.range,
        "a piece is a range of its source")
    }
    pieces.sort { ($0.source, $0.range.lowerBound) < ($1.source, $1.range.lowerBound) }
    for (piece, next) in zip(pieces, pieces.dropFirst()) where piece.source == next.source {
      precondition(piece.range.upperBound <= next.range.lowerBound, "an item is in one piece")
    }
  }
}
