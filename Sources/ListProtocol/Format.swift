/// How a change is told.
package enum Format: String, CaseIterable, Sendable {
  /// Batch updates, one after the other.
  case stages
  /// Operations one after the other.
  case ops
  /// RFC 6902, of items.
  case jsonPatch
  /// Edits of the list's text.
  case textEdits
  case none
}
