import ListDiff

extension ListStore {
  /// Applies a change of a list to its composites, sources before their composites, and appends the changes of
  /// these. `selected` are changes of the selections of other sources.
  ///
  /// - Complexity: O(*c* *k* log *n*), where *c* is the number of composites, *k* the number of
  ///   items that the change names and *n* the number of items of the largest composite; if
  ///   sections were inserted, deleted or moved O(*s* log *s*) more for each composite, where *s*
  ///   is the number of its sections.
  /// - Throws: `overflow`. Some composites may have been changed then.
  mutating func follow(
    _ delta: TreeDelta, of name: [UInt8], in composites: [[UInt8]],
    selected: [[UInt8]: TreeDelta] = [:], to changes: inout [ListChange]
  ) throws(ListFailure) {
    var deltas = selected
    for composite in composites {
      guard let sources = peek(composite)?.sources else { continue }
      var renamed: [SourceDelta] = []
      var head = 0
      for source in sources {
        if let delta = source == name ? delta : deltas[source] {
          renamed.append((self.renamed(delta, of: source, in: composite), head))
        }
        head += lists[source]?.tree?.sectionCount ?? 0
      }
      if renamed.isEmpty { continue }
      if let overflow = ids.overflow { throw .overflow(overflow) }
      let (change, delta): (ListChange, TreeDelta?)
      if lists[composite]!.isView {
        (change, delta) = try follow(renamed, inView: composite, sources)
      } else {
        let marks = recordsModifications ? lists[composite]!.marks : nil
        var tree = takeTree(of: composite)
        for index in renamed.indices {
          tree.make(renamed.span[index].delta, behindSections: renamed.span[index].head)
        }
        (change, delta) = commit(lists[composite]!, marks, consume tree, ChangeRequest())
      }
      if let delta, change.isReported || delta.changesMarks { deltas[composite] = delta }
      if change.isReported || change.changesNumbers || change.marking != nil {
        changes.append(change)
      }
    }
  }

  /// Returns a change of a source with the keys that its items and sections have in a composite.
  mutating func renamed(
    _ delta: consuming TreeDelta, of source: [UInt8], in composite: [UInt8]
  ) -> TreeDelta {
    var result = consume delta
    let keepsKeys = lists[composite]?.keySource == source
    let nameKey = source.withUnsafeBytes { ids.intern(.string, $0) }
    result.rename {
      ids.internSourced($0, from: nameKey, keepsKeys: keepsKeys)
    } section: {
      rules.sectionName(source, ids, $0).withUnsafeBytes { ids.intern(.string, $0) }
    } own: {
      rules.renamed($1, rules.sectionName(source, ids, $0))
    }
    return result
  }
}
