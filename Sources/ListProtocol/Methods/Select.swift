import ByteBuffers
import ListDiff
import ListState

/// `select`: changes the selection of a list, its cursor, or both.
struct Select: ListRequest {
  let list: [UInt8]
  var request: SelectRequest

  /// The format of the change: operations, edits of the text, or none.
  var format = Format.ops
  var options = TextOptions()

  /// The index of the line that the cursor is set to among the lines of its row.
  var rowLine = 0

  /// The items and sections as they were written, for failures.
  var named = NamedValues()

  struct Result {
    var change: SelectionChange

    /// The change of the list's text if that is open.
    var text: TextChange?
  }

  static let members: ParamNames =
    [.list, .action, .items, .section, .cursor, .format] + TextOptions.members

  mutating func perform(on service: inout ListService) throws(Failure) -> Result {
    if format == .textEdits { try service.openText(of: list, spans: options.spans) }
    let made: (own: SelectionChange, all: [SelectionChange])
    do { made = try service.store.select(list, request) } catch {
      throw service.failure(error, named)
    }
    let text = service.updateText(
      of: made.own, rowLine: request.cursor == nil ? nil : rowLine)
    for change in made.all {
      if change.name == list {
        service.report(.selected(made.own, text))
      } else {
        service.reportSelection(change)
      }
    }
    return Result(change: made.own, text: text)
  }
}

extension Select {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    list = try service.newListName(params)
    format = service.isSubscribed(list) ? .none : .ops
    if let value = params[.format] {
      format = [.ops, .textEdits, .none][try value.requireWord("ops", "textEdits", "none")]
    }
    options = try TextOptions(params, service.context.offsetUnit)
    _ = try service.listName(params)
    let lines = service.lines(of: list)
    request = SelectRequest()
    if let action = params[.action] {
      request.action = try action.requireChoice(of: SelectionAction.self)
    }
    if let items = params[.items] {
      let references = try ItemReference.readAll(items, service.store.ids, lines)
      if let action = request.action, !action.namesItems, !references.isEmpty {
        throw items.failure(expected: "no items with \"\(action.rawValue)\"")
      }
      request.items = references
      named.items = items
    } else if let action = request.action, action.namesItems {
      throw .missing("/params/items", expected: "the items to \(action.rawValue)")
    }
    if let section = params[.section] {
      guard let id = service.store.ids.identify(section) else {
        throw section.failure(expected: "a string or an integer")
      }
      named.sections = [section]
      request.section = .some(id.key)
    }
    if let cursor = params[.cursor] {
      (request.cursor, rowLine) = try ItemReference.readCursor(cursor, service.store.ids, lines)
      named.cursor = cursor
    }
    request.clearsCursor = params.isNull(.cursor)
  }

  func append(_ result: Result, of service: inout ListService, to out: inout ByteBuffer) {
    let change = result.change
    out.append(openingFor: list, revision: change.revision)
    out.append(member: "format", string: format.rawValue)
    if format == .ops { out.append(opsOf: change) }
    if format == .textEdits, let text = result.text {
      out.append(member: "textEdits")
      let difference = text.difference(comparingSpans: options.spans)
      service.append(difference, of: text.new, options, to: &out)
      out.append(revisionsOf: text)
      if options.selectedLines { out.append(selectedLinesOf: service.book.page(of: list)) }
    }
    out.append(selection: change.selection, cursor: change.cursor)
    out.append("}")
  }
}

extension ListService {
  /// Reports a changed selection of a list that the request does not name.
  mutating func reportSelection(_ change: SelectionChange) {
    report(.selected(change, updateText(of: change)))
  }
}
