/// Unicode simple case folding.
package enum CaseFolding {
  /// Returns the folded form of a code point.
  @inline(__always)
  package static func fold(_ point: UInt32) -> UInt32 { CharacterTable.shared.fold(point) }
}
