extension Query {
  /// Whether everything that this query matches, another one matches, too; false if that is not
  /// obvious.
  func narrows(_ other: Query) -> Bool {
    other.sets.allSatisfy { wider in
      sets.contains { set in
        set.allSatisfy { term in wider.contains { term.implies($0) } }
      }
    }
  }
}

extension Term {
  /// Whether every row that this term matches, another one matches, too.
  func implies(_ other: Term) -> Bool {
    guard isNegated == other.isNegated else { return false }
    return isNegated ? other.occurrenceImplies(self) : occurrenceImplies(other)
  }

  /// Whether another term, if neither were negated, occurs wherever this one does.
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
    case .substring:
      guard kind != .fuzzy else { return count == 1 && folded == other.points }
      return (0...count - other.count).contains {
        folded[$0..<$0 + other.count].elementsEqual(other.points)
      }
    }
  }
}
