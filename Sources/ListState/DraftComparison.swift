import ListDiff

/// Two states of a draft as short lists, in which a row stands for all items that edits have left
/// side by side.
///
/// A row that is in both has the same key in both. What edits have touched is a row of its own.
struct DraftComparison {
  struct Row {
    var key: UInt32
    var length: Int
    /// The first of its items.
    var handle: Draft.Handle
  }

  struct Side {
    var starts: [Int32] = [0]
    var rows: [Row] = []

    mutating func endSection() { starts.append(Int32(truncatingIfNeeded: rows.count)) }
  }

  private(set) var old = Side()
  private(set) var new = Side()

  /// One above the largest key of a row.
  private(set) var universe = 0

  private let before: Draft
  private let after: Draft

  /// By new section its old one.
  private var partners: [Int?] = []

  /// By old section how many pieces at both ends are in the new one as they were.
  private var ends: [Int: (head: Int, tail: Int)] = [:]

  /// By source where rows begin and end, in order.
  private var cuts: [Int: [Int]] = [:]

  /// By item that edits brought in, the item that was there under the same identifier.
  private var replaced: [Draft.Handle: Draft.Handle] = [:]
  private var keys: [Draft.Handle: UInt32] = [:]
  private var headKeys: [Int: UInt32] = [:]
  private var tailKeys: [Int: UInt32] = [:]

  /// Compares a draft before and after edits.
  ///
  /// - Complexity: O(*s* + *p* log *p*), where *s* is the number of sections and *p* that of pieces
  ///   between the first and the last that differ in a section.
  init(_ before: Draft, _ after: Draft) {
    self.before = before
    self.after = after
    findPartners()
    findCuts()
    for section in before.sections.indices { addOld(section) }
    for section in after.sections.indices { addNew(section) }
  }

  private mutating func findPartners() {
    let old = before.sections.map(\.key)
    let new = after.sections.map(\.key)
    if old == new {
      partners = new.indices.map { $0 }
    } else {
      let places = Dictionary(uniqueKeysWithValues: zip(old, old.indices))
      partners = new.map { places[$0] }
    }
    // What is to be told although it is the same may be anywhere.
    guard after.touchedItems.isEmpty else { return }
    for (section, partner) in partners.enumerated() {
      guard let partner else { continue }
      let a = before.sections[partner].pieces
      let b = after.sections[section].pieces
      let limit = min(a.count, b.count)
      var head = 0
      while head < limit, a[head] == b[head] { head += 1 }
      var tail = 0
      while tail < limit - head, a[a.count - 1 - tail] == b[b.count - 1 - tail] { tail += 1 }
      ends[partner] = (head, tail)
    }
  }

  private mutating func findCuts() {
    for section in before.sections.indices {
      for piece in middle(ofOld: section) { cut(piece) }
    }
    var brought: [Draft.Handle] = []
    for section in after.sections.indices {
      for piece in middle(ofNew: section) {
        cut(piece)
        guard piece.source >= before.sources.count else { continue }
        brought += piece.range.map { Draft.Handle(source: piece.source, item: $0) }
      }
    }
    for handle in after.touchedItems.keys { cut(Draft.piece(handle)) }
    let present = before.handles(withKeys: brought.map(after.key))
    for (handle, olds) in zip(brought, present) {
      guard let old = olds.first else { continue }
      replaced[handle] = old
      cut(Draft.piece(old))
    }
    for source in cuts.keys { cuts[source]!.sort() }
  }

  private mutating func cut(_ piece: Draft.Piece) {
    cuts[piece.source, default: []] += [piece.range.lowerBound, piece.range.upperBound]
  }

  private func middle(ofOld section: Int) -> ArraySlice<Draft.Piece> {
    let (head, tail) = ends[section] ?? (0, 0)
    return before.sections[section].pieces.dropFirst(head).dropLast(tail)
  }

  private func middle(ofNew section: Int) -> ArraySlice<Draft.Piece> {
    let (head, tail) = partners[section].flatMap { ends[$0] } ?? (0, 0)
    return after.sections[section].pieces.dropFirst(head).dropLast(tail)
  }

  /// A piece cut where rows begin.
  private func rows(of piece: Draft.Piece) -> [Range<Int>] {
    guard let cuts = cuts[piece.source] else { return [piece.range] }
    var low = 0
    var high = cuts.count
    while low < high {
      let middle = (low + high) / 2
      if cuts[middle] <= piece.range.lowerBound { low = middle + 1 } else { high = middle }
    }
    var rows: [Range<Int>] = []
    var start = piece.range.lowerBound
    while low < cuts.count, cuts[low] < piece.range.upperBound {
      if cuts[low] > start {
        rows.append(start..<cuts[low])
        start = cuts[low]
      }
      low += 1
    }
    rows.append(start..<piece.range.upperBound)
    return rows
  }

  private mutating func newKey() -> UInt32 {
    defer { universe += 1 }
    return UInt32(truncatingIfNeeded: universe)
  }

  private mutating func addOld(_ section: Int) {
    let pieces = before.sections[section].pieces
    let (head, tail) = ends[section] ?? (0, 0)
    if head > 0 {
      headKeys[section] = newKey()
      old.rows.append(Row(key: headKeys[section]!, pieces: pieces.prefix(head)))
    }
    for piece in middle(ofOld: section) {
      for range in rows(of: piece) {
        let handle = Draft.Handle(source: piece.source, item: range.lowerBound)
        keys[handle] = newKey()
        old.rows.append(Row(key: keys[handle]!, length: range.count, handle: handle))
      }
    }
    if tail > 0 {
      tailKeys[section] = newKey()
      old.rows.append(Row(key: tailKeys[section]!, pieces: pieces.suffix(tail)))
    }
    old.endSection()
  }

  private mutating func addNew(_ section: Int) {
    let pieces = after.sections[section].pieces
    let partner = partners[section]
    let (head, tail) = partner.flatMap { ends[$0] } ?? (0, 0)
    if head > 0, let partner {
      new.rows.append(Row(key: headKeys[partner]!, pieces: pieces.prefix(head)))
    }
    for piece in middle(ofNew: section) {
      let isBrought = piece.source >= before.sources.count
      let ranges = isBrought ? piece.range.map { $0..<$0 + 1 } : rows(of: piece)
      for range in ranges {
        let handle = Draft.Handle(source: piece.source, item: range.lowerBound)
        let key = keys[replaced[handle] ?? handle] ?? newKey()
        new.rows.append(Row(key: key, length: range.count, handle: handle))
      }
    }
    if tail > 0, let partner {
      new.rows.append(Row(key: tailKeys[partner]!, pieces: pieces.suffix(tail)))
    }
    new.endSection()
  }
}

extension DraftComparison.Row {
  /// A row of pieces that follow each other.
  fileprivate init(key: UInt32, pieces: some Collection<Draft.Piece>) {
    let first = pieces[pieces.startIndex]
    self.init(
      key: key, length: pieces.reduce(0) { $0 + $1.range.count },
      handle: Draft.Handle(source: first.source, item: first.range.lowerBound))
  }
}

extension DraftComparison.Side {
  /// The rows with the sections of a draft.
  func arrangement(of draft: Draft) -> Arrangement {
    Arrangement(sections: draft.sections.map(\.key), starts: starts, rows: rows.map(\.key))
  }

  /// By row the number of items before it, and at the end the number of items.
  var offsets: [Int] {
    var sums = [0]
    sums.reserveCapacity(rows.count + 1)
    for row in rows { sums.append(sums[sums.count - 1] + row.length) }
    return sums
  }

  /// The lengths of the rows, by section.
  var lengths: [[Int32]] {
    starts.indices.dropLast().map { section in
      rows[Int(starts[section])..<Int(starts[section + 1])].map {
        Int32(truncatingIfNeeded: $0.length)
      }
    }
  }
}
