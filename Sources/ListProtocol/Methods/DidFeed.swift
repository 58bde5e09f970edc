import JSONBytes

/// `didFeed`: what the program reports about a feed, by the feed's own connection. Subscribers of the
/// list are sent the state.
struct DidFeed: ListRequest {
  let list: [UInt8]
  var state: FeedState?

  /// Whether subscribers are sent the state.
  var isReported: Bool

  /// Lines for the log.
  let lines: [String]

  static let members: ParamNames = [.list, .state, .format, .lines, .edit]

  mutating func perform(on service: inout ListService) {
    // The feed may have been replaced meanwhile.
    guard service.fed[list]?.number == service.context.client else { return }
    service.log(lines, ofFeed: list)
    guard let state else { return }
    service.fed.lists[list]?.state = state
    if isReported { service.report(.fed(list)) }
  }
}

extension DidFeed {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    list = try service.newListName(params)
    isReported = try params[.format]?.requireChoice(of: Format.self) != Format.none
    lines =
      try params[.lines]?.requireElements { line throws(Failure) in try line.requireText() } ?? []
    guard let value = params[.state] else { return }
    var state = FeedState()
    state.isRunning = value["running"]?.boolean ?? false
    state.exitCode = value["exitCode"]?.integer
    state.signal = try value["signal"]?.requireText()
    state.error = try value["error"]?.requireText()
    state.isStale = value["stale"]?.boolean ?? false
    self.state = state
  }
}
