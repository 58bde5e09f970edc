import FuzzyMatch
import JSONBytes
import ListDiff
import ListState

/// The lists that clients share, and the one place where requests about them are read and answered.
package struct ListService: ~Copyable {
  package var store: ListStore

  /// What is checked before it is sent.
  package var selfCheck = SelfCheck()

  /// The texts of lists, and the templates that they are made with.
  var book = TextBook()

  /// What they were before the request that is being answered, where that is kept.
  var bookBefore: TextBook?

  /// The client whose request is being answered.
  package var client = 1

  /// Whether results are written without line ends.
  package var singleLine = true

  /// The unit of offsets in texts that the client wants.
  package var offsetUnit = OffsetUnit.utf16

  /// The subscriptions to each list, by its name, in the order of the clients' numbers.
  var subscriptions: [[UInt8]: [Subscription]] = [:]

  /// Messages that are to be sent after the reply, in order.
  package var notifications: [ListNotification] = []

  /// The bytes of all notifications so far. Those that several clients receive count once.
  package internal(set) var notificationBytes = 0

  /// The raw id of the request that is being answered, unless it is a notification.
  package var request: SharedBytes?

  /// Whether the request that is being answered was cancelled; asked before anything is changed.
  package var isCancelled: () -> Bool = { false } {
    didSet { store.isCancelled = isCancelled }
  }

  /// Sends a message at once, before the reply to the request that is being answered.
  package var send: (borrowing ByteBuffer) -> Void = { _ in }

  /// About how many bytes requests have left free that the next ones may have no use for.
  package var freedMemory = 0

  /// Whether snapshots may have rows of outlines, as those that a daemon has sent do.
  package var takesOutlineRows = false

  /// What was read of the message that is being answered while it was checked.
  var readAhead: ReadAhead?

  /// No lists; older revisions are kept within `historyBytes` for each list and `totalHistoryBytes` for
  /// all.
  package init(historyBytes: Int, totalHistoryBytes: Int = .max) {
    store = ListStore(
      rules: .json, historyBytes: historyBytes, totalHistoryBytes: totalHistoryBytes)
  }

  /// Does what a request asks and appends its result.
  ///
  /// - Throws: where nothing was done and nothing is to be kept of what was appended.
  package mutating func perform(
    _ method: Method, _ message: SharedBytes, _ params: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    switch method {
    case .applySnapshot: try applySnapshot(message, params, to: &out)
    case .editSnapshot: try editSnapshot(message, params, to: &out)
    case .diff: try diff(message, params, to: &out)
    case .registerTemplates: try registerTemplates(message, params, to: &out)
    case .getText: try getText(message, params, to: &out)
    case .select: try select(message, params, to: &out)
    case .getSelection: try getSelection(message, params, to: &out)
    case .getSnapshot: try getSnapshot(message, params, to: &out)
    case .getLists: try getLists(message, params, to: &out)
    case .locate: try locate(message, params, to: &out)
    case .compose: try compose(message, params, to: &out)
    case .subscribe: try subscribe(message, params, to: &out)
    case .unsubscribe: try unsubscribe(message, params, to: &out)
    case .removeList: try removeList(message, params, to: &out)
    }
  }

  /// Takes away what people are to be warned of.
  package mutating func takeWarnings() -> [String] {
    defer { book.warnings = [] }
    for cycle in store.takeCycleWarnings() { book.warnings.append(words(cycle)) }
    return book.warnings
  }

  /// Stops a request that was cancelled and has changed nothing yet.
  func checkCancellation() throws(Failure) {
    if isCancelled() { throw .cancelled }
  }

  /// The failure that a list's failure is to a client.
  func failure(_ failure: ListFailure, _ named: Named) -> Failure {
    let names = if case .listNotFound = failure { store.names } else { [[UInt8]]() }
    return .list(failure, named, lists: names)
  }

  /// The list that the member `list` names.
  mutating func list(_ params: Params) throws(Failure) -> NamedList {
    let name = try listName(params)
    store.settle(name)
    do { return try store.list(name) } catch { throw failure(error, Named(list: name)) }
  }

  /// The name of the list that the member `list` names; there is one.
  func listName(_ params: Params) throws(Failure) -> [UInt8] {
    let name = try params.require("list").requireString()
    guard store.contains(name) else { throw failure(.listNotFound(name), Named(list: name)) }
    return name
  }
}
