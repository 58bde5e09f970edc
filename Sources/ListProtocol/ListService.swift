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

  /// The subscriptions to each list by its name, ordered by client number.
  var subscriptions: [[UInt8]: [Subscription]] = [:]

  /// The lists that are removed when the connections end whose clients have made them, and these clients.
  /// Journals have none of them.
  var temporary: [[UInt8]: Int] = [:]

  /// The name of the list that a request has named last.
  private var lastName: [UInt8] = []

  /// The lists that the daemon fills.
  var fed = FedLists()

  /// The lists with feeds and the temporary ones before the current request.
  var ownersBefore: (fed: [[UInt8]: FedList], temporary: [[UInt8]: Int]) = ([:], [:])

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
  var freedMemory = 0

  /// Whether snapshots may have rows of outlines, as snapshots that a daemon sent do.
  package var takesOutlineRows = false

  /// Creates a service without lists. Older revisions are kept within `historyBytes` for each list
  /// and `totalHistoryBytes` for all lists together.
  package init(historyBytes: Int, totalHistoryBytes: Int = .max) {
    store = ListStore(
      rules: JSONContentRules(), historyBytes: historyBytes, totalHistoryBytes: totalHistoryBytes)
    store.isCancelled = { [context] in context.isCancelled }
  }

  /// Removes and returns the approximate number of bytes that requests have freed and the next ones may not
  /// need.
  package mutating func takeFreedMemory() -> Int {
    defer { (freedMemory, store.freedMemory) = (0, 0) }
    return freedMemory + store.freedMemory
  }

  /// Performs a request, whose parameters are a range of a message, and appends its result.
  ///
  /// `params` has them if they were read while the message was checked; if not, they are read.
  ///
  /// - Throws: the failure of the request. Nothing has changed then, and what was appended is
  ///   invalid.
  package mutating func perform(
    _ method: Method, _ message: SharedBytes, _ range: Range<Int>?, _ params: inout Params,
    to out: inout ByteBuffer
  ) throws(Failure) {
    // Restores a list whose states were compared, when the change does not exist any more.
    defer { store.endComparison() }
    if params.range != range { params = try Params(message, range) }
    switch method {
    case .applySnapshot: try answer(ApplySnapshot.self, &params, to: &out)
    case .editSnapshot: try answer(EditSnapshot.self, &params, to: &out)
    case .diff: try answer(Diff.self, &params, to: &out)
    case .registerTemplates: try answer(RegisterTemplates.self, &params, to: &out)
    case .getText: try answer(GetText.self, &params, to: &out)
    case .select: try answer(Select.self, &params, to: &out)
    case .getSelection: try answer(GetSelection.self, &params, to: &out)
    case .getSnapshot: try answer(GetSnapshot.self, &params, to: &out)
    case .getLists: try answer(GetLists.self, &params, to: &out)
    case .locate: try answer(Locate.self, &params, to: &out)
    case .compose: try answer(Compose.self, &params, to: &out)
    case .subscribe: try answer(Subscribe.self, &params, to: &out)
    case .unsubscribe: try answer(Unsubscribe.self, &params, to: &out)
    case .removeList: try answer(RemoveList.self, &params, to: &out)
    case .feed: try answer(Feed.self, &params, to: &out)
    case .didFeed: try answer(DidFeed.self, &params, to: &out)
    }
  }

  /// Reads a request, performs it, and appends its result.
  private mutating func answer<Request: ListRequest & ~Copyable>(
    _ type: Request.Type, _ params: inout Params, to out: inout ByteBuffer
  ) throws(Failure) {
    try params.check(known: Request.members)
    var request = try Request(&params, &self)
    context.progressToken = params.workDoneToken
    defer { context.endProgress() }
    let result = try request.perform(on: &self)
    try request.append(result, of: &self, to: &out)
    store.endRequest()
  }

  /// Performs a request whose parameters are a range of a message that was checked, and appends its
  /// result.
  ///
  /// - Throws: the failure of the request.
  package mutating func perform(
    _ method: Method, _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    var params = Params()
    try perform(method, message, range, &params, to: &out)
  }

  /// Continues or begins a sweep of the identifiers if they have become many. What was read of requests
  /// is not used after it.
  package mutating func sweepIfGrown() { store.sweepIfGrown() }

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
  mutating func listName(_ params: borrowing Params) throws(Failure) -> [UInt8] {
    let name = try newListName(params)
    guard store.contains(name) else { throw failure(.listNotFound(name)) }
    return name
  }

  /// Returns the name that the member `list` has, of a list that need not exist.
  mutating func newListName(_ params: borrowing Params) throws(Failure) -> [UInt8] {
    let value = try params.require(.list)
    guard let name = name(value) else { throw value.failure(expected: "a string") }
    return name
  }

  /// Returns the name of a list; `nil` if the value is not a string. Requests about the same list share its
  /// memory.
  mutating func name(_ value: Value) -> [UInt8]? {
    let isLast = value.withString { name in
      lastName.withUnsafeBytes { Bytes.equal($0, name) }
    }
    guard let isLast else { return nil }
    if !isLast { lastName = value.string! }
    return lastName
  }
}
