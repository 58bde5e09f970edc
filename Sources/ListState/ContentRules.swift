/// What texts mean: how they are compared where they are written differently, and rewritten.
package struct ContentRules: Sendable {
  /// Whether two texts mean the same.
  package typealias Comparison = @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool

  /// Whether two items, or parts, are the same value.
  package var isSameItem: Comparison

  /// Whether two sections' own members are the same.
  package var isSameSection: Comparison

  /// Whether two items are the same but for their parts.
  package var isSameBesideParts: Comparison

  /// The identifier, a string, that a section of a list has in a list that is made of that.
  package var sectionName: @Sendable ([UInt8], borrowing IDTable, UInt32) -> [UInt8]

  /// A section's own members with another identifier, a string.
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
