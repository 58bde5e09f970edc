/// Text with highlighted ranges.
package struct StyledText: Hashable, Sendable {
  /// The text in UTF-8, as in the file.
  package private(set) var bytes: [UInt8] = []

  /// The highlighted ranges, in order.
  package private(set) var marks: [Mark] = []

  /// A highlighted range of bytes.
  package struct Mark: Hashable, Sendable {
    package var range: Range<Int>
    package var style: Style
  }

  /// The meaning of a highlighted range.
  package enum Style: Hashable, Sendable {
    /// The identity of a row.
    case label
    /// Text that only the old side has.
    case old
    /// Text that only the new side has.
    case new
    /// Text that is not from the files.
    case note
  }

  package init(_ text: String = "", _ style: Style? = nil) { append(text, style) }

  package init(_ bytes: UnsafeRawBufferPointer) { append(bytes) }

  /// Appends text, highlighted if a style is given.
  package mutating func append(_ text: String, _ style: Style? = nil) {
    append(utf8: text.utf8, style)
  }

  /// Appends UTF-8, highlighted if a style is given.
  package mutating func append(_ text: UnsafeRawBufferPointer, _ style: Style? = nil) {
    append(utf8: text, style)
  }

  /// Appends text with its highlighted ranges.
  package mutating func append(_ other: StyledText) {
    let start = bytes.count
    bytes += other.bytes
    marks += other.marks.map { mark in
      Mark(range: mark.range.lowerBound + start..<mark.range.upperBound + start, style: mark.style)
    }
  }

  /// Highlights a range. It must be after all other highlighted ranges.
  package mutating func mark(_ range: Range<Int>, _ style: Style) {
    if !range.isEmpty { marks.append(Mark(range: range, style: style)) }
  }

  /// Appends UTF-8, highlighted like the text before it if that has the same style.
  mutating func append(_ text: ArraySlice<UInt8>, _ style: Style?) { append(utf8: text, style) }

  private mutating func append(utf8: some Collection<UInt8>, _ style: Style?) {
    let start = bytes.count
    bytes += utf8
    guard let style else { return }
    if let last = marks.last, last.range.upperBound == start, last.style == style {
      marks[marks.count - 1].range = last.range.lowerBound..<bytes.count
    } else {
      mark(start..<bytes.count, style)
    }
  }
}
