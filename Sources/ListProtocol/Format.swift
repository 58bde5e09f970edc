/// How a change is told.
package enum Format: String, CaseIterable, Sendable {
  case stages
  case none
}
