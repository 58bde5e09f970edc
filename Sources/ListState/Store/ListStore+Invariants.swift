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
      list.tree!.checkInvariants()
      list.live?.all?.checkInvariants()
      list.live?.sources.checkInvariants()
      for case .step(let step) in list.older.revisions.map(\.content) { step.checkInvariants() }
    }
  }
}
