import FuzzyMatch
import Terminals

/// How lines are searched and shown.
struct LineForm: Sendable {
  /// Whether escape sequences of colours are styles and not text.
  var readsColors = false
  var delimiter = Delimiter.blanks

  /// The fields that are searched; empty if the whole line is.
  var searched: [FieldRange] = []

  /// What is shown, and searched, instead of the line.
  var shown: FieldTemplate?

  /// The width of a column of tabulators.
  var tabStop = 8

  /// Whether lines are searched as they are.
  private var isPlain: Bool { !readsColors && searched.isEmpty && shown == nil }

  /// The bytes that are shown of a line, without escape sequences, and their styles.
  func text(of line: ArraySlice<UInt8>) -> (bytes: ArraySlice<UInt8>, styles: [StyleSpan]) {
    let bytes = shown.map { $0.shownText(of: line, delimiter)[...] } ?? line
    guard readsColors else { return (bytes, []) }
    let (text, styles) = StyledLine.read(bytes)
    return (text[...], styles)
  }

  /// Makes the text of a row of what is searched in a line.
  func read(_ line: ArraySlice<UInt8>, into row: inout RowText) {
    row.removeAll()
    guard !isPlain else { return append(line, to: &row) }
    let (bytes, _) = text(of: line)
    guard !searched.isEmpty else { return append(bytes, to: &row) }
    for (index, field) in searchedFields(of: bytes).enumerated() {
      if index > 0 { row.endMember() }
      append(field, to: &row)
    }
  }

  /// The fields of a text that are searched.
  private func searchedFields(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let fields = delimiter.fields(of: bytes)
    return searched.compactMap { range in
      range.resolve(count: fields.count).map { found in
        let field = bytes[fields[found.lowerBound].lowerBound..<fields[found.upperBound].upperBound]
        if case .blanks = delimiter { return field }
        return delimiter.withoutDelimiter(field)
      }
    }
  }

  private func append(_ bytes: ArraySlice<UInt8>, to row: inout RowText) {
    let part = bytes.prefix(Self.longest)
    row.append(utf8: part.span)
  }

  /// The number of bytes of a line that are searched and shown.
  static let longest = 1 << 24

  /// The ranges of characters of the shown text that a query matches in it.
  func ranges(of query: Query, in bytes: ArraySlice<UInt8>) -> [Range<Int>] {
    var row = RowText()
    if searched.isEmpty {
      append(bytes, to: &row)
      return query.match(in: row)?.ranges.first ?? []
    }
    var starts: [Int] = []
    for field in searchedFields(of: bytes) {
      if !starts.isEmpty { row.endMember() }
      starts.append(Self.characters(of: bytes[..<field.startIndex]))
      append(field, to: &row)
    }
    guard let match = query.match(in: row) else { return [] }
    let all = zip(starts, match.ranges).flatMap { start, ranges in
      ranges.map { $0.lowerBound + start..<$0.upperBound + start }
    }
    return all.sorted { $0.lowerBound < $1.lowerBound }
  }

  private static func characters(of bytes: ArraySlice<UInt8>) -> Int {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.count
  }
}
