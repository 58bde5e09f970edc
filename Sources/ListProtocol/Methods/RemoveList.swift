import ByteBuffers
import ListState

/// `removeList`: removes a list. Its revision numbers are not used again.
struct RemoveList: ListRequest {
  let list: [UInt8]

  static let members: [ParamName] = [.list]

  mutating func perform(on service: inout ListService) throws(Failure) {
    let changes: [ListChange]
    do throws(ListFailure) {
      try service.store.flattenUnlessCancelled(list)
      let removed = try service.store.list(list)
      changes = try service.store.remove(list)
      service.freedMemory += removed.snapshot.footprint
    } catch { throw service.failure(error) }
    service.endFeed(of: list)
    service.closeText(of: list)
    service.book.templates.removeAll(of: list)
    // Subscriptions are kept, and report changes of the text from the empty one on.
    let subscriptions = service.textSubscriptions(to: list)
    if !subscriptions.isEmpty {
      try service.openText(of: list, spans: subscriptions.contains { $0.form.text.spans })
    }
    service.report(.removed(list))
    service.noteExpansion()
    for change in changes {
      service.report(
        .changed(change, service.updateText(of: change.name, .snapshots(change))))
    }
  }
}

extension RemoveList {
  init(_ params: borrowing Params, _ service: inout ListService) throws(Failure) {
    list = try service.listName(params)
  }
}
