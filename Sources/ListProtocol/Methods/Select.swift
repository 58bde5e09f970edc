import ByteBuffers
import ListDiff
import ListState

extension ListService {
  /// `select`: changes the selection of a list, its cursor, or both.
  mutating func select(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(
      message, range,
      known: [.list, .action, .items, .section, .cursor, .format] + TextOptions.members)
    let name = try params.require(.list).requireString()
    let format =
      try params[.format]?.requireChoice(of: SelectFormat.self)
      ?? (isSubscribed(name) ? .none : .ops)
    let options = try TextOptions(params, offsetUnit)
    _ = try listName(params)
    let lines = lines(of: name)
    var named = NamedValues(list: name)
    var request = SelectRequest()
    if let action = params[.action] {
      request.action = try action.requireChoice(of: SelectionAction.self)
    }
    if let items = params[.items] {
      let references = try References(items, store.ids, lines)
      if let action = request.action, !action.namesItems, !references.items.isEmpty {
        throw items.failure(expected: "no items with \"\(action.rawValue)\"")
      }
      request.items = references.items
      named.items = references.values
    } else if let action = request.action, action.namesItems {
      throw .missing("/params/items", expected: "the items to \(action.rawValue)")
    }
    if let section = params[.section] {
      guard let id = store.ids.identify(section) else {
        throw section.failure(expected: "a string or an integer")
      }
      named.sections = [section]
      request.section = .some(id.key)
    }
    if let cursor = params[.cursor] {
      request.cursor = try ItemReference.read(cursor, store.ids, lines)
      named.cursor = cursor
    }
    if format == .textEdits { try openText(of: name, spans: options.spans) }
    let made: (own: SelectionChange, all: [SelectionChange])
    do { made = try store.select(name, request) } catch { throw failure(error, named) }
    let change = made.own
    let text = updateText(of: change)
    out.append(openingFor: name)
    out.append(member: "revision", change.revision)
    out.append(",\"format\":\"")
    out.append(contentsOf: format.rawValue.utf8)
    out.append("\"")
    if format == .ops { out.append(opsOf: change) }
    if format == .textEdits, let text {
      out.append(",\"textEdits\":")
      let difference = text.difference(comparingSpans: options.spans)
      out.append(difference.edits, of: text.new)
      append(difference, of: text.new, options, to: &out)
      out.append(revisionsOf: text)
      if options.selectedLines { out.append(selectedLinesOf: book.page(of: name)) }
    }
    out.append(selection: change.selection, cursor: change.cursor)
    out.append("}")
    for other in made.all {
      if other.name == name { report(.selected(change, text)) } else { reportSelection(other) }
    }
  }

  /// Reports a changed selection of a list that the request does not name.
  mutating func reportSelection(_ change: SelectionChange) {
    report(.selected(change, updateText(of: change)))
  }
}

/// The format of a change of the selection.
enum SelectFormat: String, CaseIterable {
  case ops
  case textEdits
  case none
}
