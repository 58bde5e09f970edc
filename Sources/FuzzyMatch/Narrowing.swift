extension Query {
  /// Reports whether another query is known to match everything that this one matches.
  func narrows(_ other: Query) -> Bool {
    other.sets.allSatisfy { wider in
      sets.contains { set in
        set.allSatisfy { term in wider.contains { term.implies($0) } }
      }
    }
  }
}

extension Term {
  /// Reports whether another term is known to match every row that this one matches.
  func implies(_ other: Term) -> Bool {
    guard isNegated == other.isNegated else { return false }
    return isNegated ? other.occurrenceImplies(self) : occurrenceImplies(other)
  }

  /// The same, ignoring the negation of both.
  private func occurrenceImplies(_ other: Term) -> Bool {
    guard other.ignoresCase || !ignoresCase, other.count <= count else { return false }
    let table = CharacterTable.shared
    let folded = other.ignoresCase && !ignoresCase ? points.map(table.fold) : points
    switch other.kind {
    case .fuzzy: return other.firstEnd(in: folded, 0..<count) != nil
    case .prefix:
      return (kind == .prefix || kind == .equal) && folded.starts(with: other.points)
    case .suffix:
      return (kind == .suffix || kind == .equal)
        && folded.suffix(other.count).elementsEqual(other.points)
    case .equal: return kind == .equal && folded == other.points
    case .word: return kind == .word && folded == other.points
    case .substring:
      guard kind != .fuzzy else { return count == 1 && folded == other.points }
      return (0...count - other.count).contains {
        folded[$0..<$0 + other.count].elementsEqual(other.points)
      }
    }
  }
}
