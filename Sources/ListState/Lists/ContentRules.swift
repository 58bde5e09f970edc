/// How texts are compared and rewritten. The rules know the format of texts; this module does not.
package struct ContentRules: Sendable {
  /// Reports whether two texts have the same meaning.
  package typealias Comparison = @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool

  /// Reports whether two items, or two parts, are equal as values.
  package var isSameItem: Comparison

  /// Reports whether the own members of two sections are equal as values.
  package var isSameSection: Comparison

  /// Reports whether two items are equal as values if their parts are ignored.
  package var isSameBesideParts: Comparison

  /// Returns the identifier, a string, that a section of a list has in a composite of that list.
  package var sectionName: @Sendable ([UInt8], borrowing IDTable, UInt32) -> [UInt8]

  /// Returns a section's own members with another identifier, a string.
  package var renamed: @Sendable (UnsafeRawBufferPointer, [UInt8]) -> [UInt8]

  package init(
    isSameItem: @escaping Comparison, isSameSection: @escaping Comparison,
    isSameBesideParts: @escaping Comparison,
    sectionName: @escaping @Sendable ([UInt8], borrowing IDTable, UInt32) -> [UInt8],
    renamed: @escaping @Sendable (UnsafeRawBufferPointer, [UInt8]) -> [UInt8]
  ) {
    self.isSameItem = isSameItem
    self.isSameSection = isSameSection
    self.isSameBesideParts = isSameBesideParts
    self.sectionName = sectionName
    self.renamed = renamed
  }
}
