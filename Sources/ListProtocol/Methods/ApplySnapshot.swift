import ByteBuffers
import JSONBytes
import JSONRPC
import ListDiff
import ListState

/// `applySnapshot`: replaces the snapshot of a list and answers with the change.
struct ApplySnapshot: ListRequest, ~Copyable {
  let list: [UInt8]
  var content: Content
  var change = ChangeParams()

  /// The content that the list gets.
  enum Content {
    case snapshot(ReadSnapshot)
    case reference(SnapshotReference)
  }

  static let members: ParamNames =
    [.list, .sections, .items, .key, .snapshot, .latest] + ChangeParams.members

  mutating func perform(on service: inout ListService) throws(Failure) -> ChangeResult {
    try service.checkNotFed(list)
    try service.openText(of: list, for: change.encoding)
    service.keepOldContents(of: list, change.encoding)
    var new: ReadSnapshot
    switch content {
    case .snapshot(let snapshot):
      new = snapshot
      // Only the comparison keeps what is known about the items.
      content = .snapshot(ReadSnapshot(snapshot: Snapshot()))
    case .reference(let reference):
      if let state = reference.state, state.list == list {
        let rows = state.edits.map { $0.edits.rowCount ?? service.rowCount(of: list) }
        service.context.beginProgress(of: .applySnapshot, rows: rows ?? 0)
        if let made = try returnTo(state, on: &service) {
          service.store.setItemKey(nil, of: list)
          return service.report(made, of: change)
        }
      }
      new = ReadSnapshot(
        snapshot: try service.ordinarySnapshot(of: reference, at: "/params/snapshot"))
    }
    service.context.beginProgress(
      of: .applySnapshot, rows: max(new.snapshot.rowCount, service.rowCount(of: list)))
    let changes: [ListChange]
    do throws(ListFailure) {
      var same: [MatchedRun] = []
      swap(&same, &new.same)
      if let adopted = try service.store.adopt(new.snapshot, as: list, same: same, change.request) {
        changes = adopted
      } else {
        changes = try service.store.replace(
          list, with: new.snapshot, change.request, same: consume same)
      }
    } catch { throw service.failure(error, change.named) }
    switch content {
    case .snapshot: service.store.setItemKey(service.context.itemKey?.names ?? [], of: list)
    case .reference: service.store.setItemKey(nil, of: list)
    }
    service.context.reportProgress("encoding the change", percentage: 90)
    return service.report(changes, of: change)
  }

  /// Gives the list the content of an earlier state of its own by the steps between. Returns `nil`
  /// if that is not possible.
  private func returnTo(
    _ state: ReferencedState, on service: inout ListService
  ) throws(Failure) -> [ListChange]? {
    guard let current = service.store.peek(list)?.revision else { return nil }
    var edits = state.edits?.edits ?? Edits()
    do throws(ListFailure) {
      return try service.store.edit(
        list, from: state.revision ?? current, &edits, change.request)
    } catch {
      throw try service.failure(error, ofEdits: state.edits?.value, of: list, change.named)
    }
  }
}

extension ApplySnapshot {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    let list = try service.newListName(params)
    _ = try params[.latest]?.requireBoolean()
    try params.requireOne(
      of: .sections, .items, .snapshot, expected: "exactly one of sections, items and snapshot")
    let encoding = try service.encoding(params, of: list)
    service.context.itemKey = try params[.key].map { key throws(Failure) in try ItemKey(key) }
    let content: Content
    if let value = params[.snapshot] {
      content = .reference(try service.reference(value))
    } else if case .snapshot(let read) = params.takeContent() {
      content = .snapshot(read)
    } else {
      let (sections, items) = (params[.sections], params[.items])
      var reader = SnapshotReader(
        (sections ?? items)!.message, itemKey: service.context.itemKey)
      reader.takesOutlineRows = service.takesOutlineRows
      content = .snapshot(
        ReadSnapshot(
          snapshot: try reader.read(sections: sections, items: items, &service.store)))
    }
    // References may name items that the snapshot inserts.
    let change = try ChangeParams(params, service, of: list, encoding)
    self.init(list: list, content: content, change: change)
  }
}
