import JSONBytes
import ListState

/// The members that every request that changes a list may have.
struct ChangeParams: ~Copyable {
  static let members: ParamNames =
    [.baseRevision, .format, .content, .moves, .maxOps, .selected, .cursor, .cursorPolicy]
    + TextOptions.members

  /// Those that ``encoding`` does not hold.
  private static let own = ParamNames([.baseRevision, .selected, .cursor, .cursorPolicy]).bits

  var encoding = ChangeEncoding()
  var request = ChangeRequest()

  /// The index of the line that `cursor` names among the lines of its row, 0 if it does not name one.
  var rowLine = 0

  /// The row line that the request sets; `nil` if it does not set the cursor.
  var newRowLine: Int? { request.cursor == nil ? nil : rowLine }

  /// The values of `selected` and `cursor`, for failures.
  var named = NamedValues()
}

extension ChangeParams {
  /// Reads all members but those that `encoding` holds, of a request that changes a list.
  init(
    _ params: borrowing Params, _ service: borrowing ListService, of list: [UInt8],
    _ encoding: ChangeEncoding
  ) throws(Failure) {
    self.encoding = encoding
    guard params.hasAny(Self.own) else { return }
    let lines = service.lines(of: list, afterChange: true)
    request.baseRevision = try params[.baseRevision]?.requireCount()
    if let policy = params[.cursorPolicy] {
      request.cursorPolicy = try policy.requireChoice(of: CursorPolicy.self)
    }
    if let selected = params[.selected] {
      request.selected = try ItemReference.readAll(selected, service.store.ids, lines)
      named.items = selected
    }
    if let cursor = params[.cursor] {
      (request.cursor, rowLine) = try ItemReference.readCursor(cursor, service.store.ids, lines)
      named.cursor = cursor
    }
    request.clearsCursor = params.isNull(.cursor)
  }
}
