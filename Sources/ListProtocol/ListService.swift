import ByteBuffers
import FuzzyMatch
import ListDiff
import ListState

/// The lists that clients share. Requests about them are read and answered here.
package struct ListService: ~Copyable {
  package var store: ListStore

  /// The check of changes before they are sent.
  package var selfCheck = SelfCheck()

  /// The texts of lists and the registered templates.
  var book = TextBook()

  /// The texts and templates before the current request, if they are needed to undo it.
  var bookBefore: TextBook?

  /// The client whose request is being answered.
  package var client = 1

  /// Whether results are written without line ends.
  package var singleLine = true

  /// The client's unit of offsets in texts.
  package var offsetUnit = OffsetUnit.utf16

  /// The subscriptions to each list by its name, ordered by client number.
  var subscriptions: [[UInt8]: [Subscription]] = [:]

  /// Messages to send after the reply, in order.
  package var notifications: [ListNotification] = []

  /// The total size in bytes of all notifications so far. Those that are shared by several clients
  /// count once.
  package internal(set) var notificationBytes = 0

  /// The raw id of the request that is being answered; `nil` for a notification.
  package var request: SharedBytes?

  /// Reports whether the current request was cancelled. Called before anything is changed.
  package var isCancelled: () -> Bool = { false } {
    didSet { store.isCancelled = isCancelled }
  }

  /// Sends a message immediately, before the reply to the current request.
  package var send: (borrowing ByteBuffer) -> Void = { _ in }

  /// The approximate number of bytes that requests have freed and the next ones may not need.
  package var freedMemory = 0

  /// Whether snapshots may have rows of outlines, as snapshots that a daemon sent do.
  package var takesOutlineRows = false

  /// The parameters of the current request if they were read while its message was being checked.
  var paramsReadAhead: ParamsReadAhead?

  /// Creates a service without lists. Older revisions are kept within `historyBytes` for each list
  /// and `totalHistoryBytes` for all lists together.
  package init(historyBytes: Int, totalHistoryBytes: Int = .max) {
    store = ListStore(
      rules: .json, historyBytes: historyBytes, totalHistoryBytes: totalHistoryBytes)
  }

  /// Performs a request and appends its result.
  ///
  /// - Throws: the failure of the request. Nothing has changed then, and what was appended is
  ///   invalid.
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

  /// Removes and returns the warnings for people.
  package mutating func takeWarnings() -> [String] {
    defer { book.warnings = [] }
    for cycle in store.takeCycleWarnings() { book.warnings.append(message(cycle)) }
    return book.warnings
  }

  /// Throws if the request was cancelled. Nothing has changed yet.
  func checkCancellation() throws(Failure) {
    if isCancelled() { throw .cancelled }
  }

  /// Converts the failure of a list into that of a request.
  func failure(_ failure: ListFailure, _ named: NamedValues) -> Failure {
    let names = if case .listNotFound = failure { store.names } else { [[UInt8]]() }
    return .list(failure, named, lists: names)
  }

  /// Returns the list that the member `list` names.
  mutating func list(_ params: Params) throws(Failure) -> NamedList {
    let name = try listName(params)
    do {
      try store.flattenUnlessCancelled(name)
      return try store.list(name)
    } catch { throw failure(error, NamedValues(list: name)) }
  }

  /// Returns the name that the member `list` has, which is that of an existing list.
  func listName(_ params: Params) throws(Failure) -> [UInt8] {
    let name = try params.require(.list).requireString()
    guard store.contains(name) else { throw failure(.listNotFound(name), NamedValues(list: name)) }
    return name
  }
}
