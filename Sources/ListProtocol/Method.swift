import JSONBytes

/// The methods about lists.
package enum Method: String, CaseIterable, Sendable {
  case applySnapshot
  case editSnapshot
  case diff
  case select
  case getSelection
  case registerTemplates
  case getText
  case getSnapshot
  case getLists
  case locate
  case compose
  case subscribe
  case unsubscribe
  case removeList

  package static let table = CaseTable(of: Method.self)
}
