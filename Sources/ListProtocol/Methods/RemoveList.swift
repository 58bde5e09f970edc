import ByteBuffers
import ListState

/// `removeList`: removes a list. Its revision numbers are not used again.
struct RemoveList: ListRequest {
  let list: [UInt8]

  static let members: ParamNames = [.list]

  mutating func perform(on service: inout ListService) throws(Failure) { try service.remove(list) }
}

extension ListService {
  /// Removes a list, and reports that.
  ///
  /// - Throws: `listNotFound`, or if the request is cancelled. Nothing has changed then.
  package mutating func remove(_ list: [UInt8]) throws(Failure) {
    let (changes, freed): ([ListChange], Int)
    do throws(ListFailure) { (changes, freed) = try store.remove(list) } catch {
      throw failure(error)
    }
    freedMemory += freed
    temporary[list] = nil
    fed.lists[list] = nil
    book.close(list)
    store.shownLists.remove(list)
    book.templates.removeAll(of: list)
    // Subscriptions are kept, and report changes of the text from the empty one on.
    let subscriptions = (subscriptions[list] ?? []).filter { $0.encoding.format == .textEdits }
    if !subscriptions.isEmpty {
      try openText(of: list, spans: subscriptions.contains { $0.encoding.text.spans })
    }
    report(.removed(list))
    noteExpansion()
    if !changes.isEmpty { report(changes) }
  }
}

extension RemoveList {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    list = try service.listName(params)
  }
}
