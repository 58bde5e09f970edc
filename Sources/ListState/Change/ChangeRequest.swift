/// The parameters of a change beside the new snapshot.
package struct ChangeRequest: Sendable {
  package var baseRevision: Int?
  package var selected: [ItemReference]?
  package var cursor: ItemReference?
  package var cursorPolicy = CursorPolicy.follow

  /// Whether the list has no cursor from now on. `cursor` is `nil` then.
  package var clearsCursor = false

  /// The older revisions to which the references are, paired with the items of the changed list.
  var pasts: [Int: PastSnapshot] = [:]

  package init() {}

  /// The references to items.
  var references: [ItemReference] { (cursor.map { [$0] } ?? []) + (selected ?? []) }
}
