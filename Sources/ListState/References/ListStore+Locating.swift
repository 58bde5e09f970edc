import ListDiff

/// The items and rows of a list, however it is kept.
///
/// Bytes that it returns are valid during its lifetime.
package protocol LocatableRows {
  /// Returns the flat row at a path, or `nil` if there is none.
  func row(section: Int, _ row: Int) -> Int?

  func path(ofRow row: Int) -> Path
  func item(ofRow row: Int) -> Int
  func rows(ofItem item: Int) -> Range<Int>

  /// Returns the path of an item's first row, or of the next row if the item has none.
  func path(ofItem item: Int) -> Path
  func key(ofItem item: Int) -> UInt32
  func bytes(ofItem item: Int) -> UnsafeRawBufferPointer
  func key(ofSection section: Int) -> UInt32
}

extension Snapshot: LocatableRows {
  /// Returns the key of an item.
  package func key(ofItem item: Int) -> UInt32 { arrangement.rows[item] }

  /// Returns the text of an item.
  package func bytes(ofItem item: Int) -> UnsafeRawBufferPointer { bytes(of: payloads[item]) }

  /// Returns the key of a section.
  package func key(ofSection section: Int) -> UInt32 { arrangement.sections[section] }
}

extension ListRows: LocatableRows {}

extension ListStore {
  /// Returns the shown items that references name, `nil` for each item that does not exist.
  ///
  /// - Complexity: O(*k* log *n*) if the list is kept as a tree and no reference is to an older
  ///   revision, where *k* is the number of references and *n* the number of items; else O(*n*).
  /// - Throws: `revisionNotFound`, `cancelled`.
  package mutating func locate(
    _ references: [ItemReference], of list: NamedList
  ) throws(ListFailure) -> [Int?] {
    var found: [Int?] = []
    var list = list
    if let index = lists.index(of: list.name), lists[at: index].isIdentical(to: list) {
      // Changed in place, so that the next request finds the keys, too.
      list = NamedList(name: list.name)
      lists[at: index].indexKeys()
      list = lists[at: index]
    }
    if let tree = list.tree {
      var known = KnownItems()
      for reference in references { try addPast(of: reference, in: list, to: &known) }
      for reference in references {
        let location = location(ofShown: reference, in: list, &known)
        found.append(location.map { tree.index(of: $0) })
      }
      return found
    }
    let all = list.snapshot
    var index = ItemIndex(
      of: all, forReferences: references.count, isComposite: list.sources != nil, &keyIndices, ids)
    var past = PastRevisions(of: list)
    for reference in references {
      found.append(try item(reference, in: all, of: list, &index, &past))
    }
    return found
  }

  /// Returns the indices of the sections with some keys, `nil` for each section that does not
  /// exist.
  ///
  /// - Complexity: O(*k* log *s*) if the list is kept as a tree, where *s* is the number of sections
  ///   and *k* the number of keys; else O(*s* + *k*).
  package mutating func locate(sections keys: [UInt32?], of list: NamedList) -> [Int?] {
    if let tree = list.tree {
      return keys.map { key in
        key.flatMap { tree.section(withKey: $0) }.map { tree.index(ofSection: $0) }
      }
    }
    let sections = list.snapshot.arrangement.sections
    guard keys.count > 8 else { return keys.map { $0.flatMap(sections.firstIndex) } }
    keyIndices.record(sections) { _, _ in }
    var found: [Int?] = []
    for key in keys { found.append(key.flatMap { keyIndices.index(of: $0, in: sections) }) }
    return found
  }

  /// Returns for each of some shown items the number of items before it that have the same
  /// identifier. In a composite, these may come from other sources.
  ///
  /// - Complexity: O(1) for each item if items neither repeat nor come from sources; else as of
  ///   ``locate(_:of:)``, for each item that has the same identifier.
  package mutating func occurrences(ofItems items: [Int], of list: NamedList) -> [Int] {
    if let tree = list.tree {
      guard let all = list.allTree, list.sources != nil || !all.repeats.isEmpty else {
        return items.map { _ in 0 }
      }
      var known: [UInt32: [Int: Int]] = [:]
      return items.map { item in
        let key = tree.record(at: tree.location(at: item)!).key
        let identity = ids.original(all.identity(of: key))
        if known[identity] == nil {
          let indices = locations(ofIdentity: identity, in: list, all).map { all.index(of: $0) }
          known[identity] = Dictionary(uniqueKeysWithValues: zip(indices, indices.indices))
        }
        return known[identity]![all.index(ofKey: key)!]!
      }
    }
    let keys = list.snapshot.arrangement.rows
    let isComposite = list.sources != nil
    guard let last = items.max(), isComposite || list.snapshot.arrangement.hasRepeats else {
      return items.map { _ in 0 }
    }
    var counts: [UInt32: Int] = [:]
    for item in items { counts[isComposite ? ids.original(keys[item]) : keys[item]] = 0 }
    let wanted = Set(items)
    var found: [Int: Int] = [:]
    for item in 0...last {
      let key = isComposite ? ids.original(keys[item]) : keys[item]
      guard let count = counts[key] else { continue }
      counts[key] = count + 1
      if wanted.contains(item) { found[item] = count }
    }
    return items.map { found[$0] ?? 0 }
  }
}
