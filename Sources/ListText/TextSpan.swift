/// A range of a line with a highlight group.
package struct TextSpan: Hashable, Sendable {
  package var line: Int

  /// Offsets in the line, in bytes.
  package var start: Int
  package var end: Int

  /// The name of the group, in UTF-8.
  package var group: [UInt8]

  /// The group of text that a query has matched.
  package static let match = Array("match".utf8)

  static func < (a: TextSpan, b: TextSpan) -> Bool {
    (a.line, a.start, a.end) < (b.line, b.start, b.end)
  }
}
