import ByteBuffers
import ListDiff

/// A warning that items of an outline are their own ancestors.
package struct CycleWarning: Sendable {
  package let list: [UInt8]

  /// The keys of the items in the ordinary lists that they come from.
  package let items: [UInt32]
}

extension ListStore {
  /// Reads the parents that the items of a view's sources name, unless they are known. Returns
  /// false if it `isStopped`.
  ///
  /// An item's parent comes from the same ordinary list through the same composites. If several
  /// items have the identifier, the first one is the parent.
  ///
  /// - Complexity: O(*b* + *w*), where *b* is the number of bytes of the items and *w* that of
  ///   lists between them and the view.
  mutating func link(
    _ items: inout ViewItems, _ rules: any ViewRules, isStopped: () -> Bool
  ) -> Bool {
    guard let outline = rules.outline else {
      items.links = nil
      return true
    }
    guard items.links?.member != outline.parent else { return true }
    keyIndices.record(items.snapshot.arrangement.rows, isStopped: isStopped) { _, _ in }
    items.links = links(of: items.snapshot, outline.parent, rules, isStopped: isStopped)
    return items.links != nil
  }

  /// Returns the parents that items name by a member, or `nil` if it `isStopped`. The keys of the items are
  /// those that were recorded last.
  private func links(
    of snapshot: Snapshot, _ member: [UInt8], _ rules: any ViewRules, isStopped: () -> Bool
  ) -> ParentLinks? {
    let keys = snapshot.arrangement.rows
    var links = ParentLinks(member: member)
    links.parents.reserveCapacity(keys.count)
    links.areLazy.reserveCapacity(keys.count)
    var path: [UInt32] = []
    let isRead = rules.forEachLink(of: snapshot, isStopped: isStopped) { item, parent, isLazy in
      links.areLazy.append(isLazy)
      var found: Int?
      if let parent, var key = ids.find(parent.kind, parent.id) {
        path.removeAll(keepingCapacity: true)
        var inner = keys[item]
        while let source = ids.source(of: inner) {
          path.append(source.list)
          inner = source.key
        }
        var isKnown = true
        while let list = path.popLast() {
          guard let next = ids.findSourced(key, from: list) else {
            isKnown = false
            break
          }
          key = next
        }
        if isKnown { found = keyIndices.index(of: key, in: keys) }
      }
      if parent != nil, found == nil {
        links.withMissingParents.append(Int32(truncatingIfNeeded: item))
      }
      links.parents.append(Int32(truncatingIfNeeded: found ?? -1))
    }
    return isRead ? links : nil
  }

  /// Records a warning if items of an outline have become their own ancestors.
  mutating func warn(ofCycles items: [UInt32], in list: [UInt8]) {
    guard !items.isEmpty else { return }
    cycleWarnings.append(CycleWarning(list: list, items: items.map(ids.original)))
  }

  /// Returns the warnings that have yet to be sent, and clears them.
  package mutating func takeCycleWarnings() -> [CycleWarning] {
    defer { cycleWarnings = [] }
    return cycleWarnings
  }

  /// Records a warning for those of the items of an outline that are their own ancestors which were not before.
  mutating func warn(ofCycles items: [UInt32], in list: NamedList, after before: NamedList) {
    if items.isEmpty { return }
    let known = Set((before.live?.outline?.cyclicKeys ?? []).map(ids.base))
    warn(ofCycles: items.filter { !known.contains($0) }, in: list.name)
  }
}

extension IDTable {
  /// Returns the key of the parent with an identifier, which comes from the same list as the item.
  mutating func internParent(
    _ kind: IDKind, _ id: UnsafeRawBufferPointer, of key: UInt32
  ) -> UInt32 {
    var path: [UInt32] = []
    var inner = key
    while let source = source(of: inner) {
      path.append(source.list)
      inner = source.key
    }
    var parent = intern(kind, id)
    while let list = path.popLast() { parent = internSourced(parent, from: list) }
    return parent
  }
}
