extension Changes.Op {
  /// What an operation does.
  @usableFromInline package enum Verb: Sendable {
    case delete, insert, move, reload, reconfigure
  }

  /// What operations of all kinds consist of. Sections are the rows of section 0. `at` is the first position,
  /// before the stage if the operation deletes or moves, otherwise after it; `to` is the first position after it.
  @usableFromInline package typealias Parts = (
    verb: Verb, isOfRows: Bool, at: ListPath, to: ListPath, count: Int
  )

  @usableFromInline package var parts: Parts {
    switch self {
    case .deleteSections(let at, let count), .insertSections(let at, let count),
      .reloadSections(let at, let count), .reconfigureSections(let at, let count):
      let at = ListPath(section: 0, row: at)
      return (verb, false, at, at, count)
    case .moveSections(let from, let to, let count):
      return (
        .move, false, ListPath(section: 0, row: from), ListPath(section: 0, row: to), count
      )
    case .deleteItems(let at, let count), .insertItems(let at, let count),
      .reloadItems(let at, let count), .reconfigureItems(let at, let count):
      return (verb, true, at, at, count)
    case .moveItems(let from, let to, let count):
      return (.move, true, from, to, count)
    }
  }

  @usableFromInline package init(_ parts: Parts) {
    let (at, to, count) = (parts.at, parts.to, parts.count)
    self =
      switch (parts.verb, parts.isOfRows) {
      case (.delete, true): .deleteItems(at: at, count: count)
      case (.insert, true): .insertItems(at: at, count: count)
      case (.move, true): .moveItems(from: at, to: to, count: count)
      case (.reload, true): .reloadItems(at: at, count: count)
      case (.reconfigure, true): .reconfigureItems(at: at, count: count)
      case (.delete, false): .deleteSections(at: at.row, count: count)
      case (.insert, false): .insertSections(at: at.row, count: count)
      case (.move, false): .moveSections(from: at.row, to: to.row, count: count)
      case (.reload, false): .reloadSections(at: at.row, count: count)
      case (.reconfigure, false): .reconfigureSections(at: at.row, count: count)
      }
  }

  package var verb: Verb {
    switch self {
    case .deleteSections, .deleteItems: .delete
    case .insertSections, .insertItems: .insert
    case .moveSections, .moveItems: .move
    case .reloadSections, .reloadItems: .reload
    case .reconfigureSections, .reconfigureItems: .reconfigure
    }
  }

  /// Whether the operation updates contents and changes no structure.
  @usableFromInline package var isOfContents: Bool { verb == .reload || verb == .reconfigure }

  /// Returns this operation and the next as one, or `nil` if the next does not continue it.
  func merged(with next: Op) -> Op? {
    var own = parts
    let other = next.parts
    let (end, newEnd) = (own.at.advanced(by: own.count), own.to.advanced(by: own.count))
    guard own.verb == other.verb, own.isOfRows == other.isOfRows, end == other.at,
      newEnd == other.to
    else { return nil }
    own.count += other.count
    return Op(own)
  }
}

extension Stage {
  /// Whether the stage changes the structure of the list, not only contents.
  @usableFromInline package var changesStructure: Bool { !ops.allSatisfy { $0.isOfContents } }

  /// Appends an operation, merging it with the last one if it continues it.
  @inline(never)
  package mutating func append(_ op: Op) {
    if let last = ops.last, let merged = last.merged(with: op) {
      ops[ops.count - 1] = merged
    } else {
      ops.append(op)
    }
  }
}

extension Path {
  /// Returns the path `count` rows further on in the same section.
  @_alwaysEmitIntoClient package func advanced(by count: Int) -> Path {
    Path(section: section, row: row + count)
  }

  /// The path as one number with the same order.
  @_alwaysEmitIntoClient var number: UInt64 {
    UInt64(truncatingIfNeeded: section) << 32 | UInt64(truncatingIfNeeded: row)
  }

  /// Returns the paths of `count` consecutive rows.
  @_alwaysEmitIntoClient package func paths(_ count: Int) -> LazyMapCollection<Range<Int>, ListPath>
  {
    (0..<count).lazy.map { advanced(by: $0) }
  }
}
