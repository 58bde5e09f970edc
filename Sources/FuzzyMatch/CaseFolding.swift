/// The simple case folding of Unicode.
package enum CaseFolding {
  /// The code point that stands for this one if case is ignored.
  @inline(__always)
  package static func fold(_ point: UInt32) -> UInt32 { CharacterTable.shared.fold(point) }
}
