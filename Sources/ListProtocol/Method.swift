/// The requests about lists, by name.
package enum Method: String, CaseIterable, Sendable {
  case applySnapshot
  case diff
  case select
  case getSelection
  case registerTemplates
  case getText
  case getSnapshot
  case getLists
  case removeList
}
