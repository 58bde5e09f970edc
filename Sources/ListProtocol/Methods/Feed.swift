import ByteBuffers
import ListState

/// `feed`: fills a list with the output of a command, the rows of a file or the files of a folder, or ends that.
struct Feed: ListRequest {
  let list: [UInt8]

  /// What fills the list; `nil` if nothing does from now on.
  var source: FeedSource?

  /// Whether clients may edit the folder that fills it.
  var allowsEdits = false

  static let members: ParamNames = [
    .list, .from, .key, .allowsEdits, .selectionMode, .allowsEmptySelection,
  ]

  mutating func perform(on service: inout ListService) throws(Failure) {
    try service.context.checkCancellation()
    if let sources = service.store.peek(list)?.sources {
      throw service.failure(.readOnly(list, sources: sources))
    }
    guard let source else {
      guard service.store.contains(list) else { throw service.failure(.listNotFound(list)) }
      service.fed.lists[list] = nil
      return
    }
    // If it cannot be started, nothing has changed. It can change the list only after this request.
    let fed = try service.startFeed(source, of: list, allowsEdits: allowsEdits)
    service.fed.lists[list] = nil
    let nothing = SharedBytes(
      copying: Array("[{\"id\":\"main\"".utf8) + source.sectionMembers
        + Array(",\"items\":[]}]".utf8))
    let reader = SnapshotReader(nothing)
    let sections = Value(nothing, .feed)
    let empty = try reader.read(sections: sections, items: nil, &service.store)
    var emptying = ApplySnapshot(
      list: list, content: .snapshot(ReadSnapshot(snapshot: empty)), change: ChangeParams())
    _ = try emptying.perform(on: &service)
    service.fed.lists[list] = fed
  }
}

extension Feed {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    list = try service.newListName(params)
    allowsEdits = try params[.allowsEdits]?.requireBoolean() ?? false
    let mode = params[.selectionMode]
    let allowsEmpty = params[.allowsEmptySelection]
    _ = try mode?.requireSelectionMode()
    _ = try allowsEmpty?.requireBoolean()
    if params.isNull(.from) { return }
    let from = try params.require(.from, expected: "a source, or null")
    var source = try FeedSource(from, key: params[.key])
    if let mode { source.sectionMembers += Array(",\"selectionMode\":".utf8) + Array(mode.bytes) }
    if let allowsEmpty {
      source.sectionMembers += Array(",\"allowsEmptySelection\":".utf8) + Array(allowsEmpty.bytes)
    }
    self.source = source
  }

  func append(_ result: Void, of service: inout ListService, to out: inout ByteBuffer) {
    out.append(openingFor: list, revision: service.store.peek(list)?.revision ?? 0)
    out.append(member: "state")
    service.append(feedStateOf: list, to: &out)
    out.append("}")
  }
}
