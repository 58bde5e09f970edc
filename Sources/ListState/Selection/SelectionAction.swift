/// An action on a selection.
package enum SelectionAction: String, Sendable, CaseIterable {
  case toggle
  case select
  case deselect
  case replace
  case extend
  case all
  case none
  case invert

  /// Whether the action takes items as arguments.
  package var namesItems: Bool {
    switch self {
    case .toggle, .select, .deselect, .replace, .extend: true
    case .all, .none, .invert: false
    }
  }
}
