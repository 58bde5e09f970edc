/// How texts are compared and rewritten. The rules know the format of texts; this module does not.
package protocol ContentRules: Sendable {
  /// Reports whether two texts have the same meaning.
  typealias Comparison = (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool

  /// Reports whether two items, or two parts, are equal as values.
  func isSameItem(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool

  /// Reports whether the own members of two sections are equal as values.
  func isSameSection(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool

  /// Reports whether two items are equal as values if their parts are ignored.
  func isSameBesideParts(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool

  /// Returns the identifier, a string, that a section of a list has in a composite of that list.
  func sectionName(_ list: [UInt8], _ ids: borrowing IDTable, _ key: UInt32) -> [UInt8]

  /// Returns a section's own members with another identifier, a string.
  func renamed(_ own: UnsafeRawBufferPointer, _ id: [UInt8]) -> [UInt8]
}
