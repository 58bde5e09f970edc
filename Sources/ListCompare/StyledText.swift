/// A text for people in which some ranges stand out.
package struct StyledText: Hashable, Sendable {
  /// UTF-8, as it is in the file.
  package private(set) var bytes: [UInt8] = []

  /// What stands out, in order.
  package private(set) var marks: [Mark] = []

  /// A range of bytes that stands out.
  package struct Mark: Hashable, Sendable {
    package var range: Range<Int>
    package var style: Style
  }

  /// How a range stands out.
  package enum Style: Hashable, Sendable {
    /// The identity of a row.
    case label
    /// What the old side has.
    case old
    /// What the new side has.
    case new
    /// Words that are not from the files.
    case note
  }

  package init(_ text: String = "", _ style: Style? = nil) { append(text, style) }

  package init(_ bytes: UnsafeRawBufferPointer) { append(bytes) }

  /// Appends a text, which stands out if a style is given.
  package mutating func append(_ text: String, _ style: Style? = nil) {
    append(utf8: text.utf8, style)
  }

  /// Appends UTF-8, which stands out if a style is given.
  package mutating func append(_ text: UnsafeRawBufferPointer, _ style: Style? = nil) {
    append(utf8: text, style)
  }

  /// Appends a text with its marks.
  package mutating func append(_ other: StyledText) {
    let start = bytes.count
    bytes += other.bytes
    marks += other.marks.map { mark in
      Mark(range: mark.range.lowerBound + start..<mark.range.upperBound + start, style: mark.style)
    }
  }

  /// Lets a range stand out that is behind all others that do.
  package mutating func mark(_ range: Range<Int>, _ style: Style) {
    if !range.isEmpty { marks.append(Mark(range: range, style: style)) }
  }

  private mutating func append(utf8: some Collection<UInt8>, _ style: Style?) {
    let start = bytes.count
    bytes += utf8
    if let style { mark(start..<bytes.count, style) }
  }
}
