extension ListStore {
  /// Finishes the edits of the last request, and stops the program if an invariant of the lists or
  /// of the identifier table is violated.
  ///
  /// - Complexity: O(*n*), where *n* is the size of all lists and of the identifiers.
  package mutating func checkInvariants() {
    finishEdits()
    ids.checkInvariants()
    for index in lists.indices {
      let list = lists[at: index]
      precondition(lists.index(of: list.name) == index, "a list is found by its name")
      precondition(list.revision > 0, "a list has a revision")
      if let tree = list.tree {
        tree.checkInvariants()
        list.live?.all?.checkInvariants()
        list.live?.sources.checkInvariants()
      } else {
        list.snapshot.checkInvariants()
        if list.view == nil { list.selection.checkInvariants(in: list.snapshot) }
      }
      for case .step(let step) in list.older.revisions.map(\.content) { step.checkInvariants() }
    }
  }
}
