import ListDiff
import ListStages

/// A state of a list: a revision with edits made.
package struct EditedRevision: Sendable {
  package var revision: Int
  package var edits: Edits?

  package init(revision: Int, edits: Edits? = nil) {
    self.revision = revision
    self.edits = edits
  }
}

/// Why two states of a list cannot be compared, and which of them is the reason.
package struct ComparisonFailure: Error {
  package var failure: ListFailure
  package var isOfNew: Bool
}

/// A list whose tree is between two states that are compared.
struct OpenComparison {
  let name: [UInt8]
  var tree: ListTree

  /// The change from the current state to the older one of the two, unless they are the same.
  let first: TreeChange?
}

extension ListStore {
  /// Compares two states of a list, without visiting the whole list. Returns `nil` if that is not
  /// possible.
  ///
  /// It is possible if the steps of the history lead to both revisions and change few items. The tree
  /// of the list takes the newer state, so that the change can be encoded; until ``endComparison()``
  /// the list has no content. The change must not exist any more then.
  ///
  /// - Complexity: O(*k* log *n*), where *n* is the number of items and *k* the number of items that
  ///   the edits and the steps back to both revisions name, insert and delete; if these insert,
  ///   delete or move sections O(*s* log *s*) more, where *s* is the number of sections; O(*n*) for
  ///   the first comparison of a snapshot, and with references to older revisions.
  /// - Throws: `cancelled`, and `edit` with the failure of the first edit that cannot be made.
  package mutating func beginComparison(
    of name: [UInt8], from old: EditedRevision, to new: EditedRevision
  ) throws(ComparisonFailure) -> ListChange? {
    guard canCompareTrees(of: name, [old, new]), let oldRoute = try route(to: old, of: name, false),
      let newRoute = try route(to: new, of: name, true), (try? makeDistinct([name])) != nil
    else { return nil }
    finishEdits()
    var tree = takeTree(of: name)
    let list = lists[name]!
    var first: TreeChange?
    do throws(ListFailure) {
      guard try follow(oldRoute, in: &tree, of: list) else {
        tree.undoChange()
        lists[name]!.tree = tree
        return nil
      }
    } catch {
      tree.undoChange()
      lists[name]!.tree = tree
      throw ComparisonFailure(failure: error, isOfNew: false)
    }
    if pairRepeats(in: &tree) { tree.undoChange() }
    let before = keepsOldContents(of: name) ? ListRows(tree) : nil
    if !tree.change.isEmpty {
      let comparison = TreeComparison(tree, universe: ids.universe)
      engine.match(
        comparison.old.arrangement, comparison.new.arrangement,
        universe: comparison.universe)
      let back = EditStep(comparison, engine.matching, toOld: true, tree)
      first = tree.beginSecondChange()
      tree.apply(back, &ids)
    }
    var failure: ListFailure?
    var isMade = false
    do throws(ListFailure) { isMade = try follow(newRoute, in: &tree, of: list) } catch {
      failure = error
    }
    guard isMade else {
      openComparison = OpenComparison(name: name, tree: tree, first: first)
      tree = ListTree(Snapshot(), of: name, universe: 0)
      endComparison()
      if let failure { throw ComparisonFailure(failure: failure, isOfNew: true) }
      return nil
    }
    let isSame = pairRepeats(in: &tree)
    var (operations, _) = report(TreeComparison(tree, universe: ids.universe), tree)
    if isSame { operations = ListOperations() }
    let revision = operations.changesContent ? nextRevision(of: list) : list.revision
    let change = ListChange(
      operations, of: name, since: list.revision, revision: revision, new: ListRows(tree),
      old: before)
    openComparison = OpenComparison(name: name, tree: tree, first: first)
    return change
  }

  /// Restores the list whose states were compared last.
  ///
  /// - Complexity: As of the comparison.
  package mutating func endComparison() {
    guard openComparison != nil, var open = openComparison.take() else { return }
    if let first = open.first {
      open.tree.undoChanges(since: first)
    } else {
      open.tree.undoChange()
    }
    lists[open.name]!.tree = open.tree
  }

  /// The way from the current state of a list to another one.
  struct Route {
    var steps: [PastRevision]
    var edits: Edits

    /// The older revisions to which the edits and the request refer.
    var pasts: [Int: Snapshot]

    /// Whether items and sections that the edits touch are updates, although they are the same.
    var forcesUpdates = false
  }

  private func canCompareTrees(of name: [UInt8], _ states: [EditedRevision]) -> Bool {
    guard let list = lists[name] else { return false }
    return list.sources == nil || states.allSatisfy { $0.edits == nil }
  }

  /// Returns the way to a state, or `nil` if the history has no steps to its revision.
  private func route(
    to state: EditedRevision, of name: [UInt8], _ isNew: Bool
  ) throws(ComparisonFailure) -> Route? {
    do throws(ListFailure) {
      guard let list = lists[name] else { return nil }
      return try route(to: state.edits ?? Edits(), from: state.revision, of: list)
    } catch { throw ComparisonFailure(failure: error, isOfNew: isNew) }
  }

  /// Returns the way to a revision with edits made; `nil` if the history has no steps to the revision.
  func route(
    to edits: Edits, _ request: ChangeRequest = ChangeRequest(), from revision: Int,
    of list: NamedList
  ) throws(ListFailure) -> Route? {
    guard let steps = list.steps(backTo: revision) else { return nil }
    return Route(
      steps: steps, edits: edits, pasts: try pastSnapshots(of: list, edits.edits, request))
  }

  /// Changes a tree to another state. Returns whether it can hold that state.
  ///
  /// - Throws: `cancelled`, `overflow`, and `edit` with the failure of the first edit that cannot be
  ///   made.
  mutating func follow(
    _ route: Route, in tree: inout ListTree, of list: NamedList
  ) throws(ListFailure) -> Bool {
    // To visit the whole list is cheaper than to move many items one by one.
    var limit = 256 + tree.itemCount / 32
    for past in route.steps {
      guard !isCancelled() else { throw .cancelled }
      switch past.content {
      case .snapshot: return false
      case .step(let packed):
        guard let count = tree.apply(packed.step, &ids, limit: limit) else { return false }
        limit -= count
      }
    }
    var pasts: [Int: PastItems] = [:]
    for (revision, past) in route.pasts { pasts[revision] = pastItems(past, in: tree) }
    try tree.make(route.edits, pasts, of: list, &ids)
    if let overflow = ids.overflow { throw .overflow(overflow) }
    if !route.forcesUpdates {
      tree.change.forcedItems = [:]
      tree.change.forcedSections = [:]
    }
    return true
  }
}
