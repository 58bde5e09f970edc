import ListDiff

/// The limits of an identifier table. The defaults are the largest values that it supports.
package struct IDLimits: Sendable {
  /// The maximum total size of all identifiers, in bytes.
  package var bytes = Int(UInt32.max)

  /// The maximum size of one identifier, in bytes.
  package var length = 1 << 29 - 1

  /// The maximum number of identifiers, so that a key may be part of a pair (``IDKind/isPair``).
  package var keys = 1 << 29 - 1

  package init() {}
}

/// The limit that an identifier table has reached.
package enum IDOverflow: Error, Hashable, Sendable {
  case bytes(limit: Int)
  case length(limit: Int)
  case keys(limit: Int)
}

extension ListStore {
  /// All lists at one time.
  typealias SavedLists = (lists: ListTable, composition: Composition)

  /// Returns all lists if the identifier table may have no room for a change of a list, whose
  /// composites take the identifiers of `sources`. Otherwise returns `nil`.
  func savedLists(
    beforeChanging name: [UInt8], madeOf sources: @autoclosure () -> [SourceIDs], isComposite: Bool
  ) -> SavedLists? {
    // Counting all composites is cheaper than finding those that follow. An ordinary list without
    // composites needs no identifiers beside those that were read.
    guard isComposite || !composition.composites(of: name).isEmpty else { return nil }
    let sources = sources()
    guard mayOverflow(for: sources, in: composition.count + 1),
      mayOverflow(for: sources, in: dependents(of: name).count + 1)
    else { return nil }
    return (lists, composition)
  }

  /// Reverts all lists if the identifier table has overflowed since they were saved.
  ///
  /// - Throws: `overflow`.
  mutating func checkOverflow(rollingBackTo saved: SavedLists?) throws(ListFailure) {
    guard let saved, let overflow = ids.overflow else { return }
    rollBack(to: saved)
    throw .overflow(overflow)
  }

  /// Reports whether there may be no room for the identifiers of `composites` composites of the
  /// lists.
  private func mayOverflow(for sources: [SourceIDs], in composites: Int) -> Bool {
    var items = 0
    var sections = 0
    var length = 0
    for source in sources {
      items += source.items
      sections += source.sections.count
      for key in source.sections { length += ids.bytes(of: key).count }
    }
    // A section has the names of all lists on its path. `Double`, because the product may overflow an
    // integer.
    let count = Double(composites)
    let names = Double(sections * (composition.longestName + 8)) * count
    let bytes = (Double(length) + names) * 6 * count
    // An item that repeats has two keys in a view.
    return ids.mayOverflow(for: Double(2 * items + sections) * count, bytes)
  }
}

/// The identifiers of a source of composites.
struct SourceIDs {
  /// The number of items.
  let items: Int

  /// The keys of the sections.
  let sections: [UInt32]

  init(_ snapshot: Snapshot) {
    items = snapshot.itemCount
    sections = snapshot.arrangement.sections
  }

  /// - Complexity: O(*s*), where *s* is the number of sections.
  init(_ list: NamedList) {
    items = list.itemCount
    sections = list.tree.map { tree in tree.sectionsInOrder.map { tree.sections[$0].key } } ?? []
  }
}

extension IDTable {
  /// Reports whether there is no room for `count` more identifiers of `size` bytes in total.
  func mayOverflow(for count: Double, _ size: Double) -> Bool {
    count > Double(limits.keys - self.count) || size > Double(limits.bytes - self.size)
  }
}
