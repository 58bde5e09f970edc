import ListDiff

extension ListStore {
  /// Changes the selection of a view that shows the selection of its sources, its cursor, or both. The view
  /// and all lists that have its selection are kept as trees.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that are named, selected or
  ///   deselected and *n* that of all items; O(*n* log *n*) for `all` and `invert`.
  /// - Throws: the errors of ``select(_:_:)``.
  mutating func selectInSources(
    _ name: [UInt8], _ request: SelectRequest
  ) throws(ListFailure) -> (own: SelectionChange, all: [SelectionChange]) {
    var owners = SelectionOwners(
      self, lists[name]!, lists[name]!.allTree!, lists[name]!.live!.exchangedKeys)
    let (named, range, cursor) = try resolve(request, in: lists[name]!, owners)
    finishEdits()
    let own = endSelection(
      beginSelection(of: name), setsCursor: request.setsCursor, cursor: cursor)
    guard request.action != nil || request.items != nil else { return (own, [own]) }
    let treeMarks = owners.apply(request.action ?? .toggle, to: named, in: range, &self)
    let all = followSelections((consume owners).store(in: &self), of: name)
    lists[name]!.setMarks(treeMarks)
    if let own = all.first(where: { $0.name == name }) { return (own, all) }
    return (own, all + [own])
  }

  /// Finds the positions of the items that a request names, the range to which it applies, and the
  /// row of the cursor.
  private mutating func resolve(
    _ request: SelectRequest, in list: NamedList, _ owners: SelectionOwners
  ) throws(ListFailure) -> (named: [Int], range: Range<Int>, cursor: Int?) {
    let all = owners.all
    var range = 0..<all.itemCount
    if let key = request.section {
      guard let section = key.flatMap(all.section(withKey:)) else { throw .sectionNotFound }
      let first = all.order.position(of: section).before.items
      range = first..<first + all.forest.sums(ofTree: section).items
    }
    var known = try knownItems(of: list, for: request)
    let found = try resolve(request.items, cursor: request.cursor, in: list, all, &known) {
      location in
      owners.modeBefore(owners.owner(of: all.index(of: location), ids), self) != .none
    }
    let named = found.items?.map(all.index(of:)) ?? []
    if request.section != nil {
      let others = Self.others(
        named.indices, request.action, hasAnchor: all.marks.anchor != nil
      ) { range.contains(named[$0]) }
      guard others.isEmpty else { throw .itemsOutsideSection(others) }
    }
    return (named, range, found.cursor)
  }
}
