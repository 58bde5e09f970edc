/// The lines of an input when they were searched.
struct LineInput: Sendable {
  let lines: LineStore.Lines

  /// The number of header lines before the first line that is searched.
  let skipped: Int

  /// The number of the first line that is searched and kept.
  let first: Int

  /// The lines of the input when the first ones were searched, if some of these are not kept any more.
  var older: LineStore.Lines?

  /// The bytes of a line; none if it is not kept.
  func bytes(of line: Int) -> ArraySlice<UInt8> {
    let number = line + skipped
    return number < lines.first ? (older ?? lines)[number] : lines[number]
  }

  /// The number of the line at a place among all.
  func line(at place: Int) -> Int { lines.line(at: place, from: first + skipped) - skipped }

  /// The place of a line among all; nil if it is not there.
  func place(of line: Int) -> Int? { lines.place(of: line + skipped, from: first + skipped) }
}
