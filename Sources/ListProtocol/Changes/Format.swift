/// The format of a change.
package enum Format: String, CaseIterable, Sendable {
  /// Stages of batch updates, applied one after the other.
  case stages
  /// Operations, applied one after the other.
  case ops
  /// A JSON Patch (RFC 6902) of items.
  case jsonPatch
  /// Edits of the list's text.
  case textEdits
  case none

  /// The name as a JSON string.
  var json: StaticString {
    switch self {
    case .stages: "\"stages\""
    case .ops: "\"ops\""
    case .jsonPatch: "\"jsonPatch\""
    case .textEdits: "\"textEdits\""
    case .none: "\"none\""
    }
  }
}
