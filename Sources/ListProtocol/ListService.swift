import ByteBuffers
import ListDiff
import ListState

/// The lists that clients share. Requests about them are read and answered here.
package struct ListService: ~Copyable {
  package var store: ListStore

  /// What requests are performed for.
  package let context = RequestContext()

  /// The check of changes before they are sent.
  package var selfCheck = SelfCheck()

  /// The texts of lists and the registered templates.
  var book = TextBook()

  /// What is in the book beside its texts and templates, before the current request.
  var bookBefore = TextBook()

  /// The subscriptions to each list by its name, ordered by client number.
  var subscriptions: [[UInt8]: [Subscription]] = [:]

  /// The lists that the daemon fills.
  var fed = FedLists()

  /// What the program does for feeds; `nil` if there are none.
  package var feedProgram: FeedProgram?

  /// The largest number of a connection so far.
  package var lastClient = 0

  /// Messages to send after the reply, in order.
  package var notifications: [ListNotification] = []

  /// The total size in bytes of all notifications so far. Those that are shared by several clients
  /// count once.
  package internal(set) var notificationBytes = 0

  /// The approximate number of bytes that requests have freed and the next ones may not need.
  package var freedMemory = 0

  /// Whether snapshots may have rows of outlines, as snapshots that a daemon sent do.
  package var takesOutlineRows = false

  /// The parameters of the next request if they were read while its message was being checked.
  var readAhead = ReadAhead()

  /// Creates a service without lists. Older revisions are kept within `historyBytes` for each list
  /// and `totalHistoryBytes` for all lists together.
  package init(historyBytes: Int, totalHistoryBytes: Int = .max) {
    store = ListStore(
      rules: JSONContentRules(), historyBytes: historyBytes, totalHistoryBytes: totalHistoryBytes)
    store.isCancelled = { [context] in context.isCancelled }
  }

  /// Performs a request, whose parameters are a range of a message, and appends its result.
  ///
  /// - Throws: the failure of the request. Nothing has changed then, and what was appended is
  ///   invalid.
  package mutating func perform(
    _ method: Method, _ message: SharedBytes, _ params: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    // Restores a list whose states were compared, when the change does not exist any more.
    defer { store.endComparison() }
    defer { readAhead = ReadAhead() }
    switch method {
    case .applySnapshot: try answer(ApplySnapshot.self, message, params, to: &out)
    case .editSnapshot: try answer(EditSnapshot.self, message, params, to: &out)
    case .diff: try answer(Diff.self, message, params, to: &out)
    case .registerTemplates: try answer(RegisterTemplates.self, message, params, to: &out)
    case .getText: try answer(GetText.self, message, params, to: &out)
    case .select: try answer(Select.self, message, params, to: &out)
    case .getSelection: try answer(GetSelection.self, message, params, to: &out)
    case .getSnapshot: try answer(GetSnapshot.self, message, params, to: &out)
    case .getLists: try answer(GetLists.self, message, params, to: &out)
    case .locate: try answer(Locate.self, message, params, to: &out)
    case .compose: try answer(Compose.self, message, params, to: &out)
    case .subscribe: try answer(Subscribe.self, message, params, to: &out)
    case .unsubscribe: try answer(Unsubscribe.self, message, params, to: &out)
    case .removeList: try answer(RemoveList.self, message, params, to: &out)
    case .feed: try answer(Feed.self, message, params, to: &out)
    case .didFeed: try answer(DidFeed.self, message, params, to: &out)
    }
  }

  /// Reads a request, unless its parameters were read ahead, performs it, and appends its result.
  private mutating func answer<Request: ListRequest & ~Copyable>(
    _ type: Request.Type, _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params =
      switch takeParamsReadAhead(of: message, range) {
      case .some(let params): params
      case nil: try Params(message, range)
      }
    try params.check(known: Request.members)
    var request = try Request(params, &self)
    context.progressToken = params.workDoneToken
    defer { context.endProgress() }
    let result = try request.perform(on: &self)
    try request.append(result, of: &self, to: &out)
    store.endRequest()
  }

  /// Forgets what was read of a request that was not performed, and continues or begins a sweep of
  /// the identifiers if they have become many.
  package mutating func sweepIfGrown() {
    readAhead = ReadAhead()
    store.sweepIfGrown()
  }

  /// Removes and returns the warnings for people.
  package mutating func takeWarnings() -> [String] {
    defer { book.warnings = [] }
    for cycle in store.takeCycleWarnings() { book.warnings.append(message(cycle)) }
    return book.warnings
  }

  /// Converts the failure of a list into that of a request.
  func failure(_ failure: ListFailure, _ named: NamedValues = NamedValues()) -> Failure {
    let names = if case .listNotFound = failure { store.names } else { [[UInt8]]() }
    return .list(failure, named, lists: names)
  }

  /// Returns the name that the member `list` has, which is that of an existing list.
  func listName(_ params: borrowing Params) throws(Failure) -> [UInt8] {
    let name = try params.require(.list).requireString()
    guard store.contains(name) else { throw failure(.listNotFound(name)) }
    return name
  }
}
