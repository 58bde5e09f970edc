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
}
