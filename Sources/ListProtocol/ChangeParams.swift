import JSONBytes
import ListState

/// The members that every request for a change of a list may have.
struct ChangeParams {
  static let members =
    [
      "baseRevision", "format", "content", "maxOps", "selected", "cursor", "cursorPolicy",
    ] + TextOptions.members

  var telling: Telling
  var request = ChangeRequest()

  /// What `selected` and `cursor` name, for failures.
  var named: Named

  /// Reads the members beside those that say how the change is told.
  init(
    _ params: Params, _ list: [UInt8], _ ids: borrowing IDTable, _ lines: LineReferences?,
    _ telling: Telling
  ) throws(Failure) {
    self.telling = telling
    named = Named(list: list)
    request.baseRevision = try params["baseRevision"]?.requireCount()
    if let policy = params["cursorPolicy"] {
      request.cursorPolicy = try policy.requireChoice(of: CursorPolicy.self)
    }
    if let selected = params["selected"] {
      let references = try References(selected, ids, lines)
      request.selected = references.items
      named.items = references.values
    }
    if let cursor = params["cursor"] {
      request.cursor = try .read(cursor, ids, lines)
      named.cursor = cursor
    }
  }
}
