import ListDiff

/// A snapshot that is being edited: pieces of other snapshots, in order.
///
/// The first source is the snapshot that the edits began with; each request that brings something in
/// adds one. Cost follows the number of pieces, not that of items.
struct Draft: EditableList, Sendable {
  /// A run of items of a source.
  struct Piece: Hashable {
    var source: Int
    var range: Range<Int>
  }

  /// An item by where it came from.
  struct Handle: Hashable {
    var source: Int
    var item: Int
  }

  struct Section {
    var key: UInt32
    /// Where the section's own members are: a section of a source.
    var source: Int
    var index: Int
    var pieces: [Piece] = []
  }

  /// Where an item is: its section, its piece, and its place in the piece.
  struct Place: Comparable {
    var section: Int
    var piece: Int
    var offset: Int

    static func < (a: Place, b: Place) -> Bool {
      (a.section, a.piece, a.offset) < (b.section, b.piece, b.offset)
    }
  }

  /// The same for all drafts that began as this one did, and for no others of the list.
  let number: Int

  /// The name of the list, which a reference may give as its source.
  let name: [UInt8]

  private(set) var sources: [Snapshot]
  var sections: [Section] = []

  /// The source that has what the edits of the present request bring.
  private(set) var broughtSource = 0

  /// What is to be told of kept items and sections even where their content stays.
  var touchedItems: [Handle: ContentChange] = [:]
  var touchedSections: [UInt32: ContentChange] = [:]

  /// The items of the first source by key, and of the others.
  private let index: KeyIndex
  private var added: [UInt32: [Handle]] = [:]

  /// The snapshot as it is.
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

  /// Adds what the edits of a request bring as a source, whose items are in no section yet.
  mutating func bring(_ snapshot: Snapshot) {
    guard !snapshot.sections.isEmpty else { return }
    sources.append(snapshot)
    broughtSource = sources.count - 1
    for (item, key) in snapshot.arrangement.rows.enumerated() {
      added[key, default: []].append(Handle(source: broughtSource, item: item))
    }
  }

  /// Forgets what earlier edits wanted told.
  mutating func forgetTouched() {
    touchedItems = [:]
    touchedSections = [:]
  }

  func handle(at place: Place) -> Handle {
    let piece = sections[place.section].pieces[place.piece]
    return Handle(source: piece.source, item: piece.range.lowerBound + place.offset)
  }

  /// Where items are now; `nil` for one that was taken out.
  ///
  /// - Complexity: O(*k* *p*) for a few items, O((*k* + *p*) log *p*) for many, where *k* is their
  ///   number and *p* that of pieces.
  func places(of handles: [Handle]) -> [Place?] {
    guard handles.count > 8 else { return handles.map(place) }
    var runs: [(piece: Piece, place: Place)] = []
    for (section, content) in sections.enumerated() {
      for (index, piece) in content.pieces.enumerated() {
        runs.append((piece, Place(section: section, piece: index, offset: 0)))
      }
    }
    func begins(_ piece: Piece) -> (Int, Int) { (piece.source, piece.range.lowerBound) }
    runs.sort { begins($0.piece) < begins($1.piece) }
    return handles.map { handle in
      var low = 0
      var high = runs.count
      while low < high {
        let middle = (low + high) / 2
        if begins(runs[middle].piece) <= (handle.source, handle.item) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      guard low > 0 else { return nil }
      let (piece, place) = runs[low - 1]
      guard piece.source == handle.source, piece.range.contains(handle.item) else { return nil }
      return Place(
        section: place.section, piece: place.piece,
        offset: handle.item - piece.range.lowerBound)
    }
  }

  private func place(of handle: Handle) -> Place? {
    for (section, content) in sections.enumerated() {
      for (piece, run) in content.pieces.enumerated()
      where run.source == handle.source && run.range.contains(handle.item) {
        return Place(section: section, piece: piece, offset: handle.item - run.range.lowerBound)
      }
    }
    return nil
  }

  /// Whether an item was not taken out.
  func contains(_ handle: Handle) -> Bool { place(of: handle) != nil }

  /// By key the items that have it, in order.
  func handles(withKeys keys: [UInt32]) -> [[Handle]] {
    var candidates: [Handle] = []
    var counts: [Int] = []
    for key in keys {
      let before = candidates.count
      candidates += index.items(withKey: key).map { Handle(source: 0, item: $0) }
      candidates += added[key] ?? []
      counts.append(candidates.count - before)
    }
    let places = places(of: candidates)
    var next = 0
    return counts.map { count in
      defer { next += count }
      let placed = (next..<next + count).compactMap { i in places[i].map { (candidates[i], $0) } }
      return placed.count < 2 ? placed.map(\.0) : placed.sorted { $0.1 < $1.1 }.map(\.0)
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
