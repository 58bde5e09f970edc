import ListDiff

/// What a list in pieces has of the list before it was edited, so that only what edits brought in
/// needs to be written down.
package struct DraftReuse {
  /// Items that follow each other in a section.
  package enum Items {
    /// As they were, by their places counted through all sections before.
    case kept(Range<Int>)
    case brought(source: Int, Range<Int>)
  }

  /// Sections that follow each other.
  package enum Sections {
    /// As they were, by their indices before.
    case kept(Range<Int>)
    case changed(Section)
  }

  /// A section with other items or members than before.
  package struct Section {
    /// The index before of a section with the same members.
    package var own: Int?
    /// Where the members are: a section of a source.
    package var source: Int
    package var index: Int
    package var items: [Items] = []
  }

  /// The snapshots that edits have brought in, and the one that they began with.
  package let sources: [Snapshot]

  /// All sections, in order.
  package private(set) var sections: [Sections] = []

  /// A piece before the edits, and the place of its first item.
  private typealias Run = (piece: Draft.Piece, start: Int)

  /// What a draft has of an older one.
  ///
  /// - Complexity: O(*s* + *p* log *p*), where *s* is the number of sections and *p* that of pieces.
  init(of new: Draft, from old: Draft) {
    sources = new.sources
    let starts = Self.starts(of: old)
    let partners = Self.partners(of: new, in: old)
    var free: [Run] = []
    var taken = Set<Int>()
    var ends: [(head: Int, tail: Int)] = []
    for (section, partner) in zip(new.sections, partners) {
      guard let partner else {
        ends.append((0, 0))
        continue
      }
      taken.insert(partner)
      let end = Self.ends(old.sections[partner].pieces, section.pieces)
      ends.append(end)
      free += Self.runs(of: old, partner, starts).dropFirst(end.head).dropLast(end.tail)
    }
    for section in old.sections.indices where !taken.contains(section) {
      free += Self.runs(of: old, section, starts)
    }
    free.sort { Self.begins($0.piece) < Self.begins($1.piece) }
    for (place, section) in new.sections.enumerated() {
      add(section, partners[place], ends[place], old, starts, free)
    }
  }

  private mutating func add(
    _ section: Draft.Section, _ partner: Int?, _ ends: (head: Int, tail: Int), _ old: Draft,
    _ starts: [Int], _ free: [Run]
  ) {
    let before = partner.map { old.sections[$0] }
    let isSameOwn = before.map { $0.source == section.source && $0.index == section.index }
    let own = isSameOwn == true ? partner : nil
    let isSame = before.map { $0.pieces.count == ends.head && section.pieces.count == ends.head }
    if let own, isSame == true {
      if case .kept(let kept) = sections.last, kept.upperBound == own {
        sections[sections.count - 1] = .kept(kept.lowerBound..<own + 1)
      } else {
        sections.append(.kept(own..<own + 1))
      }
      return
    }
    var changed = Section(own: own, source: section.source, index: section.index)
    let first = partner.map { starts[$0] } ?? 0
    let head = section.pieces.prefix(ends.head).reduce(0) { $0 + $1.range.count }
    changed.keep(first..<first + head)
    for piece in section.pieces.dropFirst(ends.head).dropLast(ends.tail) {
      changed.add(piece, free)
    }
    let tail = section.pieces.suffix(ends.tail).reduce(0) { $0 + $1.range.count }
    let end = partner.map { starts[$0 + 1] } ?? 0
    changed.keep(end - tail..<end)
    sections.append(.changed(changed))
  }

  /// By section the number of items before it, and at the end the number of items.
  private static func starts(of draft: Draft) -> [Int] {
    var starts = [0]
    for section in draft.sections {
      starts.append(starts[starts.count - 1] + section.pieces.reduce(0) { $0 + $1.range.count })
    }
    return starts
  }

  /// By section the one before that it was.
  private static func partners(of new: Draft, in old: Draft) -> [Int?] {
    let keys = old.sections.map(\.key)
    if keys == new.sections.map(\.key) { return keys.indices.map { $0 } }
    let places = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
    return new.sections.map { places[$0.key] }
  }

  /// How many pieces at both ends are the same.
  private static func ends(_ a: [Draft.Piece], _ b: [Draft.Piece]) -> (head: Int, tail: Int) {
    let limit = min(a.count, b.count)
    var head = 0
    while head < limit, a[head] == b[head] { head += 1 }
    var tail = 0
    while tail < limit - head, a[a.count - 1 - tail] == b[b.count - 1 - tail] { tail += 1 }
    return (head, tail)
  }

  private static func runs(of draft: Draft, _ section: Int, _ starts: [Int]) -> [Run] {
    var start = starts[section]
    return draft.sections[section].pieces.map { piece in
      defer { start += piece.range.count }
      return (piece, start)
    }
  }

  fileprivate static func begins(_ piece: Draft.Piece) -> (Int, Int) {
    (piece.source, piece.range.lowerBound)
  }
}

extension DraftReuse.Section {
  fileprivate mutating func keep(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if case .kept(let last) = items.last, last.upperBound == range.lowerBound {
      items[items.count - 1] = .kept(last.lowerBound..<range.upperBound)
    } else {
      items.append(.kept(range))
    }
  }

  /// Adds a piece, of which parts may be among pieces from before, which are in the order of where
  /// they came from.
  fileprivate mutating func add(_ piece: Draft.Piece, _ free: [(piece: Draft.Piece, start: Int)]) {
    var low = 0
    var high = free.count
    while low < high {
      let middle = (low + high) / 2
      if DraftReuse.begins(free[middle].piece) <= DraftReuse.begins(piece) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var next = max(0, low - 1)
    var item = piece.range.lowerBound
    while next < free.count, item < piece.range.upperBound {
      let (run, start) = free[next]
      next += 1
      let common = run.range.clamped(to: item..<piece.range.upperBound)
      guard run.source == piece.source, !common.isEmpty else {
        if DraftReuse.begins(run) >= (piece.source, piece.range.upperBound) { break }
        continue
      }
      bring(piece.source, item..<common.lowerBound)
      let first = start + common.lowerBound - run.range.lowerBound
      keep(first..<first + common.count)
      item = common.upperBound
    }
    bring(piece.source, item..<piece.range.upperBound)
  }

  private mutating func bring(_ source: Int, _ range: Range<Int>) {
    if !range.isEmpty { items.append(.brought(source: source, range)) }
  }
}
