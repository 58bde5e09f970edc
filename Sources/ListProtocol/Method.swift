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
  case feed
  /// What a feed reports. No client may call it.
  case didFeed

  /// The methods that clients may call.
  package static let ofClients = allCases.filter { $0 != .didFeed }

  package static let table = CaseTable(of: Method.self)
}
