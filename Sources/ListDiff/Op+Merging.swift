extension Stage {
  /// Appends an operation, merging it with the last one if it continues it.
  mutating func append(_ op: Op) {
    if let last = ops.last, let merged = last.merged(with: op) {
      ops[ops.count - 1] = merged
    } else {
      ops.append(op)
    }
  }
}

extension Op {
  /// Returns this operation and the next as one, or `nil` if the next does not continue it.
  func merged(with next: Op) -> Op? {
    switch (self, next) {
    case (.moveItems(let from, let to, let count), .moveItems(let nextFrom, let nextTo, let more)):
      guard from.advanced(by: count) == nextFrom, to.advanced(by: count) == nextTo else { break }
      return .moveItems(from: from, to: to, count: count + more)
    case (.deleteItems(let at, let count), .deleteItems(let nextAt, let more)):
      guard at.advanced(by: count) == nextAt else { break }
      return .deleteItems(at: at, count: count + more)
    case (.insertItems(let at, let count), .insertItems(let nextAt, let more)):
      guard at.advanced(by: count) == nextAt else { break }
      return .insertItems(at: at, count: count + more)
    case (.reloadItems(let at, let count), .reloadItems(let nextAt, let more)):
      guard at.advanced(by: count) == nextAt else { break }
      return .reloadItems(at: at, count: count + more)
    case (.reconfigureItems(let at, let count), .reconfigureItems(let nextAt, let more)):
      guard at.advanced(by: count) == nextAt else { break }
      return .reconfigureItems(at: at, count: count + more)
    case (.deleteSections(let at, let count), .deleteSections(let nextAt, let more)):
      guard at + count == nextAt else { break }
      return .deleteSections(at: at, count: count + more)
    case (.insertSections(let at, let count), .insertSections(let nextAt, let more)):
      guard at + count == nextAt else { break }
      return .insertSections(at: at, count: count + more)
    case (
      .moveSections(let from, let to, let count), .moveSections(let nextFrom, let nextTo, let more)
    ):
      guard from + count == nextFrom, to + count == nextTo else { break }
      return .moveSections(from: from, to: to, count: count + more)
    case (.reloadSections(let at, let count), .reloadSections(let nextAt, let more)):
      guard at + count == nextAt else { break }
      return .reloadSections(at: at, count: count + more)
    case (.reconfigureSections(let at, let count), .reconfigureSections(let nextAt, let more)):
      guard at + count == nextAt else { break }
      return .reconfigureSections(at: at, count: count + more)
    default: break
    }
    return nil
  }
}

extension Path {
  /// Returns the path `count` rows further on in the same section.
  package func advanced(by count: Int) -> Path { Path(section: section, row: row + count) }
}
